"""What the site needs to work from a folder, without a server.

Debian's Furo imports one script from another and its style sheet names a file of the server, which browsers refuse for file://, and lacks the
dark colours of readers who have not chosen; Sphinx's search fetches the pages that it found, to show the lines around the words.
"""

from __future__ import annotations

import json
import pathlib
import re
import shutil

NORMALIZE = pathlib.Path("/usr/share/javascript/normalize.css/normalize.css")


def join_theme_files(static: pathlib.Path) -> None:
    script, style = static / "scripts" / "furo.js", static / "styles" / "furo.css"
    text = script.read_text()
    if found := re.match(r'import Gumshoe from "\./([\w-]+\.js)";', text):
        script.write_text((script.parent / found[1]).read_text() + text[found.end() :])
    rules = style.read_text()
    if found := re.match(r"@import url\(/javascript/normalize\.css/[^)]*\);", rules):
        rules = NORMALIZE.read_text() + rules[found.end() :]
    if "prefers-color-scheme" not in rules:
        colours = re.search(r'body\[data-theme="dark"\] \{([^}]*)\}', rules)[1]
        rules += f'@media not print {{ @media (prefers-color-scheme: dark) {{ body:not([data-theme="light"]) {{{colours}}} }} }}\n'
    style.write_text(rules)


def write_search_texts(app, static: pathlib.Path) -> None:
    texts = {f"{name}.html": " ".join(app.env.get_doctree(name).astext().split()) for name in sorted(app.env.found_docs)}
    answer = """window.fetch = async (url) => ({
  text: async () => {
    const main = document.createElement("div");
    main.setAttribute("role", "main");
    main.textContent = weftTexts[url.replace(/^\\.\\//, "")] ?? "";
    return main.outerHTML;
  },
});
"""
    (static / "search_texts.js").write_text(f"const weftTexts = {json.dumps(texts, ensure_ascii=False)};\n{answer}")


def add_search_texts(app, page, _template, _context, _document) -> None:
    if page == "search":
        app.add_js_file("search_texts.js")


def folder(path: pathlib.Path) -> pathlib.Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def copy_linked_files(app) -> None:
    """What pages link to and Sphinx does not know: reports of examples, logs of results, the licence."""
    source, out = pathlib.Path(app.srcdir), pathlib.Path(app.outdir)
    for path in source.rglob("*"):
        if path.is_file() and path.suffix not in (".md", ".png", ".svg"):
            shutil.copy2(path, folder(out / path.relative_to(source)))


def finish(app, error) -> None:
    if error is None and app.builder.name == "html":
        static = pathlib.Path(app.outdir) / "_static"
        copy_linked_files(app)
        join_theme_files(static)
        write_search_texts(app, static)


def setup(app):
    app.connect("html-page-context", add_search_texts)
    app.connect("build-finished", finish)
