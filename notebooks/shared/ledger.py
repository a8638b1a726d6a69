# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The ledger: published figures next to recomputed ones

# %% tags=["parameters"]
profile = "default"
ledger_resamples = 10_000
seed = 42

# %%
from metacog.report import bars, table
from metacog.studies import open_run

run = open_run("shared", profile)
ledger = run.result("ledger", ledger_resamples=ledger_resamples, seed=seed)
ledger.glue()
n = ledger.numbers()
by_kind = ledger.says(
    "by_kind",
    "Estimated again: {estimated_match:,} of {estimated_rows:,} match. Counted again: {recounted_match:,} of {recounted_rows:,}. Only held "
    "against other printed figures: {held_match:,} of {held_rows:,}. Another {waiting:,} wait for data that nobody published.",
    "Of {rows:,} figures {match:,} match; {waiting:,} wait for data.",
    holds=n["rows"] > 0,
)
ledger.says(
    "answer",
    "Most of the papers' figures come out as printed: {match:,} of the {rows:,} that could have failed.",
    "Of the printed figures that could have failed, {match:,} of {rows:,} match.",
    holds=n["match"] > 0.9 * n["rows"] > 0,
    head=True,
    note=by_kind,
)

# %%
bars(
    ledger.kinds.query("study != 'all studies'"),
    value=["match", "differs"],
    rows=["study", "kind"],
    stacked=True,
    caption="Printed figures that could have failed, by study and by how each was obtained again: how many match and how many differ.",
    titles={"match": "match", "differs": "differ", "": "printed figures"},
    label="fig-ledger-kinds",
)

# %% [markdown]
# ## What differs
#
# The claims that stand in the papers' texts come first, then the printed tables. Several may go back to one printed
# figure that differs; where such an origin was found, the note of each says so.

# %%
table(
    ledger.told,
    *("study", "table", "item", "quantity", "published", "reproduced", "note"),
    caption="Every row that was recomputed and lies outside its tolerance.",
    titles={"table": "Table", "note": "Note", "published": "Published", "quantity": "Quantity"},
    empty="Nothing that was recomputed differs.",
)

# %% [markdown]
# ## How to read a row
#
# A companion to a paper should state, figure by figure, what it could reproduce. This page has one row for every
# number in the studies' published tables and for every claim of their texts that can be expressed as one
# statistic. But a row that agrees is evidence only if it could have disagreed. So each row has a status, marked by
# a sign next to the word, and the headline counts only those that could have failed:
#
# - ✓ **match**: it could have failed, and lies within its tolerance;
# - ≠ **differs**: it lies outside its tolerance;
# - ↔ **bounded**: it cannot be recomputed, only bounded, and lies between the two bounds;
# - ? **cannot tell**: it lies within its tolerance, but so does the figure that would result without the step it
#   is about;
# - ← **input**: other rows are computed from it, or it follows from such figures alone;
# - = **repeat**: it restates other rows, rounded or ranked;
# - … **needs data**: it is not recomputed; the row names the data it waits for.
#
# Nor is every match worth the same. Each recomputed row states its **kind**, which is fixed where the row is
# defined, and the headline never adds the kinds up:
#
# - **estimated again**: an estimator was run on published or reconstructed counts, on responses or on trials;
# - **recounted**: a share, a count or a mean was taken again from the same; little but a slip of the pen could make it
#   differ;
# - **print against itself**: printed figures were checked against other printed figures, by arithmetic or by
#   order. A match shows that a paper agrees with itself, not that its figures can be reproduced.
#
# ### How far a figure may be off
# <!-- fold -->
#
# Nothing is left out, and no tolerance of a number is set by hand. A printed figure may be off by half a unit of its last
# printed digit. A figure from a full-precision result file must agree as closely as the estimator is exact
# ($10^{-12}$ for $d'$, $10^{-6}$ for a fitted meta-$d'$, $10^{-9}$ for information). A figure that rests on random
# resampling may be off by what chance allows: its **Monte-Carlo error**, by the formula below. A claim in words,
# such as "identical" or "fully inverted", holds exactly or not at all, and a bound such as "at least two models" is
# taken literally. Where the bound itself is a rounded figure, as in "all $R^2$ at least 0.98", half a unit of its last
# digit is allowed here too. Where words leave the size open, as "largely inverted" does, a bound had to be chosen for
# them, and the row's note states it.

# %% [markdown]
# ## By kind
#

# %%
table(
    ledger.kinds,
    *("study", "kind", "meaning", "rows", "match", "differs"),
    caption="Rows that could have failed, by study and by how the recomputed figure was obtained.",
    titles={"rows": "Could have failed", "kind": "Kind", "meaning": "What was done"},
    digits={"rows": 0},
    empty="No row could be tested.",
)

# %% [markdown]
# ## Which rows could not have failed
# <!-- fold -->
#
# These rules give a row the status *input* or *repeat*. They apply to whole columns, not to single rows. A row
# under such a rule that disagrees nevertheless is given the status *differs*, because then printed figures
# contradict one another.

# %%
table(
    ledger.roles,
    *("status", "which", "reason", "rows", "differ"),
    caption="The rules under which a row could not have failed.",
    titles={"rows": "Rows"},
    digits={"rows": 0},
    folded=True,
    empty="Every row that was recomputed could have failed.",
)

# %% [markdown]
# ## All rows
#
# Type any words (a model, a quantity, a table) or choose a table, a status or a kind.

# %%
ledger.html("page")

# %% [markdown]
# ## Where the numbers come from
# <!-- fold -->
#
# **The counts.** The paper does not print how many answers were right and wrong at each confidence rating. The
# counts used here are **reconstructed**: *solved* from what it prints at $T = 1$: accuracy, accuracy by quarter of confidence,
# AUROC2, and meta-$I_{2r}$ plus its null mean, on the assumption that the eight ratings contain equally many
# answers. In each of the eight cells (four models, two question sets) exactly one table of whole numbers fits.
# What went into the solution cannot fail and is not counted; neither is what follows from it alone. What such a
# table yields beyond that (meta-$d'$, z-ROC slopes, $d_a$, intervals) is a test of the table and of the method.
# The counts are rows too, and wait for the trials to confirm them.
#
# **The first paper.** The same trials were first used in another paper by the same author, whose result files
# contain right and wrong answers in 20 bins of confidence at seven temperatures, and by domain. They give accuracy
# and the number of answers for every temperature and domain. A cell may lack a single trial or count it twice;
# where it does, the tolerance includes what one trial can change, and the row says so. AUROC2 and meta-$I_{2r}$ of
# eight ratings with other edges cannot be recomputed from 20 bins, but neither can they take just any value: the
# ratings are equally filled, so each run of ranks that lies in one bin and in one rating is known, and both bounds
# follow.
#
# **The trials.** M-ratio ([what it can and cannot say](study1-correction.ipynb)) by domain and temperature, with
# other numbers of ratings or with raw confidence, needs the author's 224,000 trials. They can be downloaded:
# `metacog data fetch cacioli-trials`, then `metacog ledger` (or this page again), and those rows fill in. No
# checksum of that file has been published; the ledger's record states which file it used.
#
# **Chance.** A percentile of $B$ random draws has the standard error $\sqrt{p(1-p)/B}\,/f(q)$, where $p$ is the
# percentile, $q$ its value and $f$ the density of the draws there, which our draws supply. Both sides were
# resampled, so their errors add (in squares). The tolerance is $z$ times that error,
# $z = \Phi^{-1}(1 - \alpha/2m)$ with $\alpha$ = {glue:text}`ledger_alpha` shared among the $m$ =
# {glue:text}`ledger_family` rows that rest on chance and are tested: $z$ = {glue:text}`ledger_z:.2f`. Rows that
# wait for data, that are inputs or repeats, or that cannot tell are not among the $m$. The mean of the permutation
# null has the error $s/\sqrt{B}$, and a permutation $p$ value that of a share.
#
# **Posteriors.** A mean and the ends of an interval from chains have the error of as many independent draws as the
# chains are worth, and the errors of both sides add in squares. Ours follows from our draws. The paper that prints
# posteriors names its sampler, which moves one parameter at a time: where few answers lie between two criteria,
# these hold each other in place, and tens of thousands of draws may be worth only a few hundred. So its error is
# simulated: the same sampler, with its default number of chains and draws, is run many times on the published
# counts. The error is the root of the mean squared distance between such a figure and the posterior's, which also
# includes the bias of chains too short to forget their starting point. It is capped at the posterior's standard
# deviation over the root of three, because three chains are worth at least three draws. Each of these rows also
# states what such chains give on average.
#
# **Two widths.** Study 2 states that its intervals are 95 % intervals, yet its numbers of verdicts on risk are
# reproduced only with wider ones, as wide as its test. Which width it used was inferred from these verdicts, so a
# figure reproduced by the wide interval only is an *input*, and the figure by the other width is shown next to it.
#
# **Method or absence.** Version 2 subtracts the null mean from the limits of meta-$I_{2r}$ as well. The null mean
# is small compared with the tolerance that chance requires: a limit that would agree without the subtraction too
# cannot tell, and does not count as a match. Nor does a number of valid resamples that would agree with none
# dropped. The seed and the algorithm of version 2 are known, but one stream of random numbers runs through all
# cells in the order of the trials: only the trials could replay it. What a single limit cannot tell, all of them
# together may: a row for the text of version 2 pools the limits of its aggregate table into the share of the null
# mean that was subtracted, which is 1 with the method and 0 without it.
#
# **One correction is undone to compare exactly.** Version 2 subtracts from each meta-$I_{2r}$ the mean of 2,000
# random permutations, which nobody else can draw again. The row `meta_i2r` therefore subtracts the *published*
# mean, and the row `null_mean` compares that mean with the exact one over all permutations.
