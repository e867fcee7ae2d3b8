"""Categories with many levels: `weft train` beside scikit-learn's ridge regression on one-hot columns, in the same run.

Usage: many_levels.py WEFT [--rows N] [--levels A,B,…] [--only WORD]
Tables of 20,000 rows to fit and as many to test: four numbers x0 … x3 and a category, whose levels are equally frequent
or follow Zipf's law, with normal effects. The target is
  linear      x0 + x1/2 + effect + noise/2
  non-linear  2 sin(2 x0) + x1² / 2 + effect + noise/2
  noise       x0 + x1/2 + noise/2: the levels mean nothing
  classes     whether the linear target, with twice the effects, is above 0
  two         linear, and a second category with as many levels and effects
The ridge gets a sparse OneHotEncoder and standardised numbers, and alpha by five folds (classes: logistic regression
with C by five folds). Columns: R² (classes: the share classified right) on the test rows and seconds of processor time in all
threads; weft's include reading the files, testing and writing the model. Where the levels mean nothing, weft is also run without them.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("weft")
parser.add_argument("--rows", type=int, default=20000)
parser.add_argument("--levels", default="300,3000,10000")
parser.add_argument("--only", default="", help="tables whose name contains this")
arguments = parser.parse_args()
tiny = "WEFT_BENCH_TINY" in os.environ
rows = 600 if tiny else arguments.rows


def draw_levels(random, levels, law):
    if law == "uniform":
        return random.integers(levels, size=2 * rows)
    weights = 1 / np.arange(1, levels + 1)
    return random.choice(levels, size=2 * rows, p=weights / weights.sum())


def table(target, levels, law):
    random = np.random.default_rng(levels)
    x = random.normal(size=(2 * rows, 4))
    shop = draw_levels(random, levels, law)
    effect = random.normal(size=levels)[shop]
    noise = 0.5 * random.normal(size=2 * rows)
    frame = pd.DataFrame(x, columns=[f"x{j}" for j in range(4)]).round(5)
    frame["shop"] = [f"shop {k}" for k in shop]
    linear = x[:, 0] + 0.5 * x[:, 1]
    if target == "non-linear":
        y = 2 * np.sin(2 * x[:, 0]) + 0.5 * x[:, 1] ** 2 + effect + noise
    elif target == "noise":
        y = linear + noise
    elif target == "classes":
        y = np.where(linear + 2 * effect + noise > 0, "yes", "no")
    else:
        y = linear + effect + noise
    if target == "two":
        town = draw_levels(random, levels, law)
        frame["town"] = [f"town {k}" for k in town]
        y = y + random.normal(size=levels)[town]
    frame["y"] = y
    return frame[:rows], frame[rows:]


def one_hot(train, test, classes):
    texts = [name for name in ("shop", "town") if name in train]
    numbers = [f"x{j}" for j in range(4)]
    encoder = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), texts), (StandardScaler(), numbers))
    model = LogisticRegression(max_iter=200) if classes else Ridge(solver="sparse_cg")
    grid = {"C": [0.1, 0.3, 1, 3, 10]} if classes else {"alpha": [0.03, 0.1, 0.3, 1, 3, 10, 30]}
    start = time.process_time()
    search = make_pipeline(encoder, GridSearchCV(model, grid))
    search.fit(train.drop(columns="y"), train["y"])
    score = search.score(test.drop(columns="y"), test["y"])
    return score, time.process_time() - start


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_weft(folder, options, classes):
    start = processor_seconds()
    text = subprocess.run([arguments.weft, "train", str(folder / "train.csv"), "--test", str(folder / "test.csv"),
                           "--target", "y", "--model", str(folder / "m.weft"), "--json", *options],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    seconds = processor_seconds() - start
    test = json.loads(text)["test"]
    return test["accuracy"] if classes else test["r2"], seconds


CONTENDERS = {"weft": [], "--fast": ["--fast"], "--fast, without": ["--fast", "--drop", "shop"]}

print(f"| target | frequencies | levels | one-hot | s | {' | s | '.join(CONTENDERS)} | s |")
print("|" + "---|" * (5 + 2 * len(CONTENDERS)))
for target in ("linear", "non-linear", "classes", "two", "noise"):
    for law in ("uniform", "Zipf"):
        for levels in [100] if tiny else map(int, arguments.levels.split(",")):
            if arguments.only not in f"{target} {law} {levels}":
                continue
            classes = target == "classes"
            train, test = table(target, levels, law)
            cells = [one_hot(train, test, classes)]
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                train.to_csv(folder / "train.csv", index=False)
                test.to_csv(folder / "test.csv", index=False)
                for options in CONTENDERS.values():
                    if target == "noise" or "--drop" not in options:
                        cells.append(run_weft(folder, options, classes))
            cells += [None] * (1 + len(CONTENDERS) - len(cells))
            text = " | ".join(f"{cell[0]:.3f} | {cell[1]:.1f}" if cell else " | " for cell in cells)
            print(f"| {target} | {law} | {levels} | {text} |", flush=True)
