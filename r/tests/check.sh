#!/usr/bin/env bash
# check.sh SOURCE LIBRARY_FOLDER WEFT: builds the R package into a folder of its own, and uses it beside the command.
set -euo pipefail
command -v R >/dev/null || {
  echo "skipped: R is not installed"
  exit 77
}
source=$1 library=$2 weft=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source/r/weft" "$work/weft"
mkdir "$work/installed"
export WEFT_CFLAGS="-I$source/c" WEFT_LIBS="-L$library -Wl,-rpath,$library -lweft_c" OMP_WAIT_POLICY=passive
R CMD INSTALL --no-docs --no-test-load -l "$work/installed" "$work/weft" >"$work/log" 2>&1 || {
  cat "$work/log"
  exit 1
}
R_LIBS="$work/installed" Rscript --vanilla "$source/r/tests/check.R" "$weft" "$work"
