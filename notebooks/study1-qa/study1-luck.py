# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What is confidence made of?

# %% tags=["parameters"]
profile = "default"
other = ""
seed = 42
verdicts = True

# %%
from metacog.report import bars, forest, lines, table
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
luck = run.result("luck", seed=seed, verdicts=verdicts)
luck.glue()
numbers = luck.numbers()
estimate = luck.says(
    "estimate",
    "The median of {models}; 95 % interval {typical_share_lower:.0f} to {typical_share_upper:.0f} %, single models "
    "{typical_least:.0f} to {typical_most:.0f} %. Of the model's other answers only their confidence was used, not what they "
    "said: whether this answer is its usual one counts for this one answer too, and that is no luck.",
    "{models}; 95 % interval {typical_share_lower:.0f} to {typical_share_upper:.0f} %.",
    holds=numbers["n_told"] > 1,
)
luck.says(
    "head",
    "Ask a small model again and it may answer otherwise. {typical_share:.0f} % of what its confidence tells is about this "
    "one answer, not about the question.",
    "Of what confidence tells of an answer at temperature 1, {typical_share:.0f} % is about that one draw.",
    holds=(numbers["n_told"] > 1) & (numbers["n_told"] == numbers["n_beyond"]),
    head=True,
    rule="answer",
    note=estimate,
)

# %%
luck.says(
    "asked",
    "“{example_question}” {example_model} was asked {n_example} times, at temperature 1. The right answer is {example_key}.",
    "No question of this run was answered several times, both right and wrong.",
)

# %%
caption = "All of its answers, most confident first. Confidence runs from 0 to 1."
none = "No question of this run was answered several times, rightly and wrongly."
example = table(luck.record.example, "answer", "confidence", "right", caption=caption, empty=none)
luck.glue_shown("example_table", example)
example

# %%
luck.says(
    "pairs",
    "{n_right} right and {n_wrong} wrong answers make {n_pairs} pairs. In {n_ahead} of them the right answer carries more confidence.",
    holds=numbers["n_pairs"] > 1,
)

# %%
at_one = luck.parts[(luck.parts["temperature"] == 1) & luck.parts["share"].notna()]
caption = (
    "What confidence tells at temperature 1, in three parts: how hard the question is for other models too, what the model "
    "itself knows of it, and this one draw. 95 % intervals. No part is a limit; what a few readings miss counts for a later part."
)
title = {"share": "Share of what confidence tells"}
shares = forest(at_one, value="share", rows="model", colour="part", caption=caption, label="fig-luck-shares", titles=title)
luck.glue_shown("figure_shares", shares)
shares

# %%
run.result("headline").again()

# %% [markdown]
# Why would a right answer come with more confidence? There are at least four reasons, and only one is self-knowledge:
#
# - **Difficulty.** Hard questions are hard for everyone. Any other model could have told you that this one would fail.
# - **The model's own state.** The model knows what *it* knows, whatever others know. This is what *metacognition* promises.
# - **The luck of the draw.** A model may answer rightly nine times and stumble on the tenth, over words that it found
#   unlikely itself. Confidence made of those words tells that *this draw was an odd one*.
# - **The surface.** Short answers of common words may be right more often, and their words more probable.
#
# The five papers do not pull these apart. This page does, on the open answers of study 1 at seven temperatures (the
# **temperature** sets how boldly a model picks its next word), with {glue:text}`luck_n_draw_questions:,` of the questions
# answered {glue:text}`luck_n_more:d` times more at temperature 1.

# %%
run.result("signal").text("which")

# %% [markdown]
# ## Luck: the draw against its question
#
# **AUROC2** is the share of pairs of a right and a wrong answer in which the right one carries more confidence. Take the
# questions that were answered several times and compute it twice: once with each answer's *own* confidence, once with what
# the model's *other* answers to that question say (its answer at the lowest temperature and the other draws, weighed as
# works best on other questions). The others know the question and nothing of this draw. What own confidence has over them
# is about the draw, or is something of the question that a few answers miss.
#
# The third mark compares right and wrong answers to the *same* question. They are equally hard, so whatever exceeds 0.5 is
# about the draw alone.

# %%
named = {
    "same_draw": "the answer's own confidence",
    "question": "its other answers to the question",
    "within": "own, within one question",
    "": "AUROC2 at temperature 1",
}
caption = "Were confidence about the question, the first mark would not lie above the second, and the third at 0.5."
values = ["same_draw", "question", "within"]
forest(luck.draws, value=values, rows="model", reference=0.5, caption=caption, label="fig-luck-draws", titles=named)

# %% [markdown]
# ### Slips
# <!-- fold -->

# %%
caption = "Slips: wrong answers to questions that the model answers correctly at the lowest temperature. 95 % intervals."
later = luck.answers[luck.answers["known"].notna()]
named = {"known": "Share of wrong answers"}
lines(later, x="temperature", value="known", colour="model", caption=caption, label="fig-luck-slips", titles=named)

# %% [markdown]
# ## The same at every temperature, in bits
#
# Three signals are added one after the other, and each part is what its signal adds about whether the answer is right:
#
# 1. the *other* models' confidence in their own answers at the lowest temperature: **difficulty**;
# 2. the model's *own* confidence at the lowest temperature, and the mean confidence of the question's other draws where
#    it was drawn several times: its **own state**, without the luck of this draw;
# 3. the confidence of the **draw** itself.
#
# Each part is the drop in log-loss of a probability of being right that is fitted on some questions and judged on others
# (**cross-fitting**), so a signal that adds nothing gets about 0. At the lowest temperature the draw *is* the state, so
# there is no third part.
#
# **No part is an upper or a lower limit.** What the others' confidence misses of a question's difficulty is counted as the
# model's own, and what the model knows of itself that difficulty shows too has been taken off first. What the model's own
# readings miss of its state is counted as the draw's; so its part is mostly too large for luck. But readings with noise
# also show less well that a draw was a lucky one, and where confidence reads much that has little to do with being right,
# the draw's part is too small. Only temperature 1, where questions were answered several times, is judged.

# %%
luck.says(
    "short_of_luck",
    "Is the share at the head too high or too low? In simulated worlds like this one, true luck was up to {luck_less:.0f} points "
    "less or {luck_more:.0f} more. Could its interval still miss luck? Runs of four models were simulated in the world that is worst for it. "
    "Among worlds like this run, luck was above the interval in {runs_short} of {n_runs} runs. Where other answers help as "
    "little and luck is as large as {worst_luck:.0f} %, it was in {runs_short_of_all}.",
    holds=numbers["runs_short"] < numbers["runs_short_of_all"],
)

# %%
caption = (
    "What luck explains, by rules that were fixed beforehand, at temperature 1. The second rule asks of every model, and of "
    "what all three signals tell; one model below one half is a no. The draw's part is an estimate of luck, mostly too large."
)
luck.matrix("draw", "share", caption=caption)

# %% [markdown]
# ### By temperature
# <!-- fold -->

# %%
known = luck.parts[luck.parts["bits"].notna()]
caption = (
    "What confidence says about being right, by temperature. If the measures rose with temperature because a model knows "
    "itself better, the middle part would grow. Leave temperature 1 out of that: only there is the model's own state read from "
    "several draws, which makes it larger. A part below 0 is drawn as 0."
)
more = {"panel": "model", "colour": "part", "stacked": True}
bars(known, value="bits", rows="temperature", caption=caption, label="fig-luck-parts", **more)

# %%
caption = (
    "The draw's share in the median model, with 95 % intervals over questions: the hotter, the more. Where questions were "
    "answered once, a draw without any luck can get more than half."
)
columns = ["temperature", "of", "share", "least", "most", "n_models", "n_readings"]
named = {"of": "Of what is told by", "least": "Lowest of a model", "most": "Highest of a model"}
table(luck.typical, *columns, caption=caption, titles=named, digits={"least": 2, "most": 2})

# %% [markdown]
# ### Is a model a better guide to itself than others are?
# <!-- fold -->
#
# If confidence only read how hard a question is, the other models' confidence on the same questions would tell as well
# which of a model's answers are right.

# %%
shared = run.result("shared_questions")
named = {"own": "its own confidence", "crowd": "the others' mean confidence", "": "AUROC2"}
caption = "How well a model's right answers are told from its wrong ones: by itself, and by the run's other models."
more = {"panel": "temperature", "reference": 0.5, "label": "fig-luck-others", "titles": named}
forest(shared.models, value=["own", "crowd"], rows="model", caption=caption, **more)

# %%
shared.text("why_not")

# %% [markdown]
# A model that does better by itself need not know itself: it may read the same difficulty with less noise. Where many models
# answer the same questions, more can be told: this book does so for
# [large models of other people](frontier-self-knowledge.ipynb) and for [the models of study 5](study5-overview.ipynb).
#
# ### Two models crossed
# <!-- fold -->
#
# A model that merely reads difficulty with less noise must then also win on the *other* model's answers. So both
# directions are averaged: the **crossing** is half the sum, over two models, of AUROC2 of a model's own confidence
# minus AUROC2 of the other's, each for the model's own answers. Two readers of one difficulty, however unequal their
# noise, have a crossing of 0, as long as the answers of both depend on that difficulty alike. If those of the better
# reader depend on it more steeply, it lies above 0 without any self-knowledge. So it is held against a **bound**: the
# most that simulated readers of *one* difficulty reach, without self-knowledge. Two models that find different questions
# hard can cross further than that and know nothing of themselves.

# %%
lowest = luck.crossings[luck.crossings["temperature"] == luck.lowest]
named = {"value": "crossing", "bound": "most of readers of one difficulty", "": "Difference of AUROC2"}
caption = "Crossings at the lowest temperature, where luck plays no part, with 95 % intervals, and their bounds."
ends = {"value": ("lower", "upper")}
more = {"interval": ends, "reference": 0, "label": "fig-luck-crossings", "titles": named}
forest(lowest, value=["value", "bound"], rows=["first", "second"], caption=caption, **more)

# %% [markdown]
# A crossing belongs to the pair: the sum may come from one of the two alone. And what crosses may be a difficulty that is
# peculiar to a model, which is not knowledge that it has of itself.
#
# ### How often a bound is crossed by chance
# <!-- fold -->
#
# Simulated pairs of models. In the first panel neither knows itself, and the answers of one depend on difficulty more
# steeply than those of the other: intervals often lie above 0, and hardly ever above the bound. In the second both know
# themselves.

# %%
named = {"above_0": "above 0", "called": "above the bound", "": "Share of simulated runs", "slope_ratio": "Times as steep"}
caption = "Simulated runs of this size in which the interval of a crossing lies above 0, and above the bound."
more = {"panel": "reads", "limits": (-0.03, 1.03), "label": "fig-luck-bound", "titles": named}
lines(luck.record.unequal, x="slope_ratio", value=["above_0", "called"], caption=caption, **more)

# %% [markdown]
# ## Is it only the surface?
#
# Perhaps confidence only measures how long an answer is and how common its words are. Then a person with a ruler and a
# dictionary could do as well. So compare answers alike in both, and see what confidence still tells.

# %%
surface = run.result("surface", seed=seed, verdicts=verdicts)
surface.glue()
found = surface.numbers()
surface.says(
    "answer",
    "No. Length and rare words alone put the right answer first in {alone_least:.0f} to {alone_most:.0f} of 100 pairs. Among "
    "answers alike in both, confidence still does so in {alike_least:.0f} to {alike_most:.0f}.",
    "Among answers alike in length and rare words, confidence puts the right one first in {alike_least:.0f} to {alike_most:.0f} of 100 pairs.",
    holds=(found["standing"] == "some") | (found["standing"] == "most"),
)

# %%
left = surface.left[(surface.left["control"] == "length and rarity")]
left = left[left["temperature"].isin([surface.lowest, surface.highest])]
named = {
    "alone": "length and rarity alone",
    "auroc2": "confidence",
    "alike": "confidence, among answers alike in both",
    "": "AUROC2",
}
more = {"panel": "temperature", "reference": 0.5, "label": "fig-surface-left", "titles": named}
caption = "Were confidence only the surface, the last mark of a model would lie at 0.5. At two temperatures."
forest(left, value=["alone", "auroc2", "alike"], rows="model", caption=caption, **more)

# %% [markdown]
# ### How the surface is held fixed
# <!-- fold -->
#
# - **Length**: the answer's tokens, whose mean log-probability is NLP, and its characters.
# - **Word rarity**: how rare its rarest word is, by a table of {glue:text}`surface_n_words:,` words {cite:p}`speer2022`.
#   Their **Zipf frequency** {cite:p}`vanheuven2014` is the base-10 logarithm of how often a word occurs in a thousand
#   million words: 7 to 8 for *the*, about 3 for a word that is met once in a million. A word that the table lacks counts as
#   rare as its rarest, {glue:text}`surface_floor:.2f`.
#
# A smooth model predicts from these whether an answer is right. It is fitted on some questions and applied to the others,
# so a control that says nothing gives about 0.5 by itself. Answers with about the same prediction form a stratum, ten in
# all, and right answers are compared with wrong ones of the same stratum alone {cite:p}`janes2009`. What the control
# predicts of confidence is taken off as well: confidence that is only the surface gives 0.5.

# %% [markdown]
# ## What would change your mind
#
# - **That some of it is the draw**: other answers of the model that tell right from wrong as well as the draw's own
#   confidence does.
# - **That some of it is private**: a part of the model's own that shrinks as more models represent what is public.
# - **That more than the surface is left**: a better ruler. The kind of question, and how common a name is *for the model*,
#   are not held fixed. And a control can be too good: where a model gives short answers because it knows them, holding
#   length fixed takes knowledge away.
#
# ### How well simulated parts are recovered
# <!-- fold -->

# %%
caption = (
    "Simulated runs of this size with known shares, crossings and luck: 200 to 1,000 a design. Where luck is known in all "
    "worlds, rows are over worlds with endlessly many questions, and *below* counts worlds in which the figure is less than "
    "luck; otherwise it counts intervals."
)
columns = ["design", "quantity", "truth", "bias", "mean_absolute_error", "sd", "coverage", "above_zero"]
named = {"lowest": "Lowest bias", "highest": "Highest bias"}
table(luck.record.recovery, *columns, "below_truth", *named, caption=caption, titles=named, digits={"lowest": 3})

# %%
caption = "Simulated answerers of whom it is known what is left beyond length and rarity."
columns = ["design", "n", "quantity", "truth", "bias", "sd", "coverage", "rejected"]
table(surface.record.proof, *columns, caption=caption, titles={"n": "Questions", "rejected": "p at most .05"})
