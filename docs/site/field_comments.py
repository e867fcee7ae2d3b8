"""Doxygen's input filter: gives members of option structs the sentences of their fields, and leaves fields() itself out.

Headers declare an option once: a member with its default, and a row of fields() with its name, range and sentence. Doxygen sees
members only.
"""

import pathlib
import re
import sys

FIELDS = re.compile(r"^  (?:template <[^\n]*>\n  )?static (?:constexpr )?auto fields\(.*?^  \}\n", re.MULTILINE | re.DOTALL)
ROW = re.compile(r'Field\{\s*"[^"]*",\s*&\w+::(\w+),(?P<rest>.*?)\}(?=,\n|\s*\}|\))', re.DOTALL)
SHARED_ROW = re.compile(r"shared_options::(\w+)\(&\w+::(\w+)\)")
SHARED = re.compile(r"auto (\w+)\([^)]*O::\*member\) \{\s*return Field\{(.*?)\};\n", re.DOTALL)
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


def sentence(row: str) -> str:
    """The texts of a row, joined; other options are named as ‹option›."""
    text = "".join(TEXT.findall(row)).replace('\\"', '"')
    return re.sub(r"‹(\w+)›", r"\1", text)


def shared_sentences(header: pathlib.Path) -> dict[str, str]:
    """Rows that several methods have are functions of namespace shared_options; their first text is the name."""
    found = [row for path in header.parent.glob("*.hpp") for row in SHARED.findall(path.read_text())]
    return {name: sentence(row.split(",", 1)[1]) for name, row in found}


def sentences(fields: str, shared: dict[str, str]) -> dict[str, str]:
    found = {row[1]: sentence(row["rest"]) for row in ROW.finditer(fields)}
    return found | {member: shared[name] for name, member in SHARED_ROW.findall(fields)}


def commented(line: str, texts: dict[str, str]) -> str:
    member = re.match(r"  [\w:<>, ]+? (\w+)(?: = [^;]*| ?\{[^;]*\})?;", line)
    if not member or member[1] not in texts or "///<" in line:
        return line
    return line.split("//")[0].rstrip() + " ///< " + texts[member[1]]


def filtered(header: pathlib.Path) -> str:
    """Structs are small and end at a brace of the first column: members of one are above its fields()."""
    blocks = re.split(r"(?<=^\};\n)", header.read_text(), flags=re.MULTILINE)
    shared = shared_sentences(header)
    for number, block in enumerate(blocks):
        if fields := FIELDS.search(block):
            texts = sentences(fields[0], shared)
            lines = (block[: fields.start()] + block[fields.end() :]).split("\n")
            blocks[number] = "\n".join(commented(line, texts) for line in lines)
    return re.sub(r"//[/!].*", lambda comment: comment[0].replace("#", r"\#"), "".join(blocks))  # #N/A is no reference


if __name__ == "__main__":
    sys.stdout.write(filtered(pathlib.Path(sys.argv[1])))
