# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The ledger: published figures beside recomputed ones
#
# A companion to a paper should say, figure by figure, what it could reproduce. This page has a row
# for every number in the study's published tables and for the claims of its text that can be put as
# one statistic. Each row has a status:
#
# - **match**: recomputed, and within its tolerance;
# - **differs**: recomputed, and outside it;
# - **needs data**: not recomputed, with the data it waits for.
#
# Nothing is left out, and no tolerance is set by hand. A printed figure may be off by half its last
# printed digit. A figure from a full-precision result file must agree as far as the estimator is
# exact ($10^{-12}$ for $d'$, $10^{-6}$ for a fitted meta-$d'$, $10^{-9}$ for information). A figure
# that rests on random resampling may be off by what chance allows: its **Monte-Carlo error**, by the
# formula below. A claim in words, such as "identical" or "fully inverted", holds exactly or not at
# all, and a bound such as "at least 0.98" holds as it stands.

# %% tags=["parameters"]
profile = "default"
ledger_resamples = 10_000
seed = 42

# %%
from metacog.studies import open_run

run = open_run("shared", profile)
ledger = run.result("ledger", ledger_resamples=ledger_resamples, seed=seed)
ledger.glue()
ledger.say("summary")

# %% [markdown]
# ## By table

# %%
ledger.table("tally")

# %% [markdown]
# ## What differs

# %%
ledger.table("differing")

# %% [markdown]
# ## All rows
#
# Type any words (a model, a quantity, a table) or choose a table or a status.

# %%
ledger.html("page")

# %% [markdown]
# ## Where the numbers come from
#
# **The counts.** The paper does not print how many answers were right and wrong at each confidence
# rating, but its summary statistics at $T = 1$ leave exactly one table of whole numbers in each of
# the eight cells (four models, two question sets). Everything that such a table determines is
# recomputed from it. The counts themselves are rows too, and wait for the trials to confirm them.
#
# **The trials.** Domains, other temperatures, other numbers of ratings and raw confidence need the
# author's 224,000 trials. They are a download: `metacog data fetch cacioli-trials`, then
# `metacog ledger` (or this page again), and those rows fill in. No checksum of that file has been
# published; the ledger's record says which file it used.
#
# **Chance.** A percentile of $B$ random draws has the standard error
# $\sqrt{p(1-p)/B}\,/f(q)$, where $p$ is the percentile, $q$ its value and $f$ the density of the draws
# there, which our own draws give. Both sides were resampled, so the errors of both add (in squares).
# The tolerance is $z$ times that error, $z = \Phi^{-1}(1 - \alpha/2m)$ with
# $\alpha$ = {glue:text}`ledger_alpha` shared among all $m$ = {glue:text}`ledger_resampled` resampled
# figures: $z$ = {glue:text}`ledger_z:.2f`. The mean of the permutation null has the error
# $s/\sqrt{B}$, and a permutation $p$ value that of a share.
#
# **One correction is undone to compare exactly.** Version 2 subtracts from each meta-$I_{2r}$ the mean
# of 2,000 random permutations, which nobody else can draw again. The row `meta_i2r` therefore
# subtracts the *published* mean, and the row `null_mean` compares that mean with the exact one over
# all permutations.
