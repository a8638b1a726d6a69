# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The fourth hypothesis: equal skill, unequal self-knowledge?

# %% tags=["parameters"]
profile = "default"
other = ""
n_resamples = 10_000
seed = 42
verdicts = True

# %%
from metacog.studies import Kind, open_run

run = open_run("study1_qa", profile, other)
h4 = run.result("h4", n_resamples=n_resamples, seed=seed, verdicts=verdicts)
h4.glue()
h4.answer(note="own")

# %%
h4.figure("published")

# %% [markdown]
# If two models separate right from wrong answers equally well and yet differ in **M-ratio** (see
# [H1](study1-h1.ipynb)), then metacognition is a capacity in its own right. That is the fourth hypothesis, the
# "hidden structure" of the paper.
#
# :::{warning}
# The M-ratio of open answers is not a ranking of metacognition. It responds to the shape of the confidence
# distributions, and one value of it can come from many efficiencies and several causes: this is a computed verdict
# of [The correction](study1-correction.ipynb), where the order of the paper's models is reversed.
# :::

# %%
run.result("signal").text("which")

# %% [markdown]
# ## The rule, in two wordings
#
# The author's code and the paper's text do not ask the same thing. The code requires intervals that do not
# overlap, and intervals can overlap although the interval of the difference excludes zero; so the code is the
# stricter of the two. Neither checks that the two models are similar in $d'$, which is the point of the
# hypothesis.

# %%
h4.rules("code", "text")

# %%
h4.table("measures", folded=True)

# %%
h4.figure("plane")

# %%
h4.table("alone", folded=True)

# %%
h4.verdicts(Kind.PREREGISTERED)

# %% [markdown]
# ## The sound counterpart: same questions, and a test of similarity
#
# Both models answered the same questions, so questions are resampled for both at once: what an easy or a hard
# sample does to one it does to the other, and the difference is measured more sharply. Similarity in $d'$ is shown
# by two one-sided tests (**TOST**) with a bound of {glue:text}`h4_bound`, our choice. A pair must pass both tests,
# of difference and of similarity, so its $p$ is the larger of the two, and Holm's method adjusts *that* for the
# number of pairs: with many pairs, some would pass for similar by luck.

# %%
h4.rules("sound")

# %%
h4.table("shared", folded=True)

# %%
h4.figure("pairs")

# %%
h4.verdicts(Kind.SOUND)

# %% [markdown]
# How often does the rule pass on simulated models of which no two are both different and similar? Holm's
# adjustment is applied to the difference alone, and to both tests:

# %%
h4.table("levels", folded=True)

# %%
run.other_run("h4", "measures")

# %% [markdown]
# ## Published values and ours
# <!-- fold -->
#
# These values are recomputed from the paper's counts, with models resampled independently (which answers share a
# question is not public). "d' similar" is our test, not the paper's.

# %%
h4.table("comparison", folded=True)

# %%
h4.verdicts(Kind.PUBLISHED)

# %% [markdown]
# ## What would change your mind
#
# A pair that is shown to be similar in $d'$ and different in M-ratio satisfies the sound rule. Before reading it
# as hidden structure, look at the slope of the z-ROC of the two models ([d′ and dₐ](study1-collection.ipynb)): if
# the slopes differ, unequal spread alone can produce such a pair, and R2 of the [robustness
# chapter](study1-robustness.ipynb) shows how far. Equal slopes do not make it hidden structure either: a bend or a
# different accuracy moves M-ratio too ([The correction](study1-correction.ipynb)).
