#!/usr/bin/env python3
"""elf_test.py FILE…: what cmake/hardening.cmake asks for, read out of the programs and libraries that were built.

Programs are position independent; nothing is writable and executable at once, the stack least of all; all symbols are bound before
anything runs, and what was relocated is read-only afterwards; functions of the C library that write into buffers are the checked
ones, and functions with arrays guard their return address. Of control-flow protection, every file must say whether its own
code takes part; the note of the whole file also needs the start-up code of the C library to have been compiled so.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

if shutil.which("readelf") is None or shutil.which("objdump") is None:
    sys.exit("skipped: it needs readelf and objdump")


def readelf(path, *options):
    return subprocess.run(["readelf", "-W", *options, str(path)], capture_output=True, text=True, check=True).stdout


def segments(path):
    """(type, flags) of every segment."""
    rows = re.findall(r"^\s+([A-Z_0-9]+)\s+(?:0x\w+\s+){5}([RWE ]{3})", readelf(path, "-l"), re.MULTILINE)
    assert rows, f"{path}: readelf lists no segments"
    return rows


def dynamic(path):
    """The tags of the dynamic section with their values, as one text each."""
    return dict(re.findall(r"^\s*0x\w+ \((\w+)\)\s*(.*)$", readelf(path, "-d"), re.MULTILINE))


def mistakes(path):
    rows = segments(path)
    for kind, flags in rows:
        if "W" in flags and "E" in flags:
            yield f"its segment {kind} can be written and executed"
    kinds = [kind for kind, _ in rows]
    if "GNU_STACK" not in kinds:
        yield "it does not say that its stack is not executable"
    if "GNU_RELRO" not in kinds:
        yield "what is relocated stays writable (no RELRO)"
    executable = [kind for kind, flags in rows if kind == "LOAD" and "E" in flags]
    readable = [kind for kind, flags in rows if kind == "LOAD" and flags.strip() == "R"]
    if len(executable) != 1 or not readable:
        yield "code and constants share a segment (no separate-code)"
    tags = dynamic(path)
    if "BIND_NOW" not in tags.get("FLAGS", "") and "NOW" not in tags.get("FLAGS_1", ""):
        yield "symbols are bound when they are first called (no BIND_NOW)"
    if "DYN" not in re.search(r"Type:\s+(\w+)", readelf(path, "-h"))[1]:
        yield "it is not position independent"
    if "INTERP" in kinds and "PIE" not in tags.get("FLAGS_1", ""):
        yield "it is a program without PIE"
    for tag in ("RPATH", "RUNPATH"):
        if tag in tags and path.name != "libweft_mpi.so" and not re.search(r"\[(\$ORIGIN[^\]]*)?\]", tags[tag]):
            yield f"it looks for libraries in {tags[tag]}"
    symbols = readelf(path, "--dyn-syms")
    if "__stack_chk_fail" not in symbols:
        yield "no function guards its return address (no stack protector)"
    # A small module may call none of them.
    if path.stat().st_size > 1_000_000 and not re.search(r"__(mem|str|v?s?n?f?printf|read|pread)\w*_chk\b", symbols):
        yield "no function of the C library is the checked one (no _FORTIFY_SOURCE)"


def control_flow(path):
    """Whether calls and jumps of weft's own code land on marked places, and what the note of the file says."""
    marked = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", "-j", ".text", str(path)], capture_output=True, text=True, check=True
    ).stdout.count("endbr64")
    notes = readelf(path, "-n")
    found = re.search(r"x86 feature: (.*)", notes)
    return marked, found[1] if found else "no note: start-up code or a static library without it"


def main():
    failed = False
    for path in map(Path, sys.argv[1:]):
        found = list(mistakes(path))
        if re.search(r"X86-64", readelf(path, "-h")):
            marked, note = control_flow(path)
            if marked < 20:
                found.append(f"only {marked} places are marked for indirect calls (no -fcf-protection)")
            print(f"{path.name}: {marked} endbr64; {note}")
        for one in found:
            print(f"{path}: {one}")
        failed |= bool(found)
    return failed


if __name__ == "__main__":
    assert len(sys.argv) > 1, __doc__
    sys.exit(main())
