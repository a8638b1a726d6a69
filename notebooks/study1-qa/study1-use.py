# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Can I use this confidence?

# %% tags=["parameters"]
profile = "default"
other = ""
seed = 42

# %%
from metacog.report import forest, lines, matrix, slider, table
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
use = run.result("use", seed=seed)
use.glue()
numbers = use.numbers()
unsure = use.says(
    "unsure",
    "{surest_model} gave {surest_n:,} such answers out of {surest_asked:,}, at the lowest temperature; at least "
    "{surest_right_lower:.0f} % of such answers are right (lower end of the 95 % interval). Of the {unsure_n:,} "
    "that it was less than half sure of, {unsure_right:.0f} % are right. The other models here are rarely that sure.",
    "{surest_model}, at the lowest temperature: of {surest_asked:,} answers {surest_n:,} lie above nine tenths and {unsure_n:,} below "
    "one half.",
    holds=(numbers["surest_n"] > 100) & (numbers["unsure_right"] < 50) & numbers["others_rarely"],
)
use.says(
    "head",
    "Keep an answer only if a small model gave its words nine chances in ten: {surest_right:.0f} % are right, but "
    "only {surest_answered:.0f} % are kept.",
    "Of answers above nine tenths, {surest_right:.0f} % are right; {surest_answered:.0f} % of answers are that sure.",
    holds=(numbers["surest_right_lower"] > 90) & (numbers["surest_answered"] < 50),
    head=True,
    rule="answer",
    note=unsure,
)

# %%
lines(
    use.reliability,
    x="stated",
    value="right",
    panel="model",
    colour="sampling",
    diagonal=True,
    caption="How often answers are right, by the confidence that goes with them. On the dashed line as many are "
    "right as the number says, though it is the probability of words and promises nothing; above it, more are. Bands are 95 % intervals.",
    label="fig-use-reliability",
    titles={"stated": "Confidence that goes with the answer", "right": "Share of these answers that are right"},
)

# %%
run.result("signal").text("which")

# %% [markdown]
# A model writes in **tokens**, words or pieces of words, and gives each a probability. Here an answer's confidence is the
# geometric mean of these, a number from 0 to 1. The questions are those of [study 1](study1-overview.ipynb), answered
# freely. Read the lowest temperature first: that is how you would run a model whose answers have to be right.
#
# Where the two lines of a model part, the same confidence means another thing at each temperature: draw a line at the
# temperature that you will run. At temperature 1 a model sometimes picks a bad word by chance; [another page](study1-luck.ipynb)
# shows how much that matters.
#
# ## Which number should I gate on?
#
# | You have | Gate on | What this book found | As long as |
# | --- | --- | --- | --- |
# | short answers, and a server that tells probabilities | the probability of the answer | {glue:text}`use_short:s` | an answer is a few words, and every word is counted |
# | replies that reason before they answer | the number that the model states | {glue:text}`/_executed/frontier-whom-to-ask.ipynb::second_opinions_replies:s` | you try the line on answers of that very model: [the same .9 means something different for each model](frontier-whom-to-ask.ipynb) |
# | a small model | not its number as it stands | {glue:text}`/_executed/frontier-whom-to-ask.ipynb::stated_gate_small_stated:s` {glue:text}`/_executed/small-models.ipynb::small_models_compared_head:s` | your own test does not show otherwise: a few that reason first state a better number |
# | a small model whose server tells no probabilities | whether it answers the same when asked again | {glue:text}`use_asked_more:s` | you may pay for several answers to each question, at temperature 1 (the only one tried) |
# | another maker's model, about as accurate | whether it gives the same answer | {glue:text}`/_executed/frontier-whom-to-ask.ipynb::second_opinions_answer:s` | questions have one short answer, and the two do not share their mistakes; is yours among the best, use both |
# | both: the model's number and another's answer | the two together | {glue:text}`/_executed/frontier-whom-to-ask.ipynb::second_opinions_both_ways:s` | you can fit their weights on answers of your own; no command here does it |
# | a judge that reads every reply | how sure it sounds | {glue:text}`/_executed/frontier-whom-to-ask.ipynb::second_opinions_by_tone:s` | you may pay for the judge on every reply |
# | a hosted model that tells no probabilities, and short answers | we have no data on this | for multiple choice see the rows above | you start from its number and another model's answer, and mark a thousand answers of your own |
# | answers of several sentences | we have no data on this | two long answers are never word for word the same, so agreement cannot be counted | you have them marked, and try a stated number |
# | a more accurate model | let it answer | {glue:text}`/_executed/frontier-whom-to-ask.ipynb::second_opinions_better:s` | you may pay for it on every question |
#
# Each row speaks of its own models and questions: compare within a row, not one row with another. What each way costs is
# [below](#use-bill). None of it spares you a test on answers of your own: [your own trials](own-trials.ipynb) chooses the line.
#
# ## How many answers must I mark?

# %%
use.says(
    "rows",
    "| At most so many wrong of what passes | Right of all answers | Marked answers, at AUROC2 .80 | at .65 |\n"
    "| --- | --- | ---: | ---: |\n"
    "| one in ten | nine in ten (no gate is needed; the marks prove it) | {rows_10_90_80:,.0f} | {rows_10_90_65:,.0f} |\n"
    "| one in ten | seven in ten | {rows_10_70_80:,.0f} | more than 8,000 |\n"
    "| one in twenty | nine in ten | {rows_5_90_80:,.0f} | more than 8,000 |\n"
    "| one in twenty | seven in ten | more than 8,000 | more than 8,000 |\n\n"
    "With that many, four users in five get a line; tried were 200, 500, 1,000, 2,000 and 8,000. At half a minute an answer, a thousand marks take eight hours.",
    "How many marked answers a promise takes is told by the figure on the report's page.",
    holds=(numbers["rows_10_90_65"] < float("inf")) & (numbers["rows_10_70_65"] == float("inf")) & (numbers["rows_5_90_80"] < float("inf"))
    & (numbers["rows_5_90_65"] == float("inf")) & (numbers["rows_5_70_80"] == float("inf")) & (numbers["rows_5_70_65"] == float("inf")),
)

# %% [markdown]
# What signals reach: {glue:text}`/_executed/frontier-whom-to-ask.ipynb::second_opinions_by_tone:s`
# The [report's page](own-trials.ipynb) draws the rest, and shows a gate on real answers of two large models: one may pass
# some of its answers, the other none.
#
# ## Where do I draw the line?
#
# Answer where confidence reaches a line, and stay silent below it. A high line catches nearly every error and throws away
# most right answers with them; a low one does the reverse. Move it. Choose by the first column of numbers; the second says
# how that line does on questions you have not looked at. (Questions were halved at random, with the seed
# {glue:text}`use_split_seed:d`.) A line chosen by eye promises nothing; [your own trials](own-trials.ipynb) says whether one can.

# %%
use.says(
    "pays",
    "**Does it pay?** Suppose that somebody looks at each answer that is held back. At nine tenths, {surest_held:,.0f} answers of "
    "{surest_model} are, and {surest_caught:,.0f} of these are wrong: {surest_looks:.1f} looks for each mistake caught. So, against letting "
    "everything pass, that line pays where a mistake that gets through costs more than {surest_looks:.1f} looks. Against a line at one half it "
    "pays only above {margin_looks:.1f}, since the further {margin_held:,.0f} looks catch {margin_caught:,.0f} mistakes. Raise a line as long as "
    "the next mistake caught costs fewer looks than it is worth.",
    "A line pays where a mistake that gets through costs more looks than there are answers held back for each wrong one among them.",
    holds=numbers["margin_looks"] > numbers["surest_looks"] > 1,
)

# %%
moved = slider(
    use.thresholds,
    along="threshold",
    value=["answered", "caught", "withheld", "right_answered"],
    groups=["model", "sampling"],
    start="picked", begin=0.9, button="Most right decisions",
    beside="chosen_",
    heads=("Questions to choose by", "Fresh questions"),
    caption="Half of the questions are for choosing the line, the other half for testing it. The button picks the line with the most right decisions on the first half.",
    titles={"threshold": "Threshold"},
)

# %%
use.glue_shown("slider", moved)
moved

# %% [markdown]
# ## What does it buy to answer the surer half?
# <!-- fold -->
#
# It depends on where you start: a model that is nearly always right has little to gain.

# %%
surer = run.result("selective")
surer.glue()
halves = surer.numbers()
surer.says(
    "named",
    "Of the paper's models, {first_model} is right in {first_of_all:.0f} % of all its answers and {second_model} in "
    "{second_of_all:.0f} %. Of the surer half, {first_accuracy:.0f} and {second_accuracy:.0f} % are right, as the paper prints. So "
    "answering less gains the weaker model more: {second_gain:.0f} points against {first_gain:.0f}. That is no better confidence "
    "yet: even a perfect one could gain only {second_room:.0f} and {first_room:.0f}.",
    "Answering the surer half gains {first_model} {first_gain:.0f} points and {second_model} {second_gain:.0f}.",
    holds=halves["second_gain"] > halves["first_gain"]
    and halves["first_of_all"] > halves["second_of_all"]
    and abs(halves["first_accuracy"] - halves["first_printed"]) < 0.1
    and abs(halves["second_accuracy"] - halves["second_printed"]) < 0.1,
)

# %%
surer.says(
    "picked",
    "The first version of the paper says that M-ratio picks the better model for such a use, {first_model} ({first_m_ratio:.2f} "
    "against {second_m_ratio:.2f}), and AUROC2 the worse one ({first_auroc2:.2f} against {second_auroc2:.2f}). So it is here; but "
    "the one that it picks was already right more often with all questions answered, which accuracy alone would have said. What M-ratio takes from accuracy has [a page of its own](study1-correction.ipynb).",
    "As printed, {first_model} has an M-ratio of {first_m_ratio:.2f} and an AUROC2 of {first_auroc2:.2f}, {second_model} "
    "{second_m_ratio:.2f} and {second_auroc2:.2f}.",
    holds=halves["first_m_ratio"] > halves["second_m_ratio"]
    and halves["first_auroc2"] < halves["second_auroc2"]
    and halves["first_of_all"] > halves["second_of_all"],
)

# %%
lines(
    surer.coverages.drop_duplicates(["source", "model", "coverage", "accuracy"]),
    x="coverage",
    value="accuracy",
    colour="model",
    panel="source",
    caption="Accuracy of the surest answers at temperature 1, by how large a share of the questions is answered. Bands are 95 % "
    "intervals; the paper's curves come from reconstructed counts and have none.",
    label="fig-use-coverage",
    titles={"coverage": "Share answered"},
)

# %%
table(
    surer.comparison.drop_duplicates(["source", "model", "accuracy"]),
    "source", "model", "of_all", "accuracy", "printed", "gain",
    caption="Accuracy of all answers and of the surer half at temperature 1; of two of its models the paper prints the half.",
    titles={"of_all": "Of all", "accuracy": "Of the surer half", "printed": "As printed", "gain": "Gained"},
    folded=True,
)  # fmt: skip

# %%
forest(
    surer.halves,
    value="gain",
    rows="model",
    colour="temperature",
    reference=0,
    caption="What answering only the surer half adds to accuracy, by temperature, with 95 % intervals. At temperature 1 "
    "part of it is the luck of the draw.",
    label="fig-use-gain",
    titles={"gain": "Accuracy gained"},
)

# %% [markdown]
# ## Which signal, for which model and task?
# <!-- fold -->
#
# Many servers keep the probabilities to themselves. Then you can ask the model for a number, ask it whether its answer is
# true (*P(True)*, {cite:p}`kadavath2022`, where the server scores two options), or ask again and see whether its answers agree. AUROC2 is the share of pairs of
# a right and a wrong answer in which the right one has more of the signal; a coin gets one half.

# %%
matrix(
    use.areas.drop_duplicates(["asked", "signal"]),
    rows="asked",
    columns="signal",
    value="auroc2",
    why="told",
    limits=(0.5, 1.0),
    caption="AUROC2 by model, task and signal. Point at a number for its interval and its number of answers. Open "
    "questions are study 1's, choices of one of two answers study 3's.",
    titles={"asked": "Model and task"},
)

# %%
use.says(
    "short",
    "In {short_least:.0f} to {short_most:.0f} of 100 pairs of a right and a wrong short answer, the right one's words are the "
    "more probable ({short_n} models at the lowest temperature).",
    "In {short_least:.0f} to {short_most:.0f} of 100 pairs of a right and a wrong short answer, the right one's words are the "
    "more probable.",
    holds=(numbers["short_n"] > 1) & (numbers["short_least"] > 70),
)

# %%
use.says(
    "asked_more",
    "Asked again at temperature 1, agreement with itself puts the right answer first in {agreement_least:.0f} to {agreement_most:.0f} of "
    "100 pairs. Asked whether its own free answer is true (P(True)), {p_true_models} hardly tell: {p_true_least:.0f} to {p_true_most:.0f}.",
    "Agreement puts the right answer first in {agreement_least:.0f} to {agreement_most:.0f} of 100 pairs, P(True) in {p_true_least:.0f} to "
    "{p_true_most:.0f}.",
    holds=(numbers["agreement_least"] > 70) & (numbers["p_true_most"] < 65),
)

# %% [markdown]
# Whether a model answers the same again was asked at temperature 1 alone. At the lowest temperature each question was
# answered once, so how well agreement would do there is not known.
#
# A choice of two has [nine ways of asking](study3-replication.ipynb); here is the plainest of each kind. Look at the number
# of answers before you compare two rows.
#
# ## What is lost without log-probabilities?
# <!-- fold -->
#
# On the same {glue:text}`use_n_compared:d` open questions at temperature 1:

# %%
forest(
    use.lost.drop_duplicates("asked"),
    value=["lost", "cool_lost"],
    rows="asked",
    interval={"lost": ("lower", "upper"), "cool_lost": ("cool_lower", "cool_upper")},
    reference=0,
    caption="AUROC2 of log-probability less that of another signal. To the right of the line the signal is worse. "
    "Against log-probability of an answer at the lowest temperature, which knows nothing of the draw, less is lost.",
    label="fig-use-lost",
    titles={"lost": "against the answer's own", "cool_lost": "against that at the lowest temperature"},
)

# %% [markdown]
# `add-model` proposes log-probability where a server tells it and agreement where not; [A new
# model](../book/new-model.md) says how to choose another. The replies come with the book (the profile `signals`).

# %% [markdown]
# (use-bill)=
# ## What does it cost to ask?
# <!-- fold -->

# %%
table(
    use.bill,
    "asked", "requests", "prompt_tokens", "answer_tokens",
    caption="A bill for 1,000 open questions, the mean over the models asked with every signal: first the answers, then what each signal takes "
    "beyond them. Where answers came out shorter when they were drawn anew with a signal, nothing is taken off.",
    titles={"asked": "For", "requests": "Answers asked for", "prompt_tokens": "Tokens read", "answer_tokens": "Tokens written"},
    digits={"requests": 0, "answer_tokens": 0},
)  # fmt: skip

# %% [markdown]
# The probability of an answer comes with it and costs nothing. A stated number takes one reply more, P(True) one more, a
# second model one reply of its own, and agreement as many as you ask for. Multiply by your price. The dearest part is
# people: a thousand answers marked once, some hundreds a week, and a look at every answer that is held back. Tokens are counted as
# a server would be sent them. A prompt has four examples, so a signal that asks more often pays
# mostly for reading it again; a server that keeps prompts in a cache charges less. Where a model reasons first and
# writes its number into the same reply, the number is free and [another model's reply](frontier-whom-to-ask.ipynb) is not.

# %% [markdown]
# ## Why do pages seem to contradict each other?
# <!-- fold -->
#
# Neither is wrong where two pages answer one question twice: they measure different things.
#
# - **Why has one model another AUROC2 on another page?** Other questions (all of them, or those that were asked again), another
#   temperature, or confidence cut into ratings.
# - **Is P(True) a good signal?** Study 1 shows a small model an answer that it wrote freely; study 3 shows a model which of
#   two answers it chose. The matrix above has both.
# - **Does it pay to withhold answers?** Accuracy counts only what was answered. Right decisions, below, count right answers
#   that were withheld too, over the better of answering everything and nothing.
# - **How well does log-probability tell?** At temperature 1 an answer can be an unlucky draw, and its words say so. That is
#   knowledge of the draw, not of the question: read the rows at the lowest temperature.
# - **Log-probability or a stated number?** In a short answer every word is the answer. In a reply that reasons first most
#   words are not, and their mean probability is another quantity.

# %% [markdown]
# ## Right decisions, counted the same way in both studies
# <!-- fold -->

# %%
forest(
    use.gains,
    value="gain",
    rows="asked",
    colour="signal",
    reference=0,
    caption="What withholding answers adds to the share of right decisions, beyond the better of answering everything "
    "and nothing. The same count for both studies: the threshold comes from other questions.",
    label="fig-use-decisions",
    titles={"gain": "Right decisions gained"},
)

# %% [markdown]
# ## What larger models and people add
# <!-- fold -->
#
# - Is it knowledge of itself? {glue:text}`/_executed/frontier-replication.ipynb::replication_answer:s` ([Does it
#   replicate?](frontier-replication.ipynb))
# - Whom to ask? {glue:text}`/_executed/frontier-whom-to-ask.ipynb::second_opinions_answer:s` ([Whom should one
#   ask?](frontier-whom-to-ask.ipynb))
# - Does thinking help? {glue:text}`/_executed/thinking.ipynb::thinking_compared_head:s` ([Does
#   thinking?](thinking.ipynb))
# - What does tone tell? {glue:text}`/_executed/frontier-tone.ipynb::tone_answer:s` ([What a judge of tone
#   hears](frontier-tone.ipynb))
# - Whose confidence? {glue:text}`/_executed/people-beside-models.ipynb::beside_answer:s` ([People beside
#   models](people-beside-models.ipynb))
# - By which key? {glue:text}`/_executed/frontier-data.ipynb::marks_answer:s` ([The data](frontier-data.ipynb))

# %% [markdown]
# ## What would change your mind
#
# - Put questions of your own to a model ([your own trials](../book/own-trials.md)). If answers above nine tenths are right
#   clearly less often than that, do not trust them there.
# - Choose a threshold on one half of the answers. If the other half gives a share far from it, the threshold promised too
#   much.
# - Try another model, for these are small. One that means the numbers it states would make stating the best signal for few
#   tokens; one that answers the same at every draw would leave agreement nothing to count.
