#!/usr/bin/env python3
"""Writes weft/_signatures.py, the parameters of every estimator, from the options that the C++ library declares, and
weft/_weft.pyi, the types of the extension module (generate_stub.py).

Run it after an option has changed: PYTHONPATH=build/python python3 -P python/generate_signatures.py
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import pathlib
import sys
import textwrap


def extension():
    """The extension module alone: the package around it needs the file that is written here."""
    if "weft._weft" in sys.modules:
        return sys.modules["weft._weft"]
    spec = importlib.machinery.PathFinder.find_spec("_weft", [f"{folder}/weft" for folder in sys.path])
    if spec is None:
        raise SystemExit("there is no extension module: build weft_python and set PYTHONPATH=build/python")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_weft = extension()
OUTPUT = pathlib.Path(__file__).parent / "weft" / "_signatures.py"
WIDTH = 120
PARAMETER = dict(_weft.renamed_options())

RANDOM_FEATURES = ("least-squares", "lasso", "sfgd", "optimal-step")
CLASSES_ONLY = ("class_weights", "calibrate")
SEARCHED = ("lambda", "lambda_holdout", "intercept")
KERNEL_FAMILY = ("sigma", "gamma", "theta", "kappa", "shrink", "phase", "pool", "seed")
# Of the family, what fits without random features use; None: all of it.
FAMILY_OPTIONS = {
    "kernel-ridge": KERNEL_FAMILY,
    "kernel-newton": KERNEL_FAMILY,
    "local": ("seed",),
    "portfolio": ("seed",),
}
BY_ROWS = ("candidates", "sampling_lambda", "sampling_rows", "sampling_rho")

# estimator: the fits among which its options are, options that are not its own, and whether it searches.
FITS = {
    "RandomFeatureRegressor": (RANDOM_FEATURES + ("learned-relevance", "newton"), CLASSES_ONLY, False),
    "RandomFeatureClassifier": (RANDOM_FEATURES + ("logistic", "learned-relevance"), ("std",), False),
    "RandomFeatureRegressorCV": (RANDOM_FEATURES + ("newton",), CLASSES_ONLY, True),
    "RandomFeatureClassifierCV": (RANDOM_FEATURES + ("logistic",), ("std",), True),
    "KernelRidge": (("kernel-ridge",), CLASSES_ONLY, False),
    "KernelRidgeCV": (("kernel-ridge",), CLASSES_ONLY, True),
    "KernelRidgeClassifier": (("kernel-ridge",), (), False),
    "KernelLossRegressor": (("kernel-newton",), CLASSES_ONLY, False),
    "Regressor": (("portfolio",), CLASSES_ONLY + SEARCHED, False),
    "Classifier": (("portfolio",), SEARCHED, False),
    "LocalKernelRegressor": (("local",), CLASSES_ONLY + SEARCHED[1:], False),
    "LocalKernelClassifier": (("local",), SEARCHED[1:], False),
    "LearnedActivationRegressor": (("learned-activation",), CLASSES_ONLY, False),
    "LearnedActivationClassifier": (("learned-activation",), ("calibrate",), False),
}

# Options of another method that an estimator has as well: (method, options, defaults that differ).
BORROWED = {"Regressor": ("newton", ("loss", "quantiles", "huber_multiple"), {"loss": "squared"})}

# Parameters that scikit-learn gives a meaning of its own: (type, default, help).
CONVENTIONS = {
    "random_state": ("int | np.random.RandomState | None", "1", "seed of every random draw; None: another every time"),
    "quantiles": (
        "str | Sequence[float]",
        '"0.1,0.5,0.9"',
        "what the quantile loss predicts, one column each: numbers between 0 and 1",
    ),
    "n_jobs": ("int | None", "None", "threads to use; None or -1: OMP_NUM_THREADS, or every core"),
}


class Parameter:
    """An option of the library as a parameter of an estimator."""

    def __init__(self, row: dict, default=None, choices=None):
        self.option = row["name"]
        self.name = PARAMETER.get(self.option, self.option)
        self.type = row["type"] + (" | None" if row["optional"] else "")
        self.default = repr(row["default"] if default is None else default)
        self.help = _weft.in_python_words(row["help"])
        self.allowed = row["allowed"]
        if choices:
            self.allowed = "one of " + ", ".join(choices)
        if self.name in CONVENTIONS:
            self.type, self.default, self.help = CONVENTIONS[self.name]
            self.allowed = ""

    def signature(self) -> str:
        return f"{self.name}: {self.type} = {self.default},"

    def doc(self) -> str:
        text = self.help + (f" ({self.allowed})" if self.allowed else "")
        lines = textwrap.wrap(text[0].upper() + text[1:] + ".", WIDTH - 8, break_on_hyphens=False)
        return "\n".join([f"{self.name} : {self.type}, default={self.default}"] + ["    " + line for line in lines])


def rows(group: str, leave_out=(), only=None) -> list[dict]:
    return [
        row
        for row in _weft.fields()[group]
        if row["name"] not in leave_out and (only is None or row["name"] in only)
    ]


def fit_parameters(fits: tuple[str, ...], leave_out: tuple[str, ...]) -> list[Parameter]:
    """The method where there are several, what all methods have, and what these have."""
    own: dict[str, dict] = {}
    every = {row["name"] for method in _weft.methods() for row in method["fields"]}
    for method in _weft.methods():
        if method["name"] in fits:
            for row in method["fields"]:
                first = own.setdefault(row["name"], dict(row))
                first["choices"] = list(dict.fromkeys(first["choices"] + row["choices"]))
    parameters = []
    for row in rows("fit", leave_out):
        if row["name"] == "fit":
            if len(fits) > 1:
                parameters.append(Parameter(row, choices=fits))
        elif row["name"] not in every:
            parameters.append(Parameter(row))
        elif row["name"] in own:
            parameters.append(Parameter(own[row["name"]], choices=own[row["name"]]["choices"]))
    return parameters


def borrowed_parameters(estimator: str) -> list[Parameter]:
    method, options, defaults = BORROWED.get(estimator, ("", (), {}))
    fields = {row["name"]: row for known in _weft.methods() if known["name"] == method for row in known["fields"]}
    return [Parameter(fields[option], defaults.get(option)) for option in options]


def groups_of(estimator: str) -> dict[str, list[Parameter]]:
    """The parameters of an estimator that fits, by group of options."""
    fits, leave_out, searches = FITS[estimator]
    defaults = {"scale": "both"} if fits == ("portfolio",) else {}
    groups = {
        "family": [Parameter(row) for row in rows("family", only=FAMILY_OPTIONS.get(fits[0]))],
        "fit": fit_parameters(fits, leave_out) + borrowed_parameters(estimator),
        "encode": [Parameter(row, defaults.get(row["name"])) for row in rows("encode", ("task",))],
        "run": [Parameter(row) for row in rows("run")],
    }
    if fits == ("learned-activation",):
        groups["family"] = [p for p in groups["family"] if p.option not in BY_ROWS]
    if searches:
        groups["tune"] = [Parameter(row) for row in rows("tune")]
    return groups


def transformer_groups() -> dict[str, list[Parameter]]:
    """Those of weft features, which takes inputs as they are; the family is RBFSampler's."""
    defaults = {"family": "rff-rbf", "scale": "none", "bias": False}
    return {
        "family": [Parameter(row, defaults.get(row["name"])) for row in rows("family", BY_ROWS)],
        "encode": [Parameter(row, defaults.get(row["name"])) for row in rows("encode", ("task",))],
        "run": [Parameter(row) for row in rows("run", only=("threads",))],
    }


def class_text(estimator: str, groups: dict[str, list[Parameter]]) -> str:
    everything = [parameter for group in groups.values() for parameter in group]
    docs = textwrap.indent("\n".join(parameter.doc() for parameter in everything), "    ")
    options = "".join(
        textwrap.fill(
            f'"{group}": ({" ".join(repr(p.option).replace(chr(39), chr(34)) + "," for p in parameters)}),',
            WIDTH - 8,
            initial_indent=" " * 8,
            subsequent_indent=" " * 12,
        )
        + "\n"
        for group, parameters in groups.items()
    )
    signature = "\n".join(" " * 8 + parameter.signature().replace("'", '"') for parameter in everything)
    body = "\n".join(f"        self.{parameter.name} = {parameter.name}" for parameter in everything)
    return (
        f'class {estimator}Parameters:\n    """Parameters\n    ----------\n{docs}\n    """\n\n'
        f"    _groups = {{\n{options}    }}\n\n"
        f"    def __init__(\n        self,\n        *,\n{signature}\n    ) -> None:\n{body}\n"
    )


def function_text(group: str) -> str:
    """Options of what is done to a fitted model: a function that gathers its keywords."""
    parameters = [Parameter(row) for row in rows(group)]
    docs = textwrap.indent("\n".join(parameter.doc() for parameter in parameters), "    ")
    signature = "\n".join("    " + parameter.signature().replace("'", '"') for parameter in parameters)
    gathered = "\n".join(f'        "{parameter.option}": {parameter.name},' for parameter in parameters)
    return (
        f"def {group}_options(\n    *,\n{signature}\n) -> dict[str, object]:\n"
        f'    """Parameters\n    ----------\n{docs}\n    """\n    return {{\n{gathered}\n    }}\n'
    )


def text() -> str:
    classes = [class_text(estimator, groups_of(estimator)) for estimator in FITS]
    classes.append(class_text("RandomFeatures", transformer_groups()))
    classes += [function_text(group) for group in ("certify", "prune", "explain")]
    renamed = "".join(f'    "{option}": "{parameter}",\n' for option, parameter in PARAMETER.items())
    return (
        '"""The parameters of the estimators. Written by python/generate_signatures.py from the options that the C++\n'
        'library declares: change them there."""\n\n'
        "from __future__ import annotations\n\nfrom collections.abc import Sequence\n\nimport numpy as np\n\n"
        f"# Options whose parameter has another name.\nPARAMETER = {{\n{renamed}}}\n\n\n" + "\n\n".join(classes)
    )


if __name__ == "__main__":
    stub = importlib.util.spec_from_file_location("generate_stub", OUTPUT.parents[1] / "generate_stub.py")
    generate_stub = importlib.util.module_from_spec(stub)
    stub.loader.exec_module(generate_stub)
    for output, written in ((OUTPUT, text()), (generate_stub.OUTPUT, generate_stub.text(_weft))):
        output.write_text(written)
        print(f"{output} written", file=sys.stderr)
