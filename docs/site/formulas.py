"""Formulas as the Markdown files write them, with _ for subscripts and ^ for superscripts, set as such.

docs/mathematics.md is readable as plain text, in Unicode; here its indented blocks become displayed formulas, and x_i, e^{−ν²/2} or
K_X in running text and tables get their indices.
"""

from __future__ import annotations

import html
import re

from docutils import nodes

# One letter (or a closing bracket, or a superscript digit) and its indices. Words with underscores are options.
SCRIPT = re.compile(r"(?<![A-Za-z0-9_\\])(min|max|sup|inf|[A-Za-zΑ-ωϑϕ√∑Σ∂‖|)\]}²³⁾]|)((?:[_^](?:\{[^{}]*\}|[A-Za-zΑ-ω0-9*]{1,4}(?![A-Za-z0-9_])|\([^()]*\)))+)")
INDEX = re.compile(r"([_^])(\{[^{}]*\}|\([^()]*\)|[^_^]+)")
LETTER = re.compile(r"(?<![A-Za-zΑ-ω&;#])([A-Za-zα-ωΦ])(?![A-Za-zΑ-ω;])")
SKIPPED = (nodes.literal, nodes.literal_block, nodes.raw, nodes.FixedTextElement)


def scripts(found: re.Match) -> list[tuple[str, str]]:
    """("sub" or "sup", text) of every index."""
    return [("sub" if mark == "_" else "sup", text.strip("{}")) for mark, text in INDEX.findall(found[2])]


def inline(text: nodes.Text) -> list[nodes.Node]:
    made, at = [], 0
    for found in SCRIPT.finditer(text.astext()):
        base = found[1]
        made.append(nodes.Text(text.astext()[at : found.start()]))
        if base:
            made.append(nodes.emphasis("", base) if len(base) == 1 and base.isalpha() and base not in "ΣΑ" else nodes.Text(base))
        for kind, index in scripts(found):
            made.append((nodes.subscript if kind == "sub" else nodes.superscript)("", index))
        at = found.end()
    return [*made, nodes.Text(text.astext()[at:])] if made else []


def displayed(text: str) -> nodes.raw:
    def one(found: re.Match) -> str:
        return found[1] + "".join(f"<{kind}>{index}</{kind}>" for kind, index in scripts(found))

    escaped = html.escape(text, quote=False)
    for _ in range(2):  # indices have indices
        escaped = SCRIPT.sub(one, escaped)
    parts = re.split(r"(<[^>]*>)", escaped)
    letters = "".join(part if part.startswith("<") else LETTER.sub(r"<i>\1</i>", part) for part in parts)
    return nodes.raw("", f'<div class="formula">{letters}</div>', format="html")


def typeset(app, document) -> None:
    name = app.env.docname
    if not name.startswith("docs/"):
        return
    for block in list(document.findall(nodes.literal_block)):
        if name == "docs/mathematics" and block.get("language", "none") in ("none", "default"):
            block.replace_self(displayed(block.astext()))
    for text in list(document.findall(nodes.Text)):
        ancestors, node = [], text.parent
        while node is not None:
            ancestors.append(node)
            node = node.parent
        if not any(isinstance(node, SKIPPED) for node in ancestors) and (made := inline(text)):
            text.parent.replace(text, made)


def setup(app):
    app.connect("doctree-read", typeset)
