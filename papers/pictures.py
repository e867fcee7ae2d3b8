#!/usr/bin/env python3
"""Draws the curves of docs/results from its logs: pictures.py LOGS OUT [EXPERIMENT…], one OUT/EXPERIMENT.svg each; without names of every log that is there.

A point is the mean over the seeds, its bar their standard deviation. The same curves, with values under the pointer, are in the HTML
page that weft-papers writes.
"""
import argparse
import collections
import json
import pathlib

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.ticker import LogLocator, NullFormatter  # noqa: E402

COLOURS = ["#1b6ca8", "#c8553d", "#2a7f62", "#8a5a9e", "#8c6d1f", "#555555"]
# What is drawn: for every panel the value, its axis' name and whether that is logarithmic.
CURVES = {
    "elss-figure-3": ("λ of the scores", [("train", "training mse / variance", False), ("test", "test mse / variance", False)]),
    "elss-figure-4": ("labelled rows per class", [("accuracy", "test accuracy", False)]),
    "rfm-figure-3": ("rows n", [("plain_ratio", "bound of eq. 31 / mse", True)]),
    "rkhs-figures-3-4": ("γ", [("train_mse", "training mse", True), ("test", "test error or mse", True)]),
    "rkhs-figures-5-6": ("features T", [("test", "test error or mse", True)]),
}
CURVES["rfm-figure-4"] = CURVES["rfm-figure-3"]
RATES = ["rfm-figure-1", "rfm-figure-2"]


def finished(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row for row in rows if "failure" not in row["values"]]


def axes_of(count):
    columns = min(count, 2)
    lines = -(-count // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(4.6 * columns, 3.3 * lines), squeeze=False)
    for axis in axes.flat[count:]:
        axis.remove()
    return figure, list(axes.flat[:count])


def draw_curves(rows, x_label, panels):
    points = collections.defaultdict(lambda: collections.defaultdict(list))  # (set, panel) → (series, x) → values
    for row in rows:
        key = row["key"]
        name = key["set"] + (", the paper's protocol" if key.get("protocol") else "")
        for value, *_ in panels:
            points[name, value][key["series"], key["x"]].append(row["values"][value])
    names = list(dict.fromkeys(name for name, _ in points))
    figure, axes = axes_of(len(names) * len(panels))
    for axis, (name, (value, label, log)) in zip(axes, ((n, p) for n in names for p in panels)):
        here = points[name, value]
        for colour, series in zip(COLOURS, dict.fromkeys(s for s, _ in here)):
            xs = sorted(x for s, x in here if s == series)
            means, bars = (np.array([f(here[series, x]) for x in xs]) for f in (np.mean, lambda v: np.std(v, ddof=min(1, len(v) - 1))))
            axis.errorbar(xs, means, yerr=bars, color=colour, label=series, marker="o", markersize=3, linewidth=1.2, elinewidth=0.7)
        finish(axis, name, x_label, label, log)
    return figure


def draw_rates(rows):
    names = list(dict.fromkeys(row["key"]["set"] for row in rows))
    figure, axes = axes_of(len(names))
    for axis, name in zip(axes, names):
        for colour, row in zip(COLOURS, [r for r in rows if r["key"]["set"] == name]):
            points = row["values"]["points"]
            s = [p["features"] for p in points]
            axis.errorbar(s, [p["mse"] for p in points], yerr=[p["standard_error"] for p in points], color=colour, linestyle="", marker="*",
                          label=f"λ = {row['key']['strength']:g}/√n")
            axis.plot(s, [p["rate_line"] for p in points], color=colour, linewidth=0.9)
        finish(axis, name, "random features s", "mean squared difference", True)
    return figure


def finish(axis, title, x_label, y_label, log):
    axis.set_title(title, fontsize=9)
    axis.set_xscale("log")
    if log:
        axis.set_yscale("log")
        low, high = axis.get_ylim()
        if high < 100 * low:  # powers of ten alone would leave the axis bare
            axis.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.yaxis.set_major_formatter("{x:g}")
            axis.yaxis.set_minor_formatter(NullFormatter())
    axis.set_xlabel(x_label, fontsize=8)
    axis.set_ylabel(y_label, fontsize=8)
    axis.tick_params(labelsize=7)
    axis.grid(linewidth=0.3, color="#cccccc")
    axis.legend(fontsize=7, frameon=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT")
    arguments = parser.parse_args()
    matplotlib.rcParams.update({"svg.hashsalt": "weft", "svg.fonttype": "none", "font.family": "sans-serif"})
    there = [name for name in [*CURVES, *RATES] if (arguments.logs / f"{name}.jsonl").exists()]
    for name in arguments.experiments or there:
        rows = finished(arguments.logs / f"{name}.jsonl")
        figure = draw_rates(rows) if name in RATES else draw_curves(rows, *CURVES[name])
        figure.tight_layout()
        figure.savefig(arguments.out / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
