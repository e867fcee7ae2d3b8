#!/bin/sh
# Usage: run.sh BUILD_DIR [ROWS]. Parses one seeded file with weft and pandas; the answers are compared before the speeds.
set -eu
here=$(dirname "$0")
build=${1:?build directory, configured with -DWEFT_BUILD_BENCH=ON}
rows=${2:-200000}
python=${PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" "$here/make_csv.py" "$folder/numbers.csv" "$rows"
export OMP_NUM_THREADS=1
weft=$("$build/bin/bench_weft_csv" "$folder/numbers.csv")
pandas=$("$python" "$here/pandas_csv.py" "$folder/numbers.csv")
echo "$weft $pandas" | awk '{
  difference = $2 - $5; if (difference < 0) difference = -difference
  size = $2 < 0 ? -$2 : $2
  if ($1 != $4 || difference > 1e-6 * (1 + size)) {
    printf "the answers differ: weft %s rows, sum %s; pandas %s rows, sum %s\n", $1, $2, $4, $5 > "/dev/stderr"; exit 1
  }
  printf "%s rows, sum %s\nweft   %7.1f MB/s\npandas %7.1f MB/s\nratio  %7.2f\n", $1, $2, $3, $6, $3 / $6 }'
