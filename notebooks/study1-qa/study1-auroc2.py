# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # AUROC2 against M-ratio: two measures, two rankings

# %% tags=["parameters"]
profile = "default"
other = ""
n_permutations = 2_000
seed = 42
verdicts = True

# %%
from metacog.studies import Kind, open_run

run = open_run("study1_qa", profile, other)
ranks = run.result("auroc2", n_permutations=n_permutations, seed=seed, verdicts=verdicts)
ranks.glue()
ranks.answer()

# %%
ranks.figure("ranks")

# %% [markdown]
# What is the probability that a right answer carries more confidence than a wrong one, ties counting half? It is
# the area under the **type-2 ROC**, **AUROC2**: 0.5 if confidence knows nothing and 1 if it knows everything.
# Version 1 of the paper found that AUROC2 and the **M-ratio** (see [H1](study1-h1.ipynb)) rank the models in
# opposite orders, and read this as two kinds of metacognition.
#
# :::{warning}
# With open answers M-ratio is a statistic of the shape of one table, not of how much confidence knows, so the two
# measures answer different questions about the same table: see the verdicts of [The
# correction](study1-correction.ipynb). meta-I2r, the measure that version 2 uses (the share of the uncertainty
# about correctness that confidence removes), is shown next to both.
# :::

# %%
run.result("signal").text("which")

# %% [markdown]
# ## The exploratory question
#
# No rule was registered here; this one turns the paper's claim into a test. **Spearman's $\rho$** is 1 for equal
# and -1 for opposite orders. With so few models it can hardly ever be significant: the smallest possible $p$ is
# given next to it.

# %%
ranks.rules()

# %%
ranks.table("ranks", folded=True)

# %%
ranks.table("correlations", folded=True)

# %%
ranks.verdicts(topic="run")

# %% [markdown]
# ## Within domains
#
# AUROC2 and meta-I2r by domain at $T = 1$, in the form of version 2's table, but with our intervals: version 2's
# intervals of meta-I2r lie too high, by about the bias that the permutations remove, and its percentile intervals
# of AUROC2 are too short where few answers are right (or few are wrong). The interval shows how large the value
# is; whether meta-I2r is more than nothing is answered by the permutation $p$. Where simulated intervals like
# these did not contain the truth in 93 to 97 of a hundred cases, the table reports in how many they did.

# %%
ranks.table("domains", folded=True)

# %%
ranks.verdicts(topic="domains")

# %% [markdown]
# ## Published values and ours
#
# The paper's AUROC2 is of raw NLP and is shown as printed; that of the eight ratings is recomputed from the counts
# and is a little smaller, because ratings create ties.

# %%
ranks.table("comparison", folded=True)

# %%
ranks.verdicts(Kind.PUBLISHED)

# %%
ranks.table("published", folded=True)

# %%
ranks.verdicts(topic="published")

# %%
run.other_run("auroc2", "ranks")

# %% [markdown]
# ## What would change your mind
#
# If the two measures captured two real capacities, their disagreement would look similar on both question sets.
# Compare the correlation of AUROC2 and M-ratio on TriviaQA with that on NQ, for the same four models, in the table
# above; and then that of AUROC2 and meta-I2r.
