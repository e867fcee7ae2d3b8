"""Peak memory of `weft train` as the number of rows grows.

Usage: memory.py WEFT [ROWS ...] [-- further options of weft train]
Every run is a process of its own; the peak is what the kernel counted for it (ru_maxrss).
"""
import os
import sys
import time

LIMIT_MB = 300


def run(command):
    """Peak resident memory in bytes, processor seconds, wall seconds."""
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(command[0], command)
    _, status, usage = os.wait4(child, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(command)}")
    return usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime, time.monotonic() - start


def main():
    arguments = sys.argv[1:]
    more = []
    if "--" in arguments:
        cut = arguments.index("--")
        arguments, more = arguments[:cut], arguments[cut + 1:]
    weft = arguments[0]
    if "--features" not in more:
        more += ["--features", "2000"]
    rows = [int(word) for word in arguments[1:]] or [200_000, 2_000_000]
    options = ["--lambda", "1e-6", "--gamma", "1", "--max-memory", f"{LIMIT_MB}M", *more]
    print(f"weft train builtin:friedman1:rows=ROWS {' '.join(options)}\n")
    print("| rows | peak, MB | processor time, s | wall, s |\n|---|---|---|---|")
    worst = 0
    for count in rows:
        peak, processor, wall = run([weft, "train", f"builtin:friedman1:rows={count}", *options])
        worst = max(worst, peak)
        print(f"| {count} | {peak / 1e6:.0f} | {processor:.0f} | {wall:.0f} |", flush=True)
    if worst >= LIMIT_MB * 1e6:
        sys.exit(f"above {LIMIT_MB} MB")


main()
