"""The examples of docstrings and pages run."""

import doctest
import importlib.util
import pathlib
import subprocess
import sys

import pytest

import weft

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENTED = [weft, *(getattr(weft, name) for name in weft.__all__ if callable(getattr(weft, name)))]
if importlib.util.find_spec("matplotlib"):
    import weft.plot

    DOCUMENTED.append(weft.plot)


@pytest.mark.parametrize("thing", DOCUMENTED, ids=lambda thing: thing.__name__)
def test_examples(thing):
    tests = [test for test in doctest.DocTestFinder(recurse=False).find(thing, globs={}) if test.examples]
    assert len(tests) == 1, "there is no example"
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    assert runner.run(tests[0]).failed == 0


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_pages(page, tmp_path, monkeypatch):
    """Every ```python block of a page, one after the other."""
    monkeypatch.chdir(tmp_path)
    blocks = (ROOT / page).read_text().split("```python\n")[1:]
    assert blocks, "there is no example"
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block.split("```")[0], page, "exec"), names)


def test_the_tutorial(tmp_path):
    """As its reader runs it: a script of its own, in a folder of its own."""
    pytest.importorskip("matplotlib")
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "tutorial.py"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "saved and loaded: RandomFeatureRegressor" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"tutorial.png", "activation.png", "tutorial.weft"}
