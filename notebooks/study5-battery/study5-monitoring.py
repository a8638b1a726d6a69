# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Who knows what it knows?
#
# The **withdraw delta** is the study's measure of metacognition: the share of right answers that a model keeps,
# minus the share of wrong ones that it keeps, in percentage points. A model that keeps everything, or nothing, has
# a delta of zero, however much it knows. ([What the responses are, and what is wrong with
# them](study5-responses.ipynb).)

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study5_battery", profile)
monitoring = run.result("monitoring")
monitoring.glue()

# %% [markdown]
# ## A screen before the measures
#
# A share or an area can be computed from any answers, also from those of a model that keeps everything. The author
# of the study later proposed to ask first whether a signal carries anything about single answers
# {cite:p}`cacioli2026screen`.

# %%
screening = run.result("screening")
screening.text("reading")

# %%
screening.box("keep_found")

# %%
screening.table("keep")

# %%
screening.box("bet_found")

# %%
screening.table("bet")

# %% [markdown]
# What does such a verdict weigh? The last two columns answer for each model's own numbers of right and of high
# answers. In general:

# %%
screening.box("level")

# %% [markdown]
# Three things follow. An observer whose confidence is as good as its decisions allow breaks the rule for Fp if it is
# cautious, and the rule for L if it is bold: both rules judge how *often* confidence is high before they judge what
# it knows. Where answers are kept neither hardly ever nor nearly always, confidence that knows nothing mostly breaks no rule.
# And few wrong answers decide about L, so that the protocol, which asks for five answers in every cell, leaves
# very accurate models unjudged. RBS, the withdraw delta with its sign turned, is the one index that asks what
# confidence knows; it is measured next.
#
# ## Twenty means, with their uncertainty
#
# A delta is a difference of two shares, and its interval is Newcombe's {cite:p}`newcombe1998`, computed from
# Wilson's for each share; it does not claim certainty where a share is 0 or 1. A model's delta is the mean over T1
# to T5. Its interval contains every mean that a score test, corrected for skewness {cite:p}`gart1990`, would not
# reject; with as few wrong answers as here, an interval put together from those of the tracks puts its lower end
# above the truth too often. Next to it is an exact test: how often a mean at least as far from zero arises if
# right and wrong answers of the same track change places.

# %%
monitoring.figure("deltas")

# %%
monitoring.box("unranked")

# %%
monitoring.table("board")

# %% [markdown]
# *Ranks not ruled out* are meant for all models at once: they leave out only ranks that some pair, judged together
# with all other pairs, contradicts.
#
# ## How many rank claims survive?
#
# A leaderboard of twenty is a list of 190 claims: this one above that one.

# %%
monitoring.verdicts(topic="ranks")

# %% [markdown]
# That is no fault of the arithmetic. Strong models make few mistakes; a delta rests on mistakes; so the better a
# model, the less is known about its metacognition.
#
# ## Are the ranks inverted?
#
# The paper states that the two leaderboards, by accuracy and by delta, are "largely inverted": the model that
# knows most would know least about what it knows.

# %%
monitoring.figure("ranks")

# %%
monitoring.verdicts(topic="inversion")

# %% [markdown]
# The eye follows steep lines. A correlation counts the flat ones too, and those at the foot of both lists.
#
# ## The second probe
#
# Whether a model *bets* on its answer is asked after whether it keeps it.

# %%
monitoring.box("probes")

# %%
monitoring.verdicts(topic="bets")

# %%
monitoring.table("bets")

# %% [markdown]
# Both deltas, track by track:

# %%
monitoring.table("per_track")

# %% [markdown]
# ## Three profiles
#
# The paper sorts models into three kinds: **A**, blanket confidence, keeps at least 95 % and has a delta below 15;
# **B**, blanket withdrawal, keeps at most 10 %; **C**, selective sensitivity, has a delta of at least 15. The rest
# are unclassified.

# %%
profiles = run.result("profiles")
profiles.glue()

# %%
profiles.figure("map")

# %%
profiles.verdicts(topic="rule")

# %%
profiles.table("models")

# %% [markdown]
# The last column resamples the items: how often would the same rule give the same model the same profile? For
# {glue:text}`profiles_steady` of the 20 it would in at least 95 of 100 draws.
#
# ## Do the thresholds matter?

# %%
profiles.figure("thresholds")

# %%
profiles.verdicts(topic="plateau")

# %%
profiles.table("alone")

# %% [markdown]
# ## One model, one profile?
#
# A profile is a mean over five tracks. Is it also what one sees on each of them?

# %%
profiles.figure("fragmentation")

# %%
profiles.box("fragments")

# %%
profiles.table("by_track")

# %% [markdown]
# Part of this is chance: a track's delta may rest on two wrong answers. But where a model withdraws wrong answers
# on one track and stands by them on the next, its profile is an average over situations in which it behaves
# differently.
#
# ## What would change your mind
#
# About the order of models: more *wrong* answers, from harder items, until intervals separate. About inversion: a
# correlation whose entire interval lies below zero. About kinds of models: profiles that stay the same when
# thresholds move by a few points and items are resampled.
