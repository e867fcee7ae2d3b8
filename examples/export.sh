# %% [markdown]
# # A model as a program in C
#
# A trained model as one C file that needs nothing but a compiler. The table is that of [the first example](regression.sh); random
# features (`--fast`) make a small file.

# %%
awk -f flats.awk > flats.csv
weft train flats.csv --target price --fast --features 100 --model flats.weft
weft export flats.weft --main --out flats.c
wc -c flats.c

# %% [markdown]
# `--main` adds a program that reads a table from standard input. The comment at the top lists the columns in the order in which the
# function takes them.

# %%
sed -n '1,/\*\//p' flats.c
cc -O2 -std=c99 flats.c -lm -o flats

# %% [markdown]
# It predicts what weft predicts:

# %%
head -n 5 flats.csv | ./flats
head -n 5 flats.csv | weft predict flats.weft - --out -

# %% [markdown]
# The same for a browser or Node: one ES module.

# %%
weft export flats.weft --out flats.mjs
node --input-type=module -e '
import {predict} from "./flats.mjs";
console.log(predict({area: 64, rooms: 3, district: "harbour", built: 1998, floor: 2, balcony: "yes"}));'

# %% [check]
./flats < flats.csv > ours.csv
weft predict flats.weft flats.csv --out theirs.csv
paste -d, ours.csv theirs.csv | awk -F, 'NR > 1 && ($1 - $2) ^ 2 > 1e-12 { print; bad = 1 } END { exit bad || NR != 1501 }'
