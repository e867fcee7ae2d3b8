"""The examples of docstrings and pages run."""

import doctest
import inspect
import pathlib

import pytest

import weft

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENTED = [weft, *(getattr(weft, name) for name in weft.__all__ if inspect.isclass(getattr(weft, name)))]


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
