# %% [markdown]
# # A program in C++
#
# Learn, predict and save from C++. `train.csv` has a column `price`, `new.csv` the same columns without it.
#
# ```{literalinclude} price.cpp
# :language: cpp
# ```
#
# [price.cpp](price.cpp) is linked with `find_package(weft)` and `target_link_libraries(price weft::weft)`. The table is a built-in one,
# whose true value in the middle is 10 sin(π/4) + 5 + 2.5 = 14.57.

# %%
weft generate friedman1 --rows 2000 --out - | sed '1s/target/price/' > train.csv
echo x0,x1,x2,x3,x4,x5,x6,x7,x8,x9 > new.csv
echo .5,.5,.5,.5,.5,.5,.5,.5,.5,.5 >> new.csv

# %%
example_price

# %% [markdown]
# The command reads the model that the program wrote.

# %%
weft info price.weft | head -n 12

# %% [check]
example_price | grep -E '^1 predictions, the first is 1[45]'
