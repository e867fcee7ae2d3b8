"""How train and pdpotrf grow with the processes: chart.py RESULTS.json OUT.svg

RESULTS.json has the lines that run.sh and bench_distributed print, in a list under "figures", and "machine". Lines of "alone" are jobs of one process that
run at the same time, one per core, and share nothing: what the machine itself gives when more of its cores are busy.
"""
import json
import sys

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

matplotlib.rcParams["svg.hashsalt"] = "weft"
results = json.load(open(sys.argv[1]))


def curve(what, count):
    """Seconds by number of processes."""
    return dict(sorted((line[count], line["seconds"]) for line in results["figures"] if line["what"] == what))


def speedup(seconds):
    return [seconds[1] / s for s in seconds.values()]


train, factor, alone = curve("train", "processes"), curve("factor", "processes"), curve("alone", "copies")
rows = next(line["rows"] for line in results["figures"] if line["what"] == "train")
size = next(line["n"] for line in results["figures"] if line["what"] == "factor")
figure, axes = plt.subplots(1, 2, figsize=(9, 4.2))
own = [p * alone[1] / s for p, s in alone.items()]
axes[0].plot(list(alone), own, "--", color="#555555", linewidth=1, label="independent jobs, one per core")
axes[0].plot(list(train), speedup(train), "o-", color="#2a7f62", label=f"weft train, {rows / 1e6:g} million rows, T = 2000")
axes[1].plot(list(factor), speedup(factor), "s-", color="#b3452c", label=f"pdpotrf and pdpocon, {size:,} × {size:,}")
for axis, most in zip(axes, (16, 8)):
    ideal = [p for p in (1, 2, 4, 8, 16) if p <= most]
    axis.plot(ideal, ideal, color="#bbbbbb", linewidth=1, zorder=0, label="as many times as processes")
    axis.set_xscale("log", base=2)
    axis.set_yscale("log", base=2)
    axis.set_xticks(ideal, [str(p) for p in ideal])
    axis.set_yticks(ideal, [str(p) for p in ideal])
    axis.set_xlabel("processes, one thread and one core each")
    axis.set_ylabel("times as fast as one process")
    axis.legend(fontsize=8, loc="upper left")
figure.suptitle(results["machine"], fontsize=10)
figure.tight_layout()
figure.savefig(sys.argv[2], metadata={"Date": None})
