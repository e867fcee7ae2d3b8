# %% [markdown]
# # weft in ten minutes
#
# Load, fit, tune, certify, prune, plot, save. Run it as a script, or cell by cell in an editor that supports `# %%`:
#
#     PYTHONPATH=build/python python3 docs/tutorial.py
#
# Plots and the model are written to the current folder.

# %% [markdown]
# ## Load
# Arrays, pandas frames and SciPy CSR matrices are supported. Text columns are categories; nothing needs to be scaled.

# %%
import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline

import weft

numbers, y = make_friedman1(1500, n_features=6, noise=0.5, random_state=0)
X = pd.DataFrame(numbers, columns=["depth", "width", "slope", "flow", "noise", "more noise"])
X["soil"] = np.random.default_rng(0).choice(["clay", "sand", "rock"], len(X))
y = y + 3 * (X["soil"] == "rock")
train, test, y_train, y_test = train_test_split(X, y, random_state=0)

# %% [markdown]
# ## A first fit
# Nothing needs to be chosen: this is `weft train` without options, the best average of several learned kernels. The relevance of
# every variable is learned as well.

# %%
first = weft.Regressor().fit(train, y_train)
print(f"learned kernels: R² {first.score(test, y_test):.3f}")
print("relevance:", dict(zip(X.columns, first.feature_importances_.round(2))))
assert first.score(test, y_test) > 0.95

# %% [markdown]
# ## Random features
# `weft train --fast`: one pass over the rows, and models that can be certified and pruned, as below. The default features are stumps
# and ReLUs on three variables each, with λ chosen on held-out rows.

# %%
fast = weft.RandomFeatureRegressor(n_features=200).fit(train, y_train)
print(f"random features: R² {fast.score(test, y_test):.3f}, λ = {fast.lam_:.2g}")
assert fast.score(test, y_test) > 0.85

# %% [markdown]
# ## Tune
# σ, γ and λ by cross-validation, and the family too where several are named. Every fold and λ of a configuration comes from one pass over the rows.

# %%
search = weft.RandomFeatureRegressorCV(n_features=200, configurations=12).fit(train, y_train)
print(f"best of {len(search.cv_results_['params'])}:", search.best_params_["family"])
print(f"cross-validated {search.metric_} {-search.best_score_:.3f}; held out: R² {search.score(test, y_test):.3f}")

# %% [markdown]
# ## Fit
# With the hyperparameters found, and any number of features. A guarantee needs a family whose weights have a norm: `rw-relu`.

# %%
model = weft.RandomFeatureRegressor(family="rw-relu", n_features=300).fit(train, y_train)
print(f"rw-relu: R² {model.score(test, y_test):.3f}")

# %% [markdown]
# It is an estimator of scikit-learn like any other; `RandomFeatures` is a transformer in place of RBFSampler.

# %%
from sklearn.linear_model import RidgeCV
from sklearn.preprocessing import StandardScaler

print("5 folds:", cross_val_score(weft.RandomFeatureRegressor(n_features=100), train, y_train, cv=5).round(3))
diabetes, progression = load_diabetes(return_X_y=True)
features = weft.RandomFeatures(family="rff-rbf", sigma=0.1, n_features=100)
pipeline = make_pipeline(StandardScaler(), features, RidgeCV(alphas=np.logspace(-3, 3, 13)))
print(f"diabetes: R² {cross_val_score(pipeline, diabetes, progression, cv=5).mean():.3f}")

# %% [markdown]
# ## Certify
# The theorems behind the method, computed for this model and these rows. At 1000 rows most bounds are vacuous and are marked as such.

# %%
certificate = weft.certify(model, train, y_train, delta=0.05)
print(f"training loss {certificate['train_loss']:.3f}; predicting the mean would lose {certificate['trivial_loss']:.3f}")
for line in certificate["bounds"]:
    if "bound" in line:
        print(f"  {line['name']:24} {line['claim']:10} ≤ {line['bound']:.4g}{' (vacuous)' if line['vacuous'] else ''}")

# %% [markdown]
# ## Prune
# As few features as keep the loss within one hundredth of the target's variance.

# %%
small = weft.prune(model, train, y_train, epsilon=0.01)
print(f"{model.model_.features} features become {small.model_.features}; held out: R² {small.score(test, y_test):.3f}")
assert small.model_.features < model.model_.features

# %% [markdown]
# ## Plot
# Needs matplotlib. The score over the number of features, over λ, what pruning tried, and which candidates the rows can
# tell apart.

# %%
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import weft.plot

figure, axes = plt.subplots(2, 2, figsize=(10, 8))
weft.plot.learning_curve(search, ax=axes[0, 0])
weft.plot.path(search, ax=axes[0, 1])
weft.plot.path(small, ax=axes[1, 0])
weft.plot.leverage_histogram(features, diabetes, lam=[1e-3, 1e-5], ax=axes[1, 1])
figure.tight_layout()
figure.savefig("tutorial.png")

# %% [markdown]
# An activation can be learned too.

# %%
learned = weft.LearnedActivationRegressor(n_features=50, lam=1e-5, iterations=10).fit(numbers, y)
print(f"learned activation: R² {learned.score(numbers, y):.3f}")
weft.plot.activation(learned).figure.savefig("activation.png")

# %% [markdown]
# ## Save
# One file, which the command line reads: `weft predict tutorial.weft new.csv`.

# %%
small.save("tutorial.weft")
again = weft.load("tutorial.weft")
assert np.array_equal(again.predict(test), small.predict(test))
print("saved and loaded:", type(again).__name__, "with", again.model_.features, "features")
