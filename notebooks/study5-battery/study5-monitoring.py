# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Who knows what it knows?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study5_battery", profile)
monitoring = run.result("monitoring")
monitoring.glue()
monitoring.answer()

# %%
monitoring.figure("deltas")

# %%
monitoring.text("unranked")

# %% [markdown]
# The **withdraw delta** is the study's measure of metacognition: the share of right answers that a model keeps,
# minus the share of wrong ones that it keeps, in percentage points. A model that keeps everything, or nothing, has
# a delta of zero, however much it knows. ([What the responses are, and what is wrong with
# them](study5-responses.ipynb).)
#
# A delta is a difference of two shares, and its interval is Newcombe's {cite:p}`newcombe1998`, computed from
# Wilson's for each share; it does not claim certainty where a share is 0 or 1. A model's delta is the mean over T1
# to T5. Its interval contains every mean that a score test, corrected for skewness {cite:p}`gart1990`, would not
# reject; with as few wrong answers as here, an interval put together from those of the tracks puts its lower end
# above the truth too often. Next to it is an exact test: how often a mean at least as far from zero arises if
# right and wrong answers of the same track change places.

# %% [markdown]
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
monitoring.verdicts(topic="inversion")

# %% [markdown]
# ## Is it self-knowledge?
#
# A model that withdraws what is wrong may know its own answer to be doubtful, or see that the question is hard, as any
# other model does. One model's answers cannot tell the two apart; those of many models to the same items can, as with
# [the frontier's models](frontier-self-knowledge.ipynb).

# %%
probes = run.result("probes_self_knowledge")
probes.box("keep_headline")

# %%
probes.box("keep_coarse")

# %% [markdown]
# Such an answer, KEEP or WITHDRAW, can show *whether* confidence says something that difficulty for other models does
# not. It cannot show *how much*: what a model would state on a finer scale stays hidden within each of the two replies.
#
# ## Three profiles?
#
# The paper sorts models into three kinds: **A**, blanket confidence, keeps at least 95 % and has a delta below 15;
# **B**, blanket withdrawal, keeps at most 10 %; **C**, selective sensitivity, has a delta of at least 15. The rest
# are unclassified.

# %%
profiles = run.result("profiles")
profiles.glue()
profiles.verdicts(topic="rule")

# %%
profiles.verdicts(topic="plateau")

# %%
profiles.box("fragments")

# %% [markdown]
# Part of this is chance: a track's delta may rest on two wrong answers. But where a model withdraws wrong answers
# on one track and stands by them on the next, its profile is an average over situations in which it behaves
# differently.
#
# ## A screen before the measures
#
# A share or an area can be computed from any answers, also from those of a model that keeps everything. The author
# of the study later proposed to ask first whether a signal carries anything about single answers
# {cite:p}`cacioli2026screen`. Here the answers of T1 to T5 are screened together. Those of T6 are left out: an item
# that a model [declines there](study5-responses.ipynb) is logged as wrong, and to keep a refusal is not to be sure of
# an answer.

# %%
screening = run.result("screening")
screening.box("keep_found")

# %% [markdown]
# ## What the screen weighs
# <!-- fold -->

# %%
screening.text("reading")

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
screening.text("level")

# %% [markdown]
# Three things follow. An observer whose confidence is as good as its decisions allow breaks the rule for Fp if it is
# cautious, and the rule for L if it is bold: both rules judge how *often* confidence is high before they judge what
# it knows. Where most answers are kept, but not nearly all, confidence that knows nothing mostly breaks no rule.
# And few wrong answers decide about L, so that the protocol, which asks for five answers in every cell, leaves
# very accurate models unjudged. RBS, the delta of the same answers taken together with its sign turned, is the one
# *rule* that asks what confidence knows; r asks it too, and breaks no rule.
#
# ## Ranks by accuracy and by delta
# <!-- fold -->

# %%
monitoring.figure("ranks")

# %% [markdown]
# The eye follows steep lines. A correlation counts the flat ones too, and those at the foot of both lists.

# %%
monitoring.table("board")

# %% [markdown]
# *Ranks not ruled out* are meant for all models at once: they leave out only ranks that some pair, judged together
# with all other pairs, contradicts.
#
# ## The second probe
# <!-- fold -->
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
# ## Within difficulty, and against others
# <!-- fold -->

# %%
probes.text("reading")

# %%
probes.text("left_out")

# %%
probes.figure("keep_remains")

# %%
probes.table("keep_remains")

# %%
probes.text("keep_cuts")

# %%
probes.text("keep_against")

# %% [markdown]
# A mean over many models has many values, where KEEP has two. So both are compared at two levels as well.

# %%
probes.text("keep_levels")

# %%
probes.table("keep_models")

# %% [markdown]
# That is one model at a time. Over all models together: is a model's confidence better for its own answers than what
# others' confidence says of these answers, and its own of the others', would make one expect?

# %%
probes.box("keep_diagonal")

# %% [markdown]
# With two values there is a reading of this that needs no knowledge of single answers: a model that says KEEP about as
# often as it is right has its cut where its own errors begin, and so orders its own answers better than another's.
# That is knowing how good one is, not which answer is wrong.
#
# ### What a yes or no can show

# %%
probes.text("could_be_seen")

# %%
probes.table("keep_coarse")

# %% [markdown]
# ### The bet

# %%
probes.box("bet_headline")

# %%
probes.figure("bet_remains")

# %%
probes.text("bet_coarse")

# %%
probes.text("bet_against")

# %%
probes.table("bet_remains")

# %%
probes.text("bet_diagonal")

# %% [markdown]
# ## Profiles, model by model
# <!-- fold -->
#
# The last column resamples the items: how often would the same rule give the same model the same profile? For
# {glue:text}`profiles_steady` of the 20 it would in at least 95 of 100 draws.

# %%
profiles.figure("map")

# %%
profiles.table("models")

# %%
profiles.figure("thresholds")

# %%
profiles.table("alone")

# %% [markdown]
# A profile is a mean over five tracks. Is it also what one sees on each of them?

# %%
profiles.figure("fragmentation")

# %%
profiles.table("by_track")

# %% [markdown]
# ## What would change your mind
#
# About self-knowledge: the same items with a finer scale, on which something remains for more models or for fewer.
# About the order of models: more *wrong* answers, from harder items, until intervals separate. About inversion: a
# correlation whose entire interval lies below zero. About kinds of models: profiles that stay the same when
# thresholds move by a few points and items are resampled.
