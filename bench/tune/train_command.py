"""What refitting every fold with the command `weft train` costs, against `weft tune` on the same table.

Usage: train_command.py WEFT DATA TARGET [CONFIGURATIONS]
Both are whole processes, reading and encoding included. Six refits (two folds, three times) tell the price of one.
"""
import gzip
import json
import random
import subprocess
import sys
import tempfile
import time

weft, data, target = sys.argv[1:4]
configurations = int(sys.argv[4]) if len(sys.argv) > 4 else 50
family = ["--target", target, "--family", "rks-cos", "--features", "500", "--unseen", "ignore", "--json"]


def timed(command):
    start = time.perf_counter()
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return time.perf_counter() - start, json.loads(out)


seconds, found = timed([weft, "tune", data, *family, "--configurations", str(configurations), "--lambdas", "1"])
best = found["best"]
print(f"weft tune: {seconds:.1f} s for {configurations} configurations x 5 folds, best error {best['score']:.4f}")
with (gzip.open if data.endswith(".gz") else open)(data, "rt") as file:
    header, *lines = file.readlines()
random.seed(1)
fold_of = [random.randrange(5) for _ in lines]
with tempfile.TemporaryDirectory() as folder:
    times, errors = [], []
    for fold in (0, 1):
        for name, wanted in (("train", False), ("test", True)):
            with open(f"{folder}/{name}.csv", "w") as file:
                file.writelines([header] + [line for line, f in zip(lines, fold_of) if (f == fold) == wanted])
        for _ in range(3):
            each, report = timed([weft, "train", f"{folder}/train.csv", *family, "--sigma", str(best["sigma"]), "--lambda",
                                  str(best["lambda"]), "--test", f"{folder}/test.csv"])
            times.append(each)
        errors.append(report["test"]["error"])
each = sum(times) / len(times)
total = each * 5 * configurations
print(f"weft train: {each:.2f} s a fold (error {sum(errors) / len(errors):.4f}), {total:.0f} s for all: "
      f"{total / seconds:.1f} times")
