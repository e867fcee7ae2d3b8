# %% [markdown]
# # Why does the model say so?
#
# Which variables matter, how predictions depend on them, and why one row is predicted as it is. The table is that of
# [the first example](regression.sh).

# %%
awk -f flats.awk > flats.csv
weft train flats.csv --target price --model flats.weft

# %% [markdown]
# ## All rows
# The effect of a variable is how much predictions change when its values are taken from other rows; the growth of the loss is what the
# model would lose by that.

# %%
weft explain flats.weft flats.csv --report why.html

# %% [markdown]
# ## One row
# The prediction of a row, split into the mean and what each variable adds (Shapley values).

# %%
sed -n '1p;18p' flats.csv
weft explain flats.weft flats.csv --row 17

# %% [check]
weft explain flats.weft flats.csv --json | python3 -c '
import json, sys
variables = json.load(sys.stdin)["variables"]
assert max(variables, key=lambda v: v["effect"]["value"] if isinstance(v["effect"], dict) else v["effect"])["name"] == "area", variables'
