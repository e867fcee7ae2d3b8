"""The common base of all estimators: parameters as options, fits, predictions, files."""

from __future__ import annotations

import functools
import inspect
import json
import numbers
import os
import warnings
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _pickles  # noqa: F401
from . import _weft
from ._signatures import PARAMETER
from ._frames import read_frame, read_values
from ._html import summary
from ._tables import RULES, Inputs, RowRule, free_name, inputs_of, names_of, without_column

if TYPE_CHECKING:
    from typing_extensions import Self


def _threads(n_jobs: int | None) -> int:
    """scikit-learn's n_jobs as the library's number of threads, of which 0 is every core."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if n_jobs == 0:
        raise ValueError("n_jobs: must not be 0; use None or -1 for all cores")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


#: Of models that were asked for a single row: estimators stay as they were fitted, and pickles hold the model alone.
_ROW_PREDICTORS: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


@functools.lru_cache(maxsize=None)
def defaults_of(group: str, method: str | None = None) -> dict[str, object]:
    """Those of the method, where it has the option."""
    defaults = {row["name"]: row["default"] for row in _weft.fields()[group]}
    own = next((known["fields"] for known in _weft.methods() if known["name"] == method), ())
    return {**defaults, **{row["name"]: row["default"] for row in own}}


def is_default(value: Any, default: Any) -> bool:
    """Equal, and of a type that the library accepts for this option; the library reports errors for other types."""
    if isinstance(default, float) and not isinstance(value, bool) and isinstance(value, numbers.Real):
        return bool(value == default)
    return type(value) is type(default) and value == default


class WeftEstimator(BaseEstimator):
    """Parameters as options of the library. The preceding base class declares them."""

    _groups: dict[str, tuple[str, ...]] = {}
    _fixed: dict[str, dict[str, object]] = {}  #: options that the estimator fixes
    _depends_on_order = False  #: visibly, on tables of a few rows

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        parameters = next((base for base in cls.__mro__ if base.__name__.endswith("Parameters")), None)
        if parameters is not None and cls.__doc__ and "{parameters}" in cls.__doc__:
            cls.__doc__ = inspect.cleandoc(cls.__doc__).replace("{parameters}", inspect.cleandoc(parameters.__doc__ or ""))

    def _seed(self) -> int:
        """random_state as the library's seed: None draws one, a RandomState is drawn from."""
        state = self.random_state
        if state is None or isinstance(state, np.random.RandomState):
            return int(check_random_state(state).randint(np.iinfo(np.int32).max))
        return state

    def _options(self, group: str) -> dict[str, object]:
        """The options that are given: a parameter that equals the library's default is not."""
        options: dict[str, object] = {}
        known = (defaults_of(group), defaults_of(group, self._fixed.get(group, {}).get("fit")))  # methods may differ
        for option in self._groups.get(group, ()):
            value = getattr(self, PARAMETER.get(option, option))
            value = self._seed() if option == "seed" else _threads(value) if option == "threads" else value
            if option == "quantiles" and not isinstance(value, str):
                value = ",".join(repr(float(quantile)) for quantile in np.atleast_1d(value))
            if not all(is_default(value, defaults[option]) for defaults in known):
                options[option] = value
        return {**options, **self._fixed.get(group, {})}

    def _inputs(self, X: Any, *, reset: bool, min_rows: int = 1) -> Inputs:
        X = without_column(read_frame(X), vars(self).get("_rule_column"))
        inputs = inputs_of(self, X, reset=reset, allow_nan=self.missing != "error", min_rows=min_rows)
        if reset:
            self._names = names_of(X, self.n_features_in_)
        return inputs

    def _more_tags(self) -> dict[str, object]:
        tags = {"X_types": ["2darray", "sparse"], "allow_nan": self.missing != "error", "preserves_dtype": []}
        if self._depends_on_order:  # the battery of scikit-learn 1.2 wants seven digits whatever the order of the rows
            reason = "which rows are held out to choose λ or a kernel follows from their positions"
            tags["_xfail_checks"] = {"check_sample_weights_invariance": reason}
        return tags

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing != "error"
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = []  # features are float64
        return tags


class WeftPredictor(WeftEstimator):
    """An estimator whose fit is a model of the library."""

    def save(self, path: str | os.PathLike) -> None:
        """Writes the model file, which `weft.load` and the command line read.

        The file holds the model, not the estimator: texts of classes, and the options that it was fitted with.
        """
        check_is_fitted(self)
        self.model_.save(os.fspath(path))

    def export(
        self,
        path: str | os.PathLike,
        to: str | None = None,
        *,
        name: str | None = None,
        main: bool = False,
        inline_numbers: int = 100_000,
        threshold: float | None = None,
        interval: float | None = None,
    ) -> dict[str, object]:
        """Writes the model as a program that needs neither weft nor Python (docs/export.md).

        Parameters
        ----------
        path : the file to write; parameters of large models go to a .bin file beside it
        to : "c", "c++", "js" or "onnx"; None: as the path ends (.c, .hpp, .mjs, .onnx)
        name : what the names of the program begin with; None: the name of the file
        main : C and C++: add a program that reads a CSV table and writes its predictions
        inline_numbers : most parameters in the text
        threshold : two classes: predict the second where its probability is at least this
        interval : numbers: give the ends of an interval that covers this share of new rows as well

        Returns
        -------
        dict with the ``files`` written, the ``number_columns`` and ``text_columns`` that the program reads and its
        ``outputs``

        Examples
        --------
        >>> import os, tempfile, numpy as np, weft
        >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
        >>> path = os.path.join(tempfile.mkdtemp(), "line.c")
        >>> weft.RandomFeatureRegressor(n_features=20).fit(X, X.ravel()).export(path)["number_columns"]
        ['x0']
        """
        check_is_fitted(self)
        options: dict[str, object] = {"main": main, "inline_numbers": inline_numbers}
        given = (("to", to), ("name", name), ("interval", interval))
        options.update({key: value for key, value in given if value is not None})
        decision = {} if threshold is None else {"threshold": threshold}
        return json.loads(_weft.export_file(self.model_, os.fspath(path), options, decision))

    @property
    def model_(self) -> _weft.Model:
        """The fitted model; after `partial_fit` it is solved for on first access."""
        if "_model" not in vars(self):
            if "_batches" not in vars(self):
                raise AttributeError(f"this {type(self).__name__} has no model_ before it is fitted")
            self._keep(self._batches.model(self._options("run")))
        return self._model

    @property
    def lam_(self) -> float | None:
        """λ of the fit, given or chosen; None where the fit has none."""
        return self.model_.report.get("lambda")

    @property
    def report_(self) -> dict[str, object]:
        """The report of the fit: numbers, words, seconds per stage, warnings."""
        return self.model_.report

    @property
    def feature_importances_(self) -> np.ndarray:
        """The relevance of every variable, as shares of 1. Only fits that learn it have this attribute."""
        relevance = np.array(self.model_.relevance)
        if relevance.size == 0:
            raise AttributeError(f"this {type(self).__name__} was fitted without relevance")
        total = relevance.sum()
        return relevance / total if total > 0 else relevance

    def explain(self, X: Any, y: Any = None, **options: Any) -> dict[str, object]:
        """Which variables matter, how predictions depend on them and how they interact: see `weft.explain`."""
        from ._analysis import explain

        return explain(self, X, y, **options)

    def __sklearn_is_fitted__(self) -> bool:
        return "_model" in vars(self) or "_batches" in vars(self)

    def _repr_html_inner(self) -> str:
        return super()._repr_html_inner() + summary(self)

    def _repr_mimebundle_(self, **arguments: Any) -> dict[str, object]:
        bundle = super()._repr_mimebundle_(**arguments)
        if "text/html" in bundle:
            bundle["text/html"] += summary(self)
        return bundle

    def __getstate__(self) -> dict[str, object]:
        """Sums over batches are not pickled: a pickle holds the model."""
        if "_batches" in vars(self):
            self.model_
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_batches"}

    def _keep(self, model: _weft.Model) -> None:
        self._model = model
        for warning in model.report["warnings"]:
            warnings.warn(_weft.in_python_words(warning), UserWarning, stacklevel=3)

    def _forget(self) -> None:
        for name in ("_model", "_batches"):
            self.__dict__.pop(name, None)

    def _training_table(
        self, X: Any, y: Any, sample_weight: Any, *, reset: bool, min_rows: int, learn_target: Any, rule: RowRule | None = None
    ) -> tuple[Inputs, _weft.Table]:
        """Checked inputs, and the table of training data. Rows of weight 0 are left out."""
        y = read_values(y)
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None."
            )
        if reset:
            self._rule_column = None if rule is None else rule.column
        inputs = self._inputs(X, reset=reset, min_rows=min_rows)
        values = self._check_target(y, inputs.rows)
        weights = None
        if sample_weight is not None:
            weights = _check_sample_weight(read_values(sample_weight), inputs.X, dtype=np.float64)
        if rule is not None:
            rule.check(inputs.rows)
        keep = None
        if weights is not None and (weights == 0).any():
            keep = weights != 0
            if not keep.any():
                raise ValueError("sample_weight: every weight is 0; at least one must be positive")
            inputs, values, weights = inputs.take(keep), values[keep], weights[keep]
        if reset:
            learn_target(y, values)
        table = inputs.table(self._names)
        self._set_target(table, values)
        if weights is not None:
            name = free_name("weights", self._names + self._target_names)
            table.set_weights(weights.reshape(-1, 1), name)
        if rule is not None:
            rule.add_to(table, keep, self._names + self._target_names + ["weights"])
        return inputs, table

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, groups: Any = None, times: Any = None, folds: Any = None
    ) -> Self:
        """Fits the model to X (rows × variables: array, frame or CSR matrix) and y, with a weight per row if given.

        One of `groups`, `times` and `folds` says how rows may be held out wherever the fit does so, to choose λ, kernels
        or hyperparameters and to calibrate: rows of a group together; the latest rows, predicted from earlier ones; or
        whole folds. Each is an array of one value per row, or the name of a column of the frame X, which is then not an
        input.
        """
        X = read_frame(X)
        rule = RowRule(X, {"groups": groups, "times": times, "folds": folds})
        _, table = self._training_table(
            X, y, sample_weight, reset=True, min_rows=2, learn_target=self._learn_target, rule=rule
        )
        self._forget()
        self._keep(self._fit_table(table))
        return self

    def _fit_table(self, table: _weft.Table) -> _weft.Model:
        return _weft.fit(
            table, self._options("family"), self._options("fit"), self._options("encode"), self._options("run")
        )

    def _predictions(self, X: Any, *kinds: str, calibrate: Any = None, **intervals: Any) -> list[np.ndarray]:
        if type(X) is np.ndarray and len(X) == 1 and calibrate is None and not intervals:
            row = self._row_prediction(X, kinds)
            if row is not None:
                return [row]
        check_is_fitted(self)
        model = self.model_
        table = self._inputs(X, reset=False).table(self._names)
        rows = None
        if calibrate is not None:
            known, targets = calibrate
            _, rows = self._training_table(known, targets, None, reset=False, min_rows=1, learn_target=None)
        return model.predict(table, list(kinds), {"threads": _threads(self.n_jobs)}, intervals, rows)

    def _row_prediction(self, X: np.ndarray, kinds: tuple[str, ...]) -> np.ndarray | None:
        """The prediction of a single row of numbers, in microseconds; None where it takes the general way.

        That checks and converts, warns about names and unseen categories, and raises errors, which costs a service that
        asks for row after row a hundred times as much as the prediction.
        """
        state = vars(self)
        model = state.get("_model")
        if (
            model is None
            or len(kinds) != 1
            or kinds[0] not in ("values", "scores", "probabilities")
            or X.dtype != np.float64
            or X.ndim != 2
            or X.shape[1] != self.n_features_in_
            or "feature_names_in_" in state
            or state.get("_rule_column") is not None
        ):
            return None
        predictor = _ROW_PREDICTORS.get(model)
        if predictor is None:
            predictor = _ROW_PREDICTORS[model] = model.row_predictor()
        return predictor.predict(np.ascontiguousarray(X), kinds[0])

    def _restore(self, model: _weft.Model) -> None:
        """Takes over the parameters and the state of `model`, read from a file."""
        fields = _weft.fields()
        for group in ("family", "fit", "encode"):
            known = {row["name"]: row for row in fields[group]}
            for option in self._groups.get(group, ()):
                text = model.options.get(option)
                if text is not None:
                    setattr(self, PARAMETER.get(option, option), _value_of(text, known[option]))
        self._names = [_text_of(variable["name"]) for variable in json.loads(model.encoder)["variables"]]
        self.n_features_in_ = len(self._names)
        if self._names != names_of(None, self.n_features_in_):
            self.feature_names_in_ = np.array(self._names, dtype=object)
        self._rule_column = next((model.options[name] for name in RULES.values() if name in model.options), None)
        self._target_names = model.target_names
        self._restore_target(model)
        self._model = model


def _text_of(text: Any) -> str:
    """A text of the encoder's JSON, which keeps what is not UTF-8 as {"hex": …}."""
    return text if isinstance(text, str) else bytes.fromhex(text["hex"]).decode("utf-8", "replace")


def _value_of(text: str, row: dict[str, Any]) -> Any:
    """An option as the model keeps it, as the parameter's value."""
    if row["optional"] and text == "":
        return None
    if row["type"] == "bool":
        return text == "true"
    return {"int": int, "float": float, "str": str}[row["type"]](text)
