"""Links of the Markdown files as they are written for the repository: to other files, and to anchors as GitHub makes them."""

from __future__ import annotations

import posixpath
import re

from docutils import nodes

ANCHOR = re.compile(r'<a id="([^"]+)">')


def slug(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def name_sections(_app, document) -> None:
    """Sections get GitHub's anchors of their titles, and those of <a id="…"></a> in front of them."""
    taken: dict[str, int] = {}
    for section in document.findall(nodes.section):
        name = slug(section[0].astext())
        again = taken.get(name, 0)
        taken[name] = again + 1
        add(document, section, f"{name}-{again}" if again else name)
    for paragraph in list(document.findall(nodes.paragraph)):
        found = ANCHOR.match(paragraph.astext()) if all(isinstance(child, nodes.raw) for child in paragraph) else None
        if found and (section := following_section(paragraph)):
            add(document, section, found[1])
            paragraph.parent.remove(paragraph)


def add(document, section, name: str) -> None:
    if name and name not in document.ids:
        section["ids"].append(name)
        document.ids[name] = section


def following_section(node):
    return next((later for later in node.findall(nodes.section, include_self=False, descend=False, ascend=True)), None)


def resolve(app, document, name: str) -> None:
    """Links to files of the repository become links to their pages."""
    folder = posixpath.dirname(name)
    for link in document.findall(nodes.reference):
        target = link.get("refuri", "")
        if link.get("internal") or not target or target.startswith("#") or re.match(r"[a-z]+:", target):
            continue
        path, mark, anchor = target.partition("#")
        page = page_of(app, posixpath.normpath(posixpath.join(folder, path)))
        if page is not None:
            link["refuri"] = app.builder.get_relative_uri(name, page) + mark + anchor
        link["internal"] = True


def page_of(app, path: str) -> str | None:
    """Examples are pages under their name without the extension, other programs with it."""
    stem, extension = posixpath.splitext(path)
    pages = (stem if extension in (".md", ".py", ".sh") else None, path)
    return next((page for page in pages if page in app.env.found_docs), None)


def setup(app):
    app.connect("doctree-read", name_sections)
    app.connect("doctree-resolved", resolve)
