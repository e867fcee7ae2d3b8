"""Coverage and size of weft's prediction intervals and label sets on real data.

    intervals.py run   WEFT DATA RESULTS [--sets A;B] [--seeds 1,2,3] [--options=--fast] [--threads 2]
    intervals.py table RESULTS

`run` appends one JSON line per data set, way of scoring and seed to RESULTS and skips what is there already. A model is
fitted to the training rows of bench/accuracy (official, or three quarters of the rows). "fit": scores of the fit, on the
test rows; "rows": scores of one half of the test rows, on the other half (split conformal); "by class" as "fit" with
--interval-by-class, where the coverage is that of the worst class with at least 100 test rows. Lengths are in standard
deviations of the test targets.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "accuracy"))
sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "defaults"))
from accuracy import split  # noqa: E402
from defaults import SETS, chosen, read_results  # noqa: E402

LEVELS = (0.8, 0.9, 0.95)
DEFAULT_SETS = "california_housing;casp;abalone;adult;bank_marketing;covtype_60k"
FEWEST = 1 if os.environ.get("WEFT_BENCH_TINY") else 100  # test rows of a class


def weft(arguments, *words):
    done = subprocess.run([arguments.weft, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def worst_class(found):
    """The least coverage among the classes."""
    return min(share for share, row in zip(found["class_coverage"], found["confusion"]) if sum(row) >= FEWEST)


def measure(arguments, name, seed, folder):
    task, _ = SETS[name]
    train, test = split(arguments.data, name, seed)
    halves = np.random.RandomState(seed).permutation(len(test))
    tables = {"train": train, "test": test, "scored": test.iloc[halves[: len(test) // 2]],
              "fresh": test.iloc[halves[len(test) // 2:]]}
    files = {key: folder / f"{key}.csv" for key in tables}
    for key, table in tables.items():
        table.to_csv(files[key], index=False)
    weft(arguments, "train", files["train"], "--target", "target", "--task", task, "--seed", seed, "--threads",
         arguments.threads, "--model", folder / "m.weft", *arguments.options.split())
    scale = float(np.std(test["target"])) if task == "regression" else 1
    ways = {"fit": ("test", []), "rows": ("fresh", ["--calibrate", files["scored"]])}
    if task == "classification":
        ways["by class"] = ("test", ["--interval-by-class"])
    for way, (rows, more) in ways.items():
        result = {"set": name, "seed": seed, "way": way, "rows": len(tables[rows]), "options": arguments.options}
        for level in LEVELS:
            found = json.loads(weft(arguments, "evaluate", folder / "m.weft", files[rows], "--interval", level, "--json",
                                    "--threads", arguments.threads, *more))
            size = float(found["mean_width"]) / scale if task == "regression" else found["mean_set_size"]
            result[str(level)] = [worst_class(found) if way == "by class" else found["coverage"], size]
        yield result


def run(arguments):
    there = {(row["set"], row["seed"], row["options"]) for row in read_results(arguments.results)}
    for name in chosen(arguments.sets, SETS):
        for seed in arguments.seeds.split(","):
            if (name, int(seed), arguments.options) in there:
                continue
            with tempfile.TemporaryDirectory() as folder:
                lines = list(measure(arguments, name, int(seed), pathlib.Path(folder)))
            with open(arguments.results, "a") as file:
                for line in lines:
                    file.write(json.dumps(line) + "\n")
            print(name, seed, flush=True)


def table(arguments):
    groups = collections.defaultdict(list)
    for row in read_results(arguments.results):
        groups[(row["options"], row["way"], row["set"])].append(row)
    print("| fit | scores | data set | test rows | " + " | ".join(f"{100 * level:.0f} %" for level in LEVELS) + " | "
          + " | ".join(f"size at {100 * level:.0f} %" for level in LEVELS) + " |")
    print("|---" * (4 + 2 * len(LEVELS)) + "|")
    for (options, way, name), rows in groups.items():
        mean = lambda level, part: np.mean([row[str(level)][part] for row in rows])
        cells = [f"{100 * mean(level, 0):.1f}" for level in LEVELS] + [f"{mean(level, 1):.2f}" for level in LEVELS]
        print(f"| {options or 'default'} | {way} | {name} | {rows[0]['rows']} | " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    runs = commands.add_parser("run")
    runs.add_argument("weft")
    runs.add_argument("data", type=pathlib.Path)
    runs.add_argument("results", type=pathlib.Path)
    runs.add_argument("--sets", default=DEFAULT_SETS)
    runs.add_argument("--seeds", default="1,2,3")
    runs.add_argument("--options", default="")
    runs.add_argument("--threads", type=int, default=2)
    runs.set_defaults(do=run)
    tables = commands.add_parser("table")
    tables.add_argument("results", type=pathlib.Path)
    tables.set_defaults(do=table)
    arguments = parser.parse_args()
    arguments.do(arguments)


if __name__ == "__main__":
    main()
