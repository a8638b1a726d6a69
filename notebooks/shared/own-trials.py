# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Your own trials: the report

# %% tags=["parameters"]
profile = "default"
folder = ""
n_resamples = 2_000
seed = 42

# %%
from metacog.imports.view import open_trials

own = open_trials(folder, n_resamples=n_resamples, seed=seed)
own.answer()

# %%
own.figure("auroc2")

# %% [markdown]
# What follows was computed from one file of trials: for every answer, whether it was right and how sure the model
# was. `metacog import-trials FILE --correct COLUMN --confidence COLUMN` reads such a file, checks it and generates
# this page from it.

# %% [markdown]
# ## What was read
#
# Rows that lack required values are left out and counted here, with the reason; nothing is filled in.

# %%
own.source()

# %% [markdown]
# ## A screen before the measures
# <!-- fold -->
#
# Before anything is measured it can be asked whether the signal says anything about single answers at all.

# %%
own.about_screen()

# %%
own.screen_verdict()

# %%
own.screen()

# %% [markdown]
# ## The verdict
#
# Each sentence is computed from the tables below. Intervals are 95 % intervals from resampling, except that of
# AUROC2, which comes from placement values (for each answer, the share of the other class that it is ordered
# correctly against). Where questions are named, the question is the unit, because answers to the same question are
# not independent. Whether ratings know more than nothing is answered by a permutation test.

# %%
own.verdicts()

# %% [markdown]
# ## The measures
#
# Accuracy shows how much a model knows. The other measures show how well its confidence distinguishes what it
# knows from what it does not, which is another matter.

# %%
own.reading()

# %%
own.measures()

# %%
own.figure("risk_coverage")

# %% [markdown]
# ## Does confidence come true?
# <!-- fold -->
#
# A calibrated model is right on eight of ten answers to which it gives 80 %. This can be tested only where
# confidence is a probability; on any other scale only the order is used, and this part stays empty.

# %%
own.figure("reliability")

# %% [markdown]
# ## The posterior of M-ratio
# <!-- fold -->
#
# Where a task has two choices, M-ratio is meta-d' over d': at 1, confidence uses all the evidence that the
# decision used. (Why it is less informative without a decision is explained in the book's chapter
# `study1-correction`.) In addition to the fit above it then has a **posterior** (HMeta-d, Fleming 2017).

# %%
own.posterior()

# %%
own.posterior("about")

# %%
own.posterior("verdicts")

# %%
own.posterior("table")

# %%
own.posterior("m_ratio")

# %%
own.posterior("sampling")

# %%
own.posterior("check")

# %%
own.posterior("predictive")

# %%
own.posterior("roc")

# %%
own.posterior("left_out_of_roc")

# %%
own.posterior("about_group")

# %%
own.posterior("group")

# %%
own.posterior("group_table")

# %%
own.posterior("members")

# %% [markdown]
# ## By domain and temperature
# <!-- fold -->
#
# Parts are shown where the file names them and there are several. A part with too few trials, or with answers that
# are all right or all wrong, is flagged and left without numbers.

# %%
own.parts("domain")

# %%
own.part_verdicts("domain")

# %%
own.parts("temperature")

# %%
own.part_verdicts("temperature")

# %%
own.figure("domains")

# %%
own.figure("temperatures")

# %% [markdown]
# ## Differences between models
#
# Where models answered the same questions, the difference is taken question by question. Whether two models differ
# is judged by the bootstrap p of their difference, adjusted by Holm's method over all pairs; intervals are widened
# so that they hold for all pairs together. A model's *place may be* anything from 1 + the number of models that
# are significantly better to the number of models minus those that are significantly worse, for all models at once
# with 95 % confidence. Models that share a letter cannot be distinguished.

# %%
own.ranks()

# %%
own.pairs()

# %%
own.about_pairs()

# %%
own.level()

# %% [markdown]
# ## Is it self-knowledge?
#
# Confidence that is higher for right answers may say what a model knows of itself, or only how hard a question is,
# which any other model could have said as well. Where at least three models answered the same questions, the two can
# be told apart, within limits.

# %%
own.self_knowledge("answer")

# %%
own.self_knowledge("picture")

# %%
own.self_knowledge("about")

# %%
own.self_knowledge("remains")

# %%
own.self_knowledge("like_these")

# %%
own.self_knowledge("against")

# %%
own.self_knowledge("models")

# %%
own.self_knowledge("diagonal")
