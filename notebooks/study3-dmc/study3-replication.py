# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The study's four questions, asked of this run's models

# %% tags=["parameters"]
profile = "default"
other = ""

# %%
from metacog.studies import open_run

run = open_run("study3_dmc", profile, other)
replication = run.result("replication")
replication.glue()
replication.answer()

# %%
replication.figure("auroc2")

# %% [markdown]
# The paper {cite:p}`wang2025dmc` asks four questions of three large models. Does DMC stay flat over data sets, as
# a measure of metacognition alone should (RQ1)? Which way of asking for confidence shows more metacognition (RQ2)?
# Which model has more (RQ3)? Does it go with knowing when to abstain (RQ4)? Its counts were not published, so here
# the same questions are asked of the book's trials. The ways of asking are explained on [the page
# before](study3-signals.ipynb).
#
# A model that is close to chance matters more for DMC than for other measures: MC and M-ratio divide by ability, and
# where ability may be 0 there is nothing to divide by.

# %%
replication.box("defined_cells")

# %% [markdown]
# ## RQ1: which measure is flat over sets?
#
# The coefficient of variation (CV) of a measure over sets is its standard deviation divided by its mean. Values
# that come from few questions differ by chance alone, so each CV is shown unadjusted and with that share
# subtracted, next to the CV that sampling alone would give. A CV needs at least two sets on which the measure is
# defined, and a mean that is not 0.

# %%
replication.box("variation")

# %%
replication.figure("variations")

# %% [markdown]
# A measure with another zero has another CV, as [simulated observers show](study3-dmc.ipynb): even a difference
# that is supported by its interval does not yet show which measure is the better one.
#
# ## RQ2: which way of asking?
#
# Ways of asking are compared on the base questions that both were asked, all sets together, and resampled
# together. Many pairs are examined, and one in twenty equal pairs will look unequal; the table reports how many
# that would be.

# %%
replication.box("ways_difference")

# %%
replication.table("ways_summary", folded=True)

# %%
replication.table("ways_apart", folded=True)

# %% [markdown]
# ## RQ3: which model?

# %%
replication.box("models_difference")

# %%
replication.table("models", folded=True)

# %% [markdown]
# ## RQ4: does it help to abstain?
#
# A model that knows when it is wrong can decline to answer. It answers where confidence reaches a threshold, chosen
# on one half of the questions and judged on the other. Two strategies need no confidence at all: answering
# everything, and answering nothing. **Gain** is the share of decisions that were right (answered and right, or
# abstained and wrong) minus that of the better of these two. Random confidence gains nothing by it, whatever the
# accuracy. It may well lose: a threshold learned where there is nothing to learn costs some right answers.

# %%
replication.box("abstaining")

# %%
replication.figure("abstained")

# %%
replication.box("relation")

# %%
run.other_run("replication", "accuracy_measures")

# %% [markdown]
# ## What is measured, and what cannot be
# <!-- fold -->
#
# A cell is a model, a way of asking and a set. Its answers and confidences form a **counts matrix**: right and
# wrong answers A and B (TA, FA, TB, FB) by rating. There are {glue:text}`replication_ratings` ratings of equal width,
# closed on the right, over the range of confidence observed in that cell. From the same counts come $\hat d$
# (ability), $d^*$ and MC = $d^*/\hat d$ by DMC, and M-ratio by maximum likelihood; both with the paper's padding,
# a constant added to every count.
#
# - **MC and M-ratio are undefined** where the 95 % interval of $\hat d$ reaches 0, or where an answer was never
#   right or never wrong.
# - **Determined by its padding** is a cell whose $\hat d$ or M-ratio moves by more than its standard error when
#   the constant added to every count goes from 0.1 to 1. It has no interval of $\hat d$ and no ratio.
# - **Nothing but accuracy** is shown for a way of asking that failed in this cell, or for too few trials: the
#   minimum numbers are those of every chapter ({glue:text}`replication_least_trials` trials,
#   {glue:text}`replication_least_of_a_kind` of them right and as many wrong).
# - **Meta-I2r** is computed from the same ratings, corrected for chance. **AUROC2** and **Brier** use confidence
#   as it was given.
# - **ECE** has {glue:text}`replication_ece_bins` bins of equal width from 0 to 1, and is debiased. That removes only part
#   of its bias: next to it is what a calibrated signal with the same confidences would show on average. Its
#   interval reaches 0 unless calibration is rejected (at 5 %, by drawing answers that come true as stated).
# - Intervals are 95 % intervals. They resample base questions within their set ({glue:text}`replication_resamples:,`
#   times), pairings and orders together, and each resample is the same for all models and ways of asking that had
#   these questions. Accuracy and AUROC2 have the intervals of every chapter (Wilson's, and that of placement
#   values).

# %%
replication.figure("ratios")

# %%
replication.table("ratios")

# %%
replication.table("accuracy_measures")

# %%
replication.table("together")

# %%
replication.table("counts")

# %%
replication.text("ranges")

# %% [markdown]
# ## Flatness in detail
# <!-- fold -->
#
# Sets that are left out are named. The paper also reports a CV of ECE. Here ECE is left out of CVs and of all
# comparisons: it adds up absolute gaps, so it lies above 0 even for a calibrated signal, by an amount that depends on
# how widely the signal spreads its confidence and on the number of questions. With so few of them a difference or a
# CV would mostly compare that.

# %%
replication.text("questions")

# %%
replication.table("gaps")

# %%
replication.table("variations")

# %% [markdown]
# ## Abstaining in detail
# <!-- fold -->
#
# **R-Acc** is the accuracy of what a model answers, **A-Acc** the share of decisions that were right. The threshold
# is chosen on one half of the questions and judged on the other, both ways round; every resample chooses it again.
# Answering everything has an A-Acc equal to the accuracy; answering nothing has one of 1 minus the accuracy, and for
# a model that is mostly wrong it is the better of the two. Which is the better one is learned, like the threshold,
# from the other half.

# %%
replication.table("abstained")

# %% [markdown]
# Does MC go with these shares? Spearman's $\rho$ is taken over the models and ways of asking that had the same
# questions, and AUROC2 is shown next to it. A measure and a share computed from the same answers rise together by
# luck alone, so one half of the questions is used for the measure and the other for the share, and $\rho$ is the
# mean of both ways round; where all know equally much it is 0 on average. Resampled ranks contain the noise twice,
# so the intervals lean towards 0. Ways of asking one model are alike in much else, so even a clear $\rho$ would
# not show that metacognition is the cause: R-Acc rises with mere ability too.

# %%
replication.table("relations")

# %% [markdown]
# ## What would change your mind
#
# About the answers that read *cannot be told apart*: more questions per set, which is one line in the profile.
# About those that read *undefined*: models further from chance. About DMC being flatter than the rest: CVs of MC,
# M-ratio and meta-I2r over the same sets, sampling variance subtracted, whose intervals do not overlap.
