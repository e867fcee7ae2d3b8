"""Test errors of `weft train`, of its search, and of gradient boosting on 19 data sets.

    accuracy.py run   WEFT DATA RESULTS [--contenders A;B] [--sets A;B] [--seeds 1,2,3] [--threads 2] [--minutes 3]
    accuracy.py table RESULTS [--contenders A;B]
    accuracy.py chart RESULTS OUT.svg

`run` appends one JSON line per data set, contender and seed to RESULTS and skips what is there already; so it does with each
configuration that a contender tries, so that an interrupted search continues. RESULTS of docs/accuracy.md is results.jsonl beside
this file: run on that, and commit what a run adds. DATA is the folder of the .csv.gz files. Errors are the share misclassified, or
the mean squared error over the variance of the test targets, on the official test file or on a quarter of the rows held out
(scikit-learn's train_test_split with the seed, stratified by class). Every contender reads the same two files. Whatever has
hyperparameters chooses them on the training rows.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "defaults"))
from defaults import SETS, chosen, read_results  # noqa: E402

CONFIGURATIONS = 25  # of tuned boosting


def split(data, name, seed):
    """(training rows, test rows) as tables; official where there is an official split."""
    from sklearn.model_selection import train_test_split
    read = lambda stem: pd.read_csv(data / f"{stem}.csv.gz", keep_default_na=False)
    if (data / f"{name}.train.csv.gz").exists():
        return read(f"{name}.train"), read(f"{name}.test")
    task, rows = SETS[name]
    table = read(name)
    if rows and rows < len(table):
        table = table.sample(rows, random_state=0)
    return train_test_split(table, test_size=0.25, random_state=seed,
                            stratify=table["target"] if task == "classification" else None)


class Weft:
    def __init__(self, options):
        self.options = options

    def run(self, arguments, train, test, task, seed, folder, trials):
        files = []
        for name, table in (("train", train), ("test", test)):
            files.append(folder / f"{name}.csv")
            table.to_csv(files[-1], index=False)
        command = [arguments.weft, "train", str(files[0]), "--test", str(files[1]), "--target", "target", "--task", task,
                   "--seed", str(seed), "--unseen", "ignore", "--threads", str(arguments.threads), "--json"]
        command += self.options.format(minutes=arguments.minutes).split()
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True)
        seconds = time.perf_counter() - start
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
        scores = json.loads(done.stdout)["test"]
        return (scores["error"] if task == "classification" else 1 - scores["r2"]), seconds


def encoded(train, test):
    """Numbers as they are, categories as codes of the training rows; and which columns are categories."""
    text = [str(kind) == "object" for kind in train.drop(columns="target").dtypes]
    parts = []
    for table in (train, test):
        inputs = table.drop(columns="target").copy()
        for column in inputs.columns[text]:
            inputs[column] = pd.Categorical(inputs[column], categories=sorted(train[column].unique())).codes
        x = inputs.to_numpy(dtype=float)
        x[:, text] = np.where(x[:, text] < 0, np.nan, x[:, text])
        parts.append(x)
    return parts[0], parts[1], text


class Trials:
    """Errors on held-out rows of the configurations that a contender tries: those of an earlier run are taken from its results."""

    def __init__(self, cell, earlier, log):
        self.cell, self.log = cell, log
        self.known = {r["configuration"]: r for r in earlier if r["cell"] == cell}
        self.earlier_seconds = 0.0

    def error(self, number, compute):
        if number in self.known:
            self.earlier_seconds += self.known[number]["seconds"]
            return self.known[number]["held_out_error"]
        start = time.perf_counter()
        error = compute()
        self.log({"cell": self.cell, "configuration": number, "held_out_error": error,
                  "seconds": round(time.perf_counter() - start, 2)})
        return error


class Learner:
    """A scikit-learn estimator on encoded tables."""

    def make(self, task, seed, text, **settings):
        raise NotImplementedError

    def error(self, model, x, y, task):
        predicted = model.predict(x)
        return float(np.mean(predicted != y)) if task == "classification" else float(np.mean((predicted - y) ** 2) / np.var(y))

    def fit(self, x, y, task, seed, text, trials):
        return self.make(task, seed, text).fit(x, y)

    def run(self, arguments, train, test, task, seed, folder, trials):
        x, x_test, text = encoded(train, test)
        y, y_test = train["target"].to_numpy(), test["target"].to_numpy()
        if task == "classification":
            labels, y = np.unique(y, return_inverse=True)
            y_test = np.searchsorted(labels, y_test)
        start = time.perf_counter()
        model = self.fit(x, y, task, seed, text, trials)
        return self.error(model, x_test, y_test, task), time.perf_counter() - start + trials.earlier_seconds


class Boosting(Learner):
    def make(self, task, seed, text, **settings):
        from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
        kind = HistGradientBoostingClassifier if task == "classification" else HistGradientBoostingRegressor
        return kind(random_state=seed, categorical_features=text, **settings)


class TunedBoosting(Boosting):
    """The best of 25 random configurations on a fifth of the training rows, then all training rows."""

    @staticmethod
    def draw(random):
        return {"learning_rate": float(10 ** random.uniform(-2, -0.3)), "max_leaf_nodes": int(random.choice([15, 31, 63, 127, 255])),
                "min_samples_leaf": int(random.choice([2, 5, 10, 20, 50])), "max_iter": 2000, "early_stopping": True,
                "l2_regularization": float(random.choice([0, 0.1, 1, 10])), "validation_fraction": 0.1, "n_iter_no_change": 20}

    def fit(self, x, y, task, seed, text, trials):
        from sklearn.model_selection import train_test_split
        random = np.random.RandomState(seed)
        fit, held = train_test_split(np.arange(len(y)), test_size=0.2, random_state=seed,
                                     stratify=y if task == "classification" else None)
        tried = []
        for number in range(3 if os.environ.get("WEFT_BENCH_TINY") else CONFIGURATIONS):
            settings = self.draw(random)
            error = trials.error(number, lambda: self.error(self.make(task, seed, text, **settings).fit(x[fit], y[fit]),
                                                            x[held], y[held], task))
            tried.append((error, number, settings))
        return self.make(task, seed, text, **min(tried)[2]).fit(x, y)


class XgBoost(Learner):
    def make(self, task, seed, text, **settings):
        import xgboost
        kind = xgboost.XGBClassifier if task == "classification" else xgboost.XGBRegressor
        return kind(random_state=seed, n_jobs=2, **settings)


CONTENDERS = {
    "weft": Weft(""), "weft --auto": Weft("--auto --minutes {minutes}"), "boosting": Boosting(),
    "boosting, tuned": TunedBoosting(), "xgboost": XgBoost(), "weft --fast": Weft("--fast"),
}


def finished_and_tried(path):
    """Rows of RESULTS: errors on the test rows, and those of single configurations. A row with "seeds" in place of "seed" is a mean
    over these splits, whose single errors were not kept: it stands for each of them."""
    finished, tried = [], []
    for row in read_results(path):
        if "cell" in row:
            tried.append(row)
        else:
            finished += [{**row, "seed": seed} for seed in row.get("seeds", [row.get("seed")])]
    return finished, tried


def run(arguments):
    results = pathlib.Path(arguments.results)
    finished, tried = finished_and_tried(results)
    known = {(r["set"], r["contender"], r["seed"]) for r in finished}
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
    with results.open("a") as out, tempfile.TemporaryDirectory() as work:
        log = lambda row: print(json.dumps(row), file=out, flush=True)
        for name in chosen(arguments.sets, SETS):
            for seed in map(int, arguments.seeds.split(",")):
                missing = [c for c in chosen(arguments.contenders, CONTENDERS) if (name, c, seed) not in known]
                if not missing:
                    continue
                train, test = split(pathlib.Path(arguments.data), name, seed)
                for contender in missing:
                    trials = Trials([name, contender, seed], tried, log)
                    error, seconds = CONTENDERS[contender].run(arguments, train, test, SETS[name][0], seed, pathlib.Path(work), trials)
                    log({"set": name, "contender": contender, "seed": seed, "error": error, "seconds": round(seconds, 2)})


def by_seed(results):
    """{set: {contender: {seed: (error, seconds)}}}"""
    cells = collections.defaultdict(lambda: collections.defaultdict(dict))
    for row in results:
        seconds = row["seconds"]
        cells[row["set"]][row["contender"]][row["seed"]] = (row["error"], math.nan if seconds is None else seconds)
    return cells


def means(seeds, chosen_seeds=None):
    """Mean error, and mean seconds of those seeds that have them."""
    rows = [seeds[s] for s in chosen_seeds or seeds]
    timed = [seconds for _, seconds in rows if not math.isnan(seconds)]
    return np.mean([error for error, _ in rows]), np.mean(timed) if timed else math.nan


def ratios(cells, ours, theirs):
    """Mean errors of one contender over another's, over the splits that both have; no error counts as half a row of 1000."""
    each = {}
    for name, row in cells.items():
        if common := row.get(ours, {}).keys() & row.get(theirs, {}).keys():
            each[name] = max(means(row[ours], common)[0], 5e-4) / max(means(row[theirs], common)[0], 5e-4)
    return each


def geometric_mean(values):
    return math.exp(np.mean(np.log(list(values))))


def table(arguments):
    cells = by_seed(finished_and_tried(pathlib.Path(arguments.results))[0])
    contenders = [c for c in chosen(arguments.contenders, CONTENDERS) if any(c in row for row in cells.values())]
    print("| data set | " + " | ".join(contenders) + " |\n|---" + "|---" * len(contenders) + "|")
    for name in SETS:
        if name in cells:
            errors = {c: means(cells[name][c]) for c in contenders if c in cells[name]}
            splits = max(len(seeds) for seeds in cells[name].values())
            shown = []
            for c in contenders:
                if c not in errors:
                    shown.append("–")
                    continue
                error, seconds = errors[c]
                text = f"{error:.4f}"
                if error == min(e for e, _ in errors.values()):
                    text = f"**{text}**"
                if len(cells[name][c]) < splits:
                    text += f" [seed {', '.join(map(str, sorted(cells[name][c])))}]"
                shown.append(text if math.isnan(seconds) else text + f" ({seconds:.1f} s)")
            print(f"| {name} | " + " | ".join(shown) + " |")
    print()
    for ours in (c for c in contenders if c.startswith("weft")):
        for theirs in (c for c in contenders if not c.startswith("weft")):
            each = ratios(cells, ours, theirs)
            if each:
                worst = max(each, key=each.get)
                print(f"- {ours} against {theirs}: geometric mean of the errors {geometric_mean(each.values()):.3f}, better on "
                      f"{sum(r < 1 for r in each.values())} of {len(each)}, worst {each[worst]:.2f} ({worst})")


def chart(arguments):
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    matplotlib.rcParams["svg.hashsalt"] = "weft"
    cells = by_seed(finished_and_tried(pathlib.Path(arguments.results))[0])
    pairs = [("weft", "boosting"), ("weft --auto", "boosting, tuned")]
    pairs = [pair for pair in pairs if ratios(cells, *pair)]
    figure, axes = plt.subplots(1, len(pairs), figsize=(5.2 * len(pairs), 5.2), squeeze=False)
    for axis, (ours, theirs) in zip(axes[0], pairs):
        each = ratios(cells, ours, theirs)
        names = sorted(each, key=each.get, reverse=True)
        axis.barh(names, [each[n] - 1 for n in names], left=1, color=["#2a7f62" if each[n] < 1 else "#b3452c" for n in names])
        axis.axvline(1, color="black", linewidth=0.8)
        axis.set_xscale("log")
        axis.set_xticks([0.25, 0.5, 0.75, 1, 1.25], ["0.25", "0.5", "0.75", "1", "1.25"])
        axis.minorticks_off()
        axis.set_title(f"{ours}: error over that of {theirs}\ngeometric mean {geometric_mean(each.values()):.3f}", fontsize=10)
        axis.tick_params(labelsize=8)
    figure.tight_layout()
    figure.savefig(arguments.out, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    runner = commands.add_parser("run")
    runner.add_argument("weft")
    runner.add_argument("data")
    runner.add_argument("results")
    runner.add_argument("--sets", default="")
    runner.add_argument("--seeds", default="1,2,3")
    runner.add_argument("--threads", type=int, default=2)
    runner.add_argument("--minutes", type=float, default=3)
    runner.set_defaults(call=run)
    printer = commands.add_parser("table")
    printer.add_argument("results")
    printer.set_defaults(call=table)
    drawer = commands.add_parser("chart")
    drawer.add_argument("results")
    drawer.add_argument("out")
    drawer.set_defaults(call=chart)
    for each in (runner, printer):
        each.add_argument("--contenders", default="")
    arguments = parser.parse_args()
    arguments.call(arguments)


if __name__ == "__main__":
    main()
