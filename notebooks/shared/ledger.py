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
# one statistic. But a row that agrees is evidence only if it could have disagreed. So each row has a
# status, with a sign beside the word, and the headline counts those that could have failed:
#
# - ✓ **match**: it could have failed, and lies within its tolerance;
# - ≠ **differs**: it lies outside its tolerance;
# - ↔ **bounded**: it cannot be recomputed, only hemmed in, and lies between both ends;
# - ? **cannot tell**: it lies within its tolerance, and so does the figure that would come out without the
#   step it is about;
# - ← **input**: it is what other rows are computed from, or follows from such figures alone;
# - = **repeat**: it restates other rows, rounded or ranked;
# - … **needs data**: it is not recomputed; the row names the data it waits for.
#
# Nor is every match worth as much. Each row that was recomputed says of which **kind** it is, set where the row is
# made, and the headline never adds the kinds up:
#
# - **estimated again**: an estimator was run on published counts, responses or trials;
# - **recounted**: a share, a count or a mean was taken again of published counts, responses or trials, which
#   little but a slip of the pen could make differ;
# - **print against itself**: printed figures were held against other printed figures, by arithmetic or by order.
#   It says that a paper agrees with itself, not that its figures come out.
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
# ## What differs

# %%
ledger.table("differing")

# %% [markdown]
# ## By kind
#
# Rows that could have failed, by study and by what was done to have the recomputed figure.

# %%
ledger.table("kinds")

# %% [markdown]
# ## By status and by table

# %%
ledger.table("statuses")

# %%
ledger.table("tally")

# %% [markdown]
# ## Which rows could not have failed
#
# These rules give a row the status *input* or *repeat*. They hold for whole columns, not for single rows. A
# row under such a rule that disagrees all the same is called *differs*, because then printed figures
# contradict one another.

# %%
ledger.table("roles")

# %% [markdown]
# ## All rows
#
# Type any words (a model, a quantity, a table) or choose a table, a status or a kind.

# %%
ledger.html("page")

# %% [markdown]
# ## Where the numbers come from
#
# **The counts.** The paper does not print how many answers were right and wrong at each confidence
# rating. The counts used here were *solved* from what it prints at $T = 1$: accuracy, accuracy by quarter of
# confidence, AUROC2, and meta-$I_{2r}$ plus its null mean, on the assumption that the eight ratings hold
# equally many answers. In each of the eight cells (four models, two question sets) exactly one table of
# whole numbers fits. What went into the solving cannot fail and is not counted; neither is what follows
# from it alone. What such a table gives beyond that, meta-$d'$, z-ROC slopes, $d_a$, intervals, is a test
# of the table and of the method. The counts are rows too, and wait for the trials to confirm them.
#
# **The first paper.** The same trials were first used in another paper of the author's, whose result files
# hold right and wrong answers in 20 bins of confidence at seven temperatures, and by domain. They give
# accuracy and the number of answers of every temperature and domain. A cell may lack or double a single
# trial; where it does, the tolerance adds what one trial can do, and says so. AUROC2 and meta-$I_{2r}$ of
# eight ratings with other edges cannot be recomputed from 20 bins, but they cannot be just anything: the
# ratings are equally filled, so each run of ranks that lies in one bin and in one rating is known, and both
# ends follow.
#
# **The trials.** M-ratio ([what it can and cannot say](study1-correction.ipynb)) by domain and temperature,
# other numbers of ratings and raw confidence need the author's 224,000 trials. They are a download:
# `metacog data fetch cacioli-trials`, then `metacog ledger` (or this page again), and those rows fill in. No checksum of that file has been
# published; the ledger's record says which file it used.
#
# **Chance.** A percentile of $B$ random draws has the standard error
# $\sqrt{p(1-p)/B}\,/f(q)$, where $p$ is the percentile, $q$ its value and $f$ the density of the draws
# there, which our own draws give. Both sides were resampled, so the errors of both add (in squares).
# The tolerance is $z$ times that error, $z = \Phi^{-1}(1 - \alpha/2m)$ with
# $\alpha$ = {glue:text}`ledger_alpha` shared among the $m$ = {glue:text}`ledger_family` rows that rest on
# chance and are tested: $z$ = {glue:text}`ledger_z:.2f`. Rows that wait, that are inputs or repeats, or that
# cannot tell are none of the $m$. The mean of the permutation null has the error $s/\sqrt{B}$, and a
# permutation $p$ value that of a share.
#
# **Posteriors.** A mean and the ends of an interval from chains have the error of as many independent draws as the
# chains are worth, and the errors of both sides add in squares. Ours follows from our draws. The paper that prints
# posteriors names its sampler, which moves one parameter at a time: where few answers lie between two criteria,
# these hold one another in place, and tens of thousands of draws may be worth a few hundred. So its error is simulated: the
# same sampler, with the number of chains and draws that it has unless told otherwise, many times on the
# published counts. The error is the root of the mean squared distance of such a figure from the posterior's, which also
# holds what chains too short to forget their beginning lie off; but no more than the posterior's standard
# deviation over the root of three, because three chains are worth three draws at the least. Each of these rows
# also says what such chains give on average.
#
# **Two widths.** Study 2 says that its intervals are 95 % ones, and its counts of verdicts over risk come out by wider
# ones, as wide as its test. Which width it took was inferred from these verdicts, so what comes out by the wide
# interval only is an *input*, and the figure by the other width stands beside it.
#
# **Method or absence.** Version 2 takes the null mean off its limits of meta-$I_{2r}$ too. The null mean is
# small beside the tolerance that chance asks for: a limit that would agree without it as well cannot tell,
# and does not count as a match. Nor does a number of valid resamples that would agree with none dropped. The
# seed and the algorithm of version 2 are known, but one stream of random numbers runs through all cells in
# the order of the trials: only the trials could replay it. What one limit cannot tell, all together may: a
# row of the text of version 2 pools the limits of its aggregate table into the share of the null mean that
# was taken off, which is 1 with the method and 0 without it.
#
# **One correction is undone to compare exactly.** Version 2 subtracts from each meta-$I_{2r}$ the mean
# of 2,000 random permutations, which nobody else can draw again. The row `meta_i2r` therefore
# subtracts the *published* mean, and the row `null_mean` compares that mean with the exact one over
# all permutations.
