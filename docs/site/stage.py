"""Puts the sources of the site together.

The Markdown files keep their places in the repository, so that the links among them hold; beside them stand the pages that are made from
sources: examples as they ran, the help of the commands, pages for the headers and for the Python package.
"""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import reference

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)")
# Pygments 2.14 stops at the conditional operator of awk.
CODE = {".py": "python", ".awk": "text", ".cpp": "cpp", ".hpp": "cpp", ".h": "c", ".c": "c", ".sh": "bash", ".mjs": "javascript", ".R": "r"}


def toctree(entries: list[str], *options: str) -> str:
    """Entries are paths from the top of the site."""
    return "\n".join(["```{toctree}", *options, "", *(f"/{entry}" for entry in entries), "```", ""])


def document(path: str) -> str:
    """The name of a page for Sphinx: its path without .md."""
    return path.removesuffix(".md")


class Stage:
    def __init__(self, source: pathlib.Path):
        self.source, self.pages = source, tomllib.loads((HERE / "pages.toml").read_text())
        self.children = {page: self.matching(patterns) for page, patterns in self.pages["children"].items()}
        self.written: set[pathlib.Path] = set()

    def matching(self, patterns: str | list[str]) -> list[str]:
        patterns = [patterns] if isinstance(patterns, str) else patterns
        return [str(path.relative_to(ROOT)) for pattern in patterns for path in sorted(ROOT.glob(pattern))]

    def write(self, path: str, text: str) -> None:
        """A file that is unchanged keeps its time: Sphinx then reads it from its cache."""
        to = self.source / path
        self.written.add(to)
        if not to.exists() or to.read_text() != text:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(text)

    def copy(self, path: str, original: pathlib.Path | None = None) -> None:
        to = self.source / path
        self.written.add(to)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(original or ROOT / path, to)

    def markdown(self) -> list[str]:
        named = [page for section in self.pages["section"] for page in section["pages"] if page.endswith(".md")]
        every = [*named, *self.matching("docs/*.md"), *(child for group in self.children.values() for child in group)]
        return list(dict.fromkeys(every))

    def add_markdown(self) -> None:
        for path in self.markdown():
            text = (ROOT / path).read_text()
            below = self.children.get(path)
            self.write(path, text + "\n" + toctree([document(child) for child in below], ":hidden:") if below else text)
        for path in self.matching(["docs/img/*", "docs/results/*.jsonl", "examples/price.cpp"]):
            self.copy(path)

    def add_linked_code(self) -> None:
        """Files that pages link to and that are not pages: programs become pages, for the reader to see them in colour."""
        for page in [*self.matching("c/weft.h"), *self.linked()]:
            path = pathlib.PurePosixPath(page)
            self.copy(page)
            if language := CODE.get(path.suffix):
                self.write(f"{page}.md", f"---\norphan: true\n---\n# {page}\n\n```{{literalinclude}} {path.name}\n:language: {language}\n```\n")

    def linked(self) -> list[str]:
        found = set()
        for page in self.written:
            if page.suffix == ".md":
                for target in LINK.findall(page.read_text()):
                    path = (ROOT / page.relative_to(self.source).parent / target).resolve()
                    if path.is_file() and path.suffix != ".md" and path.is_relative_to(ROOT):
                        found.add(str(path.relative_to(ROOT)))
        return sorted(found - set(self.pages["gallery"]["examples"]))

    def add_gallery(self, build: pathlib.Path) -> None:
        """Pages of examples stand where the examples do, so that their links hold."""
        names = [path.rpartition(".")[0] for path in self.pages["gallery"]["examples"]]
        made = build / "docs" / "examples"
        for name, path in zip(names, self.pages["gallery"]["examples"]):
            page = made / f"{name}.md"
            if outdated(page, ROOT / path, build):
                run_example(ROOT / path, page, build)
            self.write(f"{name}.md", page.read_text())
            for asset in page.with_suffix("").glob("*"):
                self.copy(f"{name}/{asset.name}", asset)
        entries = "\n".join(gallery_entry(self.source, name) for name in names)
        text = (HERE / "gallery.md").read_text()
        cards = f"::::{{container}} cards\n{entries}::::\n"
        self.write("examples/index.md", f"{text}\n{cards}\n{toctree(names, ':hidden:')}")

    def add_home(self) -> None:
        placed = {page for section in self.pages["section"] for page in section["pages"]}
        placed |= {child for group in self.children.values() for child in group}
        trees = []
        for section in self.pages["section"]:
            rest = [path for path in self.matching("docs/*.md") if path not in placed] if section.get("rest") else []
            entries = [document(page) for page in section["pages"] + rest]
            trees.append(toctree(entries, ":hidden:", f":caption: {section['title']}"))
        self.write("index.md", (HERE / "index.md").read_text() + "\n" + "\n".join(trees))

    def remove_others(self) -> None:
        for path in self.source.rglob("*"):
            if path.is_file() and path not in self.written:
                path.unlink()


def outdated(page: pathlib.Path, example: pathlib.Path, build: pathlib.Path) -> bool:
    """Examples take minutes: a page is kept while neither its example nor weft is newer."""
    parts = [example, HERE / "gallery.py", build / "bin" / "weft", *(build / "python" / "weft").glob("*")]
    return not page.exists() or page.stat().st_mtime < max(part.stat().st_mtime for part in parts if part.is_file())


def run_example(example: pathlib.Path, page: pathlib.Path, build: pathlib.Path) -> None:
    print(f"running {example.relative_to(ROOT)}", flush=True)
    work = build / "docs" / "work" / example.stem
    where = [f"--weft={build / 'bin' / 'weft'}", f"--python={build / 'python'}"]
    done = subprocess.run([sys.executable, "-B", HERE / "gallery.py", example, page, work, *where])
    if done.returncode:
        sys.exit(f"{example.relative_to(ROOT)} failed")


def gallery_entry(source: pathlib.Path, name: str) -> str:
    """A link with the title, the first sentence and, where there is one, the first picture of a page."""
    text = (source / f"{name}.md").read_text()
    title, _, rest = text.lstrip("# ").partition("\n")
    first = re.match(r".*?[.:](?=\s)", rest.strip().replace("\n", " "))
    picture = re.search(r"!\[[^\]]*\]\(([^)]+)\)", text)
    image = f"![{title}](/{name.rpartition('/')[0]}/{picture[1]})\n\n" if picture else ""
    sentence = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", first[0].replace(":", ".")) if first else ""
    return f":::{{container}} card\n{image}[**{title}**](../{name}.md)\n\n{sentence}\n:::\n"


def stage(build: pathlib.Path, source: pathlib.Path) -> None:
    made = Stage(source)
    made.add_markdown()
    made.add_gallery(build)
    made.add_linked_code()
    for path, text in reference.pages(ROOT, build):
        made.write(path, text)
    made.add_home()
    made.remove_others()
