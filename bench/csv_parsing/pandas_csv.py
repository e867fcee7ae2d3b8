"""Parses a table with pandas' C engine, three times; prints rows, the sum of all cells and MB/s of the best."""

import os
import sys
import time

import pandas

path = sys.argv[1]
best = float("inf")
for _ in range(3):
    start = time.perf_counter()
    frame = pandas.read_csv(path, engine="c")
    total = float(frame.to_numpy().sum())
    best = min(best, time.perf_counter() - start)
print(f"{len(frame)} {total:.9e} {os.path.getsize(path) / 1e6 / best:.1f}")
