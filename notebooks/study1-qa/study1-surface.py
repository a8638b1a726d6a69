# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Is it only the surface?

# %% tags=["parameters"]
profile = "default"
other = ""
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
surface = run.result("surface", seed=seed, verdicts=verdicts)
surface.glue()
surface.answer("headline")

# %%
surface.figure("left")

# %% [markdown]
# Confidence in this study is **NLP**, the mean log-probability of the tokens of an answer. It goes with being right. But
# it goes with other things as well: with how long the answer is, and with how common its words are. If short answers of
# common words are right more often, and their NLP is higher, then NLP tells right answers from wrong ones without any
# knowledge of them. A person with a ruler and a dictionary could do the same.
#
# So here each answer's length and the rarity of its words are held fixed, and it is asked what NLP still says. The same
# is then asked with the *other models'* NLP on the same question held fixed as well: what others see is difficulty, not
# knowledge of oneself.

# %%
run.result("signal").text("which")

# %%
surface.box("at_highest")

# %%
surface.verdicts(topic="surface")

# %% [markdown]
# ## What is held fixed
#
# - **Length**: the answer's tokens, of which NLP is the mean, and its characters.
# - **Word rarity**: how rare its rarest word is, by a table of how often words occur in English
#   {cite:p}`speer2022`. Their **Zipf frequency** {cite:p}`vanheuven2014` is the base-10 logarithm of how often a word occurs in a thousand million words: 7 to 8 for *the*,
#   about 3 for a word that is met once in a million. The rarest word is taken because one rare name makes an answer rare
#   whatever stands beside it.
# - **Other models**: their NLP in their own answers to the same question at the same temperature. It knows nothing of
#   this model's answer, only of the question.

# %%
surface.box("words")

# %% [markdown]
# ## How it is done
# <!-- fold -->
#
# A smooth model predicts from the control whether an answer is right. It is fitted on some questions and applied to
# the others (**cross-fitting**), so a control that says nothing gives about 0.5 by itself. Answers with about the
# same prediction form a stratum, ten in all: they are **alike** in the control, and right answers are compared with
# wrong ones of the same stratum alone {cite:p}`janes2009`. Answers of one stratum still differ a little. So what the
# control predicts of NLP is predicted in the same way and taken off: NLP that is only the surface gives 0.5. Its
# $p$ comes from permuting right and wrong within the strata.
#
# In bits there is no need for strata: what remains is the information that NLP adds to a model which has the control
# already. It can be *more* than NLP says by itself (a share above 1): where short answers are right more often and have
# the lower NLP, length hides what NLP says, and holding it fixed uncovers it.

# %%
surface.table("areas")

# %%
surface.table("bits")

# %% [markdown]
# ## And what other models see?

# %%
surface.verdicts(topic="all")

# %%
run.other_run("surface", "areas")

# %% [markdown]
# ## At the lowest temperature
# <!-- fold -->
#
# At $T = 1$ much of what NLP says is [the luck of the draw](study1-luck.ipynb), and an unlucky draw may be a long one
# with rare words. At the lowest temperature a model gives the answer that it would nearly always give.

# %%
surface.box("at_lowest")

# %% [markdown]
# ## One by one
# <!-- fold -->
#
# Features by themselves, with nothing fitted: which way they go with being right, and which way with NLP.

# %%
surface.box("directions")

# %%
surface.table("features", folded=True)

# %%
surface.table("temperatures", folded=True)

# %% [markdown]
# ## What would change your mind
#
# - **That something is left**: a better ruler. What is left is an upper bound of what no surface shows. Word classes,
#   the kind of question or the shape of an answer (a date, a name) are not held fixed; neither is how common a name is
#   *for the model*, which has read other texts than the table counts.
# - **That what is left is knowledge of oneself**: it need not be. Difficulty that one or two other models do not see,
#   and the luck of the draw, are left as well. And a control can be *too* good: if a model gives short answers because
#   it knows them, then length carries knowledge, and holding it fixed takes knowledge away. What is left is then less
#   than the model knows.
# - **That only the surface matters**: AUROC2 well above 0.5 among answers that are alike.
# - **That the method finds what is there**: simulated answerers of whom it is known. It was tried on four; the table
#   shows how far it missed.

# %%
surface.table("proof", folded=True)
