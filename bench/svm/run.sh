#!/bin/sh
# Usage: run.sh BUILD_DIR DATA_FOLDER [skin|adult]. Needs svm-train (libsvm-tools), pandas and scikit-learn.
set -eu
here=$(dirname "$0")
build=${1:?build directory}
data=${2:?folder with skin.csv.gz, adult.train.csv.gz and adult.test.csv.gz}
for task in ${3:-skin adult}; do
  echo "## $task"
  "${PYTHON:-python3}" "$here/svm.py" "$task" "$build/bin/weft" "$data"
done
