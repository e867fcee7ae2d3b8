#!/usr/bin/env bash
# Weft's search against plain refits and against scikit-learn, in one run: run.sh BUILD DATA TARGET [CONFIGURATIONS]
set -euo pipefail
build=$1
shift
"$build/bin/bench_search" "$@"
python=$(command -v /usr/bin/python3 || command -v python3)
"$python" "$(dirname "$0")/sklearn_search.py" "$@"
