#!/usr/bin/env python3
"""check_includes.py ROOT: every #include of the tree against the table of allowed ones, includes.toml.

Also that public headers export what they declare, that internals stay out of them (weft/visibility.hpp), and that no two
headers define different types of one name: the linker would take the functions of either for both.
"""

import re
import sys
from pathlib import Path

try:
    import tomllib
except ImportError:
    sys.exit("skipped: it needs Python 3.11")

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
SUFFIXES = {".hpp", ".cpp", ".inl", ".h", ".cu", ".cuh"}


def modules_by_folder(table):
    return {Path(row.get("folder", f"src/{name}")): name for name, row in table.items()}


def public_headers(table):
    return {f"weft/{header}.hpp": name for name, row in table.items() for header in row.get("public", [])}


def table_mistakes(table, root):
    """A module uses modules above it in the table alone, so that there are no circles, and owns headers that exist."""
    seen = set()
    for name, row in table.items():
        for used in row["uses"]:
            if used not in seen:
                yield f"includes.toml: {name} uses {used}, which does not come before it"
        seen.add(name)
    for header in public_headers(table):
        if not (root / "include" / header).exists():
            yield f"includes.toml: there is no include/{header}"


def module_of(path, folders, owners):
    if path.parts[0] == "include":
        return owners.get("/".join(path.parts[1:]))
    return next((folders[folder] for folder in path.parents if folder in folders), None)


def target_of(path, quoted, name, root, folders, owners):
    """The module that an #include names, or "<library>" for what lies outside the tree."""
    if name.startswith("weft/"):
        return owners.get(name)
    if not quoted:
        return "<" + name.split("/")[0] + ">"
    roots = [folder for folder in folders if path.is_relative_to(folder)]
    for base in (*roots, path.parent, Path("src")):
        if (root / base / name).exists():
            return module_of(base / name, folders, owners)
    return None


def file_mistakes(path, root, table, folders, owners):
    module = module_of(path, folders, owners)
    if module is None:
        yield f"{path}: belongs to no module of includes.toml"
        return
    row = table[module]
    text = (root / path).read_text()
    if path.parts[0] == "include" and re.search(r"^namespace weft(::detail)? {", text, re.MULTILINE):
        yield f"{path}: a public header must open `namespace WEFT_PUBLIC weft`"
    for match in INCLUDE.finditer(text):
        quoted, name = match[1] == '"', match[2]
        if not quoted and "/" not in name and "." not in name:
            continue  # the standard library
        line = text.count("\n", 0, match.start()) + 1
        target = target_of(path, quoted, name, root, folders, owners)
        if target is None:
            yield f"{path}:{line}: {name} belongs to no module of includes.toml"
        elif target.startswith("<"):
            if target[1:-1] not in row.get("libraries", []):
                yield f"{path}:{line}: {module} must not include the library header <{name}>"
            elif path.parts[0] == "include":
                yield f"{path}:{line}: a public header must not include <{name}>"
        elif target != module and target not in row["uses"]:
            yield f"{path}:{line}: {module} must not include {target} ({name})"
        elif target != module and quoted and target not in row.get("internals", row["uses"]):
            yield f"{path}:{line}: {module} may include the public headers of {target} alone, not {name}"


NAMESPACE = re.compile(r"^namespace (?:WEFT_PUBLIC )?([\w:]+) {", re.MULTILINE)
TYPE = re.compile(r"^(?:struct|class|enum class) (?:WEFT_PUBLIC )?(\w+)(?: final)?(?: : [^{;]*)? {", re.MULTILINE)


def types_of(path, root):
    """The types that a header defines at the left margin, with their namespace."""
    text = (root / path).read_text()
    spaces = [(match.start(), match[1]) for match in NAMESPACE.finditer(text)]
    for match in TYPE.finditer(text):
        space = next((name for start, name in reversed(spaces) if start < match.start()), "")
        yield f"{space}::{match[1]}"


def same_types(headers, root):
    seen = {}
    for path in headers:
        for name in types_of(path, root):
            if seen.setdefault(name, path) != path:
                yield f"{path}: {name} is a type of {seen[name]}, too"


def main():
    root = Path(sys.argv[1])
    table = tomllib.loads((Path(__file__).parent / "includes.toml").read_text())
    folders, owners = modules_by_folder(table), public_headers(table)
    mistakes = list(table_mistakes(table, root))
    for top in ["include", "src", "python/bindings", "papers/src"]:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES:
                mistakes += file_mistakes(path.relative_to(root), root, table, folders, owners)
    headers = [path.relative_to(root) for top in ["include", "src"] for path in sorted((root / top).rglob("*.hpp"))]
    mistakes += same_types(headers, root)
    print(*mistakes, sep="\n")
    if mistakes:
        sys.exit(f"{len(mistakes)} mistakes: includes that tests/tree/includes.toml does not allow, or types of one name")


if __name__ == "__main__":
    main()
