# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # How far can the key be trusted?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study6_frontier", profile)
keys = run.result("keys")
keys.glue()
keys.answer("headline")

# %%
keys.figure("errors")

# %% [markdown]
# A very good model makes few mistakes, even on {glue:text}`keys_n_items:,` questions, and everything that its
# confidence is judged by are these few. But the answer key was written by people, and is wrong now and then. A model
# that gives the right answer there, and is sure of it, counts as confidently wrong. How much would that change?
#
# Nobody has looked at these questions for this book. What can be computed is this: on which items do nearly all
# *other* models agree on one answer, and it is not the key?
#
# ## What "suspected" means
#
# The key of an item is called **suspected** for a model when so many of the models of *other families* give one and
# the same answer that is not the key. The judged model and its family take no part in the choice: else leaving such
# items out would favour whoever goes with the crowd.
#
# Three things look alike here. The key may be wrong; or the key is right and the models share a misconception, as they
# share much of what they have read; or the question is merely hard, and one wrong option attracts more than the others.
# **No key is called wrong in this book that no person has looked at.** The first reading says: AUROC2 with all items is
# too low, and what is computed without them is nearer the truth. The others say: these are exactly the mistakes that a
# model should have doubted, and leaving them out flatters it.

# %%
keys.text("simulated")

# %%
keys.box("selection")

# %%
keys.table("rule", folded=True)

# %%
keys.verdicts()

# %% [markdown]
# ## Does the order change?

# %%
keys.box("order")

# %%
keys.table("orders", folded=True)

# %% [markdown]
# ## Where they lie

# %%
keys.box("where")

# %%
keys.table("subjects", folded=True)

# %% [markdown]
# ## For each model
# <!-- fold -->
#
# *As the key*: the model answers as the key where the others do not. *As the others*: it gives the answer that most of
# them give.

# %%
keys.table("models")

# %% [markdown]
# ## What would change your mind
#
# A person who knows the subject, and reads the suspected items: each is then an error of the key, or a misconception
# of the models, and no longer suspected. Others have gone through parts of these question sets by hand and found many
# erroneous keys; their marks are not part of the rows used here.
