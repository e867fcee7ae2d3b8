#!/usr/bin/env python3
"""Test error against the number of features for ways to choose them, after the experiments of [001].

usage: sampling.py WEFT DATA_FOLDER [labels]   (adult, epileptic_seizure and year_msd_7k as .csv.gz with a column
'target'; with the word labels only the tables of few labels)
"""
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile

SEEDS = range(1, 6)
LABEL_SEEDS = range(1, 11)  # few labels are a matter of luck
METHODS = ["plain", "orthogonal", "leverage", "leverage-top", "eerf", "lkrf"]


def test_error(weft, data, sigma, features, method, seed, more=()):
    command = [weft, "train", *data, "--target", "target", "--family", "rff-rbf", "--sigma", str(sigma), "--scale",
               "standard", "--features", str(features), "--sampling", method, "--seed", str(seed), "--threads", "1",
               "--json", *more]
    test = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["test"]
    return test["error"] if "error" in test else 1 - test["r2"]


def mean_and_error(values):
    return f"{statistics.mean(values):.3f} ± {statistics.stdev(values) / len(values) ** 0.5:.3f}"


def table(title, columns, methods, cell):
    print(f"\n**{title}**\n\n| sampling | " + " | ".join(map(str, columns)) + " |\n|---|" + "---|" * len(columns))
    for method in methods:
        print(f"| {method} | " + " | ".join(mean_and_error(cell(method, column)) for column in columns) + " |",
              flush=True)


def by_features(name, weft, data, sigma, measure="error"):
    table(f"{name}, sigma {sigma}: {measure}", [10, 20, 40, 80], METHODS,
          lambda method, count: [test_error(weft, data, sigma, count, method, seed) for seed in SEEDS])


def by_labels(name, weft, data, sigma, features=25):
    fit = ("--fit", "logistic", "--lambda", "1e-3", "--labels-per-class")
    table(f"{name}, sigma {sigma}, {features} features, logistic, labels per class: error", [5, 25, 100, 400],
          ["plain", "leverage", "leverage-top"],
          lambda method, labels: [test_error(weft, data, sigma, features, method, seed, (*fit, str(labels)))
                                  for seed in LABEL_SEEDS])


def main():
    weft, folder = sys.argv[1:3]
    at = lambda name: os.path.join(folder, name + ".csv.gz")
    adult = [at("adult.train"), "--test", at("adult.test")]
    year = [at("year_msd_7k"), "--holdout", "0.25"]
    with tempfile.TemporaryDirectory() as work:
        # The paper's task: seizure (class 1) against the four others.
        seizure = os.path.join(work, "seizure.csv")
        with gzip.open(at("epileptic_seizure"), "rt") as rows, open(seizure, "w") as out:
            out.write(next(rows))
            for row in rows:
                cells, _, label = row.rstrip("\n").rpartition(",")
                out.write(f"{cells},{'seizure' if label == '1' else 'none'}\n")
        seizure = [seizure, "--holdout", "0.25"]
        if sys.argv[3:] != ["labels"]:
            by_features("adult", weft, adult, 0.03)
            by_features("seizure", weft, seizure, 0.1)
            by_features("seizure", weft, seizure, 0.03)
            by_features("year", weft, year, 0.1, "1 - R²")
        by_labels("seizure", weft, seizure, 0.03)
        by_labels("adult", weft, adult, 0.03)


if __name__ == "__main__":
    main()
