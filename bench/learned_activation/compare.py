#!/usr/bin/env python3
"""Learned activations against relu and cos random features, both searched by the same cross-validation.

Usage: compare.py WEFT DATA_FOLDER [NAME=SWEEPS ...]

Every search has the same folds, number of features and number of configurations. A configuration of a fixed activation is a sigma
and the best of 17 lambdas; one of a learned activation is a sigma, an activation to start from (relu or cos) and one lambda.
Prints a row of the table of docs/learned_activation.md per table.
"""
import json
import subprocess
import sys

FEATURES, CONFIGURATIONS = 100, 24
SETS = {"concrete": 20, "abalone": 20, "cpusmall": 20, "california_housing": 8, "casp": 8}

weft, folder = sys.argv[1:3]
chosen = dict(text.split("=") for text in sys.argv[3:]) or SETS


def tune(name, family, configurations, *options):
    out = subprocess.run([weft, "tune", f"{folder}/{name}.csv.gz", "--target", "target", "--family", family, "--features",
                          str(FEATURES), "--configurations", str(configurations), "--threads", "1", "--json", *options],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)


def cell(result):
    best = result["best"]
    return f"{best['score']:.4g} ± {best['standard_error']:.2g}"


for name, sweeps in chosen.items():
    relu, cos = (tune(name, family, CONFIGURATIONS) for family in ("rks-relu", "rks-cos"))
    learned = tune(name, "rks-relu,rks-cos", CONFIGURATIONS // 2, "--fit", "learned-activation", "--lambda-range",
                   "1e-9:1e-5", "--iterations", str(sweeps))
    best = learned["best"]
    print(f"| {name} | {cell(relu)} | {cell(cos)} | {cell(learned)} | from {best['family'][4:]}, sigma {best['sigma']:.2g}, "
          f"lambda {best['lambda'] or 0:.1e}, {sweeps} sweeps | {learned['seconds']:.0f} s |", flush=True)
