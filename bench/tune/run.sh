#!/usr/bin/env bash
# Weft's search against plain refits and against scikit-learn, in one run: run.sh BUILD DATA TARGET [CONFIGURATIONS]
# BUILD is a folder with weft and the benchmarks: build, after ./test.
set -euo pipefail
build=$1
shift
here=$(dirname "$0")
python=/usr/bin/python3
[[ -x $python ]] || python=python3
"$build/bin/bench_search" "$@"
"$python" "$here/train_command.py" "$build/bin/weft" "$@"
"$python" "$here/sklearn_search.py" "$@"
