#!/usr/bin/env bash
# tiny.sh BENCHMARK BUILD: one benchmark with tiny sizes and made-up tables in place of the data sets, for ./test. It has to
# run and its answers have to agree; its times mean nothing.
set -euo pipefail
bench=$(cd "$(dirname "$0")" && pwd)
name=$1 build=$2
weft=$build/bin/weft
# The system's Python, whose packages packages.txt installs.
export PYTHON=/usr/bin/python3
[[ -x $PYTHON ]] || PYTHON=python3
export WEFT_BENCH_TINY=1 OMP_WAIT_POLICY=passive PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$build/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=$work/data
mkdir "$data"

# table NAME SEED [classes]: DATA/NAME.csv.gz, 300 rows of ten inputs and a number, or a class of two.
table() {
  "$weft" generate friedman1 --rows 300 --seed "$2" --out - |
    awk -F, -v OFS=, -v classes="${3:-}" 'NR > 1 && classes { $NF = $NF > 14 ? 1 : 0 } 1' | gzip >"$data/$1.csv.gz"
}

# needs PROGRAM|MODULE…: skips the benchmark (77) where one is missing.
needs() {
  local one
  for one in "$@"; do
    command -v "$one" >/dev/null || "$PYTHON" -c "import $one" 2>/dev/null || {
      echo "skipped: $one is not installed"
      exit 77
    }
  done
}

table adult.train 1 classes
table adult.test 2 classes
case $name in
  accuracy)
    needs numpy pandas sklearn matplotlib
    table wine 1
    "$PYTHON" "$bench/accuracy/accuracy.py" run "$weft" "$data" "$work/results" --sets 'adult;wine' --seeds 1 --minutes 0.1 \
      --contenders 'weft;weft --auto;weft --fast;boosting;boosting, tuned'
    "$PYTHON" "$bench/accuracy/accuracy.py" table "$work/results"
    "$PYTHON" "$bench/accuracy/accuracy.py" chart "$work/results" "$work/chart.svg"
    ;;
  csv_parsing) needs numpy pandas && "$bench/csv_parsing/run.sh" "$build" 300 ;;
  defaults)
    needs numpy pandas sklearn
    table wine 1
    "$PYTHON" "$bench/defaults/defaults.py" run "$weft" "$data" "$work/results" --sets 'adult;wine' --seeds 1
    "$PYTHON" "$bench/defaults/defaults.py" table "$work/results"
    ;;
  device)
    # Without a GPU on one that the host emulates.
    export WEFT_CUDA=${WEFT_CUDA:-$build/lib/libweft_cuda_emulated.so}
    "$build/bin/bench_device"
    "$build/bin/bench_fits"
    ;;
  distributed)
    needs mpirun
    [[ -x $build/bin/bench_distributed ]] || { echo "skipped: there is no MPI" && exit 77; }
    mkdir "$work/parts"
    MPIRUN="mpirun --allow-run-as-root --oversubscribe --bind-to none" "$bench/distributed/run.sh" "$build" "$work/parts" 2 1
    ;;
  features) "$build/bin/bench_features" 1 ;;
  gram) "$build/bin/bench_gram" 500 50 ;;
  intervals)
    needs numpy pandas sklearn
    table wine 1
    for options in "" --fast; do
      "$PYTHON" "$bench/intervals/intervals.py" run "$weft" "$data" "$work/results" --sets 'adult;wine' --seeds 1 --options="$options"
    done
    "$PYTHON" "$bench/intervals/intervals.py" table "$work/results"
    ;;
  leaf) "$build/bin/bench_leaf" ;;
  kernel_blocks) "$build/bin/bench_kernel_blocks" ;;
  # Almost as many landmarks as rows: both sides then have almost the exact solution.
  kernel_ridge) needs numpy pandas sklearn && "$PYTHON" "$bench/kernel_ridge/kernel_ridge.py" "$weft" "$data" 290 300 ;;
  nystrom) needs numpy sklearn && "$PYTHON" "$bench/kernel_ridge/nystrom.py" "$weft" 1 290 ;;
  lasso) needs numpy sklearn && "$bench/lasso/run.sh" "$build" "$data" ;;
  learned_activation)
    needs "$PYTHON"
    table concrete 1
    "$PYTHON" "$bench/learned_activation/compare.py" "$weft" "$data" 20 concrete=1
    ;;
  least_squares) "$build/bin/bench_least_squares" synthetic 1 && "$build/bin/bench_least_squares" "$data" 1 ;;
  leverage) "$build/bin/bench_leverage" "$data" 1 ;;
  load) "$build/bin/bench_load" ;;
  many_levels) needs numpy pandas sklearn && "$PYTHON" "$bench/many_levels/many_levels.py" "$weft" ;;
  memory) needs "$PYTHON" && "$PYTHON" "$bench/memory/memory.py" "$weft" 500 1000 -- --features 50 ;;
  predict) "$build/bin/bench_predict" "$data" 1 ;;
  row) "$build/bin/bench_row" 1 ;;
  python) needs numpy sklearn weft && "$PYTHON" "$bench/python/python.py" "$build/bin/bench_library" 1 2000 ;;
  serve) needs wrk curl && "$bench/serve/run.sh" "$build" ;;
  structured) "$build/bin/bench_structured" 1 ;;
  svm)
    needs numpy pandas sklearn
    "$bench/svm/run.sh" "$build" "$data" adult
    needs svm-train
    table skin 1 classes
    "$bench/svm/run.sh" "$build" "$data" skin
    ;;
  tune) needs numpy pandas scipy sklearn && "$bench/tune/run.sh" "$build" "$data/adult.train.csv.gz" target 2 ;;
  vector_math) "$build/bin/bench_vector_math" ;;
  *)
    echo "there is no benchmark $name" >&2
    exit 2
    ;;
esac
