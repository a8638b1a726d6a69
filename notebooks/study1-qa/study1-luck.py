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
    "The median of {models}: {usual:.0f} of 100, single models {least_usual:.0f} to {most_usual:.0f}; allowing for chance, none "
    "below {usual_lower:.0f} (95 % intervals). One half would mean that confidence does not see how usual an answer is. An ideal observer that draws its "
    "answers from well-founded beliefs would show the same ({ideal_usual:.0f}), so this speaks against reading what is right and nothing else. "
    "Confidence is how probable the model found the answer's words, on average.",
    "{models}: {usual:.0f} of 100 at the median.",
    holds=(numbers["n_told"] > 1) & (numbers["ideal_usual"] > 80),
)
luck.says(
    "head",
    "A small model's confidence follows what it usually says: of two wrong answers, the more usual one gets more in "
    "{usual:.0f} of 100 pairs.",
    "Of two wrong answers to a question, the one that a model gives more often carries more confidence in {usual:.0f} of 100 pairs.",
    holds=(numbers["n_told"] > 1) & (numbers["n_told"] == numbers["n_usual"]),
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
luck.says(
    "mistaken",
    "“{mistake_question}” The same model was asked {n_mistake} times, and {n_repeated} times it said {mistake_answer}. Its confidence, "
    "{mistake_confidence:.2f} on average, is higher than for the right answer above. The right answer here is {mistake_key}. (This example was picked for its clarity, too.)",
    "Is a mistake that is repeated surer than a right answer? This run shows none that is.",
    holds=numbers["mistake_confidence"] > numbers["right_confidence"],
)

# %%
caption = "A mistake that it keeps making: all of its answers, most confident first."
none = "No question of this run was answered wrongly in the same way again and again."
mistake = table(luck.record.mistake, "answer", "confidence", "right", caption=caption, empty=none)
luck.glue_shown("mistake_table", mistake)
mistake

# %%
named = {"within": "one right, one wrong", "usual": "both wrong, one more usual", "": "Share of pairs"}
caption = (
    "Two answers of one model to one question, at temperature 1: how often the right one, or the more usual one, carries more "
    "confidence. 95 % intervals over questions. Below them three simulated models."
)
more = {"reference": 0.5, "label": "fig-luck-pairs", "titles": named}
once = luck.pairs.drop_duplicates("model")
shown = once[~once["model"].str.contains("noise|the question|incomplete")]
forest(shown, value=["within", "usual"], rows="model", caption=caption, **more)

# %% [markdown]
# An answer is **usual** if the model's other answers to the question are the same. Each question of the figure was answered
# once at temperature 1, {glue:text}`luck_n_more:d` times more there, and once at the lowest; spelling aside, we count how many of the others agree.
# The rule for two wrong answers was made when these answers were known.
#
# That usual answers carry more confidence is no surprise. This confidence is made of the probabilities of words, and what a
# model finds probable, it says often. The finding is what follows: that right answers carry more of it is not yet insight.

# %%
luck.says(
    "surface",
    "Is it only that short answers of common words recur? No. Of two wrong answers with equally many tokens and about equally common "
    "words the more usual one carries more confidence in {min_surface:.0f} to {max_surface:.0f} of 100 pairs, by model.",
    "Of two wrong answers alike in length and words the more usual one is clearly surer in {n_surface} of {n_alike} models.",
    holds=(numbers["n_surface"] == numbers["n_alike"]) & (numbers["n_alike"] > 1),
)

# %%
luck.says(
    "like_a_habit",
    "We counted over every question to which a small model gave both kinds of answer. Of a right and a wrong one, the right one carries more "
    "confidence in {within:.0f} of 100 pairs. That looks as if the model knew which is right. But of two wrong ones the more usual one "
    "carries more almost as often, in {usual:.0f}. Even that proves nothing: an honest guesser, who says exactly how strongly it leans to each "
    "answer, shows the same ({ideal_usual:.0f}). One thing we can exclude: that confidence measures only whether an answer is right. Then two "
    "wrong ones would be even.",
    "Of a right and a wrong answer to one question, the right one is surer in {within:.0f} of 100 pairs; of two wrong ones the more "
    "usual in {usual:.0f}.",
    holds=(abs(numbers["usual"] - numbers["within"]) < 10)
    & (numbers["n_usual"] == numbers["n_told"])
    & (numbers["ideal_usual"] > 80)
    & (abs(numbers["insight_usual"] - 50) < 3),
)

# %%
kinds = bars(
    luck.kinds, value="pairs", rows="what", reference=50, limits=(0, 100),
    caption="Two answers to one question: how often the one that is named carries more confidence (dashed: a coin). The last two are simulated.",
    titles={"pairs": "of 100 pairs", "what": "More confidence has"}, label="fig-luck-kinds",
)
luck.glue_shown("figure_kinds", kinds)
kinds

# %%
luck.says(
    "pretend",
    "Three pretend models show what that means. One is surer of whatever it says often, and of nothing else: it scores {habit_within:.0f} "
    "where one answer is right and {habit_usual:.0f} where both are wrong. One has beliefs that are right as often as they say, and states "
    "how strong each is: {ideal_within:.0f} and {ideal_usual:.0f}. The third has a fair idea of which answer is right, and no habits: "
    "{insight_within:.0f}, and a coin's {insight_usual:.0f}. Only the third is ruled out. Habit and honest belief look the same here.",
    "Of three simulated models, one that reads how usual its answer is scores {habit_within:.0f} and {habit_usual:.0f}, one with "
    "well-founded beliefs {ideal_within:.0f} and {ideal_usual:.0f}, one that reads what is right {insight_within:.0f} and {insight_usual:.0f}.",
    holds=(2 * numbers["usual"] > numbers["habit_usual"] + numbers["insight_usual"])
    & (abs(numbers["habit_usual"] - numbers["ideal_usual"]) < 3)
    & (abs(numbers["insight_usual"] - 50) < 3),
)

# %% [markdown]
# This is no riddle. The probability of an answer's words *is* how often the model would give that answer, but for their
# number and for other wordings. So this confidence is the model's habit, written down once. It works because a model that
# knows an answer keeps giving it, while one that guesses says something else each time. Nor is it the opposite of knowing: the
# **ideal observer** of the figure, who draws its answers from well-founded beliefs and says how strong each is, looks the
# same. What the pairs exclude is a confidence that reads only whether the answer is right. People are alike: they are surer of
# the answer that they, and others, usually give, right or wrong {cite:p}`koriat2012consensuality`.
#
# ## Does it know anything beyond its habit?
# <!-- fold -->

# %%
luck.says(
    "beyond_habit",
    "Take a right and a wrong answer that are equally usual. The right one is surer in "
    "{alike:.0f} of 100 such pairs. The first simulated model gives {habit_alike:.0f}, since so few answers show only roughly how usual "
    "each is; the second gives {insight_alike:.0f}. The real ones lie between, with wide intervals: in {n_gaps} of {n_told} models is "
    "this share shown to lie below that of two wrong answers. So these pairs leave the question open.",
    "Of a right and a wrong answer that are equally usual, the right one is surer in {alike:.0f} of 100 pairs. In {n_gaps} of {n_told} "
    "models this lies below the share of two wrong answers by more than chance.",
    holds=(numbers["habit_alike"] < numbers["alike"] < numbers["insight_alike"]) & (numbers["n_gaps"] < numbers["n_told"]),
)

# %% [markdown]
# ## Asking again and counting

# %%
luck.says(
    "counting",
    "Then one could also ask {n_asked} times and count. Over all questions, how many other answers agree puts the right answer first in "
    "{counted:.0f} of 100 pairs. One answer's own confidence does so in {same_draw:.0f}, without asking again. The *confidence* of the "
    "other answers, which know the question and not this answer, does so in {question:.0f}.",
    "Right answers come first in {same_draw:.0f} of 100 pairs by own confidence, in {counted:.0f} by counting, and in {question:.0f} by the "
    "confidence of the other answers.",
    holds=(abs(numbers["same_draw"] - numbers["counted"]) < 5) & (numbers["question"] < numbers["counted"]),
)

# %%
named = {
    "same_draw": "the answer's own confidence",
    "counted": "how many other answers are the same",
    "question": "the other answers' confidence",
    "": "AUROC2 at temperature 1",
}
caption = (
    "**AUROC2** is the share of pairs of a right and a wrong answer, to any questions, in which the right one ranks higher. 95 % "
    "intervals over questions."
)
more = {"reference": 0.5, "label": "fig-luck-draws", "titles": named}
forest(luck.draws, value=["same_draw", "counted", "question"], rows="model", caption=caption, **more)

# %% [markdown]
# Is it then self-knowledge or not? The measures of **signal detection theory** do not ask: a confidence that is higher for right
# answers is a sensitive one, whatever it reads. So M-ratio and AUROC2 cannot tell habit from
# insight ([what else M-ratio cannot tell](study1-correction.ipynb)). This page does not call the measures wrong; it says what they read here.

# %%
run.result("headline").again()

# %% [markdown]
# ## What else it could be
#
# Why would a right answer come with more confidence? There are at least four reasons, and only one is what *metacognition*
# promises:
#
# - **Difficulty.** Hard questions are hard for everyone. Any other model could have told you that this one would fail.
# - **The model's own state.** The model knows what *it* knows of a question, whatever others know.
# - **The usual answer.** This one is what the model mostly says, or an odd one out.
# - **The surface.** Short answers of common words may be right more often, and their words more probable.
#
# The five papers do not pull these apart. This page does, on the open answers of study 1 at seven temperatures (the
# **temperature** sets how boldly a model picks its next word), with {glue:text}`luck_n_draw_questions:,` of the questions
# answered {glue:text}`luck_n_more:d` times more at temperature 1. At the lowest temperature each question was answered once:
# how often a model would say something else there is not known.

# %%
run.result("signal").text("which")

# %% [markdown]
# ### Slips
# <!-- fold -->

# %%
caption = "Slips: wrong answers to questions that the model answers correctly at the lowest temperature. 95 % intervals."
later = luck.answers[luck.answers["known"].notna()]
named = {"known": "Share of wrong answers"}
lines(later, x="temperature", value="known", colour="model", caption=caption, label="fig-luck-slips", titles=named)

# %% [markdown]
# ### In parts, in bits
# <!-- fold -->
#
# Four signals are added one after the other, and each part is what its signal adds about whether the answer is right:
#
# 1. the *other* models' confidence in their own answers at the lowest temperature: **difficulty**;
# 2. the model's *own* confidence at the lowest temperature, and the mean confidence of the question's other answers where
#    there are several: its **own state**;
# 3. how many of the model's other answers are the same: the **usual answer**;
# 4. the confidence of this one answer, the **draw**.
#
# Each part is the drop in log-loss of a probability of being right that is fitted on some questions and judged on others
# (**cross-fitting**), so a signal that adds nothing gets about 0. At the lowest temperature there are the first two alone.

# %%
luck.says(
    "shares",
    "How usual the answer is takes {share_usual:.0f} % of it, in the median model. The answer's own confidence, asked last, adds "
    "{share_draw:.0f} % that counting answers had not told.",
    holds=numbers["share_usual"] > numbers["share_draw"],
)

# %%
at_one = luck.parts[(luck.parts["temperature"] == 1) & luck.parts["share"].notna()]
caption = "What confidence tells at temperature 1, in four parts. 95 % intervals over questions."
title = {"share": "Share of the information"}
forest(at_one, value="share", rows="model", colour="part", caption=caption, label="fig-luck-shares", titles=title)

# %% [markdown]
# **No part is an upper or a lower limit.** What a signal shares with an earlier one counts for the earlier. What the others'
# confidence misses of a question's difficulty is counted as the model's own, and what so few answers miss of how usual this
# one is counts for the draw.

# %%
caption = (
    "Rules that were fixed beforehand, at temperature 1, and one that was made when these answers were known: that of two wrong "
    "answers."
)
luck.matrix("draw", "usual", caption=caption)

# %% [markdown]
# ### By temperature
# <!-- fold -->

# %%
known = luck.parts[luck.parts["bits"].notna()]
caption = (
    "What confidence says about being right, by temperature. If the measures rose with temperature because a model knows "
    "itself better, its own state would grow. At temperature 1 own state and the usual answer are read from several answers, "
    "elsewhere from one, which makes them larger there. A part below 0 is drawn as 0."
)
more = {"panel": "model", "colour": "part", "stacked": True}
bars(known, value="bits", rows="temperature", caption=caption, label="fig-luck-parts", **more)

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
# - If between two wrong answers the more usual were no surer than the odd one, confidence would read something other than
#   habit.
# - If many more answers to each question were at hand, and between equally usual ones the right one still led, there would
#   be insight beyond habit. With so few, some lead is to be expected without any.
# - If an answer is usual *because* it sounds plausible to anybody, other models would find the same wrong answers plausible.
#   This page cannot tell these two apart; [the frontier page](frontier-self-knowledge.ipynb) meets the same limit.
# - If a better ruler of the surface is found. The kind of question, and how common a name is *for the model*, are not
#   held fixed. A control can also be too good: where a model gives short answers because it knows them, holding length fixed
#   takes knowledge away.
#
# ### How well simulated parts are recovered
# <!-- fold -->

# %%
caption = (
    "Simulated runs of this size with known shares, crossings, areas and pairs of answers: 200 to 1,000 a design."
)
columns = ["design", "quantity", "truth", "bias", "mean_absolute_error", "sd", "coverage", "above_zero", "called"]
table(luck.record.recovery, *columns, caption=caption)

# %%
caption = "Simulated answerers of whom it is known what is left beyond length and rarity."
columns = ["design", "n", "quantity", "truth", "bias", "sd", "coverage", "rejected"]
table(surface.record.proof, *columns, caption=caption, titles={"n": "Questions", "rejected": "p at most .05"})
