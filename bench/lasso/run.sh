#!/bin/sh
# Usage: run.sh BUILD_DIR DATA_FOLDER [TOLERANCE] [CAP_SECONDS]. weft and scikit-learn on the same Φ, one thread each.
set -eu
here=$(dirname "$0")
build=${1:?build directory, configured with -DWEFT_BUILD_BENCH=ON}
data=${2:?folder with adult.train.csv.gz}
tolerance=${3:-1e-6}
cap=${4:-120}
python=${PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
"$build/bin/bench_weft_lasso" "$data" "$folder" "$tolerance" >"$folder/lines"
"$python" "$here/sklearn_lasso.py" "$folder" "$tolerance" "$cap" <"$folder/lines"
