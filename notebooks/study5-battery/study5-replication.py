# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The battery on your own model

# %% tags=["parameters"]
profile = "default"
other = ""

# %%
from metacog.studies import open_run

run = open_run("study5_battery", profile, other)
monitoring = run.result("replication_monitoring")
monitoring.answer()

# %%
monitoring.figure("board")

# %% [markdown]
# The published responses are those of twenty large models. Here the same paradigm is run from the beginning, on
# items written for this project, with the models of this run. ([What the published responses
# are](study5-responses.ipynb), and [which of the twenty know what they know](study5-overview.ipynb).)
#
# The **withdraw delta** is the share of right answers that a model keeps minus the share of wrong ones, in percentage
# points; the twenty published models, on their own items, are shown in grey, *next to* the models below, not in one
# list with them.
#
# ## Does it withdraw what is wrong?

# %%
monitoring.verdicts(topic="delta")

# %%
monitoring.table("means", folded=True)

# %%
monitoring.table("per_track", folded=True)

# %% [markdown]
# A profile describes a habit, not an ability: a model that says the same word to every probe has a profile, too. The
# study rewards answers that are right and answers that are rightly doubted ([its payoffs](study5-regulation.ipynb)).
#
# ## What the choice hides
#
# A choice shows on which side of one half a probability lies. The probability itself may rise and fall with
# whether the answer is right although the choice never changes. **AUROC2** measures that: it is the chance that a
# right answer gets more of it than a wrong one.

# %%
monitoring.verdicts(topic="graded")

# %%
monitoring.table("graded", folded=True)

# %% [markdown]
# ## What is known at all
#
# Metacognition is knowledge about knowledge; where a model guesses, there is nothing to know about.

# %%
asked = run.result("replication_asked")
asked.glue()
asked.verdicts()

# %% [markdown]
# ## Looking ahead

# %%
regulation = run.result("replication_regulation")
regulation.box("chosen_paths")

# %%
regulation.table("paths", folded=True)

# %% [markdown]
# ## A screen before the measures
#
# The same [screen](study5-overview.ipynb), of T1 to T5, as for the published models:

# %%
screening = run.result("replication_screening")
screening.box("keep_found")

# %%
run.other_run("replication_asked", "cells", replication_monitoring="means")

# %% [markdown]
# ## The items
# <!-- fold -->

# %%
items = run.result("replication_items")
items.glue()
items.box("parallel")

# %% [markdown]
# {glue:text}`replication_items_items` items of {glue:text}`replication_items_kinds` kinds: the study's six tracks,
# its kinds of item and its number of items of each kind, but in other words. Items of T1 (nonce-word worlds), T4
# (ambiguous words) and T5 (magnitudes) are generated from a seed; those of T2, T3 and T6 are written and were
# answered a second time from the question alone. Another seed gives a parallel form, which the study does not have.
# A model that takes the longest option, or always the first, should gain nothing by it.

# %%
items.table()

# %%
items.box("giveaways")

# %% [markdown]
# Two things differ from the study. Every item has options, including those of T2 and T6, so that the probability
# of each reply can be read; a guess on T6 then earns as much as declining. And the wording is this project's.
#
# ## What was asked
# <!-- fold -->
#
# Each item is a conversation of its own: the question, an answer, KEEP or WITHDRAW, BET or NO_BET. On T6 the path
# is chosen first, with the question in view: answer directly (1 point if right), take a hint (0.5 if right, 0.1 if
# wrong), or decline (0.25). Replies are closed choices: the most probable of the options as they are written, or
# of the words, is taken, and the probabilities are kept. (`answers: letters` in a profile asks for letters
# instead.) Where an engine gives no probabilities, the option is looked for in what the model writes, and a reply
# that names none counts as lost, never as a choice.

# %%
asked.box("understood")

# %%
asked.table("cells")

# %% [markdown]
# What that took, in time and in tokens. An interrupted run continues where it stopped, and each stretch counts as a
# session.

# %%
asked.text("spent")

# %%
asked.table("cost")

# %% [markdown]
# ## Right answers, kind by kind
# <!-- fold -->

# %%
asked.figure("kinds")

# %%
asked.table("kinds")

# %% [markdown]
# A model that always takes the first option is right on half of the items with two, and knows nothing:

# %%
asked.table("places")

# %% [markdown]
# ## The screen, the scores and both probes together
# <!-- fold -->

# %%
screening.table("keep")

# %%
screening.box("bet_found")

# %%
screening.table("bet")

# %% [markdown]
# By the study's rule, track by track, next to the twenty published models on their own items:

# %%
monitoring.table("scores")

# %%
monitoring.text("habits")

# %% [markdown]
# Tracks differ in difficulty, so part of what a probability shows may be knowledge of which track is hard. Below are
# both probes together, read as [one confidence](study5-regulation.ipynb), and the same among answers of one track:

# %%
monitoring.table("states")

# %% [markdown]
# ## Would other items say the same?
# <!-- fold -->

# %%
regulation.box("agreement")

# %%
regulation.table("forms")

# %%
regulation.table("reliability")

# %% [markdown]
# ## What would change your mind
#
# That a model here monitors itself: a mean delta, or an AUROC2 of the probability of KEEP among answers of one
# track, whose entire interval lies above chance, in a parallel form as well. That it does not: the same intervals,
# narrow around chance, on kinds of item that it answers better than by guessing.
