"""The same commands on two threads of the processor and on a GPU, answers first: the table of docs/gpu.md.

    speedup.py WEFT DATA [--rows 1.0] [--only NAMES]

DATA is a folder with adult.train.csv.gz, adult.test.csv.gz, skin.csv.gz and casp.csv.gz; what is not there is left out. Times are
of whole commands, reading and the start of CUDA included, and of the fit as the command reports it. `--rows 0.01` is a try.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
import time


def run(weft, words):
    start = time.perf_counter()
    done = subprocess.run([weft, *map(str, words)], capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise SystemExit(f"weft {' '.join(map(str, words))}: {done.stderr.strip()}")
    return seconds, done.stdout


def score(measures):
    return measures["error"] if "error" in measures else 1 - measures["r2"]


def trained(weft, words, device):
    seconds, out = run(weft, ["train", *words, "--json", *device])
    out = json.loads(out)
    return seconds, sum(out["seconds"].values()), score(out.get("test", out["train"]))


def cases(folder, data, rows):
    """(name, what `weft train` is given)"""
    table = lambda name: folder / name
    adult = [data / "adult.train.csv.gz", "--test", data / "adult.test.csv.gz", "--target", "target", "--task", "classification"]
    relu = ["--family", "rw-relu", "--fast"]
    return [
        ("least squares, 100,000 × 10, T = 500", [table("medium.csv"), "--target", "target", *relu, "--features", 500]),
        ("least squares, 500,000 × 10, T = 2000", [table("large.csv"), "--target", "target", *relu, "--features", 2000]),
        ("least squares, adult, T = 1000", [*adult, *relu, "--features", 1000]),
        ("lasso, adult, 2000 stumps", [*adult, "--fit", "lasso", "--family", "rw-stumps", "--features", 2000]),
        ("logistic regression, adult, T = 2000", [*adult, "--fit", "logistic", "--family", "rw-relu", "--features", 2000]),
        ("exact kernel ridge regression, 8000 × 10", [table("small.csv"), "--target", "target", "--fit", "kernel-ridge"]),
        ("kernel ridge regression on 2000 landmarks, 100,000 × 10",
         [table("medium.csv"), "--target", "target", "--fit", "kernel-ridge", "--landmarks", 2000]),
        ("local models, 100,000 × 10", [table("medium.csv"), "--target", "target", "--fit", "local"]),
        ("default, adult", adult),
        ("default, casp", [data / "casp.csv.gz", "--target", "target", "--task", "regression"]),
        ("default, skin", [data / "skin.csv.gz", "--target", "target", "--task", "classification"]),
    ]


def predicted(weft, folder, device):
    seconds, _ = run(weft, ["predict", folder / "model.weft", folder / "large.csv", "--out", folder / "out.csv", "--quiet", *device])
    first = (folder / "out.csv").read_text().splitlines()[1:11]
    return seconds, [float(line.split(",")[-1]) for line in first]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("weft")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--rows", type=float, default=1.0)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    here, there = ["--device", "cpu", "--threads", "2"], ["--device", "gpu"]
    print("| | two threads | of which the fit | GPU | of which the fit | times | errors |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for table, rows in (("small", 8000), ("medium", 100_000), ("large", 500_000)):
            run(arguments.weft, ["generate", "friedman1", "--rows", max(300, int(rows * arguments.rows)),
                                 "--out", folder / f"{table}.csv"])
        for name, words in cases(folder, arguments.data, arguments.rows):
            if arguments.only not in name or not words[0].exists():
                continue
            cpu, gpu = trained(arguments.weft, words, here), trained(arguments.weft, words, there)
            print(f"| {name} | {cpu[0]:.2f} s | {cpu[1]:.2f} s | {gpu[0]:.2f} s | {gpu[1]:.2f} s | {cpu[0] / gpu[0]:.2f} "
                  f"| {cpu[2]:.4f}, {gpu[2]:.4f} |", flush=True)
        run(arguments.weft, ["train", folder / "medium.csv", "--target", "target", "--fast", "--features", 1000, "--model",
                             folder / "model.weft"])
        cpu, gpu = predicted(arguments.weft, folder, here), predicted(arguments.weft, folder, there)
        apart = max(abs(a - b) for a, b in zip(cpu[1], gpu[1]))
        print(f"| weft predict, 500,000 × 10, T = 1000 | {cpu[0]:.2f} s | | {gpu[0]:.2f} s | | {cpu[0] / gpu[0]:.2f} | differ by {apart:.0e} |")


if __name__ == "__main__":
    main()
