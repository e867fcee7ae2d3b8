#!/usr/bin/env python3
"""Test error against the number of features for ways to choose them, after the experiments of [001].

usage: sampling.py WEFT DATA_FOLDER   (adult, epileptic_seizure and year_msd_7k as .csv.gz with a column 'target')
"""
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile

SEEDS = range(1, 6)
METHODS = ["plain", "orthogonal", "leverage", "leverage-top", "eerf", "lkrf"]


def test_error(weft, data, sigma, features, method, seed, more=()):
    command = [weft, "train", *data, "--target", "target", "--family", "rff-rbf", "--sigma", str(sigma), "--scale",
               "standard", "--features", str(features), "--sampling", method, "--seed", str(seed), "--threads", "1",
               "--json", *more]
    test = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["test"]
    return test["error"] if "error" in test else 1 - test["r2"]


def mean_and_error(values):
    return f"{statistics.mean(values):.3f} ± {statistics.stdev(values) / len(values) ** 0.5:.3f}"


def table(title, weft, data, sigma, counts, methods=METHODS, more=lambda column: ()):
    print(f"\n**{title}**\n\n| sampling | " + " | ".join(map(str, counts)) + " |\n|---|" + "---|" * len(counts))
    for method in methods:
        cells = []
        for count in counts:
            features, extra = (count, ()) if not more(count) else (25, more(count))
            cells.append(mean_and_error([test_error(weft, data, sigma, features, method, s, extra) for s in SEEDS]))
        print(f"| {method} | " + " | ".join(cells) + " |", flush=True)


def main():
    weft, folder = sys.argv[1:]
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
        counts = [10, 20, 40, 80]
        table("adult, sigma 0.03: error", weft, adult, 0.03, counts)
        table("seizure, sigma 0.1: error", weft, seizure, 0.1, counts)
        table("seizure, sigma 0.03: error", weft, seizure, 0.03, counts)
        table("year, sigma 0.1: 1 - R²", weft, year, 0.1, counts)
        table("seizure, sigma 0.03, 25 features, logistic, few labels per class: error", weft, seizure, 0.03,
              [5, 25, 100, 400], ["plain", "leverage", "leverage-top"],
              lambda labels: ("--labels-per-class", str(labels), "--fit", "logistic", "--lambda", "1e-3"))


if __name__ == "__main__":
    main()
