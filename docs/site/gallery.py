"""Runs an example and writes the page that shows it: gallery.py EXAMPLE PAGE WORK --weft COMMAND --python FOLDER.

An example is a Python or bash script in cells. `# %% [markdown]` begins text, `# %%` code, whose output and pictures follow it on the
page, and `# %% [check]` code that the page leaves out. It runs in an empty folder, to which the files beside it that are no examples are
copied. Every cell of a bash script is a shell of its own in that folder. An example that fails ends the program with its error: the tests of
examples/ are runs of this program.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys

PICTURES = {".png", ".svg"}
BESIDE = {".awk", ".cpp"}
LANGUAGES = {".py": "python", ".sh": "bash"}


@dataclasses.dataclass
class Cell:
    kind: str  # "markdown", "check" or "" for code
    first_line: int
    text: str


def cells_of(source: str) -> list[Cell]:
    cells = [Cell("check", 1, "")]  # what stands before the first cell: an interpreter line, options of the shell
    for number, line in enumerate(source.splitlines(), 1):
        if begin := re.fullmatch(r"# %%(?: \[(markdown|check)\])?", line):
            cells.append(Cell(begin[1] or "", number + 1, ""))
        else:
            cells[-1].text += line + "\n"
    return [cell for cell in cells if cell.text.strip()]


def prose(cell: Cell) -> str:
    return re.sub(r"^# ?", "", cell.text, flags=re.MULTILINE).strip()


class PythonRunner:
    def __init__(self, example: pathlib.Path, folder: pathlib.Path):
        self.example, self.names = example, {"__name__": "__main__", "__file__": str(example)}
        os.chdir(folder)

    def run(self, cell: Cell) -> str:
        said = io.StringIO()
        code = "\n" * (cell.first_line - 1) + cell.text  # so that a traceback names the line of the file
        with contextlib.redirect_stdout(said):
            exec(compile(code, self.example, "exec"), self.names)
        return said.getvalue()


class ShellRunner:
    def __init__(self, example: pathlib.Path, folder: pathlib.Path):
        self.example, self.folder = example, folder

    def run(self, cell: Cell) -> str:
        script = ["bash", "-euo", "pipefail", "-c", cell.text]
        done = subprocess.run(script, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(f"{self.example}:{cell.first_line}: status {done.returncode}\n{cell.text}\n{done.stdout}")
        return done.stdout


def fenced(language: str, text: str) -> str:
    return f"````{language}\n{text.strip(chr(10))}\n````\n"


def shown(path: pathlib.Path, assets: pathlib.Path, title: str) -> str:
    """A file that a cell has made, as part of the page: pictures, and reports in a frame."""
    assets.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, assets / path.name)
    relative = f"{assets.name}/{path.name}"
    if path.suffix in PICTURES:
        return f"![{title}: {path.name}]({relative})\n"
    return (
        f'<p class="made"><a href="{relative}">Open {path.name}</a></p>\n'
        f'<iframe class="made" loading="lazy" src="{relative}" title="{path.name}"></iframe>\n'
    )


def page_of(example: pathlib.Path, folder: pathlib.Path, assets: pathlib.Path) -> str:
    cells = cells_of(example.read_text())
    title = prose(cells[0]).splitlines()[0].lstrip("# ") if cells[0].kind == "markdown" else example.stem
    runner = (PythonRunner if example.suffix == ".py" else ShellRunner)(example, folder)
    parts, seen = [], {}
    for cell in cells:
        if cell.kind == "markdown":
            parts.append(prose(cell) + "\n")
            continue
        output = runner.run(cell)
        made = {path: path.stat().st_mtime_ns for path in sorted(folder.iterdir()) if path.suffix in PICTURES | {".html"}}
        if not cell.kind:
            parts.append(fenced(LANGUAGES[example.suffix], cell.text))
            parts += [fenced("text", output)] if output.strip() else []
            parts += [shown(path, assets, title) for path, time in made.items() if seen.get(path) != time]
        seen = made
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("example", "page", "work"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--weft", type=pathlib.Path, required=True, help="the command")
    parser.add_argument("--python", type=pathlib.Path, required=True, help="folder of the Python package")
    options = parser.parse_args()
    example, page, work = options.example.resolve(), options.page.resolve(), options.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for path in example.parent.iterdir():
        if path.suffix in BESIDE:
            shutil.copy(path, work)
    os.environ["PATH"] = f"{options.weft.resolve().parent}{os.pathsep}{os.environ['PATH']}"
    os.environ["MPLBACKEND"] = "Agg"
    sys.path.insert(0, str(options.python.resolve()))
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(page_of(example, work, page.with_suffix("")))


if __name__ == "__main__":
    main()
