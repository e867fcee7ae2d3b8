"""Builds the site: build.py BUILD_FOLDER OUT_FOLDER. BUILD_FOLDER has the command, the Python package and the examples' programs."""

from __future__ import annotations

import argparse
import os
import pathlib
import sys

from sphinx.cmd.build import main as sphinx

import stage


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    source, cache = build / "docs" / "source", build / "docs" / "cache"
    stage.stage(build, source)
    os.environ["WEFT_BUILD"] = str(build)
    # A warning is an error: a page that nobody links, a declaration that cannot be read.
    return sphinx(["-q", "-W", "--keep-going", "-b", "html", "-c", str(stage.HERE), "-d", str(cache), str(source), str(options.out.resolve())])


if __name__ == "__main__":
    sys.exit(main())
