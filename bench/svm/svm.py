"""weft against kernel support vector machines: same rows, same split, test error and time of each.

Usage: svm.py skin|adult WEFT DATA_FOLDER
skin:  LIBSVM's svm-train, three quarters of the rows (seeded shuffle) for training. Both read a file and write a model.
adult: scikit-learn's SVC, official split. weft is timed with reading, encoding and writing; SVC from ready arrays.
Inputs are standardised for both. Times are processor seconds on one thread, and wall-clock seconds.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd

CAP = 120  # processor seconds that SVC may take


def timed(command):
    """Standard output, processor seconds, wall seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - start


def show(name, error, processor, wall):
    print(f"| {name} | {100 * error:.3f} % | {processor:.2f} | {wall:.2f} |", flush=True)
    return error, processor, wall


def weft_row(weft, train, test, options):
    """Training is timed, testing is not: processor seconds on one thread (threads that wait spin), wall-clock time on all."""
    with tempfile.TemporaryDirectory() as folder:
        command = [weft, "train", train, "--target", "target", *options]
        training = [*command, "--model", f"{folder}/model.weft"]
        processor = timed([*training, "--threads", "1"])[1]
        wall = timed(training)[2]
        report = json.loads(timed([*command, "--test", test, "--json"])[0])
    return show(f"weft {' '.join(options)}", report["test"]["error"], processor, wall)


def libsvm_row(folder, cost, gamma):
    _, processor, wall = timed(["svm-train", "-q", "-m", "1000", "-c", str(cost), "-g", str(gamma),
                                f"{folder}/train.svm", f"{folder}/model.svm"])
    text = timed(["svm-predict", f"{folder}/test.svm", f"{folder}/model.svm", os.devnull])[0]
    error = 1 - float(re.search(r"Accuracy = ([\d.]+)%", text).group(1)) / 100
    return show(f"svm-train -c {cost} -g {gamma}", error, processor, wall)


def skin(weft, data):
    table = pd.read_csv(f"{data}/skin.csv.gz")
    table = table.iloc[np.random.default_rng(1).permutation(len(table))]
    cut = len(table) * 3 // 4
    scaled = table.copy()
    inputs = [name for name in table.columns if name != "target"]
    scaled[inputs] = (table[inputs] - table[inputs][:cut].mean()) / table[inputs][:cut].std()
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("train", slice(None, cut)), ("test", slice(cut, None))):
            table.iloc[rows].to_csv(f"{folder}/{name}.csv", index=False)
            lines = (f"{int(row[-1])} " + " ".join(f"{j + 1}:{value:.8g}" for j, value in enumerate(row[:-1]))
                     for row in scaled.iloc[rows].itertuples(index=False))
            with open(f"{folder}/{name}.svm", "w", encoding="ascii") as file:
                file.write("\n".join(lines) + "\n")
        fits = [["--family", "rks-cos", "--sigma", "4", "--features", str(features), "--lambda", "1e-8",
                 "--precision", "single"] for features in (300, 500, 1000)]
        fits.append(["--family", "rw-sign", "--theta", "0.05", "--features", "1000", "--lambda", "1e-17"])
        ours = [weft_row(weft, f"{folder}/train.csv", f"{folder}/test.csv", fit + ["--scale", "standard"])
                for fit in fits]
        theirs = [libsvm_row(folder, cost, gamma) for cost, gamma in ((1, 0.333), (100, 0.333), (1, 3), (100, 3))]
    return ours, theirs


def svc_row(train, test):
    """One-hot and standardised arrays are made before the clock starts."""
    from sklearn.svm import SVC
    both = pd.get_dummies(pd.concat([train, test]).drop(columns="target")).to_numpy(float)
    x, x_test = both[:len(train)], both[len(train):]
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale == 0] = 1
    x, x_test = (x - mean) / scale, (x_test - mean) / scale
    answer, child = os.pipe()
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (CAP, CAP + 5))
        start, wall = time.process_time(), time.monotonic()
        model = SVC(cache_size=1000).fit(x, train["target"])
        took = time.process_time() - start, time.monotonic() - wall
        resource.setrlimit(resource.RLIMIT_CPU, (CAP + 5, CAP + 5))
        os.write(child, json.dumps([np.mean(model.predict(x_test) != test["target"]), *took]).encode())
        os._exit(0)
    os.close(child)
    with os.fdopen(answer) as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    if not text:
        print(f"| SVC | – | > {CAP} (ended) | |")
        return None
    return show("SVC(C=1, gamma=scale)", *json.loads(text))


def adult(weft, data):
    train, test = (f"{data}/adult.{part}.csv.gz" for part in ("train", "test"))
    ours = [weft_row(weft, train, test, ["--family", "rw-relu/sparse:3", "--features", "300", "--scale", "standard",
                                         "--unseen", "ignore"])]
    return ours, [svc_row(pd.read_csv(train), pd.read_csv(test))]


def main():
    task, weft, data = sys.argv[1:]
    print("| | test error | processor, s | wall, s |\n|---|---|---|---|")
    ours, theirs = {"skin": skin, "adult": adult}[task](weft, data)
    print()
    for row in filter(None, theirs):
        matching = [ours_row for ours_row in ours if ours_row[0] <= row[0]]
        if not matching:
            print(f"no weft row reaches {100 * row[0]:.3f} %")
            continue
        best = min(matching, key=lambda found: found[1])
        print(f"at {100 * row[0]:.3f} % or less: {row[1] / best[1]:.1f} times less processor time,"
              f" {row[2] / best[2]:.1f} times faster in wall-clock time")


main()
