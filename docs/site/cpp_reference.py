"""A page per public header, from Doxygen's XML: declarations in the order of the header, as directives of Sphinx's C++ domain.

Breathe, which does this in general, groups by kind and repeats the namespace on every page; headers are written to be read in their order.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
import textwrap
import xml.etree.ElementTree as ElementTree

DIRECTIVES = {"function": "function", "variable": "member", "typedef": "type", "enum": "enum"}


@dataclasses.dataclass
class Declaration:
    line: int
    text: str  # reStructuredText


def plain(element) -> str:
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def prose(element) -> str:
    """Descriptions are plain sentences: what reStructuredText would take for markup is escaped."""
    paragraphs = []
    for part in ("briefdescription", "detaileddescription", "inbodydescription"):
        paragraphs += [plain(para) for para in element.find(part) or [] if para.tag == "para"]
    return "\n\n".join(escaped(paragraph) for paragraph in paragraphs)


def escaped(text: str) -> str:
    parts = re.split(r"`([^`]*)`", text)  # every second one is code; file:line would be an address
    return "".join(f"``{part}``" if k % 2 else re.sub(r"([\\*`|_]|:(?=\S))", r"\\\1", part) for k, part in enumerate(parts))


def template(element) -> str:
    parameters = element.find("templateparamlist")
    if parameters is None:
        return ""
    named = [f"{plain(p.find('type'))} {plain(p.find('declname'))}".strip() for p in parameters.findall("param")]
    return f"template <{', '.join(named)}> "


def indented(text: str) -> str:
    return textwrap.indent(text, "   ")


def directive(kind: str, signature: str, body: str) -> str:
    return f".. cpp:{kind}:: {signature}\n\n{indented(body)}\n" if body else f".. cpp:{kind}:: {signature}\n"


def function_signature(member) -> str:
    type_ = re.sub(r"\b(constexpr|inline|WEFT_PUBLIC)\b ?", "", plain(member.find("type")))
    arguments = re.sub(r"\s*=\s*(default|delete|0)$", "", plain(member.find("argsstring")))
    words = [word for word in ("static", "explicit") if member.get(word) == "yes"]
    if member.get("virt") == "pure-virtual":
        words.append("virtual")
    return f"{template(member)}{' '.join([*words, type_, plain(member.find('name'))]).replace('  ', ' ')}{arguments}"


def member_signature(member) -> str:
    words = "static " if member.get("static") == "yes" else ""
    initial = plain(member.find("initializer"))
    shown = f" {initial}" if initial and len(initial) < 60 else ""
    return f"{template(member)}{words}{plain(member.find('type'))} {plain(member.find('name'))}{plain(member.find('argsstring'))}{shown}"


def enum_text(member) -> str:
    values = member.findall("enumvalue")
    body = prose(member)
    if any(prose(value) for value in values):
        listed = "\n".join(directive("enumerator", plain(value.find("name")), prose(value)) for value in values)
    else:
        listed = "One of " + ", ".join(f"``{plain(value.find('name'))}``" for value in values) + "."
    kind = "enum-class" if member.get("strong") == "yes" else "enum"
    return directive(kind, plain(member.find("name")), f"{body}\n\n{listed}".strip())


def member_text(member) -> str:
    kind = member.get("kind")
    if kind == "enum":
        return enum_text(member)
    if kind == "typedef":
        target = plain(member.find("type"))
        return directive("type", f"{template(member)}{plain(member.find('name'))} = {target}", prose(member))
    signature = function_signature(member) if kind == "function" else member_signature(member)
    return directive(DIRECTIVES[kind], signature, prose(member))


def public_members(compound) -> list[Declaration]:
    found = []
    for member in compound.iter("memberdef"):
        name = plain(member.find("name"))
        wanted = member.get("prot", "public") == "public" and member.get("kind") in DIRECTIVES and name != "choice_names"
        if wanted and not name.startswith(("operator", "~")):
            found.append(Declaration(int(member.find("location").get("line")), member_text(member)))
    return found


class Reference:
    """Everything that Doxygen found, by header."""

    def __init__(self, xml: pathlib.Path):
        self.files: dict[str, list[Declaration]] = {}
        compounds = [ElementTree.parse(path).find("compounddef") for path in sorted(xml.glob("*.xml"))]
        compounds = [compound for compound in compounds if compound is not None]
        self.classes = {plain(c.find("compoundname")): c for c in compounds if c.get("kind") in ("struct", "class")}
        for compound in compounds:
            if compound.get("kind") == "namespace" and plain(compound.find("compoundname")) == "weft":
                self.add_members(compound)
        for name, compound in self.classes.items():
            if re.fullmatch(r"weft::\w+", name) and compound.get("prot", "public") == "public":
                place = compound.find("location")
                self.add(place.get("file"), Declaration(int(place.get("line")), self.class_text(compound)))

    def add(self, file: str, declaration: Declaration) -> None:
        self.files.setdefault(file, []).append(declaration)

    def add_members(self, namespace) -> None:
        for member in namespace.iter("memberdef"):
            place = member.find("location")
            if member.get("kind") in DIRECTIVES and plain(member.find("name")) != "choice_names":
                if not plain(member.find("name")).startswith("operator"):
                    file, line = (place.get(f"decl{what}") or place.get(what) for what in ("file", "line"))
                    self.add(file, Declaration(int(line), member_text(member)))

    def class_text(self, compound) -> str:
        name = plain(compound.find("compoundname")).rpartition("::")[2]
        bases = ", ".join(f"public {plain(base)}" for base in compound.findall("basecompoundref"))
        signature = f"{template(compound)}{name}" + (f" : {bases}" if bases else "")
        members = public_members(compound)
        for inner in compound.findall("innerclass"):
            nested = self.classes.get(plain(inner))
            if inner.get("prot") == "public" and nested is not None:
                members.append(Declaration(int(nested.find("location").get("line")), self.class_text(nested)))
        body = "\n".join([prose(compound), "", *(member.text for member in sorted(members, key=lambda m: m.line))])
        return directive(compound.get("kind"), signature, body.strip())

    def text(self, header: str) -> str:
        """The declarations of weft/NAME.hpp."""
        declarations = sorted(self.files.get(header, []), key=lambda declaration: declaration.line)
        return "\n".join([".. cpp:namespace:: weft\n", *(declaration.text for declaration in declarations)])
