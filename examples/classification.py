# %% [markdown]
# # Classes and their probabilities
#
# Which customers will leave: a table with texts and missing cells, probabilities that mean what they say, and a threshold that follows
# from costs. The table is made up.

# %%
import numpy as np
import pandas as pd
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split

import weft

rng = np.random.default_rng(0)
rows = 4000
customers = pd.DataFrame(
    {
        "months": rng.integers(1, 72, rows),
        "bill": rng.gamma(4, 12, rows).round(2),
        "contract": rng.choice(["monthly", "yearly", "two years"], rows, p=[0.5, 0.3, 0.2]),
        "payment": rng.choice(["card", "transfer", "cheque"], rows),
        "calls": rng.poisson(1.2, rows),
    }
)
lean = {"monthly": 0.9, "yearly": -0.6, "two years": -1.6}
score = customers["contract"].map(lean) + 0.025 * (customers["bill"] - 48) - 0.035 * (customers["months"] - 20) + 0.5 * customers["calls"] - 1.3
answer = np.where(rng.random(rows) < 1 / (1 + np.exp(-score)), "leaves", "stays")
customers.loc[rng.random(rows) < 0.05, "payment"] = None
print(customers.head(3))

# %% [markdown]
# ## Fit
# The labels may be texts, and so may the columns: nothing needs to be encoded or scaled.

# %%
train, test, y_train, y_test = train_test_split(customers, answer, random_state=0)
model = weft.Classifier().fit(train, y_train)
print(f"share of test rows predicted rightly: {model.score(test, y_test):.3f}")
print(f"always 'stays' would have: {np.mean(y_test == 'stays'):.3f}")
print(pd.Series(model.feature_importances_, customers.columns).sort_values(ascending=False).round(2).to_string())

# %% [markdown]
# ## Probabilities
# One column per class, in the order of `classes_`. They are calibrated on rows that were held out: among the customers with a
# probability of about 0.3, about three in ten leave.

# %%
leaves = list(model.classes_).index("leaves")
probability = model.predict_proba(test)[:, leaves]
left = y_test == "leaves"
groups = np.array_split(np.argsort(probability), 8)
for group in groups:
    print(f"predicted {probability[group].mean():.2f}   came true {left[group].mean():.2f}   of {len(group)} customers")

# %%
import matplotlib.pyplot as plt

figure, (curve, counts) = plt.subplots(1, 2, figsize=(9, 3.8), layout="constrained")
curve.plot([0, 1], [0, 1], color="0.7", linewidth=1)
curve.plot([probability[g].mean() for g in groups], [left[g].mean() for g in groups], marker="o")
curve.set(xlabel="predicted probability", ylabel="share that left", title="Calibration on test rows")
counts.hist([probability[left], probability[~left]], bins=20, stacked=True, label=["left", "stayed"])
counts.set(xlabel="predicted probability", ylabel="customers", title="How sure the model is")
counts.legend()
figure.savefig("calibration.png", dpi=120)

# %% [markdown]
# ## A threshold from costs
# If a lost customer costs four times as much as a needless offer, an offer pays where the probability is above 1/5.

# %%
for threshold in (0.5, 0.2):
    offered = probability >= threshold
    missed, needless = np.sum(left & ~offered), np.sum(offered & ~left)
    print(f"threshold {threshold}: {missed} lost, {needless} needless offers, cost {4 * missed + needless}")
print(confusion_matrix(left, probability >= 0.2))

# %% [check]
assert abs(probability.mean() - left.mean()) < 0.04
assert model.score(test, y_test) > np.mean(y_test == "stays") + 0.03
