# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What is it good for?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study5_battery", profile)
regulation = run.result("regulation")
regulation.answer()

# %%
regulation.figure("dissociation")

# %% [markdown]
# Knowing that one is wrong is useful if something follows: asking for help, thinking longer, not answering. This
# page asks whether looking back goes with what is chosen ahead, what thinking and size change, how far the battery
# agrees with itself, and what both probes show when they are read as one confidence. ([What the responses
# are](study5-responses.ipynb).)
#
# ## Looking back and looking ahead
#
# On T6 a model chooses before it answers: directly (1 point if right), with a hint (half a point), or not at all
# (a quarter). Does a model with a large withdraw delta answer directly more often than others, or less?

# %%
regulation.verdicts()

# %% [markdown]
# The paper concludes that the two are dissociated. To show that nothing is there takes an interval that leaves
# little room, and twenty models leave much. The correlation depends on the few that do not answer nearly
# everything directly, among them one that [cannot follow the format](study5-responses.ipynb).
#
# Nor would a correlation say whether a model looks ahead *well*. Somebody who knows how well they will do asks for help
# where they need it. How often help is asked for is a habit; whether it is asked for on the items that would otherwise
# be failed would show in a difference between these and the others, and a model that answers nearly everything directly
# has next to no choices from which to compute one.

# %% [markdown]
# ## Thinking, and not thinking
#
# Two pairs of models differ, as far as one can tell from outside, mainly in whether they reason at length before they
# answer.

# %%
contrasts = run.result("contrasts")
contrasts.box("thinking")

# %% [markdown]
# Where a reasoner makes no mistake on a track, there is nothing to withdraw, and the comparison of deltas rests on
# the tracks that remain.
#
# ## Size
#
# Within a family, does metacognition grow with the model? On T2, the paper states, it falls in one family, rises
# in another and is flat in a third. Two questions are kept apart: whether the deltas follow that order, and
# whether the interval of the largest minus the smallest model distinguishes the difference from chance.

# %%
contrasts.box("size")

# %% [markdown]
# ## Does the battery agree with itself?
#
# Take three tracks on one side and three on the other: does a model's mean delta on the first predict the second?

# %%
robustness = run.result("robustness")
robustness.glue()
robustness.box("halves_agree")

# %% [markdown]
# Those halves contain different tracks, so that part of their disagreement may be about what the tracks ask. To
# see what the items alone leave open, the items of each kind are dealt into two equivalent halves,
# {glue:text}`robustness_splits:,` times. This shows what a parallel form would show, which the study lacks:

# %%
robustness.box("full_length")

# %% [markdown]
# A rate rests on all answers, but a delta depends on the wrong ones, of which there are few. (Two forms of the
# generated items, asked of one model, are compared [here](study5-replication.ipynb).)
#
# ## Both probes as one confidence
#
# Withdraw and do not bet; withdraw and yet bet; keep and do not bet; keep and bet. That is a confidence of four
# levels, and with it the measures of [study 1](study1-auroc2.ipynb) can be computed: **AUROC2**, the chance that a
# right answer carries more commitment than a wrong one, and **meta-I**, in bits. For KEEP alone AUROC2 is nothing
# new: it is $\tfrac12 + \tfrac12\,\text{delta}$, where the delta is that of the same answers taken together, and not
# the mean over tracks that models are compared by.

# %%
commitment = run.result("commitment")
commitment.figure("auroc2")

# %%
commitment.verdicts()

# %% [markdown]
# ## Paths, pairs and families in figures and tables
# <!-- fold -->

# %%
regulation.table("pairs")

# %%
contrasts.table("pairs")

# %%
contrasts.figure("scaling")

# %%
contrasts.verdicts()

# %%
contrasts.table("scaling")

# %% [markdown]
# ## Halves, and what the scissors do
# <!-- fold -->

# %%
robustness.figure("halves")

# %%
robustness.table("items")

# %% [markdown]
# The Cohen's $d$ between profiles C and A, the difference of their means in standard deviations, is
# {glue:text}`robustness_d:.2f` ({glue:text}`robustness_d_lower:.2f` to {glue:text}`robustness_d_upper:.2f`), which
# would be a gulf. But C and A were made by cutting the very same deltas at 15. Everything above the cut against
# everything below gives {glue:text}`robustness_d_at_cut:.2f`; a plain bell curve with the same mean and spread,
# cut at the same place, gives {glue:text}`robustness_d_without_kinds:.2f` with no kinds in it at all. These two
# figures show how much of the printed one is due to the scissors.
#
# ## Two measures on different answers
# <!-- fold -->
#
# Does AUROC2 order the models as the withdraw delta does? Computed from the same answers, the two would share their
# noise. So AUROC2 is taken from one half of the items and the delta from the other:

# %%
commitment.box("different_answers")

# %%
commitment.table("halves")

# %%
commitment.table("states")

# %%
commitment.table("measures")

# %% [markdown]
# *Pairs of one track* compares only answers on the same track, so that a model gets no credit for knowing that one
# track is harder than another.
#
# ## What would change your mind
#
# That the withdraw delta and answering directly are unrelated: a correlation whose interval lies close around zero,
# which needs more models, or models that ask for help more often. That size matters: a change from the smallest to the
# largest model of a family that its interval does not doubt. That profiles are kinds: a gap in the deltas that a
# bell curve does not have.
