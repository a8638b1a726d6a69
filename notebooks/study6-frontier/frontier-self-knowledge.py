# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Is it self-knowledge?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study6_frontier", profile)
self_knowledge = run.result("self_knowledge")
self_knowledge.glue()
self_knowledge.glue_figure("signals")
self_knowledge.answer("headline")

# %%
self_knowledge.figure("signals")

# %% [markdown]
# A model says 95 for one answer and 60 for another, and is right on the first. Does it know itself? Or does it only
# know that the second question is hard, as anybody could have told it? Every study of this book meets that question,
# and none can answer it with one model. Here {glue:text}`self_knowledge_n_models:d` models answered the same
# {glue:text}`self_knowledge_n_items:,` questions. So what a model says about its own answer can be compared with what
# *others* say about theirs. (Confidences that [nobody stated](frontier-ranking.ipynb) are left out, as in every chapter on these models.)
#
# **What remains need not be self-knowledge.** It is what a model's confidence says about its answers and difficulty for
# others does not: what these other models' answers do not account for. That is more than knowledge of oneself. If some
# models find other things hard than most do, and a model's confidence reads *that* difficulty, it remains as well. And
# it is less: what a model knows of itself, and difficulty shows too (it knows that it fails where all fail), has been
# taken off. So what remains is neither an upper nor a lower limit to self-knowledge.
#
# ## Own against others
#
# The confidence of another model knows nothing of this model's answer. If it tells right from wrong answers as well,
# nothing in this model's own confidence had to be about itself. But there are traps:
#
# - A mean over many models is better than one model simply because it is a mean. The fair rival is a *single* other
#   model: the median of them, and the best (chosen on one half of the items and measured on the other).
# - A mean has many values, stated confidence often five. So both are compared at equal numbers of levels as well.
# - Models of one family may share what they know. Others are of other families throughout, and equally many for every
#   model; all on the same items.
# - The share of others that are *right* looks at the key. Nobody could say it before the answer is marked. It is here
#   as the measure of how hard an item is.

# %%
self_knowledge.verdicts(topic="single")

# %%
self_knowledge.verdicts(topic="crowd")

# %%
self_knowledge.text("against")

# %%
self_knowledge.table("models", folded=True)

# %% [markdown]
# ## What remains within difficulty
#
# Take items that equally many models of other families answer rightly: they are, as far as these models can tell,
# equally hard. Is a model more confident in its right answers among *them*? Difficulty is counted from the answers of
# so many models, and so known with error only; the error leaves some difficulty in what seems to remain. What confidence would
# have there if it read difficulty and nothing else is estimated, and taken off.
#
# **A placebo.** Even so, something might remain of *anybody's* confidence. So the confidence of a model of another family
# is put in the place of the model's own, on the same items, with that whole family out of the count. It knows nothing of
# this model. Only what own confidence has more than the median of such placebos can be about oneself.
#
# There is one more way to be deceived: a model that weighs several kinds of difficulty unlike all others reads its own
# answers better than any placebo, and still only reads difficulty. How others differ shows those kinds. So own
# confidence must also add, in bits, to what the others' answers and confidence say in whatever blend fits this model best.
#
# In bits besides: how much does confidence say about being right, and how much of that does difficulty not say?

# %%
self_knowledge.verdicts(topic="remains")

# %%
self_knowledge.verdicts(topic="most")

# %%
self_knowledge.table("remains", folded=True)

# %% [markdown]
# ## What could have been seen?
# <!-- fold -->

# %%
self_knowledge.box("power")

# %%
self_knowledge.table("worlds", folded=True)

# %%
self_knowledge.table("proof", folded=True)

# %% [markdown]
# ## Everyone's confidence against everyone's answers
# <!-- fold -->
#
# Each model's confidence can be held against each model's answers, in a matrix whose diagonal is a model's confidence
# against its own. A row says how good a model's confidence is for anybody's answers, a column how well anybody's
# confidence tells this model's. What the diagonal has beyond both is called **privileged access**. The name says more
# than the number can: a difficulty that is this model's own stands in neither row nor column, and counts as well. So it
# must exceed what simulated models give that meet two kinds of difficulty and know nothing of themselves.

# %%
self_knowledge.box("diagonal")

# %%
self_knowledge.verdicts(topic="privileged")

# %%
self_knowledge.table("means", folded=True)

# %%
self_knowledge.table("advantage", folded=True)

# %% [markdown]
# ## Remainders, model by model
# <!-- fold -->

# %%
self_knowledge.figure("remains")

# %%
self_knowledge.text("cuts")

# %%
self_knowledge.table("ways")

# %% [markdown]
# With equal numbers of levels, and without the keys that the others put in doubt (a [wrong key](frontier-keys.ipynb)
# makes the others' errors look like difficulty):

# %%
self_knowledge.text("levels")

# %%
self_knowledge.text("without")

# %% [markdown]
# ## The matrix, and how many kinds of confidence there are
# <!-- fold -->

# %%
self_knowledge.figure("matrix")

# %% [markdown]
# If all models' confidences rise and fall together, there is one thing that they say: how hard the question is.

# %%
self_knowledge.text("several_factors")

# %%
self_knowledge.table("factors")

# %% [markdown]
# ## What would change your mind
#
# That something remains: a better measure of difficulty, from people or from more models of each kind, under which it
# vanishes. That not more remains: the same questions asked of one model several times, so that luck can be taken off
# as [study 1 does](study1-luck.ipynb).
