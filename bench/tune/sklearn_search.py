"""The same search with scikit-learn: RBFSampler + RidgeClassifier, RandomizedSearchCV, n_jobs=2.

Usage: sklearn_search.py DATA TARGET [CONFIGURATIONS]
Inputs are encoded once, outside the clock (one-hot, and ranks to normal as weft does); gamma = sigma²/2 and alpha = λm
are drawn from the ranges of weft tune.
"""
import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")  # n_jobs=2 processes of one thread each: no oversubscription
import numpy as np
import pandas as pd
from scipy.stats import loguniform
from sklearn.compose import make_column_transformer
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, QuantileTransformer

data, target = sys.argv[1], sys.argv[2]
configurations = int(sys.argv[3]) if len(sys.argv) > 3 else 50
table = pd.read_csv(data)
y = table.pop(target).to_numpy()
numbers = table.select_dtypes("number").columns
texts = [name for name in table.columns if name not in set(numbers)]
encode = make_column_transformer(
    (QuantileTransformer(output_distribution="normal"), numbers),
    (OneHotEncoder(sparse_output=False), texts))
x = encode.fit_transform(table)
rows = len(y) * 0.8
gammas = loguniform(0.01**2 / 2, 10**2 / 2)
folds = StratifiedKFold(5, shuffle=True, random_state=1)
pipeline = make_pipeline(RBFSampler(n_components=500, random_state=1), RidgeClassifier())


def timed(search, points, what):
    start = time.perf_counter()
    search.fit(x, y)
    seconds = time.perf_counter() - start
    print(f"scikit-learn, {what}: {seconds:6.1f} s for {points} configurations, best error {1 - search.best_score_:.4f}",
          flush=True)


timed(RandomizedSearchCV(pipeline, {"rbfsampler__gamma": gammas,
                                    "ridgeclassifier__alpha": loguniform(rows * 1e-5, rows * 1e-3)},
                         n_iter=configurations, cv=folds, n_jobs=2, random_state=1, refit=False),
      configurations, "one lambda each")
# All lambdas of a configuration, which weft computes in one pass: the cost per configuration is measured on a few.
few = max(1, configurations // 25)
timed(GridSearchCV(pipeline, {"rbfsampler__gamma": gammas.rvs(few, random_state=1),
                              "ridgeclassifier__alpha": rows * np.logspace(-8, 0, 17)},
                   cv=folds, n_jobs=2, refit=False),
      few, "17 lambdas each")
