# %% [markdown]
# # A figure of a paper: how fast random features approach their kernel
#
# Wang 2019 ([bibliography](../docs/bibliography.md)) shows that a model on s random features approaches the exact kernel machine as
# 1/s. Here that figure is drawn again, with weighted features beside it. All tables and figures of the papers run with one command of
# their own ([reproduce.md](../docs/reproduce.md)).

# %%
import matplotlib.pyplot as plt
import numpy as np

import weft

rng = np.random.default_rng(0)
X = rng.normal(size=(400, 4))
y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=400)
X_new = rng.normal(size=(500, 4))
common = dict(lam=1e-3, intercept=False, bias=False, scale="none")
families = {"rff-rbf": dict(sigma=1.0), "rw-relu": dict(sigma=1.0, gamma=2.0)}

# %% [markdown]
# ## Distances from the limit
# The limit of infinitely many features is kernel ridge regression with the implicit kernel of the family, which weft has in closed form.
# Against it stand fits with s features, each a mean over eight draws.

# %%
sizes = np.array([50, 100, 200, 400, 800])
errors = {}
for family, options in families.items():
    limit = weft.KernelRidge(kernel=f"implicit:{family}", **options, **common).fit(X, y).predict(X_new)
    errors[family] = []
    for size in sizes:
        models = (
            weft.RandomFeatureRegressor(family=family, n_features=size, random_state=seed, **options, **common).fit(X, y)
            for seed in range(8)
        )
        errors[family].append(np.mean([np.mean((model.predict(X_new) - limit) ** 2) for model in models]))
    slope = np.polyfit(np.log(sizes), np.log(errors[family]), 1)[0]
    print(f"{family}: {', '.join(f'{error:.1e}' for error in errors[family])}; slope {slope:.2f}")

# %% [markdown]
# Random Fourier features approach their limit as 1/s, as the paper has it. Weighted features are exact averages over neighbourhoods, and
# span the limit much sooner.

# %%
figure, axes = plt.subplots(figsize=(6.5, 4), layout="constrained")
for family, values in errors.items():
    axes.loglog(sizes, values, marker="o", label=family)
axes.loglog(sizes, errors["rff-rbf"][-1] * sizes[-1] / sizes, linestyle="--", color="0.5", label="∝ 1/s")
axes.set(xlabel="features s", ylabel="mean squared distance from the limit")
axes.legend()
figure.savefig("rate.png", dpi=120)

# %% [check]
fourier, weighted = (np.polyfit(np.log(sizes), np.log(values), 1)[0] for values in errors.values())
assert -1.6 < fourier < -0.8, fourier
assert weighted < -3, weighted
