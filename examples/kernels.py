# %% [markdown]
# # Kernels: which one, and on how many rows
#
# Kernel ridge regression with several kernels, the same with landmarks for more rows, and learned kernels, which are the default of weft.

# %%
import time

import numpy as np
from sklearn.datasets import make_friedman1

import weft

X, y = make_friedman1(3000, n_features=10, noise=0.5, random_state=0)
train, test = slice(0, 1000), slice(1000, None)

# %% [markdown]
# ## Exact
# Every row is a centre. λ is chosen by leaving one row out, for all values from one decomposition. `implicit:rw-relu` is the limit of
# infinitely many weighted ReLU features.

# %%
scores = {}
for kernel in ("rbf", "laplace", "angular", "implicit:rw-relu"):
    model = weft.KernelRidge(kernel=kernel).fit(X[train], y[train])
    scores[kernel] = model.score(X[test], y[test])
    print(f"{kernel:18} R² {scores[kernel]:.3f}   λ {model.lam_:.1e}")

# %% [markdown]
# ## Learned
# Only five of the ten inputs matter. A kernel whose distance counts them by their relevance finds that out.

# %%
learned = weft.Regressor().fit(X[train], y[train])
scores["learned"] = learned.score(X[test], y[test])
print(f"learned kernels    R² {scores['learned']:.3f}")
print("relevance:", learned.feature_importances_.round(2))

# %%
import matplotlib.pyplot as plt

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
left.barh(list(scores), [1 - score for score in scores.values()])
left.invert_yaxis()
left.set(xlabel="1 − R² on test rows", title="What each kernel leaves unexplained")
right.bar(range(10), learned.feature_importances_)
right.set(xlabel="input", ylabel="share of the relevance", title="Learned relevance")
figure.savefig("kernels.png", dpi=120)

# %% [markdown]
# ## Landmarks
# Exact solutions take a time that grows with the cube of the rows. Landmarks are a choice of rows that stand for all.

# %%
for landmarks in (50, 200, 800):
    start = time.perf_counter()
    model = weft.KernelRidge(kernel="rbf", landmarks=landmarks).fit(X[train], y[train])
    print(f"{landmarks:4} landmarks   R² {model.score(X[test], y[test]):.3f}   {time.perf_counter() - start:.2f} s")

# %% [check]
assert scores["learned"] > max(score for kernel, score in scores.items() if kernel != "learned")
assert np.sort(learned.feature_importances_[:5])[0] > np.sort(learned.feature_importances_[5:])[-1]
