#!/usr/bin/env python3
"""weft tune against [000] Tables 10/16 and 11/17: every family on every data set, T = 500, 50 configurations, 5 folds,
mean and standard deviation over ten seeds of split, features and search.

  paper_tables.py run   --weft build/bin/weft --data DIR --out results.jsonl [--sets a,b] [--families a,b]
  paper_tables.py table --papers DIR --out results.jsonl > docs/paper_tables.md

`run` skips what results.jsonl already holds. DIR is the folder of the data sets, or of the papers' tables as CSV.
"""
import argparse
import csv
import gzip
import json
import statistics
import subprocess
import sys

# file, the papers' name, task
SETS = [
    ("breast_cancer", "cancer", "classification"),
    ("magic", "telescope", "classification"),
    ("phishing", "phishing", "classification"),
    ("abalone", "abalone", "regression"),
    ("california_housing", "housing", "regression"),
    ("concrete", "concrete", "regression"),
    ("wine", "wine", "regression"),
    ("diabetes", "diabetes", "regression"),
]
# weft's name, the papers' instantiation, their column
FAMILIES = [
    ("rw-sign", "RWSign", "rw"),
    ("rw-relu", "RWRelu", "rw"),
    ("rw-exp-sign", "RWExpSign", "rw"),
    ("rw-exp-relu", "RWExpRelu", "rw"),
    ("rw-stumps", "RWStumps", "rw"),
    ("rks-sign", "RWSign", "rks"),
    ("rks-relu", "RWRelu", "rks"),
    ("rks-stumps", "RWStumps", "rks"),
]


def target_variance(path):
    with gzip.open(path, "rt") as file:
        rows = csv.reader(file)
        next(rows)
        return statistics.pvariance(float(row[-1]) for row in rows)


def run(options):
    try:
        with open(options.out) as file:
            done = {(cell["set"], cell["family"]) for cell in map(json.loads, file)}
    except FileNotFoundError:
        done = set()
    for name, _, task in SETS:
        for family, _, _ in FAMILIES:
            if (name, family) in done or name not in options.sets or family not in options.families:
                continue
            path = f"{options.data}/{name}.csv.gz"
            # Without a kernel, sign and relu features do not change when sigma does, but for a factor that lambda takes.
            configurations = 1 if family in ("rks-sign", "rks-relu") else options.configurations
            command = [options.weft, "tune", path, "--target", "target", "--task", task, "--family", family,
                       "--features", "500", "--folds", "5", "--configurations", str(configurations), "--holdout", "0.25",
                       "--repeats", str(options.repeats), "--json"] + options.extra
            result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            measure, unit = ("error", 1) if task == "classification" else ("mse", target_variance(path))
            tests = [repeat["test"][measure] / unit for repeat in result["repeats"]]
            cell = {"set": name, "family": family, "mean": statistics.mean(tests), "std": statistics.stdev(tests),
                    "tests": tests, "seconds": result["seconds"]}
            with open(options.out, "a") as file:
                file.write(json.dumps(cell) + "\n")
            print(name, family, f"{cell['mean']:.4f} ± {cell['std']:.4f}", flush=True)


def read_papers(folder):
    papers = {}
    for file, measure in (("rkhs_vs_rks_classification", "test_error"), ("rkhs_vs_rks_regression", "test_mse")):
        with open(f"{folder}/{file}.csv") as table:
            for row in csv.DictReader(table):
                for kind in ("rw", "rks"):
                    papers[row["dataset"], row["instantiation"], kind] = (
                        float(row[f"{measure}_{kind}"]), float(row[f"{measure}_{kind}_std"]))
    return papers


def table(options):
    papers = read_papers(options.papers)
    with open(options.out) as file:
        cells = {(cell["set"], cell["family"]): cell for cell in map(json.loads, file)}
    print("| data set | family | weft | [000] | allowed | verdict |")
    print("|---|---|---|---|---|---|")
    missed = []
    for name, paper_name, _ in SETS:
        for family, instantiation, kind in FAMILIES:
            if (name, family) not in cells:
                continue
            cell = cells[name, family]
            mean, std = papers[paper_name, instantiation, kind]
            allowed = mean + std + 0.005
            verdict = "better" if cell["mean"] < mean else "matches" if cell["mean"] <= allowed else "worse"
            if verdict == "worse":
                missed.append((name, family))
            print(f"| {name} | {family} | {cell['mean']:.4f} ± {cell['std']:.4f} | {mean:.3f} ± {std:.3f} | "
                  f"{allowed:.3f} | {verdict} |")
    print(f"\n{len(cells) - len(missed)} of {len(cells)} cells within the allowance", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["run", "table"])
    parser.add_argument("--weft", default="build/bin/weft")
    parser.add_argument("--data")
    parser.add_argument("--papers")
    parser.add_argument("--out", required=True)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=[name for name, _, _ in SETS])
    parser.add_argument("--families", type=lambda text: text.split(","), default=[name for name, _, _ in FAMILIES])
    parser.add_argument("--configurations", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--extra", type=str.split, default=[], help="more options of weft tune")
    options = parser.parse_args()
    (run if options.action == "run" else table)(options)


if __name__ == "__main__":
    main()
