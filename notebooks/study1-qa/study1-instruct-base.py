# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Instruct and base: does tuning change self-knowledge?

# %% tags=["parameters"]
profile = "default"
other = ""
n_resamples = 10_000
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
tuned = run.result("instruct_base", n_resamples=n_resamples, seed=seed, verdicts=verdicts)
tuned.glue()
tuned.answer()

# %%
tuned.figure("differences")

# %% [markdown]
# A **base** model is trained to continue texts; an **instruct** model is the same network tuned further to follow
# instructions. Tuning is known to disturb how well a model's probabilities match how often it is right. The paper
# has one such pair, Llama-3-8B, and compares the two.
#
# What can be compared fairly: accuracy; **AUROC2**, the chance that a right answer carries more confidence than a
# wrong one; **meta-I2r**, the share of uncertainty about correctness that confidence removes; and the **slope of
# the z-ROC**, below 1 where right answers are more spread out in confidence than wrong ones.
#
# :::{warning}
# $d'$, meta-$d'$ and M-ratio are listed as in version 1. For open answers M-ratio is a statistic of the shape of
# one table and does not rank models by metacognition: see the verdicts of [The
# correction](study1-correction.ipynb).
# :::

# %%
run.result("signal").text("which")

# %% [markdown]
# ## This run

# %%
tuned.rules()

# %%
tuned.table("differences", folded=True)

# %%
tuned.verdicts(topic="run")

# %% [markdown]
# ## Published values and ours
#
# Llama-3-8B-Instruct and Llama-3-8B, from the paper's real counts at $T = 1$ on both of its question sets. Each
# model is resampled separately, since the counts do not show which answers share a question; paired intervals
# would be narrower. meta-I2r is not corrected for bias here: both models have equally many answers, so the bias
# all but cancels in the difference.

# %%
tuned.table("triviaqa", folded=True)

# %%
tuned.verdicts(topic="TriviaQA")

# %%
tuned.table("nq", folded=True)

# %%
tuned.verdicts(topic="Natural Questions")

# %%
run.other_run("instruct_base", "differences")

# %% [markdown]
# ## What would change your mind
#
# One pair cannot support a statement about tuning in general. A second family with the same signs would begin to;
# add one with `metacog add-model` and `base_of` ([how](../book/new-model.md)). Watch the slope of the z-ROC:
# unequal slopes alone move M-ratio, with nothing lost ([The correction](study1-correction.ipynb)).
