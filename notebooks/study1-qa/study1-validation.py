# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Validation: is there anything to explain?

# %% tags=["parameters"]
profile = "default"
other = ""
verdicts = True

# %%
from metacog.studies import Kind, open_run

run = open_run("study1_qa", profile, other)
validation = run.result("validation", verdicts=verdicts)
validation.glue()
validation.answer()

# %%
validation.figure("quartiles")

# %% [markdown]
# Before a hypothesis is tested, the study asks whether its measurements make sense at all. Confidence here is the
# **NLP**, the mean log-probability of the words of an answer (see [Collection](study1-collection.ipynb)). If
# confidence knows nothing of correctness, or if there are too few right or wrong answers to compare, no later
# chapter means anything.
#
# Three things were fixed in advance:
#
# 1. At $T = 1$, accuracy rises over the four **quartiles** of NLP: the least confident quarter of answers, the
#    next, and so on.
# 2. Every domain of every model has at least 50 right and 50 wrong answers at $T = 1$.
# 3. Type-1 sensitivity $d'$ is compared with what an earlier study found for the same models.

# %%
run.result("signal").text("which")

# %% [markdown]
# ## Does accuracy rise with confidence?
#
# The rule:

# %%
validation.rules("quartiles")

# %%
validation.table("quartiles", folded=True)

# %%
validation.verdicts(topic="quartiles")

# %% [markdown]
# ## Are there enough of each kind?
#
# Answers *without a confidence* are excluded from the analysis and counted ({glue:text}`validation_empty:,` over all
# temperatures): empty ones have no words and so no NLP, and a model that is asked for a percentage may write none.

# %%
validation.rules("minimum")

# %%
validation.table("minimums", folded=True)

# %%
validation.verdicts(topic="minimum")

# %% [markdown]
# ## Sensitivity, measured twice
#
# $d'$ cuts the eight ratings in the middle: $d' = z(H) - z(F)$ with $H$ the share of right answers, and $F$ the
# share of wrong ones, above the cut; $z$ turns a share into a distance on the bell curve. $d_a$ uses all seven
# cuts: the points $(z(F), z(H))$ should lie on a straight line (the **z-ROC**), and $d_a$ is the line's distance
# from chance. Where its slope is 1, right and wrong answers are equally spread out and both numbers agree.

# %%
validation.table("sensitivity", folded=True)

# %% [markdown]
# ## What temperature does to the answers themselves
# <!-- fold -->
#
# Sampling at a high temperature can produce long, wandering texts. If many answers are cut off at the token limit
# or left empty, a change over temperature is partly a change of *texts*, not of metacognition. Replies that *went on*
# into another question were cut where it begins, before they were marked ([Collection](study1-collection.ipynb)).

# %%
validation.figure("temperature")

# %%
validation.table("answers")

# %% [markdown]
# How answers were marked: *exact* equals an accepted answer, *similar* has a similarity of at least 0.85 to one,
# *none* matches nothing.

# %%
validation.table("matches")

# %% [markdown]
# ## Are the marks right?
#
# A rule that compares letters can be wrong. 120 answers of each model at $T = 1$ in the reference run, 60 marked wrong
# and 60 marked right, were drawn by a seed and read, each with its question and the accepted answers. One reader, a
# language model, judged whether the answer is right; a stray word behind a right answer, or a title before it, makes
# it no less right. The intervals are Wilson's, for the share of all answers with that mark.

# %%
validation.text("marks")

# %%
validation.table("by_eye")

# %% [markdown]
# ## Flags
#
# Here is whatever is not as it should be, as data. Later chapters leave flagged cells out of their verdicts and
# state how many they left out. This run has {glue:text}`validation_flags` of them.

# %%
validation.table("flagged")

# %% [markdown]
# ## Published values and ours
#
# The paper's counts at $T = 1$ are public, so its quartiles and its $d'$ are recomputed here rather than copied.

# %%
validation.table("comparison", folded=True)

# %%
validation.verdicts(Kind.PUBLISHED)

# %% [markdown]
# The paper compared its $d'$ with $d_a$ of an earlier study of the same models: 1.39 for Llama-3-Instruct, 1.97
# for Mistral and 1.45 for the Llama-3 base model, and expected Mistral to differ.

# %%
run.other_run("validation", "quartiles")

# %% [markdown]
# ## What would change your mind
#
# One model whose accuracy falls from one quartile to the next would be enough to doubt NLP as confidence for that
# model. Many cut-off answers at $T = 1$ would be enough to doubt the rest.
