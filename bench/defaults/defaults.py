"""Test errors of candidate defaults of `weft train --fast` and of scikit-learn's HistGradientBoosting on 19 data sets.

    defaults.py run  WEFT DATA RESULTS [--candidates A;B] [--sets A;B] [--seeds 1,2,3]
    defaults.py table RESULTS [--candidates A;B]

`run` appends one JSON line per data set, candidate and seed to RESULTS and skips what is there already. DATA is the
folder of the .csv.gz files. Errors are the share misclassified, or 1 - R^2, on the official test file or on 25 % held
out. weft's split is seeded and stratified inside weft; the yardstick has train_test_split with the same seeds, so it
sees splits of the same kind and not the same rows.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import pandas as pd

# name: (task, rows drawn with a fixed seed, or None for all)
SETS = {
    "adult": ("classification", None), "bank_marketing": ("classification", None),
    "breast_cancer": ("classification", None), "covtype_60k": ("classification", None),
    "epileptic_seizure": ("classification", None), "magic": ("classification", None),
    "mnist17": ("classification", None), "phishing": ("classification", None), "skin": ("classification", 60000),
    "abalone": ("regression", None), "california_housing": ("regression", None), "casp": ("regression", None),
    "concrete": ("regression", None), "cpusmall": ("regression", None), "diabetes": ("regression", None),
    "online_news_8k": ("regression", None), "superconductivity": ("regression", None), "wine": ("regression", None),
    "year_msd_7k": ("regression", None),
}
BOOSTING = "boosting"
UNION = "--family rw-stumps:300+rw-relu/sparse:3:700 --pool 1000"
CANDIDATES = {
    "union": f"{UNION} --scale quantile --regularizer ridge",
    "union, rkhs": f"{UNION} --scale quantile --regularizer rkhs",
    "union, standard": f"{UNION} --scale standard --regularizer ridge",
    "sparse:3": "--family rw-relu/sparse:3 --pool 100 --scale quantile --regularizer rkhs",
    "dense, standard": "--family rw-relu --scale standard --regularizer rkhs",
}


def prepare(folder, data, name):
    """Plain CSV files of a set: (train, test), test None where the set has no official split."""
    def plain(stem):
        out = folder / f"{stem}.csv"
        if not out.exists():
            table = pd.read_csv(data / f"{stem}.csv.gz", keep_default_na=False, dtype=str)
            rows = SETS[name][1]
            (table.sample(rows, random_state=0) if rows else table).to_csv(out, index=False)
        return out
    if (data / f"{name}.train.csv.gz").exists():
        return plain(f"{name}.train"), plain(f"{name}.test")
    return plain(name), None


def run_weft(weft, options, train, test, task, seed):
    command = [weft, "train", str(train), "--target", "target", "--task", task, "--seed", str(seed), "--threads", "1",
               "--unseen", "ignore", "--json", *options.split()]
    command += ["--test", str(test)] if test else ["--holdout", "0.25"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    answer = json.loads(done.stdout)
    scores = answer["test"]
    return (scores["error"] if task == "classification" else 1 - scores["r2"]), sum(answer["seconds"].values())


def run_boosting(train, test, task, seed):
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.metrics import r2_score
    from sklearn.model_selection import train_test_split
    tables = [pd.read_csv(path, keep_default_na=False) for path in (train, test) if path]
    table = pd.concat(tables, ignore_index=True)
    y = table.pop("target").to_numpy()
    text = [str(d) == "object" for d in table.dtypes]
    for column in table.columns[text]:
        table[column] = table[column].astype("category").cat.codes
    x = table.to_numpy(dtype=float)
    classes = task == "classification"
    if test:
        m = len(tables[0])
        x_train, x_test, y_train, y_test = x[:m], x[m:], y[:m], y[m:]
    else:
        x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.25, random_state=seed,
                                                            stratify=y if classes else None)
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    start = time.perf_counter()
    model = kind(random_state=seed, categorical_features=text).fit(x_train, y_train)
    seconds = time.perf_counter() - start
    predicted = model.predict(x_test)
    return (float(np.mean(predicted != y_test)) if classes else 1 - r2_score(y_test, predicted)), seconds


def run(arguments):
    results = pathlib.Path(arguments.results)
    known = {(r["set"], r["candidate"], r["seed"]) for r in read_results(results)}
    candidates = chosen(arguments.candidates, list(CANDIDATES) + [BOOSTING])
    os.environ["OMP_NUM_THREADS"] = "1"
    with results.open("a") as out, tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        for name in chosen(arguments.sets, SETS):
            train, test = prepare(folder, pathlib.Path(arguments.data), name)
            task = SETS[name][0]
            for candidate in candidates:
                for seed in map(int, arguments.seeds.split(",")):
                    if (name, candidate, seed) in known:
                        continue
                    if candidate == BOOSTING:
                        error, seconds = run_boosting(train, test, task, seed)
                    else:
                        error, seconds = run_weft(arguments.weft, CANDIDATES[candidate], train, test, task, seed)
                    row = {"set": name, "candidate": candidate, "seed": seed, "error": error, "seconds": seconds}
                    out.write(json.dumps(row) + "\n")
                    out.flush()


def read_results(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def chosen(text, among):
    names = text.split(";") if text else list(among)
    for name in names:
        if name not in among:
            raise SystemExit(f"there is no {name}; there are {', '.join(among)}")
    return names


def shown(errors):
    text = f"{np.mean(errors):.4f}"
    return f"{text} ± {np.std(errors):.4f}" if len(errors) > 1 else text


def table(arguments):
    """Means over the seeds; ranks among and ratios to weft's candidates over the seeds that all of them had."""
    cells = collections.defaultdict(dict)
    for row in read_results(pathlib.Path(arguments.results)):
        cells[row["set"], row["candidate"]][row["seed"]] = row["error"]
    candidates = chosen(arguments.candidates, list(CANDIDATES) + [BOOSTING])
    own = [c for c in candidates if c != BOOSTING]
    print("| data set | " + " | ".join(candidates) + " |\n|---" + "|---" * len(candidates) + "|")
    ranks, ratios = collections.defaultdict(list), collections.defaultdict(list)
    for name in SETS:
        seeds = set.intersection(*(set(cells[name, c]) for c in candidates))
        if not seeds:
            continue
        means = {c: np.mean([cells[name, c][seed] for seed in seeds]) for c in candidates}
        best = min(means[c] for c in own)
        for c in candidates:
            ratios[c].append(means[c] / best)
            ranks[c].append(sum((means[d] < means[c]) + 0.5 * (means[d] == means[c]) for d in own) + 0.5)
        row = [shown(list(cells[name, c].values())) for c in candidates]
        row = [f"**{text}**" if means[c] == best else text for c, text in zip(candidates, row)]
        print(f"| {name} | " + " | ".join(row) + " |")
    print("| mean rank | " + " | ".join(f"{np.mean(ranks[c]):.2f}" if c in own else "" for c in candidates) + " |")
    print("| mean ratio to the best | "
          + " | ".join(f"{np.exp(np.mean(np.log(ratios[c]))):.3f}" for c in candidates) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    runner = commands.add_parser("run")
    runner.add_argument("weft")
    runner.add_argument("data")
    runner.add_argument("results")
    runner.add_argument("--sets", default="")
    runner.add_argument("--seeds", default="1,2,3")
    runner.set_defaults(call=run)
    printer = commands.add_parser("table")
    printer.add_argument("results")
    printer.set_defaults(call=table)
    for each in (runner, printer):
        each.add_argument("--candidates", default="")
    arguments = parser.parse_args()
    arguments.call(arguments)


if __name__ == "__main__":
    main()
