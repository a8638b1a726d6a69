# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The frontier: overview

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study6_frontier", profile)
ranking = run.result("ranking")
keys = run.result("keys")
self_knowledge = run.result("self_knowledge")
self_knowledge.answer("headline")

# %%
self_knowledge.figure("signals", again=True)

# %% [markdown]
# **The question.** How much of a large model's confidence is knowledge of *itself*? The five studies cannot tell,
# since each looks at one model at a time: a model that is less sure of hard questions need know nothing but that
# they are hard.
#
# **What was published** {cite:p}`cacioli2026atlas`. The *Metacognitive Profile Atlas*: replies of 33 large models to
# the same 1,500 multiple-choice questions, each a letter and a confidence from 0 to 100, with a ranking by AUROC2.
#
# **What this book adds.** Ranks with their uncertainty, a search for wrong answer keys, and the comparison that only
# such data allow: a model's own confidence against the confidence of others in the same questions.
#
# ## What the book finds
#
# **How far the models can be ranked.**

# %%
ranking.text("headline")

# %% [markdown]
# **How far the answer key can be trusted.**

# %%
keys.text("headline")

# %% [markdown]
# ## Chapters
#
# - [Ranked as far as they can be](frontier-ranking.ipynb): which ranks other questions would leave standing.
# - [How far can the key be trusted?](frontier-keys.ipynb): items on which nearly all models contradict the key.
# - [Is it self-knowledge?](frontier-self-knowledge.ipynb): own confidence against that of others, and what remains.
