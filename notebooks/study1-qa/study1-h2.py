# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The second hypothesis: does self-knowledge depend on the subject?

# %% tags=["parameters"]
profile = "default"
other = ""
domains = []  # those to compare; all, if none is named
n_resamples = 10_000
seed = 42
verdicts = True

# %%
from metacog.studies import Kind, open_run

run = open_run("study1_qa", profile, other)
h2 = run.result("h2", domains=domains, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
h2.glue()
h2.answer(note="printed")

# %%
h2.figure("areas")

# %% [markdown]
# A model may know what it knows about geography but not about art. The second hypothesis compares the **M-ratio**
# (see [H1](study1-h1.ipynb)) between four **domains** of questions.
#
# :::{warning}
# For open answers M-ratio is a statistic of the shape of one table and cannot be read as efficiency (the verdicts
# of [The correction](study1-correction.ipynb)). Domains are therefore compared on two measures that mean what
# their names say: **AUROC2**, the chance that a right answer carries more confidence than a wrong one, and
# **meta-I2r**, the share of the uncertainty about correctness that ratings remove.
# :::

# %%
run.result("signal").text("which")

# %% [markdown]
# ## The rule
#
# The rating edges are the model's at $T = 1$, the same for all its domains. Questions without a domain
# ("Unclassified") are left out.

# %%
h2.rules()

# %%
h2.table("domains", folded=True)

# %%
h2.figure("domains")

# %% [markdown]
# Every difference between two domains of one model, {glue:text}`h2_n_pairs` in all. Of these,
# {glue:text}`h2_flagged` involve a flagged domain (fewer than 50 right or wrong answers, or counts so thin that
# the constant added to every cell determines the result), and no verdict uses them:

# %%
h2.table("pairs", folded=True)

# %%
h2.verdicts(Kind.PREREGISTERED)

# %% [markdown]
# ## The sound counterpart: many comparisons, and a valid measure
#
# Six comparisons in each of several models are many chances to be surprised. **Bonferroni** divides the 5 % by the
# number of comparisons (the paper's 18); **Holm** does the same step by step and is never weaker. Then the same
# question is asked of AUROC2 and meta-I2r. meta-I2r depends on accuracy, in which domains differ, so it is also compared
# at one accuracy.

# %%
h2.verdicts(Kind.SOUND)

# %% [markdown]
# ## How accuracy gets into a comparison of domains
# <!-- fold -->
#
# A caution about meta-I2r first: it depends on accuracy, and domains differ in accuracy. Here is the same
# separation between right and wrong answers, the median one of this run's domains, at several accuracies:

# %%
h2.table("by_accuracy")

# %% [markdown]
# So a domain can have the lower meta-I2r for no other reason than being harder. Each domain is therefore also
# shown at one common accuracy, that of its model over all domains: the ratings of its right and of its wrong
# answers are kept as they are, and mixed in the model's proportion. This is what the domain would show if its
# accuracy changed while confidence, given right or wrong, did not. AUROC2 does not depend on how many answers are
# right.

# %%
h2.table("standardised", folded=True)

# %%
h2.table("unpadded", folded=True)

# %% [markdown]
# How level does that make the comparison? Simulated domains have the same separation but unequal accuracy, so that
# any difference of meta-I2r is an artefact. It is shown unadjusted, and at one common accuracy.

# %%
h2.table("levels")

# %% [markdown]
# ## Published values and ours
#
# Counts by domain *and rating* are not public, so the paper's domain values are shown as printed: M-ratio from
# version 1, AUROC2 with its interval and meta-I2r from version 2. (Version 2 prints intervals of meta-I2r as well,
# which lie too high: [The correction](study1-correction.ipynb).)

# %%
h2.table("comparison", folded=True)

# %%
h2.verdicts(Kind.PUBLISHED)

# %%
run.other_run("h2", "domains")

# %% [markdown]
# ## What would change your mind
#
# A domain difference that keeps its sign in another model, survives Holm's adjustment, and shows in meta-I2r at
# one accuracy as well as in AUROC2 would be hard to explain away. One that shows in M-ratio alone is a difference
# in the *shape* of the confidence distributions, and the shape can change for many reasons, accuracy among them
# ([The correction](study1-correction.ipynb)). Domains also differ in difficulty; the [robustness
# chapter](study1-robustness.ipynb) matches it (R6).
