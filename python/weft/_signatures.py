"""The parameters of the estimators. Written by python/generate_signatures.py from the options that the C++
library declares: change them there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

# Options whose parameter has another name.
PARAMETER = {
    "features": "n_features",
    "lambda": "lam",
    "global": "global_landmarks",
    "seed": "random_state",
    "threads": "n_jobs",
    "fit": "algorithm",
    "group": "groups",
    "time": "times",
    "folds_column": "folds",
}


class RandomFeatureRegressorParameters:
    """Parameters
    ----------
    family : str, default='auto'
        Feature family, or several joined by + (see weft families); auto: stumps and ReLU on three variables each.
    n_features : int, default=1000
        Number of random features T (>= 1).
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    exact_theta : float | None, default=None
        Choose gamma so that theta itself, not its bound, has this value for sign features (gaussian kernel): the
        smaller of the two, where theta grows with gamma (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    sampling : str, default='plain'
        How centres are drawn: independently, in orthogonal or Hadamard blocks, along a low-discrepancy sequence; or
        chosen among candidates by leverage score (leverage, leverage-top) or by agreement with the target (eerf, lkrf)
        (one of plain, orthogonal, structured, halton, sobol, leverage, leverage-top, eerf, lkrf).
    candidates : int, default=0
        Features from which leverage, leverage-top, eerf and lkrf choose; 0: ten times n_features (>= 0).
    candidate_sampling : str, default='plain'
        How these are drawn: plain, orthogonal, structured, halton or sobol (one of plain, orthogonal, structured,
        halton, sobol, leverage, leverage-top, eerf, lkrf).
    sampling_lambda : float | None, default=None
        Lambda of the leverage scores; not given: 1/rows; with a learned activation, the value at which they sum to
        twice the number of features (> 0).
    sampling_rows : int, default=0
        Rows used to score the candidates, drawn at random; 0: all (>= 0).
    sampling_rho : float, default=1.0
        Largest chi-square divergence of lkrf's weights from uniform (>= 0).
    replacement : bool, default=False
        Sampling leverage draws with replacement, as the papers do; a feature drawn k times stands for k.
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    algorithm : str, default='least-squares'
        Method that fits the model (one of least-squares, lasso, sfgd, optimal-step, learned-relevance, newton).
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    regularizer : str, default='auto'
        What lambda penalises: the RKHS norm (G), the L2(p) norm (M) or the coefficients (I); auto: rkhs for one family
        with weights, else ridge (one of auto, rkhs, l2p, ridge).
    epsilon : float, default=1e-10
        Ridge on the scaled coefficients that keeps the normal equations solvable (>= 0).
    coefficient_ridge : float, default=0.0
        Factor of a ridge on the coefficients of the weight function beside lambda (epsilon of Anonymous 2026, eq. 82,
        who use 1e-10) (>= 0).
    precision : str, default='double'
        Single: features and products in float32, sums in float64 (one of double, single).
    std : bool, default=False
        Store what predictive standard deviations need (T x T numbers).
    lasso_scale : str, default='1/m'
        Factor of the squared error (one of 1/m, 1/2m).
    nonzeros : int, default=0
        Choose lambda so that at most this many features are kept (>= 0).
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    loss : str, default='auto'
        Loss of the fit; auto: squared (one of auto, squared, logistic, hinge, huber, absolute, quantile, poisson).
    huber_delta : float, default=1.0
        Residual beyond which the Huber loss is linear (> 0).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    batch : int, default=100
        Rows per step (>= 1).
    features_per_step : int, default=1
        New features per step (>= 1).
    radius : float, default=0.0
        Iterates are projected to this RKHS norm; 0: no projection (>= 0).
    checkpoint : str, default=''
        File in which iterative fits save their state.
    resume : bool, default=False
        Continue from the checkpoint.
    relevance : int, default=3
        Rounds in which the relevance of the inputs is learned; the best round is kept (>= 0).
    quantiles : str | Sequence[float], default="0.1,0.5,0.9"
        What the quantile loss predicts, one column each: numbers between 0 and 1.
    huber_multiple : float, default=1.35
        Residual beyond which the Huber loss is linear, as a multiple of a robust scale: 1.4826 times the median
        absolute residual of a fit by the absolute loss (> 0).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("family", "features", "sigma", "gamma", "theta", "exact_theta", "kappa", "shrink", "phase",
            "pool", "sampling", "candidates", "candidate_sampling", "sampling_lambda", "sampling_rows",
            "sampling_rho", "replacement", "seed",),
        "fit": ("fit", "lambda", "lambda_holdout", "intercept", "intervals", "regularizer", "epsilon",
            "coefficient_ridge", "precision", "std", "lasso_scale", "nonzeros", "tolerance", "loss",
            "huber_delta", "iterations", "batch", "features_per_step", "radius", "checkpoint", "resume",
            "relevance", "quantiles", "huber_multiple",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        family: str = "auto",
        n_features: int = 1000,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        exact_theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        sampling: str = "plain",
        candidates: int = 0,
        candidate_sampling: str = "plain",
        sampling_lambda: float | None = None,
        sampling_rows: int = 0,
        sampling_rho: float = 1.0,
        replacement: bool = False,
        random_state: int | np.random.RandomState | None = 1,
        algorithm: str = "least-squares",
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        intervals: bool = False,
        regularizer: str = "auto",
        epsilon: float = 1e-10,
        coefficient_ridge: float = 0.0,
        precision: str = "double",
        std: bool = False,
        lasso_scale: str = "1/m",
        nonzeros: int = 0,
        tolerance: float = 1e-06,
        loss: str = "auto",
        huber_delta: float = 1.0,
        iterations: int = 0,
        batch: int = 100,
        features_per_step: int = 1,
        radius: float = 0.0,
        checkpoint: str = "",
        resume: bool = False,
        relevance: int = 3,
        quantiles: str | Sequence[float] = "0.1,0.5,0.9",
        huber_multiple: float = 1.35,
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.family = family
        self.n_features = n_features
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.exact_theta = exact_theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.sampling = sampling
        self.candidates = candidates
        self.candidate_sampling = candidate_sampling
        self.sampling_lambda = sampling_lambda
        self.sampling_rows = sampling_rows
        self.sampling_rho = sampling_rho
        self.replacement = replacement
        self.random_state = random_state
        self.algorithm = algorithm
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.intervals = intervals
        self.regularizer = regularizer
        self.epsilon = epsilon
        self.coefficient_ridge = coefficient_ridge
        self.precision = precision
        self.std = std
        self.lasso_scale = lasso_scale
        self.nonzeros = nonzeros
        self.tolerance = tolerance
        self.loss = loss
        self.huber_delta = huber_delta
        self.iterations = iterations
        self.batch = batch
        self.features_per_step = features_per_step
        self.radius = radius
        self.checkpoint = checkpoint
        self.resume = resume
        self.relevance = relevance
        self.quantiles = quantiles
        self.huber_multiple = huber_multiple
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class RandomFeatureClassifierParameters:
    """Parameters
    ----------
    family : str, default='auto'
        Feature family, or several joined by + (see weft families); auto: stumps and ReLU on three variables each.
    n_features : int, default=1000
        Number of random features T (>= 1).
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    exact_theta : float | None, default=None
        Choose gamma so that theta itself, not its bound, has this value for sign features (gaussian kernel): the
        smaller of the two, where theta grows with gamma (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    sampling : str, default='plain'
        How centres are drawn: independently, in orthogonal or Hadamard blocks, along a low-discrepancy sequence; or
        chosen among candidates by leverage score (leverage, leverage-top) or by agreement with the target (eerf, lkrf)
        (one of plain, orthogonal, structured, halton, sobol, leverage, leverage-top, eerf, lkrf).
    candidates : int, default=0
        Features from which leverage, leverage-top, eerf and lkrf choose; 0: ten times n_features (>= 0).
    candidate_sampling : str, default='plain'
        How these are drawn: plain, orthogonal, structured, halton or sobol (one of plain, orthogonal, structured,
        halton, sobol, leverage, leverage-top, eerf, lkrf).
    sampling_lambda : float | None, default=None
        Lambda of the leverage scores; not given: 1/rows; with a learned activation, the value at which they sum to
        twice the number of features (> 0).
    sampling_rows : int, default=0
        Rows used to score the candidates, drawn at random; 0: all (>= 0).
    sampling_rho : float, default=1.0
        Largest chi-square divergence of lkrf's weights from uniform (>= 0).
    replacement : bool, default=False
        Sampling leverage draws with replacement, as the papers do; a feature drawn k times stands for k.
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    algorithm : str, default='least-squares'
        Method that fits the model (one of least-squares, lasso, sfgd, optimal-step, logistic, learned-relevance).
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    class_weights : str, default='none'
        Balanced: every class has the same total weight, whatever its number of rows (one of none, balanced).
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    regularizer : str, default='auto'
        What lambda penalises: the RKHS norm (G), the L2(p) norm (M) or the coefficients (I); auto: rkhs for one family
        with weights, else ridge (one of auto, rkhs, l2p, ridge).
    epsilon : float, default=1e-10
        Ridge on the scaled coefficients that keeps the normal equations solvable (>= 0).
    coefficient_ridge : float, default=0.0
        Factor of a ridge on the coefficients of the weight function beside lambda (epsilon of Anonymous 2026, eq. 82,
        who use 1e-10) (>= 0).
    precision : str, default='double'
        Single: features and products in float32, sums in float64 (one of double, single).
    calibrate : bool, default=False
        Fit the sigmoid of class probabilities to all rows, in three folds, not to left-out scores of a sample.
    lasso_scale : str, default='1/m'
        Factor of the squared error (one of 1/m, 1/2m).
    nonzeros : int, default=0
        Choose lambda so that at most this many features are kept (>= 0).
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    loss : str, default='auto'
        Loss of the fit; auto: squared (one of auto, squared, logistic, hinge, huber).
    huber_delta : float, default=1.0
        Residual beyond which the Huber loss is linear (> 0).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    batch : int, default=100
        Rows per step (>= 1).
    features_per_step : int, default=1
        New features per step (>= 1).
    radius : float, default=0.0
        Iterates are projected to this RKHS norm; 0: no projection (>= 0).
    checkpoint : str, default=''
        File in which iterative fits save their state.
    resume : bool, default=False
        Continue from the checkpoint.
    relevance : int, default=3
        Rounds in which the relevance of the inputs is learned; the best round is kept (>= 0).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("family", "features", "sigma", "gamma", "theta", "exact_theta", "kappa", "shrink", "phase",
            "pool", "sampling", "candidates", "candidate_sampling", "sampling_lambda", "sampling_rows",
            "sampling_rho", "replacement", "seed",),
        "fit": ("fit", "lambda", "lambda_holdout", "intercept", "class_weights", "intervals", "regularizer",
            "epsilon", "coefficient_ridge", "precision", "calibrate", "lasso_scale", "nonzeros", "tolerance",
            "loss", "huber_delta", "iterations", "batch", "features_per_step", "radius", "checkpoint", "resume",
            "relevance",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        family: str = "auto",
        n_features: int = 1000,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        exact_theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        sampling: str = "plain",
        candidates: int = 0,
        candidate_sampling: str = "plain",
        sampling_lambda: float | None = None,
        sampling_rows: int = 0,
        sampling_rho: float = 1.0,
        replacement: bool = False,
        random_state: int | np.random.RandomState | None = 1,
        algorithm: str = "least-squares",
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        class_weights: str = "none",
        intervals: bool = False,
        regularizer: str = "auto",
        epsilon: float = 1e-10,
        coefficient_ridge: float = 0.0,
        precision: str = "double",
        calibrate: bool = False,
        lasso_scale: str = "1/m",
        nonzeros: int = 0,
        tolerance: float = 1e-06,
        loss: str = "auto",
        huber_delta: float = 1.0,
        iterations: int = 0,
        batch: int = 100,
        features_per_step: int = 1,
        radius: float = 0.0,
        checkpoint: str = "",
        resume: bool = False,
        relevance: int = 3,
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.family = family
        self.n_features = n_features
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.exact_theta = exact_theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.sampling = sampling
        self.candidates = candidates
        self.candidate_sampling = candidate_sampling
        self.sampling_lambda = sampling_lambda
        self.sampling_rows = sampling_rows
        self.sampling_rho = sampling_rho
        self.replacement = replacement
        self.random_state = random_state
        self.algorithm = algorithm
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.class_weights = class_weights
        self.intervals = intervals
        self.regularizer = regularizer
        self.epsilon = epsilon
        self.coefficient_ridge = coefficient_ridge
        self.precision = precision
        self.calibrate = calibrate
        self.lasso_scale = lasso_scale
        self.nonzeros = nonzeros
        self.tolerance = tolerance
        self.loss = loss
        self.huber_delta = huber_delta
        self.iterations = iterations
        self.batch = batch
        self.features_per_step = features_per_step
        self.radius = radius
        self.checkpoint = checkpoint
        self.resume = resume
        self.relevance = relevance
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class RandomFeatureRegressorCVParameters:
    """Parameters
    ----------
    family : str, default='auto'
        Feature family, or several joined by + (see weft families); auto: stumps and ReLU on three variables each.
    n_features : int, default=1000
        Number of random features T (>= 1).
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    exact_theta : float | None, default=None
        Choose gamma so that theta itself, not its bound, has this value for sign features (gaussian kernel): the
        smaller of the two, where theta grows with gamma (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    sampling : str, default='plain'
        How centres are drawn: independently, in orthogonal or Hadamard blocks, along a low-discrepancy sequence; or
        chosen among candidates by leverage score (leverage, leverage-top) or by agreement with the target (eerf, lkrf)
        (one of plain, orthogonal, structured, halton, sobol, leverage, leverage-top, eerf, lkrf).
    candidates : int, default=0
        Features from which leverage, leverage-top, eerf and lkrf choose; 0: ten times n_features (>= 0).
    candidate_sampling : str, default='plain'
        How these are drawn: plain, orthogonal, structured, halton or sobol (one of plain, orthogonal, structured,
        halton, sobol, leverage, leverage-top, eerf, lkrf).
    sampling_lambda : float | None, default=None
        Lambda of the leverage scores; not given: 1/rows; with a learned activation, the value at which they sum to
        twice the number of features (> 0).
    sampling_rows : int, default=0
        Rows used to score the candidates, drawn at random; 0: all (>= 0).
    sampling_rho : float, default=1.0
        Largest chi-square divergence of lkrf's weights from uniform (>= 0).
    replacement : bool, default=False
        Sampling leverage draws with replacement, as the papers do; a feature drawn k times stands for k.
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    algorithm : str, default='least-squares'
        Method that fits the model (one of least-squares, lasso, sfgd, optimal-step, newton).
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    regularizer : str, default='auto'
        What lambda penalises: the RKHS norm (G), the L2(p) norm (M) or the coefficients (I); auto: rkhs for one family
        with weights, else ridge (one of auto, rkhs, l2p, ridge).
    epsilon : float, default=1e-10
        Ridge on the scaled coefficients that keeps the normal equations solvable (>= 0).
    coefficient_ridge : float, default=0.0
        Factor of a ridge on the coefficients of the weight function beside lambda (epsilon of Anonymous 2026, eq. 82,
        who use 1e-10) (>= 0).
    precision : str, default='double'
        Single: features and products in float32, sums in float64 (one of double, single).
    std : bool, default=False
        Store what predictive standard deviations need (T x T numbers).
    lasso_scale : str, default='1/m'
        Factor of the squared error (one of 1/m, 1/2m).
    nonzeros : int, default=0
        Choose lambda so that at most this many features are kept (>= 0).
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    loss : str, default='auto'
        Loss of the fit; auto: squared (one of auto, squared, logistic, hinge, huber, absolute, quantile, poisson).
    huber_delta : float, default=1.0
        Residual beyond which the Huber loss is linear (> 0).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    batch : int, default=100
        Rows per step (>= 1).
    features_per_step : int, default=1
        New features per step (>= 1).
    radius : float, default=0.0
        Iterates are projected to this RKHS norm; 0: no projection (>= 0).
    checkpoint : str, default=''
        File in which iterative fits save their state.
    resume : bool, default=False
        Continue from the checkpoint.
    quantiles : str | Sequence[float], default="0.1,0.5,0.9"
        What the quantile loss predicts, one column each: numbers between 0 and 1.
    huber_multiple : float, default=1.35
        Residual beyond which the Huber loss is linear, as a multiple of a robust scale: 1.4826 times the median
        absolute residual of a fit by the absolute loss (> 0).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    search : str, default='random'
        How configurations are chosen: at random, on a grid, or by successive halving (at random on few rows, the best
        third again on three times as many) (one of random, grid, halving).
    configurations : int, default=50
        Number of configurations per family (>= 1).
    folds : int, default=5
        Number of cross-validation folds (>= 2).
    metric : str, default='auto'
        Metric to optimise; auto: mse for numbers, error for classes (one of auto, mse, error, logloss, auc, loss).
    lambdas : int, default=17
        Number of lambdas per configuration, over sixteen decades; 1: one, drawn from lambda_range (>= 1).
    minutes : float, default=0.0
        Time limit of the search in minutes; 0: none (>= 0).
    log : str, default=''
        Log file of finished configurations (JSON lines); a search with an existing log resumes it.
    sigma_range : str, default='0.01:10'
        Search range LOW:HIGH of sigma, logarithmic.
    gamma_range : str, default='0.01:10'
        Search range LOW:HIGH of gamma for stumps, logarithmic.
    theta_range : str, default='0.01:0.9'
        Search range LOW:HIGH of theta for gaussian kernels.
    kappa_range : str, default='auto'
        Search range LOW:HIGH of kappa for exponential kernels; auto: 1.5:50, with relu 1.5:100.
    lambda_range : str, default='auto'
        Search range LOW:HIGH of a single lambda, logarithmic; auto: 1e-12:1e-4 for RKHS norms, else 1e-5:1e-3.
    bandwidth_range : str, default='0.1:10'
        Search range LOW:HIGH of a kernel machine's bandwidth, logarithmic, as factors of the mean or median that
        bandwidth names; a number given there is not searched.
    smallest : bool, default=False
        Fit the model with the smallest number of features within one standard error of the best.
    """

    _groups = {
        "family": ("family", "features", "sigma", "gamma", "theta", "exact_theta", "kappa", "shrink", "phase",
            "pool", "sampling", "candidates", "candidate_sampling", "sampling_lambda", "sampling_rows",
            "sampling_rho", "replacement", "seed",),
        "fit": ("fit", "lambda", "lambda_holdout", "intercept", "intervals", "regularizer", "epsilon",
            "coefficient_ridge", "precision", "std", "lasso_scale", "nonzeros", "tolerance", "loss",
            "huber_delta", "iterations", "batch", "features_per_step", "radius", "checkpoint", "resume",
            "quantiles", "huber_multiple",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
        "tune": ("search", "configurations", "folds", "metric", "lambdas", "minutes", "log", "sigma_range",
            "gamma_range", "theta_range", "kappa_range", "lambda_range", "bandwidth_range", "smallest",),
    }

    def __init__(
        self,
        *,
        family: str = "auto",
        n_features: int = 1000,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        exact_theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        sampling: str = "plain",
        candidates: int = 0,
        candidate_sampling: str = "plain",
        sampling_lambda: float | None = None,
        sampling_rows: int = 0,
        sampling_rho: float = 1.0,
        replacement: bool = False,
        random_state: int | np.random.RandomState | None = 1,
        algorithm: str = "least-squares",
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        intervals: bool = False,
        regularizer: str = "auto",
        epsilon: float = 1e-10,
        coefficient_ridge: float = 0.0,
        precision: str = "double",
        std: bool = False,
        lasso_scale: str = "1/m",
        nonzeros: int = 0,
        tolerance: float = 1e-06,
        loss: str = "auto",
        huber_delta: float = 1.0,
        iterations: int = 0,
        batch: int = 100,
        features_per_step: int = 1,
        radius: float = 0.0,
        checkpoint: str = "",
        resume: bool = False,
        quantiles: str | Sequence[float] = "0.1,0.5,0.9",
        huber_multiple: float = 1.35,
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
        search: str = "random",
        configurations: int = 50,
        folds: int = 5,
        metric: str = "auto",
        lambdas: int = 17,
        minutes: float = 0.0,
        log: str = "",
        sigma_range: str = "0.01:10",
        gamma_range: str = "0.01:10",
        theta_range: str = "0.01:0.9",
        kappa_range: str = "auto",
        lambda_range: str = "auto",
        bandwidth_range: str = "0.1:10",
        smallest: bool = False,
    ) -> None:
        self.family = family
        self.n_features = n_features
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.exact_theta = exact_theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.sampling = sampling
        self.candidates = candidates
        self.candidate_sampling = candidate_sampling
        self.sampling_lambda = sampling_lambda
        self.sampling_rows = sampling_rows
        self.sampling_rho = sampling_rho
        self.replacement = replacement
        self.random_state = random_state
        self.algorithm = algorithm
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.intervals = intervals
        self.regularizer = regularizer
        self.epsilon = epsilon
        self.coefficient_ridge = coefficient_ridge
        self.precision = precision
        self.std = std
        self.lasso_scale = lasso_scale
        self.nonzeros = nonzeros
        self.tolerance = tolerance
        self.loss = loss
        self.huber_delta = huber_delta
        self.iterations = iterations
        self.batch = batch
        self.features_per_step = features_per_step
        self.radius = radius
        self.checkpoint = checkpoint
        self.resume = resume
        self.quantiles = quantiles
        self.huber_multiple = huber_multiple
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device
        self.search = search
        self.configurations = configurations
        self.folds = folds
        self.metric = metric
        self.lambdas = lambdas
        self.minutes = minutes
        self.log = log
        self.sigma_range = sigma_range
        self.gamma_range = gamma_range
        self.theta_range = theta_range
        self.kappa_range = kappa_range
        self.lambda_range = lambda_range
        self.bandwidth_range = bandwidth_range
        self.smallest = smallest


class RandomFeatureClassifierCVParameters:
    """Parameters
    ----------
    family : str, default='auto'
        Feature family, or several joined by + (see weft families); auto: stumps and ReLU on three variables each.
    n_features : int, default=1000
        Number of random features T (>= 1).
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    exact_theta : float | None, default=None
        Choose gamma so that theta itself, not its bound, has this value for sign features (gaussian kernel): the
        smaller of the two, where theta grows with gamma (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    sampling : str, default='plain'
        How centres are drawn: independently, in orthogonal or Hadamard blocks, along a low-discrepancy sequence; or
        chosen among candidates by leverage score (leverage, leverage-top) or by agreement with the target (eerf, lkrf)
        (one of plain, orthogonal, structured, halton, sobol, leverage, leverage-top, eerf, lkrf).
    candidates : int, default=0
        Features from which leverage, leverage-top, eerf and lkrf choose; 0: ten times n_features (>= 0).
    candidate_sampling : str, default='plain'
        How these are drawn: plain, orthogonal, structured, halton or sobol (one of plain, orthogonal, structured,
        halton, sobol, leverage, leverage-top, eerf, lkrf).
    sampling_lambda : float | None, default=None
        Lambda of the leverage scores; not given: 1/rows; with a learned activation, the value at which they sum to
        twice the number of features (> 0).
    sampling_rows : int, default=0
        Rows used to score the candidates, drawn at random; 0: all (>= 0).
    sampling_rho : float, default=1.0
        Largest chi-square divergence of lkrf's weights from uniform (>= 0).
    replacement : bool, default=False
        Sampling leverage draws with replacement, as the papers do; a feature drawn k times stands for k.
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    algorithm : str, default='least-squares'
        Method that fits the model (one of least-squares, lasso, sfgd, optimal-step, logistic).
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    class_weights : str, default='none'
        Balanced: every class has the same total weight, whatever its number of rows (one of none, balanced).
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    regularizer : str, default='auto'
        What lambda penalises: the RKHS norm (G), the L2(p) norm (M) or the coefficients (I); auto: rkhs for one family
        with weights, else ridge (one of auto, rkhs, l2p, ridge).
    epsilon : float, default=1e-10
        Ridge on the scaled coefficients that keeps the normal equations solvable (>= 0).
    coefficient_ridge : float, default=0.0
        Factor of a ridge on the coefficients of the weight function beside lambda (epsilon of Anonymous 2026, eq. 82,
        who use 1e-10) (>= 0).
    precision : str, default='double'
        Single: features and products in float32, sums in float64 (one of double, single).
    calibrate : bool, default=False
        Fit the sigmoid of class probabilities to all rows, in three folds, not to left-out scores of a sample.
    lasso_scale : str, default='1/m'
        Factor of the squared error (one of 1/m, 1/2m).
    nonzeros : int, default=0
        Choose lambda so that at most this many features are kept (>= 0).
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    loss : str, default='auto'
        Loss of the fit; auto: squared (one of auto, squared, logistic, hinge, huber).
    huber_delta : float, default=1.0
        Residual beyond which the Huber loss is linear (> 0).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    batch : int, default=100
        Rows per step (>= 1).
    features_per_step : int, default=1
        New features per step (>= 1).
    radius : float, default=0.0
        Iterates are projected to this RKHS norm; 0: no projection (>= 0).
    checkpoint : str, default=''
        File in which iterative fits save their state.
    resume : bool, default=False
        Continue from the checkpoint.
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    search : str, default='random'
        How configurations are chosen: at random, on a grid, or by successive halving (at random on few rows, the best
        third again on three times as many) (one of random, grid, halving).
    configurations : int, default=50
        Number of configurations per family (>= 1).
    folds : int, default=5
        Number of cross-validation folds (>= 2).
    metric : str, default='auto'
        Metric to optimise; auto: mse for numbers, error for classes (one of auto, mse, error, logloss, auc, loss).
    lambdas : int, default=17
        Number of lambdas per configuration, over sixteen decades; 1: one, drawn from lambda_range (>= 1).
    minutes : float, default=0.0
        Time limit of the search in minutes; 0: none (>= 0).
    log : str, default=''
        Log file of finished configurations (JSON lines); a search with an existing log resumes it.
    sigma_range : str, default='0.01:10'
        Search range LOW:HIGH of sigma, logarithmic.
    gamma_range : str, default='0.01:10'
        Search range LOW:HIGH of gamma for stumps, logarithmic.
    theta_range : str, default='0.01:0.9'
        Search range LOW:HIGH of theta for gaussian kernels.
    kappa_range : str, default='auto'
        Search range LOW:HIGH of kappa for exponential kernels; auto: 1.5:50, with relu 1.5:100.
    lambda_range : str, default='auto'
        Search range LOW:HIGH of a single lambda, logarithmic; auto: 1e-12:1e-4 for RKHS norms, else 1e-5:1e-3.
    bandwidth_range : str, default='0.1:10'
        Search range LOW:HIGH of a kernel machine's bandwidth, logarithmic, as factors of the mean or median that
        bandwidth names; a number given there is not searched.
    smallest : bool, default=False
        Fit the model with the smallest number of features within one standard error of the best.
    """

    _groups = {
        "family": ("family", "features", "sigma", "gamma", "theta", "exact_theta", "kappa", "shrink", "phase",
            "pool", "sampling", "candidates", "candidate_sampling", "sampling_lambda", "sampling_rows",
            "sampling_rho", "replacement", "seed",),
        "fit": ("fit", "lambda", "lambda_holdout", "intercept", "class_weights", "intervals", "regularizer",
            "epsilon", "coefficient_ridge", "precision", "calibrate", "lasso_scale", "nonzeros", "tolerance",
            "loss", "huber_delta", "iterations", "batch", "features_per_step", "radius", "checkpoint",
            "resume",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
        "tune": ("search", "configurations", "folds", "metric", "lambdas", "minutes", "log", "sigma_range",
            "gamma_range", "theta_range", "kappa_range", "lambda_range", "bandwidth_range", "smallest",),
    }

    def __init__(
        self,
        *,
        family: str = "auto",
        n_features: int = 1000,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        exact_theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        sampling: str = "plain",
        candidates: int = 0,
        candidate_sampling: str = "plain",
        sampling_lambda: float | None = None,
        sampling_rows: int = 0,
        sampling_rho: float = 1.0,
        replacement: bool = False,
        random_state: int | np.random.RandomState | None = 1,
        algorithm: str = "least-squares",
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        class_weights: str = "none",
        intervals: bool = False,
        regularizer: str = "auto",
        epsilon: float = 1e-10,
        coefficient_ridge: float = 0.0,
        precision: str = "double",
        calibrate: bool = False,
        lasso_scale: str = "1/m",
        nonzeros: int = 0,
        tolerance: float = 1e-06,
        loss: str = "auto",
        huber_delta: float = 1.0,
        iterations: int = 0,
        batch: int = 100,
        features_per_step: int = 1,
        radius: float = 0.0,
        checkpoint: str = "",
        resume: bool = False,
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
        search: str = "random",
        configurations: int = 50,
        folds: int = 5,
        metric: str = "auto",
        lambdas: int = 17,
        minutes: float = 0.0,
        log: str = "",
        sigma_range: str = "0.01:10",
        gamma_range: str = "0.01:10",
        theta_range: str = "0.01:0.9",
        kappa_range: str = "auto",
        lambda_range: str = "auto",
        bandwidth_range: str = "0.1:10",
        smallest: bool = False,
    ) -> None:
        self.family = family
        self.n_features = n_features
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.exact_theta = exact_theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.sampling = sampling
        self.candidates = candidates
        self.candidate_sampling = candidate_sampling
        self.sampling_lambda = sampling_lambda
        self.sampling_rows = sampling_rows
        self.sampling_rho = sampling_rho
        self.replacement = replacement
        self.random_state = random_state
        self.algorithm = algorithm
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.class_weights = class_weights
        self.intervals = intervals
        self.regularizer = regularizer
        self.epsilon = epsilon
        self.coefficient_ridge = coefficient_ridge
        self.precision = precision
        self.calibrate = calibrate
        self.lasso_scale = lasso_scale
        self.nonzeros = nonzeros
        self.tolerance = tolerance
        self.loss = loss
        self.huber_delta = huber_delta
        self.iterations = iterations
        self.batch = batch
        self.features_per_step = features_per_step
        self.radius = radius
        self.checkpoint = checkpoint
        self.resume = resume
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device
        self.search = search
        self.configurations = configurations
        self.folds = folds
        self.metric = metric
        self.lambdas = lambdas
        self.minutes = minutes
        self.log = log
        self.sigma_range = sigma_range
        self.gamma_range = gamma_range
        self.theta_range = theta_range
        self.kappa_range = kappa_range
        self.lambda_range = lambda_range
        self.bandwidth_range = bandwidth_range
        self.smallest = smallest


class KernelRidgeParameters:
    """Parameters
    ----------
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    kernel : str, default='rbf'
        Rbf, laplace (of |d|_1), laplace-l2 (of |d|), angular, or implicit:FAMILY, the limit of a feature family (with
        its sigma, gamma, ...) for infinitely many features.
    bandwidth : str, default='mean'
        Sigma of exp(-|d|^2/2sigma^2) (rbf) and exp(-|d|_1/sigma) (laplace): mean (of |d|^2, of |d|_1), median (of |d|,
        of |d|_1), or a number; laplace-l2: mean or median of |d|.
    exponent : float, default=1.0
        Q of exp(-(|d|_1/sigma)^q) (laplace) and exp(-(|d|/sigma)^q) (laplace-l2) (in [0.1, 2]).
    landmarks : int, default=0
        Number of rows used as centres (Nystroem); 0: all rows, the exact solution (>= 0).
    landmark_sampling : str, default='uniform'
        How landmarks are drawn: uniformly, by approximate leverage scores, or by randomly pivoted Cholesky (pivoted),
        which leaves out rows that others explain (one of uniform, leverage, pivoted).
    solver : str, default='auto'
        Solver of the landmark equations: direct (one pass, M x M sums) or cg (preconditioned conjugate gradients);
        auto: direct up to 2000 landmarks (one of auto, direct, cg).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("sigma", "gamma", "theta", "kappa", "shrink", "phase", "pool", "seed",),
        "fit": ("lambda", "lambda_holdout", "intercept", "intervals", "tolerance", "iterations", "kernel",
            "bandwidth", "exponent", "landmarks", "landmark_sampling", "solver",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        random_state: int | np.random.RandomState | None = 1,
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        intervals: bool = False,
        tolerance: float = 1e-06,
        iterations: int = 0,
        kernel: str = "rbf",
        bandwidth: str = "mean",
        exponent: float = 1.0,
        landmarks: int = 0,
        landmark_sampling: str = "uniform",
        solver: str = "auto",
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.random_state = random_state
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.intervals = intervals
        self.tolerance = tolerance
        self.iterations = iterations
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.exponent = exponent
        self.landmarks = landmarks
        self.landmark_sampling = landmark_sampling
        self.solver = solver
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class KernelRidgeCVParameters:
    """Parameters
    ----------
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    kernel : str, default='rbf'
        Rbf, laplace (of |d|_1), laplace-l2 (of |d|), angular, or implicit:FAMILY, the limit of a feature family (with
        its sigma, gamma, ...) for infinitely many features.
    bandwidth : str, default='mean'
        Sigma of exp(-|d|^2/2sigma^2) (rbf) and exp(-|d|_1/sigma) (laplace): mean (of |d|^2, of |d|_1), median (of |d|,
        of |d|_1), or a number; laplace-l2: mean or median of |d|.
    exponent : float, default=1.0
        Q of exp(-(|d|_1/sigma)^q) (laplace) and exp(-(|d|/sigma)^q) (laplace-l2) (in [0.1, 2]).
    landmarks : int, default=0
        Number of rows used as centres (Nystroem); 0: all rows, the exact solution (>= 0).
    landmark_sampling : str, default='uniform'
        How landmarks are drawn: uniformly, by approximate leverage scores, or by randomly pivoted Cholesky (pivoted),
        which leaves out rows that others explain (one of uniform, leverage, pivoted).
    solver : str, default='auto'
        Solver of the landmark equations: direct (one pass, M x M sums) or cg (preconditioned conjugate gradients);
        auto: direct up to 2000 landmarks (one of auto, direct, cg).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    search : str, default='random'
        How configurations are chosen: at random, on a grid, or by successive halving (at random on few rows, the best
        third again on three times as many) (one of random, grid, halving).
    configurations : int, default=50
        Number of configurations per family (>= 1).
    folds : int, default=5
        Number of cross-validation folds (>= 2).
    metric : str, default='auto'
        Metric to optimise; auto: mse for numbers, error for classes (one of auto, mse, error, logloss, auc, loss).
    lambdas : int, default=17
        Number of lambdas per configuration, over sixteen decades; 1: one, drawn from lambda_range (>= 1).
    minutes : float, default=0.0
        Time limit of the search in minutes; 0: none (>= 0).
    log : str, default=''
        Log file of finished configurations (JSON lines); a search with an existing log resumes it.
    sigma_range : str, default='0.01:10'
        Search range LOW:HIGH of sigma, logarithmic.
    gamma_range : str, default='0.01:10'
        Search range LOW:HIGH of gamma for stumps, logarithmic.
    theta_range : str, default='0.01:0.9'
        Search range LOW:HIGH of theta for gaussian kernels.
    kappa_range : str, default='auto'
        Search range LOW:HIGH of kappa for exponential kernels; auto: 1.5:50, with relu 1.5:100.
    lambda_range : str, default='auto'
        Search range LOW:HIGH of a single lambda, logarithmic; auto: 1e-12:1e-4 for RKHS norms, else 1e-5:1e-3.
    bandwidth_range : str, default='0.1:10'
        Search range LOW:HIGH of a kernel machine's bandwidth, logarithmic, as factors of the mean or median that
        bandwidth names; a number given there is not searched.
    smallest : bool, default=False
        Fit the model with the smallest number of features within one standard error of the best.
    """

    _groups = {
        "family": ("sigma", "gamma", "theta", "kappa", "shrink", "phase", "pool", "seed",),
        "fit": ("lambda", "lambda_holdout", "intercept", "intervals", "tolerance", "iterations", "kernel",
            "bandwidth", "exponent", "landmarks", "landmark_sampling", "solver",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
        "tune": ("search", "configurations", "folds", "metric", "lambdas", "minutes", "log", "sigma_range",
            "gamma_range", "theta_range", "kappa_range", "lambda_range", "bandwidth_range", "smallest",),
    }

    def __init__(
        self,
        *,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        random_state: int | np.random.RandomState | None = 1,
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        intervals: bool = False,
        tolerance: float = 1e-06,
        iterations: int = 0,
        kernel: str = "rbf",
        bandwidth: str = "mean",
        exponent: float = 1.0,
        landmarks: int = 0,
        landmark_sampling: str = "uniform",
        solver: str = "auto",
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
        search: str = "random",
        configurations: int = 50,
        folds: int = 5,
        metric: str = "auto",
        lambdas: int = 17,
        minutes: float = 0.0,
        log: str = "",
        sigma_range: str = "0.01:10",
        gamma_range: str = "0.01:10",
        theta_range: str = "0.01:0.9",
        kappa_range: str = "auto",
        lambda_range: str = "auto",
        bandwidth_range: str = "0.1:10",
        smallest: bool = False,
    ) -> None:
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.random_state = random_state
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.intervals = intervals
        self.tolerance = tolerance
        self.iterations = iterations
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.exponent = exponent
        self.landmarks = landmarks
        self.landmark_sampling = landmark_sampling
        self.solver = solver
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device
        self.search = search
        self.configurations = configurations
        self.folds = folds
        self.metric = metric
        self.lambdas = lambdas
        self.minutes = minutes
        self.log = log
        self.sigma_range = sigma_range
        self.gamma_range = gamma_range
        self.theta_range = theta_range
        self.kappa_range = kappa_range
        self.lambda_range = lambda_range
        self.bandwidth_range = bandwidth_range
        self.smallest = smallest


class KernelRidgeClassifierParameters:
    """Parameters
    ----------
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    class_weights : str, default='none'
        Balanced: every class has the same total weight, whatever its number of rows (one of none, balanced).
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    calibrate : bool, default=False
        Fit the sigmoid of class probabilities to all rows, in three folds, not to left-out scores of a sample.
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    kernel : str, default='rbf'
        Rbf, laplace (of |d|_1), laplace-l2 (of |d|), angular, or implicit:FAMILY, the limit of a feature family (with
        its sigma, gamma, ...) for infinitely many features.
    bandwidth : str, default='mean'
        Sigma of exp(-|d|^2/2sigma^2) (rbf) and exp(-|d|_1/sigma) (laplace): mean (of |d|^2, of |d|_1), median (of |d|,
        of |d|_1), or a number; laplace-l2: mean or median of |d|.
    exponent : float, default=1.0
        Q of exp(-(|d|_1/sigma)^q) (laplace) and exp(-(|d|/sigma)^q) (laplace-l2) (in [0.1, 2]).
    landmarks : int, default=0
        Number of rows used as centres (Nystroem); 0: all rows, the exact solution (>= 0).
    landmark_sampling : str, default='uniform'
        How landmarks are drawn: uniformly, by approximate leverage scores, or by randomly pivoted Cholesky (pivoted),
        which leaves out rows that others explain (one of uniform, leverage, pivoted).
    solver : str, default='auto'
        Solver of the landmark equations: direct (one pass, M x M sums) or cg (preconditioned conjugate gradients);
        auto: direct up to 2000 landmarks (one of auto, direct, cg).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("sigma", "gamma", "theta", "kappa", "shrink", "phase", "pool", "seed",),
        "fit": ("lambda", "lambda_holdout", "intercept", "class_weights", "intervals", "calibrate", "tolerance",
            "iterations", "kernel", "bandwidth", "exponent", "landmarks", "landmark_sampling", "solver",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        random_state: int | np.random.RandomState | None = 1,
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        class_weights: str = "none",
        intervals: bool = False,
        calibrate: bool = False,
        tolerance: float = 1e-06,
        iterations: int = 0,
        kernel: str = "rbf",
        bandwidth: str = "mean",
        exponent: float = 1.0,
        landmarks: int = 0,
        landmark_sampling: str = "uniform",
        solver: str = "auto",
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.random_state = random_state
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.class_weights = class_weights
        self.intervals = intervals
        self.calibrate = calibrate
        self.tolerance = tolerance
        self.iterations = iterations
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.exponent = exponent
        self.landmarks = landmarks
        self.landmark_sampling = landmark_sampling
        self.solver = solver
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class KernelLossRegressorParameters:
    """Parameters
    ----------
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    loss : str, default='squared'
        What is minimised: squared, huber (robust), absolute (the median), quantile (see quantiles), poisson (counts, by
        the logarithm of their mean) (one of squared, huber, absolute, quantile, poisson).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    kernel : str, default='rbf'
        Rbf, laplace (of |d|_1), laplace-l2 (of |d|), angular, or implicit:FAMILY, the limit of a feature family (with
        its sigma, gamma, ...) for infinitely many features.
    bandwidth : str, default='mean'
        Sigma of exp(-|d|^2/2sigma^2) (rbf) and exp(-|d|_1/sigma) (laplace): mean (of |d|^2, of |d|_1), median (of |d|,
        of |d|_1), or a number; laplace-l2: mean or median of |d|.
    exponent : float, default=1.0
        Q of exp(-(|d|_1/sigma)^q) (laplace) and exp(-(|d|/sigma)^q) (laplace-l2) (in [0.1, 2]).
    landmarks : int, default=1000
        Number of rows used as centres (Nystroem); 0: all rows, the exact solution (>= 0).
    landmark_sampling : str, default='uniform'
        How landmarks are drawn: uniformly, by approximate leverage scores, or by randomly pivoted Cholesky (pivoted),
        which leaves out rows that others explain (one of uniform, leverage, pivoted).
    quantiles : str | Sequence[float], default="0.1,0.5,0.9"
        What the quantile loss predicts, one column each: numbers between 0 and 1.
    huber_multiple : float, default=1.35
        Residual beyond which the Huber loss is linear, as a multiple of a robust scale: 1.4826 times the median
        absolute residual of a fit by the absolute loss (> 0).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("sigma", "gamma", "theta", "kappa", "shrink", "phase", "pool", "seed",),
        "fit": ("lambda", "lambda_holdout", "intercept", "intervals", "tolerance", "loss", "iterations",
            "kernel", "bandwidth", "exponent", "landmarks", "landmark_sampling", "quantiles",
            "huber_multiple",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        random_state: int | np.random.RandomState | None = 1,
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        intervals: bool = False,
        tolerance: float = 1e-06,
        loss: str = "squared",
        iterations: int = 0,
        kernel: str = "rbf",
        bandwidth: str = "mean",
        exponent: float = 1.0,
        landmarks: int = 1000,
        landmark_sampling: str = "uniform",
        quantiles: str | Sequence[float] = "0.1,0.5,0.9",
        huber_multiple: float = 1.35,
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.random_state = random_state
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.intervals = intervals
        self.tolerance = tolerance
        self.loss = loss
        self.iterations = iterations
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.exponent = exponent
        self.landmarks = landmarks
        self.landmark_sampling = landmark_sampling
        self.quantiles = quantiles
        self.huber_multiple = huber_multiple
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class RegressorParameters:
    """Parameters
    ----------
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    landmarks : int, default=0
        Landmarks of a global model; 0: as the effort says (>= 0).
    relevance : int, default=-1
        Rounds in which the relevance of the inputs is learned; 0: none; -1: as the effort says (>= -1).
    leaf : int, default=0
        Most rows of a leaf of a local model; 0: as the effort says (>= 0).
    effort : str, default='quick'
        Quick: two kernels, 5 to 15 seconds on two cores for 40,000 rows; thorough: more kernels and landmarks, random
        features, larger leaves, as max_time allows (one of quick, thorough).
    metric : str, default='auto'
        Metric by which candidates are averaged, on held-out rows; auto: the mean squared error of the scores (one of
        auto, mse, error, logloss, auc, loss).
    single : bool, default=False
        Keep the best candidate instead of an average of several.
    loss : str, default='squared'
        What is minimised: squared, huber (robust), absolute (the median), quantile (see quantiles), poisson (counts, by
        the logarithm of their mean) (one of squared, huber, absolute, quantile, poisson).
    quantiles : str | Sequence[float], default="0.1,0.5,0.9"
        What the quantile loss predicts, one column each: numbers between 0 and 1.
    huber_multiple : float, default=1.35
        Residual beyond which the Huber loss is linear, as a multiple of a robust scale: 1.4826 times the median
        absolute residual of a fit by the absolute loss (> 0).
    scale : str, default='both'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("seed",),
        "fit": ("intervals", "landmarks", "relevance", "leaf", "effort", "metric", "single", "loss",
            "quantiles", "huber_multiple",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        random_state: int | np.random.RandomState | None = 1,
        intervals: bool = False,
        landmarks: int = 0,
        relevance: int = -1,
        leaf: int = 0,
        effort: str = "quick",
        metric: str = "auto",
        single: bool = False,
        loss: str = "squared",
        quantiles: str | Sequence[float] = "0.1,0.5,0.9",
        huber_multiple: float = 1.35,
        scale: str = "both",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.random_state = random_state
        self.intervals = intervals
        self.landmarks = landmarks
        self.relevance = relevance
        self.leaf = leaf
        self.effort = effort
        self.metric = metric
        self.single = single
        self.loss = loss
        self.quantiles = quantiles
        self.huber_multiple = huber_multiple
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class ClassifierParameters:
    """Parameters
    ----------
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    class_weights : str, default='none'
        Balanced: every class has the same total weight, whatever its number of rows (one of none, balanced).
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    landmarks : int, default=0
        Landmarks of a global model; 0: as the effort says (>= 0).
    relevance : int, default=-1
        Rounds in which the relevance of the inputs is learned; 0: none; -1: as the effort says (>= -1).
    leaf : int, default=0
        Most rows of a leaf of a local model; 0: as the effort says (>= 0).
    effort : str, default='quick'
        Quick: two kernels, 5 to 15 seconds on two cores for 40,000 rows; thorough: more kernels and landmarks, random
        features, larger leaves, as max_time allows (one of quick, thorough).
    metric : str, default='auto'
        Metric by which candidates are averaged, on held-out rows; auto: the mean squared error of the scores (one of
        auto, mse, error, logloss, auc, loss).
    single : bool, default=False
        Keep the best candidate instead of an average of several.
    scale : str, default='both'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("seed",),
        "fit": ("class_weights", "intervals", "landmarks", "relevance", "leaf", "effort", "metric", "single",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        random_state: int | np.random.RandomState | None = 1,
        class_weights: str = "none",
        intervals: bool = False,
        landmarks: int = 0,
        relevance: int = -1,
        leaf: int = 0,
        effort: str = "quick",
        metric: str = "auto",
        single: bool = False,
        scale: str = "both",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.random_state = random_state
        self.class_weights = class_weights
        self.intervals = intervals
        self.landmarks = landmarks
        self.relevance = relevance
        self.leaf = leaf
        self.effort = effort
        self.metric = metric
        self.single = single
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class LocalKernelRegressorParameters:
    """Parameters
    ----------
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    kernel : str, default='laplace'
        Laplace (of |d|_1), laplace-l2 (of |d|) or rbf.
    bandwidth : str, default='auto'
        Sigma of the kernel, a number; auto: chosen on held-out rows, around the median distance.
    exponent : float, default=1.0
        Q of exp(-(|d|_1/sigma)^q) (laplace, at most 1) and exp(-(|d|/sigma)^q) (laplace-l2) (in [0.1, 2]).
    relevance : int, default=2
        Rounds in which the relevance of the inputs is learned; the best round is kept (>= 0).
    leaf : int, default=2000
        Most rows of a leaf; every leaf is solved exactly (>= 10).
    trees : int, default=2
        Trees with different borders, whose predictions are averaged (>= 1).
    overlap : float, default=0.5
        Rows of neighbouring leaves, those nearest to its borders, that a leaf is fitted to as well, as a share of its
        own rows (in [0, 4]).
    global_landmarks : int, default=0
        Landmarks of a global model that is fitted first; the leaves then fit what it leaves. 0: none (>= 0).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("seed",),
        "fit": ("lambda", "intervals", "kernel", "bandwidth", "exponent", "relevance", "leaf", "trees",
            "overlap", "global",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        random_state: int | np.random.RandomState | None = 1,
        lam: float | None = None,
        intervals: bool = False,
        kernel: str = "laplace",
        bandwidth: str = "auto",
        exponent: float = 1.0,
        relevance: int = 2,
        leaf: int = 2000,
        trees: int = 2,
        overlap: float = 0.5,
        global_landmarks: int = 0,
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.random_state = random_state
        self.lam = lam
        self.intervals = intervals
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.exponent = exponent
        self.relevance = relevance
        self.leaf = leaf
        self.trees = trees
        self.overlap = overlap
        self.global_landmarks = global_landmarks
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class LocalKernelClassifierParameters:
    """Parameters
    ----------
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    class_weights : str, default='none'
        Balanced: every class has the same total weight, whatever its number of rows (one of none, balanced).
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    kernel : str, default='laplace'
        Laplace (of |d|_1), laplace-l2 (of |d|) or rbf.
    bandwidth : str, default='auto'
        Sigma of the kernel, a number; auto: chosen on held-out rows, around the median distance.
    exponent : float, default=1.0
        Q of exp(-(|d|_1/sigma)^q) (laplace, at most 1) and exp(-(|d|/sigma)^q) (laplace-l2) (in [0.1, 2]).
    relevance : int, default=2
        Rounds in which the relevance of the inputs is learned; the best round is kept (>= 0).
    leaf : int, default=2000
        Most rows of a leaf; every leaf is solved exactly (>= 10).
    trees : int, default=2
        Trees with different borders, whose predictions are averaged (>= 1).
    overlap : float, default=0.5
        Rows of neighbouring leaves, those nearest to its borders, that a leaf is fitted to as well, as a share of its
        own rows (in [0, 4]).
    global_landmarks : int, default=0
        Landmarks of a global model that is fitted first; the leaves then fit what it leaves. 0: none (>= 0).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("seed",),
        "fit": ("lambda", "class_weights", "intervals", "kernel", "bandwidth", "exponent", "relevance", "leaf",
            "trees", "overlap", "global",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        random_state: int | np.random.RandomState | None = 1,
        lam: float | None = None,
        class_weights: str = "none",
        intervals: bool = False,
        kernel: str = "laplace",
        bandwidth: str = "auto",
        exponent: float = 1.0,
        relevance: int = 2,
        leaf: int = 2000,
        trees: int = 2,
        overlap: float = 0.5,
        global_landmarks: int = 0,
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.random_state = random_state
        self.lam = lam
        self.class_weights = class_weights
        self.intervals = intervals
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.exponent = exponent
        self.relevance = relevance
        self.leaf = leaf
        self.trees = trees
        self.overlap = overlap
        self.global_landmarks = global_landmarks
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class LearnedActivationRegressorParameters:
    """Parameters
    ----------
    family : str, default='auto'
        Feature family, or several joined by + (see weft families); auto: stumps and ReLU on three variables each.
    n_features : int, default=1000
        Number of random features T (>= 1).
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    exact_theta : float | None, default=None
        Choose gamma so that theta itself, not its bound, has this value for sign features (gaussian kernel): the
        smaller of the two, where theta grows with gamma (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    sampling : str, default='plain'
        How centres are drawn: independently, in orthogonal or Hadamard blocks, along a low-discrepancy sequence; or
        chosen among candidates by leverage score (leverage, leverage-top) or by agreement with the target (eerf, lkrf)
        (one of plain, orthogonal, structured, halton, sobol, leverage, leverage-top, eerf, lkrf).
    candidate_sampling : str, default='plain'
        How these are drawn: plain, orthogonal, structured, halton or sobol (one of plain, orthogonal, structured,
        halton, sobol, leverage, leverage-top, eerf, lkrf).
    replacement : bool, default=False
        Sampling leverage draws with replacement, as the papers do; a feature drawn k times stands for k.
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    regularizer : str, default='auto'
        What lambda penalises: the RKHS norm (G), the L2(p) norm (M) or the coefficients (I); auto: rkhs for one family
        with weights, else ridge (one of auto, rkhs, l2p, ridge).
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    loss : str, default='auto'
        Loss of the fit; auto: squared, or logistic for classes (one of auto, squared, logistic).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    basis : str, default='bspline'
        Basis of the learned activation: Gaussian bumps or B-splines (one of rbf, bspline).
    grid_points : int, default=32
        Number of basis functions of the learned activation (>= 2).
    grid_range : str, default='auto'
        Interval LOW:HIGH covered by the basis; auto: from the projections of the rows.
    basis_width : float | None, default=None
        Width of the Gaussian bumps; not given: the distance between grid points (> 0).
    degree : int, default=3
        Degree of the B-splines (in [1, 5]).
    smoothness : float, default=10.0
        Weight of the second differences in the penalty on the learned activation's coefficients (>= 0).
    activation_norm : str, default='features'
        Size of the activation in the penalty: features, their mean square and the second differences; coefficients,
        their sum of squares, which with activation_radius R is the constraint |a| <= R of Ma et al. 2025, eqs. 5 to 7
        (one of features, coefficients).
    activation_radius : float, default=1.0
        Largest size of the activation; lambda is divided by its square (> 0).
    objective : str, default='penalised'
        What is minimised: penalised, the loss with lambda times the sizes of activation and weights; balanced, the loss
        alone, both having one size, which is Ma et al. 2025, eq. 8, for every lambda_0 (one of penalised, balanced).
    pool_objective : str, default='penalised'
        The same for the activation by which sampling scores candidates; Ma et al. 2025 have balanced (one of penalised,
        balanced).
    starts : int, default=1
        Number of starting activations, the family's own and random ones; the best result is kept (>= 1).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("family", "features", "sigma", "gamma", "theta", "exact_theta", "kappa", "shrink", "phase",
            "pool", "sampling", "candidate_sampling", "replacement", "seed",),
        "fit": ("lambda", "lambda_holdout", "intercept", "intervals", "regularizer", "tolerance", "loss",
            "iterations", "basis", "grid_points", "grid_range", "basis_width", "degree", "smoothness",
            "activation_norm", "activation_radius", "objective", "pool_objective", "starts",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        family: str = "auto",
        n_features: int = 1000,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        exact_theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        sampling: str = "plain",
        candidate_sampling: str = "plain",
        replacement: bool = False,
        random_state: int | np.random.RandomState | None = 1,
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        intervals: bool = False,
        regularizer: str = "auto",
        tolerance: float = 1e-06,
        loss: str = "auto",
        iterations: int = 0,
        basis: str = "bspline",
        grid_points: int = 32,
        grid_range: str = "auto",
        basis_width: float | None = None,
        degree: int = 3,
        smoothness: float = 10.0,
        activation_norm: str = "features",
        activation_radius: float = 1.0,
        objective: str = "penalised",
        pool_objective: str = "penalised",
        starts: int = 1,
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.family = family
        self.n_features = n_features
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.exact_theta = exact_theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.sampling = sampling
        self.candidate_sampling = candidate_sampling
        self.replacement = replacement
        self.random_state = random_state
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.intervals = intervals
        self.regularizer = regularizer
        self.tolerance = tolerance
        self.loss = loss
        self.iterations = iterations
        self.basis = basis
        self.grid_points = grid_points
        self.grid_range = grid_range
        self.basis_width = basis_width
        self.degree = degree
        self.smoothness = smoothness
        self.activation_norm = activation_norm
        self.activation_radius = activation_radius
        self.objective = objective
        self.pool_objective = pool_objective
        self.starts = starts
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class LearnedActivationClassifierParameters:
    """Parameters
    ----------
    family : str, default='auto'
        Feature family, or several joined by + (see weft families); auto: stumps and ReLU on three variables each.
    n_features : int, default=1000
        Number of random features T (>= 1).
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    exact_theta : float | None, default=None
        Choose gamma so that theta itself, not its bound, has this value for sign features (gaussian kernel): the
        smaller of the two, where theta grows with gamma (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    sampling : str, default='plain'
        How centres are drawn: independently, in orthogonal or Hadamard blocks, along a low-discrepancy sequence; or
        chosen among candidates by leverage score (leverage, leverage-top) or by agreement with the target (eerf, lkrf)
        (one of plain, orthogonal, structured, halton, sobol, leverage, leverage-top, eerf, lkrf).
    candidate_sampling : str, default='plain'
        How these are drawn: plain, orthogonal, structured, halton or sobol (one of plain, orthogonal, structured,
        halton, sobol, leverage, leverage-top, eerf, lkrf).
    replacement : bool, default=False
        Sampling leverage draws with replacement, as the papers do; a feature drawn k times stands for k.
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    lam : float | None, default=None
        Regularisation strength; not given: chosen on held-out rows (exact kernel-ridge: by leave-one-out) (> 0).
    lambda_holdout : float, default=0.2
        Fraction of the rows held out to choose lambda; the final fit uses all rows (in (0, 1)).
    intercept : bool, default=True
        Fit an intercept that is not penalised.
    class_weights : str, default='none'
        Balanced: every class has the same total weight, whatever its number of rows (one of none, balanced).
    intervals : bool, default=False
        Also fit four fifths of the rows and score the others, for intervals of predictions, where the method does not
        predict rows without them anyway (docs/intervals.md).
    regularizer : str, default='auto'
        What lambda penalises: the RKHS norm (G), the L2(p) norm (M) or the coefficients (I); auto: rkhs for one family
        with weights, else ridge (one of auto, rkhs, l2p, ridge).
    tolerance : float, default=1e-06
        Relative accuracy at which an iterative fit stops (> 0).
    loss : str, default='auto'
        Loss of the fit; auto: squared, or logistic for classes (one of auto, squared, logistic).
    iterations : int, default=0
        Maximum number of iterations (learned activation: sweeps); 0: the method's default (>= 0).
    basis : str, default='bspline'
        Basis of the learned activation: Gaussian bumps or B-splines (one of rbf, bspline).
    grid_points : int, default=32
        Number of basis functions of the learned activation (>= 2).
    grid_range : str, default='auto'
        Interval LOW:HIGH covered by the basis; auto: from the projections of the rows.
    basis_width : float | None, default=None
        Width of the Gaussian bumps; not given: the distance between grid points (> 0).
    degree : int, default=3
        Degree of the B-splines (in [1, 5]).
    smoothness : float, default=10.0
        Weight of the second differences in the penalty on the learned activation's coefficients (>= 0).
    activation_norm : str, default='features'
        Size of the activation in the penalty: features, their mean square and the second differences; coefficients,
        their sum of squares, which with activation_radius R is the constraint |a| <= R of Ma et al. 2025, eqs. 5 to 7
        (one of features, coefficients).
    activation_radius : float, default=1.0
        Largest size of the activation; lambda is divided by its square (> 0).
    objective : str, default='penalised'
        What is minimised: penalised, the loss with lambda times the sizes of activation and weights; balanced, the loss
        alone, both having one size, which is Ma et al. 2025, eq. 8, for every lambda_0 (one of penalised, balanced).
    pool_objective : str, default='penalised'
        The same for the activation by which sampling scores candidates; Ma et al. 2025 have balanced (one of penalised,
        balanced).
    starts : int, default=1
        Number of starting activations, the family's own and random ones; the best result is kept (>= 1).
    scale : str, default='quantile'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=True
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    max_time : float, default=0.0
        Time limit in seconds, after which a fit returns the best result so far; 0: none (>= 0).
    max_memory : str, default=''
        Memory limit such as 500M or 4G; a job that needs more is rejected before it starts.
    device : str, default='cpu'
        Where to compute: cpu, gpu, gpu:1 (the second one; weft devices lists them), or auto: a GPU where there is one
        and the work is large enough.
    """

    _groups = {
        "family": ("family", "features", "sigma", "gamma", "theta", "exact_theta", "kappa", "shrink", "phase",
            "pool", "sampling", "candidate_sampling", "replacement", "seed",),
        "fit": ("lambda", "lambda_holdout", "intercept", "class_weights", "intervals", "regularizer",
            "tolerance", "loss", "iterations", "basis", "grid_points", "grid_range", "basis_width", "degree",
            "smoothness", "activation_norm", "activation_radius", "objective", "pool_objective", "starts",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads", "max_time", "max_memory", "device",),
    }

    def __init__(
        self,
        *,
        family: str = "auto",
        n_features: int = 1000,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        exact_theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        sampling: str = "plain",
        candidate_sampling: str = "plain",
        replacement: bool = False,
        random_state: int | np.random.RandomState | None = 1,
        lam: float | None = None,
        lambda_holdout: float = 0.2,
        intercept: bool = True,
        class_weights: str = "none",
        intervals: bool = False,
        regularizer: str = "auto",
        tolerance: float = 1e-06,
        loss: str = "auto",
        iterations: int = 0,
        basis: str = "bspline",
        grid_points: int = 32,
        grid_range: str = "auto",
        basis_width: float | None = None,
        degree: int = 3,
        smoothness: float = 10.0,
        activation_norm: str = "features",
        activation_radius: float = 1.0,
        objective: str = "penalised",
        pool_objective: str = "penalised",
        starts: int = 1,
        scale: str = "quantile",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = True,
        max_levels: int = 50,
        n_jobs: int | None = None,
        max_time: float = 0.0,
        max_memory: str = "",
        device: str = "cpu",
    ) -> None:
        self.family = family
        self.n_features = n_features
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.exact_theta = exact_theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.sampling = sampling
        self.candidate_sampling = candidate_sampling
        self.replacement = replacement
        self.random_state = random_state
        self.lam = lam
        self.lambda_holdout = lambda_holdout
        self.intercept = intercept
        self.class_weights = class_weights
        self.intervals = intervals
        self.regularizer = regularizer
        self.tolerance = tolerance
        self.loss = loss
        self.iterations = iterations
        self.basis = basis
        self.grid_points = grid_points
        self.grid_range = grid_range
        self.basis_width = basis_width
        self.degree = degree
        self.smoothness = smoothness
        self.activation_norm = activation_norm
        self.activation_radius = activation_radius
        self.objective = objective
        self.pool_objective = pool_objective
        self.starts = starts
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs
        self.max_time = max_time
        self.max_memory = max_memory
        self.device = device


class RandomFeaturesParameters:
    """Parameters
    ----------
    family : str, default='rff-rbf'
        Feature family, or several joined by + (see weft families); auto: stumps and ReLU on three variables each.
    n_features : int, default=1000
        Number of random features T (>= 1).
    sigma : float, default=1.0
        Standard deviation of the centres (> 0).
    gamma : float | None, default=None
        Bandwidth of the weight kernel (or give theta, exact_theta, kappa or shrink) (> 0).
    theta : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = 2 sigma^2/(theta^(-4/n) - 1) (gaussian kernel): the bound theta of
        sign features then has this value, that of relu is a multiple of theta^(1-1/n) (in (0, 1)).
    exact_theta : float | None, default=None
        Choose gamma so that theta itself, not its bound, has this value for sign features (gaussian kernel): the
        smaller of the two, where theta grows with gamma (in (0, 1)).
    kappa : float | None, default=None
        Choose gamma by the papers' rule gamma^2 = sigma^2/(1 - kappa^(-4/n)) (exponential kernel): kappa of sign
        features then has this value, that of relu is a multiple of kappa^(1+2/n) (> 1).
    shrink : float | None, default=None
        Choose gamma so that (1 + sigma^2/gamma^2)^(-n/2) has this value (gaussian kernel) (in (0, 1)).
    phase : float | None, default=None
        Phase b of h(z + b); not given: drawn uniformly for cos without a weight kernel, else 0.
    pool : int | None, default=None
        Number of variable subsets that sparse projections draw from, 1000 if not given; for other families the same as
        candidates (>= 1).
    sampling : str, default='plain'
        How centres are drawn: independently, in orthogonal or Hadamard blocks, along a low-discrepancy sequence; or
        chosen among candidates by leverage score (leverage, leverage-top) or by agreement with the target (eerf, lkrf)
        (one of plain, orthogonal, structured, halton, sobol, leverage, leverage-top, eerf, lkrf).
    candidate_sampling : str, default='plain'
        How these are drawn: plain, orthogonal, structured, halton or sobol (one of plain, orthogonal, structured,
        halton, sobol, leverage, leverage-top, eerf, lkrf).
    replacement : bool, default=False
        Sampling leverage draws with replacement, as the papers do; a feature drawn k times stands for k.
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    scale : str, default='none'
        Scaling of the inputs: mean 0 and variance 1, range [-1,1], rank to normal, standard and quantile side by side,
        or none; if it is not given, the portfolio tries quantile, standard and both (one of standard, minmax, quantile,
        both, none).
    missing : str, default='indicate'
        Missing cells: the mean and an input that indicates them (categories: a level of its own), an error, or the mean
        (categories: the most frequent) alone (one of indicate, error, impute).
    unseen : str, default='ignore'
        Categories not seen in training: report an error, or ignore them (zeros in all one-hot columns) (one of error,
        ignore).
    bias : bool, default=False
        Add a constant input column.
    max_levels : int, default=50
        Categories of a column that get an input each; a column with more of them is encoded by the effects of its
        categories on the target, beside inputs for the frequent ones (0: no limit) (>= 0).
    n_jobs : int | None, default=None
        Threads to use; None or -1: OMP_NUM_THREADS, or every core.
    """

    _groups = {
        "family": ("family", "features", "sigma", "gamma", "theta", "exact_theta", "kappa", "shrink", "phase",
            "pool", "sampling", "candidate_sampling", "replacement", "seed",),
        "encode": ("scale", "missing", "unseen", "bias", "max_levels",),
        "run": ("threads",),
    }

    def __init__(
        self,
        *,
        family: str = "rff-rbf",
        n_features: int = 1000,
        sigma: float = 1.0,
        gamma: float | None = None,
        theta: float | None = None,
        exact_theta: float | None = None,
        kappa: float | None = None,
        shrink: float | None = None,
        phase: float | None = None,
        pool: int | None = None,
        sampling: str = "plain",
        candidate_sampling: str = "plain",
        replacement: bool = False,
        random_state: int | np.random.RandomState | None = 1,
        scale: str = "none",
        missing: str = "indicate",
        unseen: str = "ignore",
        bias: bool = False,
        max_levels: int = 50,
        n_jobs: int | None = None,
    ) -> None:
        self.family = family
        self.n_features = n_features
        self.sigma = sigma
        self.gamma = gamma
        self.theta = theta
        self.exact_theta = exact_theta
        self.kappa = kappa
        self.shrink = shrink
        self.phase = phase
        self.pool = pool
        self.sampling = sampling
        self.candidate_sampling = candidate_sampling
        self.replacement = replacement
        self.random_state = random_state
        self.scale = scale
        self.missing = missing
        self.unseen = unseen
        self.bias = bias
        self.max_levels = max_levels
        self.n_jobs = n_jobs


def certify_options(
    *,
    delta: float = 0.05,
    bound: str = "all",
    difference: float | None = None,
) -> dict[str, object]:
    """Parameters
    ----------
    delta : float, default=0.05
        Probability with which a guarantee may fail (in (0, 1)).
    bound : str, default='all'
        The theorem to compute: 6.x of Anonymous 2026 (6.2 with 6.1 and 6.2.1, 6.5 with 6.4 and 6.5.1); 8, 10, 11 and
        equation 62 of Dubé & Marchand 2023; trace: with the kernel's mean over the rows for its supremum; softmax;
        wang-1 and wang-2: Wang 2019 (one of all, 6.2, 6.3, 6.5, 6.6, 6.7, 6.8, 8, 10, 11, trace, softmax, 62, wang-1,
        wang-2).
    difference : float | None, default=None
        What pruning may change the expected loss by (62), and random features the predictions, in mean square (wang-1,
        wang-2); not given: a hundredth of the loss of the best constant (> 0).
    """
    return {
        "delta": delta,
        "bound": bound,
        "difference": difference,
    }


def prune_options(
    *,
    method: str = "auto",
    accept: str = "auto",
    epsilon: float | None = None,
    delta: float = 0.05,
    n_features: int | None = None,
    refit: str = "auto",
) -> dict[str, object]:
    """Parameters
    ----------
    method : str, default='auto'
        What the lasso approximates: weights, the weight function in its RKHS norm (Dubé & Marchand 2023, Alg. 5);
        predictions, those on DATA; auto: weights for classifiers of one family fitted in that norm if the rule accepts
        a solution, else predictions (one of auto, weights, predictions).
    accept : str, default='auto'
        Quantity that may grow by epsilon: norm, the risk on any data by Lemma 7 of Dubé & Marchand 2023; bound, the
        value of their Theorem 8, which holds for new rows with probability 1 - delta if the model was fixed before DATA
        were drawn (its training rows give a heuristic); risk, the mean loss on DATA; error, the error rate on DATA;
        auto: error for classes, else risk (one of auto, norm, bound, risk, error).
    epsilon : float | None, default=None
        Largest increase that the accept rule allows, for the lasso and for the refit after it; regression losses are in
        units of the target's variance; not given: 0.01 (>= 0).
    delta : float, default=0.05
        Probability with which the guarantee of accept bound may fail (in (0, 1)).
    n_features : int | None, default=None
        Keep at most this many features, instead of epsilon (>= 1).
    refit : str, default='auto'
        Coefficients of the remaining features: least-squares, fitted to DATA with the options of the model; projection,
        as close to the model as possible; none, those of the lasso; auto: least-squares for least-squares and lasso
        fits unless the rule is norm or bound, else projection (one of auto, least-squares, projection, none).
    """
    return {
        "method": method,
        "accept": accept,
        "epsilon": epsilon,
        "delta": delta,
        "features": n_features,
        "refit": refit,
    }


def explain_options(
    *,
    rows: int = 0,
    repeats: int = 4,
    variables: str = "",
    curves: int = 4,
    points: int = 20,
    interactions: int = 6,
    permutations: int = 200,
    random_state: int | np.random.RandomState | None = 1,
) -> dict[str, object]:
    """Parameters
    ----------
    rows : int, default=0
        Number of rows to use, evenly spaced; 0: 1000, or fewer with more than 50 variables (>= 0).
    repeats : int, default=4
        Times that the values of every variable are exchanged (>= 1).
    variables : str, default=''
        Variables whose curves are computed, separated by commas; not given: the most important ones.
    curves : int, default=4
        Number of curves where no variables are given (>= 0).
    points : int, default=20
        Points of a curve (>= 2).
    interactions : int, default=6
        Number of variables, the most important ones, whose pairs are compared (>= 0).
    permutations : int, default=200
        Orders of the variables that are averaged in the explanation of a row, where it is not exact (>= 2).
    random_state : int | np.random.RandomState | None, default=1
        Seed of every random draw; None: another every time.
    """
    return {
        "rows": rows,
        "repeats": repeats,
        "variables": variables,
        "curves": curves,
        "points": points,
        "interactions": interactions,
        "permutations": permutations,
        "seed": random_state,
    }
