"""The estimators. Their parameters are the library's options (_signatures.py)."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import unique_labels

from . import _signatures as signatures
from . import _supervised as supervised
from . import _weft
from ._base import WeftPredictor, defaults_of, is_default
from ._search import Search

if TYPE_CHECKING:
    from typing_extensions import Self


def _takes_batches(estimator: Any) -> bool:
    able = [method["name"] for method in _weft.methods() if method["batches"]]
    if estimator.algorithm not in able:
        raise AttributeError(
            f'partial_fit is not available for algorithm="{estimator.algorithm}": '
            f"use algorithm={' or '.join(repr(name) for name in able)}"
        )
    return True


class _Batches(WeftPredictor):
    """partial_fit: sums over batches, solved when predictions are first asked for."""

    def _add_batch(self, X: Any, y: Any, sample_weight: Any, learn_target: Any) -> None:
        first = "_batches" not in vars(self)
        if first and "_model" in vars(self):
            warnings.warn(
                "partial_fit starts again: this model (fitted, loaded or unpickled) has no sums over its rows",
                UserWarning,
                stacklevel=3,
            )
        inputs, table = self._training_table(X, y, sample_weight, reset=first, min_rows=1, learn_target=learn_target)
        if first:
            self._batches = self._start(inputs, table)
        self._batches.add(table, self._options("run"))
        self.__dict__.pop("_model", None)

    def _start(self, inputs: Any, table: Any) -> _weft.IncrementalFit:
        """The first batch determines the encoding of the inputs; targets need only be of the right kind."""
        values = self._any_targets()
        targets = inputs.zeros(len(values), self._names)
        self._set_target(targets, values)
        options = (self._options(group) for group in ("family", "fit", "encode", "run"))
        return _weft.IncrementalFit.start(table, targets, *options)


class Regressor(signatures.RegressorParameters, supervised.Regressor):
    """The most accurate regression model found among learned kernels, local and global, in seconds.

    With a `loss` other than "squared" it is a fit by that loss on random features: means of counts ("poisson"), medians
    ("absolute"), robust means ("huber") or `quantiles` ("quantile"). Options of learned kernels, such
    as `effort`, are then errors.

    {parameters}

    Attributes
    ----------
    feature_importances_ : array, the relevance of every variable as shares of 1
    report_ : dict, what was chosen and what else was tried

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> import weft
    >>> X, y = make_friedman1(600, random_state=0)
    >>> model = weft.Regressor().fit(X[:400], y[:400])
    >>> bool(model.score(X[400:], y[400:]) > 0.93)
    True
    >>> sorted(model.feature_importances_.argsort()[-5:].tolist())
    [0, 1, 2, 3, 4]
    >>> weft.Regressor(loss="quantile", quantiles=[0.1, 0.9]).fit(X, y).predict(X[:3]).shape
    (3, 2)
    """

    _fixed = {"fit": {"fit": "portfolio"}, "encode": {"task": "regression"}}

    def _options(self, group: str) -> dict[str, object]:
        options = super()._options(group)
        if group == "fit" and self.loss == "squared":
            del options["loss"]  # the only one that the portfolio has
        elif group == "fit":
            kernels = defaults_of("fit", "portfolio")
            options = {name: value for name, value in options.items() if not is_default(value, kernels[name])}
            options["fit"] = "newton"
        elif group == "encode" and self.loss != "squared" and self.scale == "both":  # the default of the portfolio
            del options["scale"]
        return options


class Classifier(signatures.ClassifierParameters, supervised.Classifier):
    """The most accurate classifier found among learned kernels, local and global, in seconds.

    Class probabilities are calibrated on rows that were held out.

    {parameters}

    Attributes
    ----------
    classes_ : array of the labels
    feature_importances_ : array, the relevance of every variable as shares of 1
    report_ : dict, what was chosen and what else was tried

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> import weft
    >>> X, y = make_moons(500, noise=0.2, random_state=0)
    >>> model = weft.Classifier().fit(X, y)
    >>> bool(model.score(X, y) > 0.95), model.predict_proba(X[:3]).shape
    (True, (3, 2))
    """

    _fixed = {"fit": {"fit": "portfolio"}, "encode": {"task": "classification"}}


class LocalKernelRegressor(signatures.LocalKernelRegressorParameters, supervised.Regressor):
    """Kernel ridge regression in the leaves of trees, with learned relevance of the inputs: cost linear in the rows.

    {parameters}

    Examples
    --------
    >>> import numpy as np, weft
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (1000, 4))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1]
    >>> model = weft.LocalKernelRegressor(leaf=200).fit(X, y)
    >>> bool(model.score(X, y) > 0.98)
    True
    """

    _fixed = {"fit": {"fit": "local"}, "encode": {"task": "regression"}}
    _depends_on_order = True


class LocalKernelClassifier(signatures.LocalKernelClassifierParameters, supervised.Classifier):
    """Kernel ridge regression on the codes ±1 of classes in the leaves of trees; probabilities are calibrated.

    {parameters}

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> import weft
    >>> X, y = make_moons(500, noise=0.2, random_state=0)
    >>> bool(weft.LocalKernelClassifier(leaf=100).fit(X, y).score(X, y) > 0.95)
    True
    """

    _fixed = {"fit": {"fit": "local"}, "encode": {"task": "classification"}}
    _depends_on_order = True


class RandomFeatureRegressor(_Batches, signatures.RandomFeatureRegressorParameters, supervised.Regressor):
    """Regression on random features: f(x) = Σ aₜ Φₜ(x), for one target or several.

    The default features are stumps and ReLUs on three variables each; λ is chosen on held-out rows.

    {parameters}

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : array of str, where X has names
    model_ : the fitted model
    lam_ : λ of the fit, given or chosen
    report_ : dict, the report of the fit

    Examples
    --------
    >>> import numpy as np, weft
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (500, 3))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> model = weft.RandomFeatureRegressor(n_features=200).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    _fixed = {"encode": {"task": "regression"}}

    @available_if(_takes_batches)
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Adds a batch of rows; the result is that of `fit` on all rows together.

        The first batch determines the scaling of the inputs and the categories.
        """
        self._add_batch(X, y, sample_weight, self._learn_target)
        return self

    def _any_targets(self) -> np.ndarray:
        return np.repeat([[0.0], [1.0]], self._outputs, axis=1)


class RandomFeatureClassifier(_Batches, signatures.RandomFeatureClassifierParameters, supervised.Classifier):
    """Classification on random features, for two classes or more.

    Class probabilities of every algorithm are calibrated; after `partial_fit` there is `decision_function` alone.

    {parameters}

    Attributes
    ----------
    classes_ : array of the labels
    n_features_in_ : int
    feature_names_in_ : array of str, where X has names
    model_ : the fitted model
    lam_ : λ of the fit, given or chosen
    report_ : dict, the report of the fit

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> import weft
    >>> X, y = make_moons(500, noise=0.2, random_state=0)
    >>> model = weft.RandomFeatureClassifier(n_features=200, algorithm="logistic").fit(X, y)
    >>> bool(model.score(X, y) > 0.93)
    True
    >>> model.predict_proba(X[:3]).shape
    (3, 2)
    """

    _fixed = {"encode": {"task": "classification"}}

    @available_if(_takes_batches)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Adds a batch of rows; the result is that of `fit` on all rows together.

        The first call needs all `classes`, and determines the scaling of the inputs and the categories.
        """
        if classes is None and not self.__sklearn_is_fitted__():
            raise ValueError("classes must be passed on the first call to partial_fit.")
        known = self.classes_ if classes is None else unique_labels(np.asarray(classes))
        if "_batches" in vars(self) and not np.array_equal(known, self.classes_):
            raise ValueError(f"classes={classes!r} differs from the classes of the first call to partial_fit.")

        def learn_target(y: Any, values: Any) -> None:
            self._learn_target(y, known)

        self._add_batch(X, y, sample_weight, learn_target)
        return self

    def _any_targets(self) -> np.ndarray:
        return self.classes_


class RandomFeatureRegressorCV(Search, signatures.RandomFeatureRegressorCVParameters, supervised.Regressor):
    """Regression on random features whose family, σ, γ and λ are chosen by cross-validation.

    Every λ and every fold of a configuration come from one pass over the rows. Parameters that are given (gamma, theta,
    kappa, shrink, lam, a sigma other than 1.0) are not searched; `family` may be a
    comma-separated list or "all".

    {parameters}

    Attributes
    ----------
    best_params_ : dict, the best parameters of RandomFeatureRegressor
    best_score_ : float, their cross-validated score; greater is better, errors are negated
    cv_results_ : dict of lists, one entry per configuration
    feature_curve_ : array of (features, λ, score, standard error), the best configuration with fewer features
    metric_ : str, the metric that was optimised
    search_ : dict, the complete result of the search

    Examples
    --------
    >>> import numpy as np, weft
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (300, 3))
    >>> y = np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2]
    >>> search = weft.RandomFeatureRegressorCV(n_features=100, configurations=4).fit(X, y)
    >>> bool(search.score(X, y) > 0.9), len(search.cv_results_["params"])
    (True, 4)
    """

    _fixed = {"encode": {"task": "regression"}}


class RandomFeatureClassifierCV(Search, signatures.RandomFeatureClassifierCVParameters, supervised.Classifier):
    """Classification on random features whose family, σ, γ and λ are chosen by cross-validation.

    As RandomFeatureRegressorCV, for RandomFeatureClassifier.

    {parameters}

    Attributes
    ----------
    classes_ : array of the labels
    best_params_, best_score_, cv_results_, feature_curve_, metric_, search_ : as in RandomFeatureRegressorCV

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> import weft
    >>> X, y = make_moons(300, noise=0.2, random_state=0)
    >>> search = weft.RandomFeatureClassifierCV(n_features=50, configurations=4).fit(X, y)
    >>> search.metric_, bool(search.best_score_ > -0.1)
    ('error', True)
    """

    _fixed = {"encode": {"task": "classification"}}


class KernelRidge(signatures.KernelRidgeParameters, supervised.Regressor):
    """Kernel ridge regression, exact or on Nyström landmarks; λ by closed-form leave-one-out.

    ``kernel="implicit:rw-sign"`` is the limit of that family for infinitely many features.

    {parameters}

    Examples
    --------
    >>> import numpy as np, weft
    >>> X = np.linspace(-3, 3, 80).reshape(-1, 1)
    >>> exact = weft.KernelRidge(kernel="rbf", bandwidth=0.5).fit(X, np.sin(X).ravel())
    >>> few = weft.KernelRidge(kernel="rbf", bandwidth=0.5, landmarks=20).fit(X, np.sin(X).ravel())
    >>> bool(np.abs(exact.predict(X) - few.predict(X)).max() < 0.01)
    True
    """

    _fixed = {"fit": {"fit": "kernel-ridge"}, "encode": {"task": "regression"}}


class KernelRidgeCV(Search, signatures.KernelRidgeCVParameters, supervised.Regressor):
    """Kernel ridge regression whose bandwidth (implicit kernels: σ and γ) and λ are chosen by cross-validation.

    {parameters}

    Attributes
    ----------
    best_params_, best_score_, cv_results_, metric_, search_ : as in RandomFeatureRegressorCV

    Examples
    --------
    >>> import numpy as np, weft
    >>> X = np.linspace(-3, 3, 60).reshape(-1, 1)
    >>> search = weft.KernelRidgeCV(kernel="implicit:rw-relu", configurations=3).fit(X, np.sin(X).ravel())
    >>> bool(search.score(X, np.sin(X).ravel()) > 0.95)
    True
    """

    _fixed = {"fit": {"fit": "kernel-ridge"}, "encode": {"task": "regression"}}


class KernelRidgeClassifier(signatures.KernelRidgeClassifierParameters, supervised.Classifier):
    """Kernel ridge regression on the codes ±1 of classes, exact or on Nyström landmarks.

    {parameters}

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> import weft
    >>> X, y = make_moons(200, noise=0.2, random_state=0)
    >>> bool(weft.KernelRidgeClassifier().fit(X, y).score(X, y) > 0.9)
    True
    """

    _fixed = {"fit": {"fit": "kernel-ridge"}, "encode": {"task": "classification"}}


class KernelLossRegressor(signatures.KernelLossRegressorParameters, supervised.Regressor):
    """Regression by another loss with a kernel: robust means, medians, quantiles, means of counts.

    f = Σ βₜ k(zₜ, ·) at landmarks zₜ, rows of the table; λ multiplies the norm of the kernel's RKHS and is chosen on
    held-out rows by the loss itself. RandomFeatureRegressor(algorithm="newton") is the same on random features.

    {parameters}

    Examples
    --------
    >>> import numpy as np, weft
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-2, 2, (400, 1))
    >>> model = weft.KernelLossRegressor(loss="poisson").fit(X, rng.poisson(np.exp(X.ravel())))
    >>> bool(np.abs(np.log(model.predict([[0.0], [1.0]])) - [0, 1]).max() < 0.3)
    True
    """

    _fixed = {"fit": {"fit": "kernel-newton"}, "encode": {"task": "regression"}}
    _depends_on_order = True


class LearnedActivationRegressor(signatures.LearnedActivationRegressorParameters, supervised.Regressor):
    """Regression on random features whose activation, a sum of bumps or B-splines, is learned with the weights.

    {parameters}

    Examples
    --------
    >>> import numpy as np, weft
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1, 1, (300, 2))
    >>> y = np.sin(4 * X[:, 0] + 2 * X[:, 1])
    >>> model = weft.LearnedActivationRegressor(n_features=50, lam=1e-6).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    _fixed = {"fit": {"fit": "learned-activation"}, "encode": {"task": "regression"}}


class LearnedActivationClassifier(signatures.LearnedActivationClassifierParameters, supervised.Classifier):
    """Classification on random features whose activation is learned with the weights.

    {parameters}

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> import weft
    >>> X, y = make_moons(300, noise=0.2, random_state=0)
    >>> model = weft.LearnedActivationClassifier(n_features=50, lam=1e-5).fit(X, y)
    >>> bool(model.score(X, y) > 0.9)
    True
    """

    _fixed = {"fit": {"fit": "learned-activation"}, "encode": {"task": "classification"}}
    _depends_on_order = True
