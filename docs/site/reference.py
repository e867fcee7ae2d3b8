"""The pages of the reference: commands from their own help, C++ from the headers, Python from the package."""

from __future__ import annotations

import ast
import pathlib
import re
import subprocess
import sys
import textwrap

import cpp_reference

# Headers that a reader wants first; the others follow by name.
FIRST = ["data", "fit", "fit_options", "methods", "family", "model", "row_predictor", "tune", "run", "error"]
INTERNAL = {"weft", "visibility", "fields", "choices", "methods/shared_options"}


def pages(root: pathlib.Path, build: pathlib.Path):
    """Pairs of a path and a text."""
    yield "reference/commands.md", commands_page(build / "bin" / "weft")
    yield from cpp_pages(root, build)
    yield from python_pages(root / "python" / "weft")


def said(*command: object) -> str:
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True).stdout


def commands_page(weft: pathlib.Path) -> str:
    listed = said(weft, "--help").partition("Subcommands:\n")[2]
    names = re.findall(r"^  (\w+) ", listed, re.MULTILINE)
    assert names, "weft --help lists no commands"
    parts = ["# Commands\n", "Every command with all of its options, as `weft COMMAND --help-all` prints them.\n"]
    for name in names:
        sentence, _, rest = said(weft, name, "--help-all").strip().partition("\n")
        parts.append(f"## weft {name}\n\n{sentence}.\n\n````text\n{rest.strip()}\n````\n")
    return "\n".join(parts)


def doxygen(root: pathlib.Path, build: pathlib.Path) -> None:
    here, out = root / "docs" / "site", build / "docs" / "doxygen"
    out.mkdir(parents=True, exist_ok=True)
    settings = (here / "Doxyfile").read_text() + textwrap.dedent(f"""
        INPUT = "{root / 'include' / 'weft'}"
        STRIP_FROM_PATH = "{root / 'include'}"
        INPUT_FILTER = "{sys.executable} -B {here / 'field_comments.py'}"
        OUTPUT_DIRECTORY = "{out}"
        """)
    done = subprocess.run(["doxygen", "-"], input=settings, text=True, capture_output=True)
    if done.returncode or "Traceback" in done.stderr:
        raise SystemExit(f"doxygen failed:\n{done.stderr}")


def opening(header: pathlib.Path) -> str:
    """The comment at the top of a header: what it is for."""
    lines = []
    for line in header.read_text().splitlines():
        if not line.startswith("//"):
            break
        lines.append(line.removeprefix("//").strip())
    return " ".join(lines)


def cpp_pages(root: pathlib.Path, build: pathlib.Path):
    doxygen(root, build)
    found = cpp_reference.Reference(build / "docs" / "doxygen" / "xml")
    include = root / "include" / "weft"
    names = [str(path.relative_to(include).with_suffix("")) for path in sorted(include.rglob("*.hpp"))]
    names = [*FIRST, *(name for name in names if name not in FIRST and name not in INTERNAL)]
    rows = []
    for name in names:
        about, declarations = opening(include / f"{name}.hpp"), found.text(f"weft/{name}.hpp")
        code = f"```cpp\n#include <weft/{name}.hpp>\n```\n"
        yield f"reference/cpp/{name}.md", f"# weft/{name}.hpp\n\n{about}\n\n{code}\n```{{eval-rst}}\n{declarations}\n```\n"
        rows.append(f"| [weft/{name}.hpp](cpp/{name}.md) | {about.replace('|', chr(92) + '|')} |")
    hidden = "\n".join(["```{toctree}", ":hidden:", "", *(f"/reference/cpp/{name}" for name in names), "```"])
    intro = "Everything is in namespace `weft`; `#include <weft/weft.hpp>` includes all of it. The pages are made from the headers."
    table = "\n".join(["| header | |", "|---|---|", *rows])
    yield "reference/cpp.md", f"# C++\n\n{intro}\n\n{table}\n\n{hidden}\n"


def names_of(init: pathlib.Path) -> list[str]:
    for statement in ast.parse(init.read_text()).body:
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "__all__":
            return [name for name in ast.literal_eval(statement.value) if not name.startswith("_")]
    raise SystemExit(f"{init} has no __all__")


def python_pages(package: pathlib.Path):
    names = names_of(package / "__init__.py")
    classes = [name for name in names if name[0].isupper()]
    functions = [name for name in names if not name[0].isupper()]
    for name in classes:
        body = f".. autoclass:: weft.{name}\n   :members:\n   :inherited-members:\n"
        yield f"reference/python/{name}.md", f"# {name}\n\n```{{eval-rst}}\n{body}```\n"
    body = "\n".join(f".. autofunction:: weft.{name}\n" for name in functions)
    yield "reference/python/functions.md", f"# Functions\n\n```{{eval-rst}}\n{body}```\n"
    entries = [*classes, "functions"]
    for module, title in (("plot", "weft.plot"), ("dask", "weft.dask")):
        yield f"reference/python/{module}.md", f"# {title}\n\n```{{eval-rst}}\n.. automodule:: weft.{module}\n   :members:\n   :inherited-members:\n```\n"
        entries.append(module)
    rows = "\n".join(["```{eval-rst}", ".. autosummary::", "", *(f"   weft.{name}" for name in names), "```"])
    tree = "\n".join(["```{toctree}", ":hidden:", "", *(f"/reference/python/{entry}" for entry in entries), "```"])
    intro = "The pages are made from the package. [weft in Python](../docs/python.md) explains how it is used."
    yield "reference/python.md", f"# Python\n\n{intro}\n\n{rows}\n\n{tree}\n"
