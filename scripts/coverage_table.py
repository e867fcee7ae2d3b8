#!/usr/bin/env python3
"""What gcov counted, by module: coverage_table.py SOURCE BUILD [MISSED…]

A line has run if it ran in any object that contains it: headers are in many. Of branches, those to exception handlers are left out,
which the compiler makes at every call. MISSED are files or folders whose lines that did not run are listed.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def gcov(note):
    """The documents that gcov prints about one object."""
    run = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", str(note)], cwd=note.parent, check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return [json.loads(line) for line in run.stdout.splitlines() if line]


def add_line(lines, line):
    count, branches = lines.get(line["line_number"], (0, []))
    new = [branch["count"] for branch in line["branches"] if not branch["throw"]]
    if len(new) == len(branches):
        branches = [a + b for a, b in zip(branches, new)]
    elif len(new) > len(branches):
        branches = new  # other instantiations of a template have fewer
    lines[line["line_number"]] = (count + line["count"], branches)


def read(source, build):
    files = collections.defaultdict(dict)
    notes = sorted(build.rglob("*.gcno"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for documents in pool.map(gcov, notes):
            for document in documents:
                for entry in document["files"]:
                    path = pathlib.Path(os.path.normpath(os.path.join(document["current_working_directory"], entry["file"])))
                    if not path.is_relative_to(source) or path.is_relative_to(build):
                        continue
                    for line in entry["lines"]:
                        add_line(files[str(path.relative_to(source))], line)
    return files


def module(path):
    parts = pathlib.Path(path).parts
    return "/".join(parts[:2]) if parts[0] in ("src", "include", "papers", "python") and len(parts) > 2 else None


def share(hit, all_):
    return f"{100 * hit / all_:.1f} %" if all_ else "–"


def row(name, files):
    lines = [count for lines in files for count, _ in lines.values()]
    branches = [count for lines in files for _, counts in lines.values() for count in counts]
    hit = sum(count > 0 for count in lines)
    taken = sum(count > 0 for count in branches)
    return f"| {name} | {len(lines)} | {share(hit, len(lines))} | {len(branches)} | {share(taken, len(branches))} |"


def ranges(numbers):
    text, start, last = [], None, None
    for number in [*numbers, None]:
        if last is not None and number != last + 1 if number is not None else last is not None:
            text.append(str(start) if start == last else f"{start}–{last}")
            start = None
        start = number if start is None else start
        last = number
    return ", ".join(text)


def main():
    source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    files = read(source, build)
    modules = collections.defaultdict(list)
    for path, lines in files.items():
        if module(path):
            modules[module(path)].append(lines)
    print("| module | lines | that ran | branches | taken |\n|---|---|---|---|---|")
    for name in sorted(modules):
        print(row(name, modules[name]))
    print(row("**src**", [lines for path, lines in files.items() if path.startswith("src/")]))
    for wanted in sys.argv[3:]:
        for path in sorted(files):
            missed = [number for number in sorted(files[path]) if files[path][number][0] == 0]
            if missed and pathlib.Path(path).is_relative_to(os.path.normpath(wanted)):
                print(f"{path}: {ranges(missed)}")


main()
