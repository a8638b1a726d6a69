# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 5: overview

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study5_battery", profile)
responses = run.result("responses")
monitoring = run.result("monitoring")
probes = run.result("probes_self_knowledge")
own = run.result("replication_monitoring")
monitoring.answer()

# %%
monitoring.figure("deltas", again=True)

# %% [markdown]
# **The question.** Having answered, does a model withdraw its wrong answers rather than its right ones (*monitoring*)?
# And does it choose well beforehand, to answer, to verify or to decline (*regulation*)?
#
# **What the paper did** {cite:p}`cacioli2026battery`. Twenty models answered 524 items in six tracks. After each item of
# the first five they could keep or withdraw the answer, and bet on it or not; the difference between right and wrong
# answers in how often they are kept is the *withdraw delta*. The responses are published.
#
# **What this book adds.** All responses analysed again, with the uncertainty of every rank; what is in the
# files; whether what is measured is knowledge of oneself; and the battery, in this project's words, for models of its own.
#
# ## What the book finds
#
# **What is in the files.**

# %%
responses.text("identical_files")

# %% [markdown]
# The chapter on the files leaves repeated files, declined items and answers that were logged wrongly out, or corrects
# them, and computes the paper's headlines again:

# %%
responses.text("changed_headlines")

# %% [markdown]
# **Is it self-knowledge?**

# %%
probes.text("keep_headline")

# %% [markdown]
# **Models that this book asked.**

# %%
own.text("habits")

# %% [markdown]
# ## Chapters
#
# - [What is in its files](study5-responses.ipynb): repeated files, keys in other characters, answers that were declined.
# - [Who knows what it knows?](study5-monitoring.ipynb): withdraw deltas, ranks, profiles, self-knowledge.
# - [Six tracks](study5-tracks.ipynb): which model leads where, and which items are hard.
# - [What is it good for?](study5-regulation.ipynb): does monitoring go with what a model chooses ahead? Size, thinking,
#   robustness.
# - [The battery on your own model](study5-replication.ipynb): the same items, asked on this computer.
