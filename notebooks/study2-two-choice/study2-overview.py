# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 2: overview

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study2_two_choice", profile)
cells = run.result("two_choice")
posterior = run.result("posterior")
published = run.result("published_claims")
risk = run.result("risk")
sizes = run.result("sample_size")
own = run.result("replication_ratings")
cells.answer()

# %%
cells.figure("m_ratio", again=True)

# %%
risk.answer("heeded")

# %% [markdown]
# **The question.** Do large models use, when they say how sure they are, all the evidence on which they decided? And
# do they decide more cautiously when told that one kind of error is costly?
#
# **What the paper did** {cite:p}`servajean2026`. Three large models decided whether sentences were positive or
# negative, written or spoken, complete or with a word deleted, and then said how sure they were on a scale from 1 to 5.
# In further runs they were warned of one of the two errors. The tasks have two alternatives each, so d', meta-d' and
# M-ratio are defined as they are for people. All counts are published.
#
# **What this book adds.** The same results by two methods, a test of whether the fitted model describes the ratings, the
# number of trials that such a study takes, and the experiment on models of its own.
#
# ## What the book finds
#
# **Does the model behind the M-ratio fit?** It predicts how often each rating is used.

# %%
posterior.text("prediction")

# %% [markdown]
# **Risk and the criterion.** How far warnings move decisions, whether only the line between the answers moves, and how
# many of the paper's verdicts on that line follow from its counts:

# %%
risk.text("how_far")

# %%
published.text("c_agreement")

# %% [markdown]
# **How many trials it takes.**

# %%
sizes.text("trials_needed")

# %% [markdown]
# **Models that this book asked.**

# %%
own.text("finer_signals")

# %% [markdown]
# ## Chapters
#
# - [Two-choice metacognition](study2-two-choice.ipynb): nine cells of model and task, recomputed and compared.
# - [Risk and the criterion](study2-risk.ipynb): does a warning move the line or the sensitivity?
# - [The same experiment on your own models](study2-replication.ipynb): small models, stated confidence and other signals.
# - [How many trials?](study2-sample-size.ipynb): how precise an M-ratio is, by number of trials.
