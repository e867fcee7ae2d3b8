#!/usr/bin/env python3
"""Learned activations against relu and cos random features, searched by the same cross-validation.

Usage: compare.py WEFT DATA_FOLDER FEATURES [NAME=SWEEPS ...]

Every search has the same folds, number of features and number of configurations, 24. A configuration of a fixed activation is a
sigma and the best of 17 lambdas. The learned one spends 18 on relu and cos, 9 each, and 6 on learning from the better of the two at
its sigma, 5 with lambdas from half to 16 times that of the fixed activation (divided by its mean square, as the objective counts
it) and the library's default, sigma 1 and a lambda by the fit. At most 4000 rows of a table are used, evenly spaced.
Prints a row of the table of docs/learned_activation.md per table.
"""
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile

FIXED, TRIED, LEARNED, ROWS = 24, 9, 6, 4000
SETS = {"concrete": 10, "abalone": 5, "cpusmall": 10, "california_housing": 10, "casp": 10}

weft, folder, features = sys.argv[1:4]
chosen = dict(text.split("=") for text in sys.argv[4:]) or SETS


def some_rows(name, to):
    with gzip.open(f"{folder}/{name}.csv.gz", "rt") as file:
        header, *rows = csv.reader(file)
    step = max(1, len(rows) // ROWS)
    with open(to, "w", newline="") as file:
        csv.writer(file).writerows([header] + rows[::step][:ROWS])
    return len(header) - 1, min(ROWS, len(rows))


def tune(table, family, configurations, *options):
    out = subprocess.run([weft, "tune", table, "--target", "target", "--family", family, "--features", features,
                          "--configurations", str(configurations), "--threads", "1", "--json", *options],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)["best"]


def learn(table, start, inputs, sweeps):
    sigma = start["sigma"]
    # Inputs have variance 1, and so has the constant's square.
    mean_square = 0.5 if start["family"] == "rks-cos" else sigma**2 * (inputs + 1) / 2
    least = start["lambda"] / mean_square / 2
    return tune(table, start["family"], LEARNED, "--fit", "learned-activation", "--iterations", str(sweeps), "--sigma-range",
                f"{0.999 * sigma}:{1.001 * sigma}", "--lambda-range", f"{least}:{32 * least}")


def cell(best):
    return f"{best['score']:.4g} ± {best['standard_error']:.2g}"


with tempfile.TemporaryDirectory() as scratch:
    for name, sweeps in chosen.items():
        table = os.path.join(scratch, name + ".csv")
        inputs, rows = some_rows(name, table)
        relu, cos = (tune(table, family, FIXED) for family in ("rks-relu", "rks-cos"))
        start = min((tune(table, family, TRIED) for family in ("rks-relu", "rks-cos")), key=lambda best: best["score"])
        best = learn(table, start, inputs, sweeps)
        by = "the fit" if best["lambda"] is None else f"{best['lambda']:.1e}"
        print(f"| {name} ({rows}) | {features} | {cell(relu)} | {cell(cos)} | {cell(best)} | {start['family'][4:]}, {cell(start)} | "
              f"σ = {best['sigma']:.2g}, λ = {by}, {sweeps} sweeps |", flush=True)
