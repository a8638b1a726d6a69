# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The frontier: large models, ranked as far as they can be

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study6_frontier", profile)
ranking = run.result("ranking")
ranking.glue()
ranking.answer("headline")

# %%
ranking.figure("forest")

# %% [markdown]
# The models that this book can ask on an ordinary computer are small. In 2026 the author of studies 1 and 5 asked
# {glue:text}`reading_n_models:d` large ones, of {glue:text}`reading_n_families:d` families, the same
# {glue:text}`reading_n_items:,` multiple-choice questions, and published every reply: a letter, and a confidence from 0
# to 100 {cite:p}`cacioli2026atlas`. His *Metacognitive Profile Atlas* ranks the models by AUROC2:
# how well stated confidence tells a model's right answers from its wrong ones. 0.5 is what a coin would do, 1 is a
# confidence that is always higher when the answer is right.
#
# How much of such a ranking would still be there if other questions had been drawn?
#
# A **rank that cannot be ruled out** is found like this: of two models, is one certainly better, given how much both
# values would vary with other questions? All pairs are asked together, so that asking often does not make chance
# findings. A model's rank then lies between one more than the number of models that are certainly better, and the
# number that is left when the certainly worse ones are taken off. Such sets hold for models that are equal as well.

# %%
ranking.verdicts()

# %%
ranking.box("printed_order")

# %% [markdown]
# ## A number nobody stated
#
# Where the author's program found no confidence in a reply, it wrote 50. His note on parsing says so; the table of
# areas does not.

# %%
ranking.box("put_in")

# %% [markdown]
# The replies that state a number are not a sample of all: they are those in which the model kept to the form.
# So neither value is *the* value of this model. But the one with numbers that it did not state says nothing about what
# it knows.
#
# ## By other measures
#
# Accuracy is how often a model is right. meta-I2r is the information that confidence carries about being right, as a
# share of the uncertainty that there is; $d_a$ is the distance between confidence in right and in wrong answers, in
# standard deviations. Expected calibration error (ECE) and the Brier score ask something else: whether 90 means that
# 90 of 100 such answers are right. The terms are explained in [the measures](measures.ipynb).

# %%
ranking.box("measures_agree")

# %% [markdown]
# ## Domains
#
# The atlas divides the questions into domains of equal size and gives every model an area in each. A very good model makes
# few mistakes in a domain, and an area is a comparison of right answers with wrong ones.

# %%
ranking.box("few")

# %% [markdown]
# ## A screen before any measure
#
# The author puts a check before his measures: does a model call nearly everything certain (L, the share of wrong
# answers with high confidence), or doubt what it knows (Fp, the share of right answers with low confidence), or point
# the wrong way (RBS)? Confidence is cut at each model's median.

# %%
ranking.box("screened")

# %% [markdown]
# ## The models in tables
# <!-- fold -->

# %%
ranking.table("order")

# %%
ranking.table("counted")

# %%
ranking.table("measures")

# %%
ranking.table("cells")

# %%
ranking.table("screen")

# %% [markdown]
# ## What is in the rows
# <!-- fold -->
#
# Before anything is computed, the rows are read: does one stand twice, is every model asked everything, does every
# reply hold an answer and a confidence?

# %%
reading = run.result("reading")
reading.glue()
reading.box("repeats")

# %%
reading.box("partial")

# %%
reading.table("runs")

# %%
reading.text("ties")

# %%
reading.table("confidences")

# %% [markdown]
# ## Do the intervals hold what they promise?
# <!-- fold -->

# %%
ranking.text("covered")

# %%
ranking.table("coverage")

# %% [markdown]
# ## What would change your mind
#
# That few ranks are certain: a second draw of as many questions on which most models keep their place. That one number
# says nothing about GPT-oss-120B: its replies again, with the confidence read from all of them.
#
# The rows are the author's (CC BY 4.0), as at commit ca31180 of his repository. Changes were made: repeated rows and
# the texts of the questions are left out. `metacog data fetch atlas` downloads his files and compares them with the
# table that this book carries (tried with a server of this book's own that has the same paths; not with his, for want of
# a network). [The ledger](ledger.ipynb) shows which of his printed figures are reproduced.
