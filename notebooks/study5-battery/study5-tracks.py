# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Six tracks: which model leads, and which fails where

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study5_battery", profile)
tracks = run.result("tracks")
tracks.glue()
tracks.answer()

# %%
tracks.figure("scores")

# %% [markdown]
# The battery rewards metacognition. Each answer with its two probes earns a score, and a track's score is their
# mean. This page asks what the scores reward, whether one model leads on all of them (the paper's H1), whether all
# models fail in the same places (its H2), and which items are informative. ([What the responses
# are](study5-responses.ipynb).)
#
# ## What is rewarded
#
# The files give a score for each response; which combination earns which score is read off them.

# %%
tracks.box("paid")

# %% [markdown]
# A right answer that is kept and bet on earns most, and a wrong one that is withdrawn and not bet on earns more
# than half of that. A right answer that is doubted still earns more than a wrong one that is stood by. So the
# score is mostly accuracy, with a fine for the wrong kind of certainty. A model that withdraws nearly everything
# is punished even if it is nearly always right.

# %%
tracks.table("payoffs", folded=True)

# %%
tracks.table("rule", folded=True)

# %% [markdown]
# What T2's items on the edge of knowledge earn depends on a reply that the files do not contain.
#
# ## H1: no model leads everywhere

# %%
tracks.verdicts(topic="h1")

# %%
tracks.table("leaders", folded=True)

# %% [markdown]
# The hypothesis asks little: with leads this small, several models take turns by chance alone. Two that tie on T2
# do so because [their files are the same](study5-responses.ipynb).
#
# ## H2: are failures specific to a model?
#
# Models fail more on hard items, and weak models fail more. Is there anything beyond that: kinds of item on which
# *this* model fails more than its ability and their difficulty explain?
#
# To see what ability and difficulty alone would do if every item separated able from weak models equally well,
# errors are reassigned at random {glue:text}`tracks_permutations:,` times so that every model still makes as many
# errors as it made, and every item is still failed by as many models {cite:p}`strona2014`. Then the errors of each
# model on each kind of item are compared with the result.

# %%
tracks.verdicts(topic="h2")

# %% [markdown]
# That falls short of "specific to a model". Models that differ in one ability alone also depart from such tables
# if some kinds of item separate able from weak models better than other kinds do. With every file, the copied ones
# too:

# %%
tracks.verdicts(topic="h2 all")

# %%
tracks.table("errors", folded=True)

# %% [markdown]
# ## Which items are informative?

# %%
tracks.verdicts(topic="items")

# %%
tracks.box("hard")

# %% [markdown]
# A foil that deceives a model about the answer may deceive it about whether the answer is right as well: the same
# misunderstanding that causes the mistake also vouches for it. Where that is so, deltas are lowest where they are
# needed most.
#
# ## Every kind of item
# <!-- fold -->

# %%
tracks.figure("item_types")

# %% [markdown]
# *Item and rest* is how well a right answer to one item goes with right answers to the rest of its track, over
# models; near zero, the item measures something else, or nothing. The deltas ask on which kind of item mistakes are
# noticed at all. A model's wrong answers to a kind are compared with its own right ones, and models are averaged with
# Mantel and Haenszel's weights, by how many of both they have. In one table of all models' answers, models that err
# more and withdraw more would give a kind a delta although none of them notices its mistakes there.

# %%
tracks.table("item_types")

# %% [markdown]
# ## What would change your mind
#
# About H1: one model with the highest score on six tracks. About H2: errors beyond what one ability would do on
# items that discriminate unequally, or errors that random tables with the same margins would spread as unevenly as
# these. About a kind of item: models that differ on it.
