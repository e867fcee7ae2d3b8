# %% [markdown]
# # Predict a number from a CSV file
#
# From a table to a model, its errors on rows that it has not seen, a report and predictions. The table is made up by
# [flats.awk](flats.awk): flats with numbers, texts and missing cells, and their prices in thousands.

# %%
awk -f flats.awk > flats.csv
head -n 5 flats.csv

# %% [markdown]
# ## Train
# Only the target is named. Text columns become categories, missing cells are indicated, and a quarter of the rows is kept for the test.

# %%
weft train flats.csv --target price --holdout 0.25 --model flats.weft --report flats.html

# %% [markdown]
# `r2` is the share of the variance that is explained; the column `test` is the one that counts. The report above has the errors of
# single rows, and what else was tried.
#
# ## What was learned
# `weft info` shows what is in the file; the relevances say how much each column counts in the distance between rows.

# %%
weft info flats.weft | head -n 30

# %% [markdown]
# ## Predict
# New rows need the same columns, without the price. `--keep` carries columns of the table through.

# %%
cat > new.csv <<'END'
area,rooms,district,built,floor,balcony
64,3,harbour,1998,2,yes
64,3,station,1998,2,yes
120,4,old town,,5,no
END
weft predict flats.weft new.csv --keep district,area --out -

# %% [check]
weft evaluate flats.weft flats.csv --json | python3 -c 'import json, sys; assert json.load(sys.stdin)["r2"] > 0.97'
test "$(weft predict flats.weft new.csv --out - | wc -l)" = 4
