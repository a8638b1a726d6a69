# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 4: overview

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study4_probe", profile)
audit = run.result("published")
panel = run.result("published_panel")
items = run.result("replication_items")
audit.answer()

# %%
audit.figure("sweep", again=True)

# %% [markdown]
# **The question.** Is there one ability to know one's limits, or are calibration, vigilance against flaws, and
# knowledge of what cannot be answered different things?
#
# **What the paper did** {cite:p}`oliveira2026probe`. Eight large models and a panel of people answered 78 questions in
# five tasks, each scored from 0 to 100. The paper prints scores, correlations and twelve answers of one model; the
# answers of the rest are not published.
#
# **What this book adds.** It checks the printed figures against one another, and runs five tasks with items written for
# this project on models of its own.
#
# ## What the book finds
#
# **The same confidence throughout.** Of three models the paper reports that they stated one confidence for every item
# of the task that is about it.

# %%
audit.text("constant_confidence")

# %% [markdown]
# **Do the tasks rank models alike?**

# %%
panel.text("rank_agreement")

# %% [markdown]
# **Which order the printed correlations imply.** The models' scores on five public benchmarks are not printed, the
# correlations with them are.

# %%
audit.text("external_orders")

# %% [markdown]
# **How models that this book asked state confidence.**

# %%
items.text("strategy_classes")

# %% [markdown]
# ## Chapters
#
# - [From its printed figures](study4-published.ipynb): what the printed scores, correlations and answers imply.
# - [On this run's models](study4-replication.ipynb): five tasks, scores, strategies, and whether confidence follows entropy.
