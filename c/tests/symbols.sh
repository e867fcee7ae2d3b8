#!/bin/sh
# symbols.sh LIBRARY: exported is what weft.h declares, all of it under a version, and nothing else.
set -eu
header=$(dirname "$0")/../weft.h
declared=$(grep -oE '\bweft_[a-z_]+\(' "$header" | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | sort -u)
for name in $declared; do
  printf '%s\n' "$exported" | grep -qx "$name@@WEFT_1" || { echo "$name is declared, but not exported as WEFT_1"; exit 1; }
done
others=$(nm -D --defined-only "$1" | awk '{ print $3 }' | grep -v '@@WEFT_1$' | grep -vx 'WEFT_1' || true)
[ -z "$others" ] || { echo "exported although weft.h does not declare it: $others"; exit 1; }
