"""Writes ROWS rows of 100 standard normal numbers as %.6g, with a header; the seed is fixed."""

import sys

import numpy

path, rows = sys.argv[1], int(sys.argv[2])
random = numpy.random.default_rng(1)
with open(path, "w") as file:
    file.write(",".join(f"x{j}" for j in range(100)) + "\n")
    for first in range(0, rows, 10000):
        numpy.savetxt(file, random.standard_normal((min(10000, rows - first), 100)), fmt="%.6g", delimiter=",")
