"""The roofline of a GPU and what operations and fits reach of it: roofline.py roofline.json OUT.svg

The figures are those of bench_fits, typed in: floating-point operations per second, and per byte that has to be read from or
written to the GPU's memory.
"""
import json
import sys

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

matplotlib.rcParams["svg.hashsalt"] = "weft"
figures = json.load(open(sys.argv[1]))
intensity = [2 ** (k / 4) for k in range(-4, 53)]
figure, axis = plt.subplots(figsize=(8, 5))
for (name, roof), style in zip(figures["roofs"].items(), ("-", "--")):
    axis.plot(intensity, [min(roof, x * figures["memory_bytes_per_second"]) / 1e12 for x in intensity], style, color="#555555", linewidth=1)
    axis.text(0.55, roof / 1e12 * 1.05, name, fontsize=8, color="#555555")
for k, point in enumerate(figures["points"]):
    x, y = point["flops_per_byte"], point["flops_per_second"] / 1e12
    axis.plot(x, y, "o" if "fit" not in point["name"] else "s", color="#2a7f62" if "fit" not in point["name"] else "#b3452c")
    axis.annotate(point["name"], (x, y), textcoords="offset points", xytext=(7, point.get("above", -3)), fontsize=8)
axis.set_xscale("log", base=2)
axis.set_yscale("log")
axis.set_xlim(0.5, 8192)
axis.set_yticks([1, 2, 5, 10, 20, 50], ["1", "2", "5", "10", "20", "50"])
axis.minorticks_off()
axis.set_ylim(1.5, 90)
axis.set_xlabel("operations per byte of the GPU's memory")
axis.set_ylabel("TFLOP/s, double precision")
axis.set_title(figures["device"], fontsize=10)
figure.tight_layout()
figure.savefig(sys.argv[2], metadata={"Date": None})
