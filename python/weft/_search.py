"""Estimators that choose their hyperparameters by cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _weft
from ._base import WeftPredictor
from ._signatures import PARAMETER


class Search(WeftPredictor):
    """Fits by a search of the library, then fits the winner to all rows."""

    def _fit_table(self, table: _weft.Table) -> _weft.Model:
        model, self.search_ = _weft.search(
            table,
            self._options("family"),
            self._options("fit"),
            self._options("encode"),
            self._options("tune"),
            self._options("run"),
        )
        return model

    def _parameters_of(self, trial: dict[str, Any]) -> dict[str, object]:
        own = {option: trial["family"][option] for option in self._groups["family"] if option != "seed"}
        own["lambda"] = trial["lambda"]
        if trial["bandwidth"] is not None:
            own["bandwidth"] = trial["bandwidth"]
        return {PARAMETER.get(option, option): value for option, value in own.items()}

    def _score_of(self, trial: dict[str, Any]) -> float:
        """Greater is better, as scikit-learn has it; NaN for a configuration that could not be evaluated."""
        if trial["failure"]:
            return float("nan")
        return trial["score"] if self.search_["larger_is_better"] else -trial["score"]

    @property
    def metric_(self) -> str:
        return self.search_["metric"]

    @property
    def best_params_(self) -> dict[str, object]:
        return self._parameters_of(self.search_["trials"][self.search_["best"]])

    @property
    def best_score_(self) -> float:
        return self._score_of(self.search_["trials"][self.search_["best"]])

    @property
    def cv_results_(self) -> dict[str, object]:
        trials = self.search_["trials"]
        scores = np.array([self._score_of(trial) for trial in trials])
        return {
            "params": [self._parameters_of(trial) for trial in trials],
            "mean_test_score": scores,
            "standard_error": np.array([trial["standard_error"] for trial in trials]),
            "rank_test_score": 1 + np.argsort(np.argsort(np.where(np.isnan(scores), np.inf, -scores), kind="stable")),
            "seconds": np.array([trial["seconds"] for trial in trials]),
            "failure": [trial["failure"] for trial in trials],
        }

    @property
    def feature_curve_(self) -> np.ndarray:
        """Rows of (features, λ, score, standard error); empty for methods that are evaluated by refits."""
        return np.array(self.search_["curve"], dtype=np.float64).reshape(-1, 4)
