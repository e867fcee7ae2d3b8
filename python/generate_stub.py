"""Writes weft/_weft.pyi, the types of the extension module, from the signatures that pybind11 gives its functions.

python/generate_signatures.py runs it.
"""

from __future__ import annotations

import inspect
import pathlib
import re

OUTPUT = pathlib.Path(__file__).parent / "weft" / "_weft.pyi"
HEAD = '''"""The extension module. Written by python/generate_signatures.py from its own signatures."""

from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

__version__: str
'''
# As pybind11 writes a type → as Python has it, one after the other. pybind11 3 says what a function converts as well.
TYPES = [
    (r"(weft\.)?\b_weft\.|weft::", ""),
    (r"typing\.SupportsFloat \| typing\.SupportsIndex", "float"),
    (r"typing\.SupportsInt \| typing\.SupportsIndex", "int"),
    (r"collections\.abc\.Sequence\[", "List["),
    (r"\b(\w+) \| None\b", r"Optional[\1]"),
    (r"numpy\.(ndarray|typing\.NDArray)\[numpy\.float64\]", "NDArray[np.float64]"),
    (r"numpy\.ndarray", "NDArray[Any]"),
    (r"\b(dict|list|tuple)\[", lambda name: name[0].capitalize()),
    (r"\bdict\b", "Dict[str, Any]"),
    (r"\blist\b", "List[Any]"),
    (r"\btuple\b", "Tuple[Any, ...]"),
    (r"\bobject\b", "Any"),
]


def signature(documented, name: str) -> str:
    """(self, table: Table, …) -> Model: the first line of the documentation, in Python's words."""
    line = (documented.__doc__ or "").split("\n")[0]
    found = re.fullmatch(rf"(?:{name})?(\(.*\) -> .*)", line)
    if not found:
        raise SystemExit(f"{name}: no signature in {line!r}")
    text = re.sub(r"\((self|arg0): [\w.:]+", "(self", found[1])
    text = re.sub(r": ([\w.:]+) = None", r": Optional[\1] = ...", text)
    text = re.sub(r" = (\[\]|\{\}|[^,()]+)", " = ...", text)
    for pattern, words in TYPES:
        text = re.sub(pattern, words, text)
    return text


def members(kind: type) -> list[str]:
    lines = []
    for name, member in sorted(vars(kind).items()):
        if isinstance(member, property):
            lines += ["    @property", f"    def {name}{signature(member.fget, name)}: ..."]
        elif name.startswith("_"):
            continue
        elif isinstance(member, staticmethod):
            lines += ["    @staticmethod", f"    def {name}{signature(member.__func__, name)}: ..."]
        else:
            lines.append(f"    def {name}{signature(member, name)}: ...")
    return lines


def text(module) -> str:
    parts = [HEAD]
    public = {name: value for name, value in sorted(vars(module).items()) if not name.startswith("_")}
    for name, value in public.items():
        if inspect.isclass(value):
            parts.append("\n".join([f"class {name}:", *(members(value) or ["    ..."])]) + "\n")
    functions = {name: value for name, value in public.items() if callable(value) and not inspect.isclass(value)}
    parts.append("".join(f"def {name}{signature(value, name)}: ...\n" for name, value in functions.items()))
    return "\n".join(parts)
