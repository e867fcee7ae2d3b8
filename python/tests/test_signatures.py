"""The parameters are those that the C++ library declares."""

import importlib.util
import inspect
import pathlib
import re

import pytest

import weft
from weft import _signatures, _weft

GENERATOR = pathlib.Path(__file__).parents[1] / "generate_signatures.py"
ESTIMATORS = [getattr(weft, name) for name in weft.__all__ if inspect.isclass(getattr(weft, name))]


def module_at(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_fresh():
    generator, stub = module_at(GENERATOR), module_at(GENERATOR.with_name("generate_stub.py"))
    assert generator.text() == generator.OUTPUT.read_text(), f"run {GENERATOR}"
    assert stub.text(_weft) == stub.OUTPUT.read_text(), f"run {GENERATOR}"


def test_every_option_is_a_parameter():
    used = {(group, option) for e in ESTIMATORS for group, options in e._groups.items() for option in options}
    for group in ("certify", "prune", "explain"):
        used |= {(group, option) for option in getattr(_signatures, f"{group}_options")()}
    for group, rows in _weft.fields().items():
        for row in rows:
            assert (group, row["name"]) in used | {("encode", "task")}, row["name"]


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: estimator.__name__)
def test_parameters_are_documented(estimator):
    assert "{parameters}" not in estimator.__doc__
    for name in inspect.signature(estimator).parameters:
        assert f"\n{name} : " in estimator.__doc__, name
    # The command line's spelling is not Python's.
    assert not re.search("(?<!-)--[a-z]", estimator.__doc__)


@pytest.mark.parametrize("function", [weft.certify, weft.prune], ids=lambda function: function.__name__)
def test_keywords_are_documented(function):
    options = inspect.signature(getattr(_signatures, f"{function.__name__}_options")).parameters
    assert list(inspect.signature(function).parameters)[-len(options) :] == list(options)
    for name in options:
        assert f"\n{name} : " in function.__doc__, name


def test_defaults_are_the_librarys():
    defaults = {row["name"]: row["default"] for group in ("family", "fit", "encode") for row in _weft.fields()[group]}
    model = weft.RandomFeatureRegressor()
    for option in ("family", "features", "sigma", "lambda", "fit", "regularizer", "scale", "seed"):
        assert getattr(model, _signatures.PARAMETER.get(option, option)) == defaults[option]


def test_version():
    assert weft.__version__ == _weft.__version__ and weft.__version__.count(".") == 2
