"""Losses other than the squared one, against scikit-learn, SciPy and the laws that rows were drawn from."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize
from sklearn.linear_model import PoissonRegressor
from sklearn.metrics import d2_pinball_score, mean_poisson_deviance

import weft


def spread(rows, seed):
    """y = 5 + 2x + (0.5 + x)·z."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(0, 1, (rows, 2))
    return X, 5 + 2 * X[:, 0] + (0.5 + X[:, 0]) * rng.normal(size=rows)


def counts(rows, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (rows, 2))
    return X, rng.poisson(np.exp(1 + X[:, 0] - X[:, 1])).astype(float)


def features(model, X):
    """Φ, from the model itself: predictions are linear in the coefficients."""
    drawn = weft.RandomFeatures(n_features=model.n_features, family=model.family, scale=model.scale, bias=model.bias)
    return drawn.fit(X).transform(X) * np.sqrt(model.n_features)


def plain(loss, **options):
    """Cosines of the inputs as they are: features that a test can compute."""
    return weft.RandomFeatureRegressor(
        algorithm="newton", loss=loss, family="rff-rbf", n_features=20, regularizer="ridge", **options
    )


def test_poisson_is_scikit_learns():
    X, y = counts(300, 1)
    model = plain("poisson", lam=1e-3, tolerance=1e-14).fit(X, y)
    phi = features(model, X)
    # λ·T·|b|² here; the mean of the loss and alpha/2·|b|² there.
    other = PoissonRegressor(alpha=2 * 1e-3 * 20, tol=1e-12, max_iter=5000).fit(phi, y)
    np.testing.assert_allclose(np.log(model.predict(X)), np.log(other.predict(phi)), atol=1e-4)
    assert model.score(X, y) == pytest.approx(other.score(phi, y), abs=1e-4)
    assert model.score(X, y) == pytest.approx(
        1 - mean_poisson_deviance(y, model.predict(X)) / mean_poisson_deviance(y, np.full(300, y.mean())), abs=1e-9
    )


def test_quantiles_without_a_penalty_are_the_linear_programs():
    X, y = spread(150, 2)
    model = plain("quantile", quantiles="0.3", lam=1e-12, tolerance=1e-7).fit(X, y)
    phi = features(model, X)
    rows, columns = phi.shape
    # min τ·1ᵀu + (1 − τ)·1ᵀv, u − v = y − Φb − c, u, v ≥ 0
    solved = linprog(
        np.r_[np.zeros(columns + 1), np.full(rows, 0.3), np.full(rows, 0.7)],
        A_eq=np.c_[phi, np.ones(rows), np.eye(rows), -np.eye(rows)],
        b_eq=y,
        bounds=[(None, None)] * (columns + 1) + [(0, None)] * (2 * rows),
        method="highs",
    )
    residuals = y - model.predict(X)
    reached = np.sum(residuals * (0.3 - (residuals < 0)))
    assert solved.fun - 1e-9 <= reached <= solved.fun * (1 + 1e-4)


@pytest.mark.parametrize("loss", ["absolute", "huber", "quantile"])
def test_penalised_fits_are_minima(loss):
    """No direct minimisation from the fit, or from zero, gets lower by more than the tolerance."""
    X, y = spread(200, 3)
    quantiles = {"quantiles": 0.8} if loss == "quantile" else {}
    model = plain(loss, **quantiles, lam=1e-4, tolerance=1e-7).fit(X, y)
    phi = np.c_[features(model, X), np.ones(len(y))]
    threshold = (model.model_.loss["thresholds"] or [0])[0]

    def objective(b):
        r = y - phi @ b
        losses = {
            "absolute": np.abs(r),
            "quantile": r * (0.8 - (r < 0)),
            "huber": np.where(np.abs(r) <= threshold, r**2 / 2, threshold * (np.abs(r) - threshold / 2)),
        }[loss]
        return losses.mean() + 1e-4 * 20 * (b[:-1] ** 2).sum()

    found = np.linalg.lstsq(phi, model.predict(X), rcond=None)[0]
    start = np.r_[np.zeros(20), np.median(y)]
    for begin in (found, start):
        other = minimize(objective, begin, method="Powell", options={"maxiter": 4, "ftol": 1e-12})
        assert objective(found) <= other.fun * (1 + 2e-6)


def test_quantiles_cover_and_do_not_cross():
    X, y = spread(2000, 4)
    fresh, truth = spread(4000, 5)
    for estimator in (
        weft.Regressor(loss="quantile", quantiles=[0.05, 0.5, 0.95]),
        weft.KernelLossRegressor(loss="quantile", quantiles=[0.05, 0.5, 0.95], landmarks=100),
    ):
        predicted = estimator.fit(X, y).predict(fresh)
        assert predicted.shape == (4000, 3)
        assert np.all(np.diff(predicted, axis=1) >= 0)
        for k, quantile in enumerate((0.05, 0.5, 0.95)):
            assert np.mean(truth <= predicted[:, k]) == pytest.approx(quantile, abs=0.03)
            middle = 5 + 2 * fresh[:, 0]
            exact = middle + (0.5 + fresh[:, 0]) * {0: -1.6449, 1: 0.0, 2: 1.6449}[k]
            assert np.abs(predicted[:, k] - exact).mean() < 0.25
        each = [d2_pinball_score(truth, predicted[:, k], alpha=q) for k, q in enumerate((0.05, 0.5, 0.95))]
        assert min(each) - 0.05 < estimator.score(fresh, truth) < max(each) + 0.05


def test_robust_fits_ignore_outliers():
    X, y = spread(1000, 6)
    wild = y.copy()
    wild[::10] += 100
    for loss in ("absolute", "huber"):
        model = weft.Regressor(loss=loss).fit(X, wild)
        assert np.abs(model.predict(X) - 5 - 2 * X[:, 0]).mean() < 0.4
    assert weft.Regressor(loss="huber", huber_multiple=0.1).fit(X, wild).model_.loss["thresholds"][0] < 0.3


def test_files_keep_the_loss(tmp_path):
    X, y = counts(200, 7)
    for estimator in (
        weft.Regressor(loss="poisson"),
        weft.Regressor(loss="quantile", quantiles=[0.2, 0.7]),
        weft.KernelLossRegressor(loss="huber", landmarks=30),
    ):
        model = estimator.fit(X, y)
        model.save(tmp_path / "m.weft")
        loaded = weft.load(tmp_path / "m.weft")
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
        assert loaded.loss == model.loss


def test_mistakes():
    X, y = counts(50, 8)
    with pytest.raises(ValueError, match="poisson"):
        weft.Regressor(loss="poisson").fit(X, y - 5)
    with pytest.raises(ValueError, match="quantiles"):
        weft.Regressor(loss="quantile", quantiles=[0.5, 1.5]).fit(X, y)
    with pytest.raises(ValueError, match="loss"):
        weft.Regressor(loss="cubic").fit(X, y)
