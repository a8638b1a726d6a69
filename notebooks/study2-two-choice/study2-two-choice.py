# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Two-choice metacognition

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study2_two_choice", profile)
cells = run.result("two_choice")
cells.glue()
cells.answer()

# %%
cells.figure("m_ratio")

# %%
posterior = run.result("posterior")
posterior.glue()
posterior.box("prediction")

# %% [markdown]
# A sentence is positive or negative; was spoken or written; lacks a word or does not. Three models decide which,
# and then say on a scale from 1 to 5 how sure they are. This is the design that the measures of metacognition were
# made for, and its authors published all their counts {cite:p}`servajean2026`: {glue:text}`two_choice_trials:,`
# trials in nine cells. This page recomputes their results.
#
# The two alternatives are called **S1** and **S2**: negative and positive, oral and written, complete and with a
# word deleted. An S2 that is called S2 is a **hit**; an S1 that is called S2 is a **false alarm**. Two numbers
# describe the decision. **$d'$** is how far apart the two kinds of sentence are to the model,
# $d' = z(\text{hits}) - z(\text{false alarms})$, where $z$ turns a share into a distance on the bell curve. The
# **criterion $c$** is where it draws the line between them. **meta-$d'$** is the $d'$ that an ideal observer would
# need to give just these confidence ratings to its right and its wrong answers, and the **M-ratio** is meta-$d'$
# over $d'$: at 1, confidence uses all the evidence that the decision used.
#
# ## Why the M-ratio means something here
#
# Study 1 used the same ratio where there was no decision, and [its correction](study1-correction.ipynb) shows the
# result: both halves came from the same table of confidence, so the ratio followed the table's shape. Here they
# are two different things. $d'$ rests on *what was answered*: 0 or 1. meta-$d'$ rests on *how sure* the model said
# it was, given its answer. That makes the ratio defined. It does not make it assumption-free: it still supposes two
# bell curves of equal spread. So measures without that assumption follow further down.
#
# ## How much is wasted, and by whom?
#
# meta-$d'$ is fitted by maximum likelihood {cite:p}`maniscalco2012`; intervals come from resampling the trials
# {glue:text}`two_choice_resamples:,` times. Differences of ratios are taken on a logarithmic scale, so that half and
# double are equally far from 1. The paper calls a difference *practically significant* only if its interval lies
# outside a **region of practical equivalence** (ROPE) {cite:p}`kruschke2018`, here 0.05 on either side: inside it a
# difference would be too small to matter. An interval entirely inside is *negligible*; one that overlaps the edge is
# *inconclusive*. A difference whose interval contains 0 is *not significant*, whatever the ROPE.

# %%
cells.box("optimality")

# %%
cells.figure("log_ratios")

# %%
cells.box("models_compared")

# %%
cells.box("tasks_compared")

# %% [markdown]
# ## Without bell curves
#
# **AUROC2** is the chance that a right answer carries more confidence than a wrong one; 0.5 is chance. **meta-I**
# is how many bits of information the confidence carries about whether the answer is right {cite:p}`dayan2023`,
# minus what chance alone would give. It comes in three units: **meta-I1r**, relative to the information of an
# ideal observer with this $d'$ (defined here, because there is a two-choice $d'$); **meta-I2r**, relative to all
# the uncertainty there is about correctness; and **RMI**, relative to the most information that any observer of
# this accuracy could convey.

# %%
cells.box("orders")

# %% [markdown]
# AUROC2 rises with $d'$ too, so a different order by AUROC2 says little against that of the M-ratio. M-ratio and
# meta-I1r ask the same question, and need not give the same answer. M-ratio forgives a model that uses
# two of five levels: it asks which $d'$ fits the levels that were used. meta-I1r does not: what five coarse levels
# cannot carry is lost, whoever is to blame.
#
# ## Are the printed figures reproduced?
#
# The paper's figures are means of a Bayesian posterior {cite:p}`fleming2017`, the distribution of the values that
# remain credible given the counts and the priors. It is obtained by drawing from it: four chains walk through it,
# and what they agree on is kept. Whether a figure is reproduced is for [the ledger](ledger.ipynb) to decide: each
# may be off by its last digit and by the Monte-Carlo errors of both sides.

# %%
posterior.box("figures_reproduced")

# %%
posterior.box("unexplained")

# %%
posterior.box("sampling_quality")

# %% [markdown]
# ## Accuracy by confidence
# <!-- fold -->
#
# The plainest picture of all: of the answers given with confidence 3, how many were right? As in the paper, points
# that rest on few trials are left out, here fewer than {glue:text}`two_choice_fewest`.

# %%
cells.figure("accuracy")

# %%
cells.box("falls")

# %%
cells.text("left_out")

# %% [markdown]
# ## The nine cells in tables
# <!-- fold -->

# %%
cells.table("cells")

# %%
cells.table("optimality")

# %%
cells.table("models")

# %%
cells.table("tasks")

# %%
cells.table("without_model")

# %% [markdown]
# ## The posteriors, and how they were drawn
# <!-- fold -->
#
# R-hat compares the chains: at 1 they cannot be distinguished, above 1.01 they have not converged. Effective draws
# are the number of independent draws they are worth. A divergence is a place the sampler could not go through. An
# M-ratio at or below 0 has no logarithm, and with more than 1 % of such draws no decision is made; nor is one made
# where $d'$ is too close to 0 to be divided by.

# %%
posterior.table("sampling")

# %%
posterior.figure("forest")

# %%
posterior.table("cells")

# %% [markdown]
# Three routes to the same figure: maximum likelihood, this posterior, and the printed value.

# %%
posterior.table("d_prime")

# %%
posterior.table("meta_d")

# %%
posterior.table("m_ratio")

# %%
posterior.box("likelihood")

# %% [markdown]
# Where a cell is not reproduced, is it the model, the sampler or the counts? $d'$ helps to decide: it needs neither
# a sampler nor confidence, only the two shares of answers. And the paper names its sampler, so chains like the
# paper's can be drawn.

# %%
cells.box("published_d_prime")

# %% [markdown]
# The three comparisons, by the posterior:

# %%
posterior.box("optimality")

# %%
posterior.table("optimality")

# %%
posterior.table("models")

# %%
posterior.table("tasks")

# %% [markdown]
# ## The verdicts of the text, pair by pair
# <!-- fold -->
#
# First on $d'$, then on the M-ratio by the posterior, and last by maximum likelihood. Wide intervals are as wide as
# those of a test that allows for 27 comparisons.

# %%
published = run.result("published_claims")
published.glue()
published.box("models_agreement")

# %%
published.table("models")

# %%
posterior.box("verdicts_agreement")

# %%
posterior.table("verdicts")

# %%
published.box("ratios_agreement")

# %%
published.table("ratios")

# %% [markdown]
# ## Ratings that the model does not make
# <!-- fold -->
#
# A posterior shows which parameters are credible *if* the model is right. Whether it is right can be tested by
# letting it answer: draw parameters, draw ratings for as many trials, and see whether the observed ratings are
# among them. With ten to twenty thousand trials per cell even a small misfit shows.

# %%
posterior.figure("predictive")

# %%
posterior.table("predictive")

# %%
cells.figure("confidence_given")

# %% [markdown]
# ## Three models as a group
# <!-- fold -->
#
# Nine cells, each taken alone, tell nothing about models at large. The **hierarchical** model supposes that the log
# M-ratio of a cell is the mean of its task, plus an effect of its model that is the same on all tasks, plus a rest of
# its own, and that effects and rests are normal. It estimates the means and both spreads together with every cell.

# %%
group = run.result("posterior_group")
group.glue()
group.box("group_m_ratio")

# %%
group.box("sampling_quality")

# %%
group.table("groups")

# %%
group.table("cells")

# %% [markdown]
# ## What would change your mind
#
# About a model falling short of the optimum: an interval of log M-ratio that reaches into the ROPE; the section on
# how much is wasted names the cells, if any, in which one does. About the order of models: a measure without bell
# curves that takes $d'$ off, as meta-I1r does, and orders otherwise models whose intervals are apart. About a printed
# figure: counts that give it.
