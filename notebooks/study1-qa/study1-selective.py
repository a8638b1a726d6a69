# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Selective prediction: what is confidence good for?

# %% tags=["parameters"]
profile = "default"
other = ""
seed = 42
verdicts = True

# %%
from metacog.studies import Kind, open_run

run = open_run("study1_qa", profile, other)
selective = run.result("selective", seed=seed, verdicts=verdicts)
selective.glue()
selective.answer()

# %%
selective.figure("curves")

# %% [markdown]
# A model that knows what it does not know can stay silent. **Selective prediction** answers only the share of
# questions with the highest confidence, the **coverage**, and abstains on the rest. If confidence is worth
# anything, accuracy on the answered questions rises as coverage falls. This needs no model of metacognition, no
# $d'$ and no bins: it is what a user would notice.
#
# :::{warning}
# At $T = 1$ much of the gain can be the **luck of the draw** ([the chapter on it](study1-luck.ipynb)): sampling makes
# answers wrong that would mostly be right, and the confidence of an unlikely draw shows it. Who wants accuracy lowers
# the temperature first, so a table below shows the gain at the lowest temperature as well.
# :::

# %%
run.result("signal").text("which")

# %% [markdown]
# ## The question
#
# Exploratory, at $T = 1$; the interval is computed by resampling questions ({glue:text}`selective_resamples:,`
# times).

# %%
selective.rules()

# %%
selective.table("coverages", folded=True)

# %%
selective.verdicts(Kind.EXPLORATORY)

# %% [markdown]
# And where sampling decides least? A gain there has less luck in it, but starts from another accuracy, so accuracy of
# all answers stands next to it.

# %%
selective.table("halves", folded=True)

# %% [markdown]
# ## Risk and coverage in one number
#
# **Risk** is the share of wrong answers among those given. **AURC**, the area under the risk-coverage curve, is
# its mean over all coverages: the smaller the better. It depends on accuracy, so **E-AURC** (excess AURC)
# subtracts the AURC that a perfect ranking of the same answers would have; 0 is perfect.

# %%
selective.table("areas", folded=True)

# %% [markdown]
# ## Published values and ours
#
# At half coverage the counts of eight ratings are enough: the upper four ratings are the more confident half.

# %%
selective.table("comparison", folded=True)

# %%
selective.verdicts(Kind.PUBLISHED)

# %%
selective.figure("published")

# %%
run.other_run("selective", "areas")

# %% [markdown]
# ## What would change your mind
#
# A curve that follows its dotted line. Note what the curves do not show: a model can gain little because its
# confidence is poor, or because it was right nearly everywhere to begin with. Compare the order of models by gain
# with their order by M-ratio in [AUROC2 against M-ratio](study1-auroc2.ipynb), and with that by meta-I2r in [The
# correction](study1-correction.ipynb), which computes what an M-ratio of open answers responds to.
