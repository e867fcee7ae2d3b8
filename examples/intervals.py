# %% [markdown]
# # Intervals that hold what they promise
#
# A prediction with an interval that contains 90 % of new values, checked on rows that the model has not seen.

# %%
import matplotlib.pyplot as plt
import numpy as np

import weft


def draw(rows, seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 6, (rows, 1))
    return x, np.sin(2 * x[:, 0]) + 0.3 * x[:, 0] + rng.normal(0, 0.35, rows)


x, y = draw(1500, seed=0)
x_new, y_new = draw(4000, seed=1)
model = weft.Regressor().fit(x, y)

# %% [markdown]
# ## Numbers
# `predict_interval` uses the errors of rows that were predicted without them (conformal prediction), so nothing is assumed about the
# noise. A higher level means longer intervals.

# %%
for level in (0.5, 0.8, 0.9, 0.99):
    lower, upper = model.predict_interval(x_new, level=level).T
    inside = np.mean((lower <= y_new) & (y_new <= upper))
    print(f"level {level:.0%}: {inside:.1%} of new values are inside, mean length {np.mean(upper - lower):.2f}")

# %%
grid = np.linspace(0, 6, 300)[:, None]
lower, upper = model.predict_interval(grid, level=0.9).T
figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
axes.scatter(x_new[:500], y_new[:500], s=6, color="0.6", label="new rows")
axes.fill_between(grid[:, 0], lower, upper, alpha=0.25, label="90 % interval")
axes.plot(grid[:, 0], model.predict(grid), label="prediction")
axes.legend()
figure.savefig("intervals.png", dpi=120)

# %% [markdown]
# ## Rows kept aside
# With labelled rows that played no part in the fit the share is guaranteed, whatever the model and the data.

# %%
aside = draw(1000, seed=2)
lower, upper = model.predict_interval(x_new, level=0.9, calibrate=aside).T
print(f"{np.mean((lower <= y_new) & (y_new <= upper)):.1%} inside")

# %% [markdown]
# ## Classes
# A classifier answers with a set of labels: one where it is sure, several where it is not.

# %%
from sklearn.datasets import load_wine

wine, kind = load_wine(return_X_y=True)
order = np.random.default_rng(0).permutation(len(wine))
fitted, others = order[:120], order[120:]
classifier = weft.Classifier().fit(wine[fitted, :4], kind[fitted])
sets = classifier.predict_set(wine[others, :4], level=0.9)
print(f"the label is in the set of {np.mean(sets[np.arange(len(others)), kind[others]]):.0%} of {len(others)} wines")
print("labels per set:", dict(zip(*np.unique(sets.sum(axis=1), return_counts=True))))

# %% [check]
lower, upper = model.predict_interval(x_new, level=0.9).T
assert 0.86 < np.mean((lower <= y_new) & (y_new <= upper)) < 0.94
