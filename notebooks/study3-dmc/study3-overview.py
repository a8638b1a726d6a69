# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 3: overview

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study3_dmc", profile)
decoupling = run.result("decoupling")
estimators = run.result("estimators")
published = run.result("published")
signals = run.result("signals")
decoupling.answer()

# %%
decoupling.figure("decoupling", again=True)

# %% [markdown]
# **The question.** A capable model is right more often, and therefore easier to be confident of. Can its ability to
# predict its own failures be measured with that ability taken out?
#
# **What the paper did** {cite:p}`wang2025dmc`. It asked three models for confidence in six ways (a stated percentage,
# with and without a chain of thought, the agreement of several answers, and others) on eight data sets, and proposed a
# measure, DMC, which divides a fitted sensitivity of confidence by the sensitivity of the answers. It argues that DMC
# is stable across data sets, and so about metacognition alone. Counts and trials are not published.
#
# **What this book adds.** The estimator, next to the M-ratio that it resembles; what follows from the printed figures;
# and nine ways to elicit confidence from models of its own.
#
# ## What the book finds
#
# **Could the published stability be seen?** The measure's coefficient of variation (CV) over data sets is small in
# print.

# %%
estimators.text("needed")

# %% [markdown]
# **What the printed figures let us check.**

# %%
published.text("agreement")

# %%
published.text("auroc")

# %% [markdown]
# **Models that this book asked.**

# %%
signals.text("best")

# %% [markdown]
# ## Chapters
#
# - [DMC](study3-dmc.ipynb): how the measure is made, and when it differs from the M-ratio.
# - [What the printed figures allow](study3-published.ipynb): averages, deviations and bounds from the tables.
# - [Nine ways to ask](study3-signals.ipynb): which signal of confidence ranks right answers above wrong ones?
# - [The study's four questions](study3-replication.ipynb): asked of this run's models.
