# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # How many trials?

# %% tags=["parameters"]
profile = "default"
d_prime = 1.0
m_ratio = 0.8
n_ratings = 5
half_width = 0.1
repetitions = 20
n_simulations = 2_000

# %%
from metacog.studies import open_run

run = open_run("study2_two_choice", profile)

# %%
sizes = run.result(
    "sample_size",
    d_prime=d_prime,
    m_ratio=m_ratio,
    n_ratings=n_ratings,
    half_width=half_width,
    repetitions=repetitions,
    n_simulations=n_simulations,
)
sizes.glue()
sizes.answer()

# %%
sizes.figure("half_width")

# %% [markdown]
# A ratio of two estimates needs more data than either. How many trials are needed can be found out before a single
# question is asked: invent an observer whose $d'$ and meta-$d'$ are known, let it answer, fit its answers with the
# code that fits the models, and see how far the estimates fall from the truth. The paper did this for one
# observer, whose $d'$ of 3.2 and meta-$d'$ of 3 are close to those of its best model, with 20 repetitions of each
# size {cite:p}`servajean2026`. Here are the same observer, many more repetitions in addition to the 20, and a
# second observer, closer to what a small model can do. The second is yours to change: its $d'$, M-ratio and number
# of ratings, and the wanted half-width, are the parameters of this page.
#
# The half-width of a 95 % interval is expected to be 1.96 times the spread of the estimate. The number of trials
# at which it falls to {glue:text}`sample_size_half_width` is solved for, and then checked by another simulation.

# %%
sizes.text("trials_needed")

# %%
sizes.text("widths")

# %%
sizes.table("needed", folded=True)

# %% [markdown]
# ## For your own model
#
# The more often a model is right, the larger its $d'$; use the second column to find its row. Near chance the
# numbers run away: with hardly any $d'$ to divide by, no affordable number of trials makes the ratio precise.

# %%
sizes.table("grid")

# %%
sizes.box("chosen_observer")

# %% [markdown]
# For another observer, run this page with other parameters, or use the command, which adds half a trial to every
# cell (its ratings are those of both responses together, twice the number here) and plans differences too:
#
# ```bash
# metacog power --measure m_ratio --value 0.8 --d-prime 1 --ratings 10 --half-width 0.1
# ```
#
# ## What this run can reach
#
# A run's sizes are fixed before its replies are read, so what it can show is known beforehand. Below, an observer
# whose M-ratio is 0.8 answers as many sentences as each task of this run has. The **floor** of a measure is the value
# that a model must have so that four in five runs of this size would tell it from a model whose confidence says
# nothing of its answers.

# %%
sizes.box("reach")

# %%
sizes.table("reached", folded=True)

# %% [markdown]
# ## How the estimates close in
# <!-- fold -->
#
# Some things had to be chosen: the paper's criteria are taken at equal distances, four on either side, which gives
# the five ratings of its experiments; stimuli are drawn at random, half of them S2; the sizes run from a cell of
# this run ({glue:text}`sample_size_trials_of_run:,` trials) to a cell of the paper on task A. Estimates are by maximum
# likelihood, and at a few sizes by the posterior. The second observer has $c = 0$ and uses all its ratings equally
# often.

# %%
sizes.figure("estimates")

# %%
sizes.table("spread")

# %%
sizes.box("failures")

# %% [markdown]
# Where fits fail, bias and spread are those of the tables that could be fitted, and so of a selection. A fit fails
# if all trials of one kind were answered the same way, so that $d'$ is infinite, or if meta-$d'$ ran away.
#
# ## Half a trial in every cell
# <!-- fold -->
#
# The customary remedy is to add half a trial to every cell of the table. Then every table can be fitted. It has a
# price, and an observer who rarely errs pays more of it, because meta-$d'$ rests on how wrong answers were rated,
# and most cells of wrong answers are nearly empty.

# %%
sizes.box("bias")

# %%
sizes.table("padded")

# %% [markdown]
# ## The posterior instead
# <!-- fold -->
#
# The paper's estimates are means of posteriors {cite:p}`fleming2017`. They need no half trial, because the priors
# do that work, and where data are few the priors show: $d'$ is normal about 0 and meta-$d'$ about $d'$, both with
# a standard deviation of 1.4, and the criteria about 0 with one of 0.7, though the outermost criteria of the
# paper's observer lie at 2. Sampling takes too long to be done for every size while this page is made, so the
# first repetitions of three sizes were drawn once, by `python benchmarks/sample_size_bayes.py`, for the paper's
# observer and for one with $d'$ 1 and M-ratio 0.8, whatever the parameters of this page.

# %%
sizes.text("posterior_means")

# %%
sizes.table("posteriors")

# %% [markdown]
# ## Is twenty enough?
# <!-- fold -->
#
# A mean over twenty repetitions has an error of its own, the spread divided by the root of twenty. The spread
# itself, on which a plan for a study rests, is known less well.

# %%
sizes.box("few_repetitions")

# %%
sizes.table("few")

# %% [markdown]
# ## What would change your mind
#
# These observers follow the model that is fitted to them. A real model's ratings need not: its interval may be as
# narrow, and yet centred on the wrong value. Whether the model of the ratings fits them is a question for the
# posterior predictive check ([the page on two choices](study2-two-choice.ipynb) makes one), not for the width. An
# interval from your own trials that is much wider than the one promised here shows another $d'$, another M-ratio or
# another use of the ratings than was assumed.
