#!/usr/bin/env bash
# run.sh BUILD FOLDER [PROCESSES…]: what `weft train` (T = 2000, λ given) and bench_distributed take with 16, 8, 4, 2 and 1 processes of
# one thread each. The table is made in FOLDER: $ROWS rows (5000000) of friedman1 in 64 files. One line of JSON per figure on standard output.
# $MPIRUN: what is put before the command in place of "mpirun --map-by core --bind-to core".
set -euo pipefail
build=$(cd "$1" && pwd) folder=$2
shift 2
[[ $# -gt 0 ]] || set -- 16 8 4 2 1
if [[ -n ${WEFT_BENCH_TINY:-} ]]; then rows=4096 files=4 features=50; else rows=${ROWS:-5000000} files=64 features=2000; fi
read -ra mpirun <<<"${MPIRUN:-mpirun --map-by core --bind-to core}"
export OPENBLAS_NUM_THREADS=1

for k in $(seq 1 "$files"); do echo "$k"; done |
  xargs -P "$(nproc)" -I{} "$build/bin/weft" generate friedman1 --rows $((rows / files)) --seed {} --out "$folder/part-{}.csv" >&2
mse=
for processes in "$@"; do
  "${mpirun[@]}" -n "$processes" "$build/bin/bench_distributed"
  begin=$(date +%s.%N)
  "${mpirun[@]}" -n "$processes" "$build/bin/weft" train "$folder/part-*.csv" --target target --features "$features" --lambda 1e-4 --threads 1 \
    --verbose >"$folder/report" 2>"$folder/errors" || { cat "$folder/errors" >&2; exit 1; }
  end=$(date +%s.%N)
  now=$(awk '$1 == "mse" { print $2; exit }' "$folder/report")
  [[ -z $mse || $now == "$mse" ]] || { echo "run.sh: the error is $now with $processes processes, and was $mse" >&2; exit 1; }
  mse=$now
  awk -v p="$processes" -v rows="$rows" -v t="$features" -v s="$(echo "$end $begin" | awk '{ print $1 - $2 }')" '
    / time / { stages = stages sprintf(", \"%s\": %s", $1 == "time" ? "fit" : $1, $(NF - 1)) }
    END { printf "{\"what\": \"train\", \"processes\": %d, \"rows\": %d, \"features\": %d, \"seconds\": %.3f%s}\n", p, rows, t, s, stages }' "$folder/report"
done
