# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # H3: does temperature move the criterion or the insight?
#
# Raising the **sampling temperature** $T$ makes a model bolder in its choice of words. The third
# hypothesis says that this moves where confidence is cut (the **type-2 criterion**) and leaves
# metacognitive sensitivity (**meta-$d'$**) as it is. Rating edges are those of $T = 1$ at every
# temperature, so a shift of confidence shows as a shift of the criterion.
#
# :::{warning}
# meta-$d'$ of open answers is taken from the same table as $d'$: the same separation, seen at other cuts,
# not a second, inner one. Where the two part, the table's shape has changed
# ([The correction](study1-correction.ipynb)). Read this page as being about the separation of right and
# wrong answers over temperature.
# :::

# %% tags=["parameters"]
profile = "default"
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %%
from metacog.studies import Kind, open_run

run = open_run("study1_qa", profile)
h3 = run.result("h3", n_resamples=n_resamples, n_permutations=n_permutations, seed=seed, verdicts=verdicts)
h3.glue()

# %% [markdown]
# ## The rule
#
# Two conditions were registered. **Spearman's $\rho$** is the correlation of ranks, here of a measure with
# the temperature.

# %%
h3.rules("range", "rho")

# %%
h3.table("temperatures")

# %%
h3.figure("temperature")

# %%
h3.table("summary")

# %%
h3.verdicts(Kind.PREREGISTERED)

# %% [markdown]
# ## The sound counterpart: a test that can show sameness
#
# The paper calls its range rule "TOST". It is not one: a small range of estimates can come from luck, and
# a large one from noise. Two one-sided tests (**TOST**) turn the burden round: the difference counts as
# negligible only if its 90 % interval lies within a bound fixed beforehand, here
# {glue:text}`h3_bound` as in the paper. Questions are resampled as wholes, so that both temperatures
# answer the same ones. And with four temperatures a rank correlation can only take a handful of values, so
# comparing two of them decides little.

# %%
h3.rules("tost", "criterion")

# %%
h3.table("equivalence")

# %%
h3.figure("equivalence")

# %%
h3.table("criteria")

# %%
h3.verdicts(Kind.SOUND)

# %% [markdown]
# ## Version 2's measures over temperature
#
# Here each temperature makes its own rating edges, as version 2 does, so that a mere shift of confidence
# cannot look like a loss of insight. Intervals of meta-I2r are made as published and sit a little high.

# %%
h3.table("corrected")

# %% [markdown]
# ## Published beside ours
#
# Counts at other temperatures are not public; the statistics are recomputed from the printed table.

# %%
h3.table("beside")

# %%
h3.verdicts(Kind.BESIDE)

# %% [markdown]
# ## What would change your mind
#
# A paired interval wholly outside the band would show that temperature does change the separation of right
# and wrong answers. Intervals that merely stick out say that the run is too small to tell; more questions,
# not more temperatures, would narrow them.
