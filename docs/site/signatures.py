"""Signatures and members of the Python reference: long signatures are cut, and what scikit-learn documents is left out."""

import re

LONGEST = 4  # parameters that a signature shows; the list of parameters below has all of them


def shorten(_app, _what, _name, _object, _options, signature, returns):
    if not signature:
        return None
    parameters = re.split(r", (?![^\[(]*[\])])", signature[1:-1])
    if len(parameters) <= LONGEST + 1:
        return signature, returns
    return f"({', '.join(parameters[:LONGEST])}, ...)", returns


def skip(_app, _what, name, member, skipped, _options):
    module = getattr(member, "__module__", None) or getattr(getattr(member, "fget", None), "__module__", "") or ""
    return True if name.startswith("set_") or not module.startswith("weft") else skipped


def escape(_app, _what, _name, _object, _options, lines):
    """Docstrings are plain text: |x| is no substitution of reStructuredText."""
    lines[:] = [line if line.lstrip().startswith((">>>", "...")) else line.replace("|", "\\|") for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", escape, priority=400)  # before Napoleon
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-skip-member", skip)
