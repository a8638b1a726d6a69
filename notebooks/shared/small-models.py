# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What small models can and cannot show

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, matrix, table
from metacog.studies import open_run

run = open_run("shared", profile)
small = run.result("small_models_compared")
small.glue()
n = small.numbers()
medians = small.says(
    "medians",
    "Medians over {n_cases} cases, each a model on one task whose stated number varies: {stated:.0f} of 100 pairs for the number stated, {behind:.0f} for the probability. The models: {models}. This run asked {studies}.",
    "The models: {models}. This run asked {studies}.",
    holds=n["n_cases"] > 0,
)
small.says(
    "head",
    "Small models' stated confidence mostly tells right from wrong no better than a coin; the probability of their answer does, in {behind:.0f} of 100 pairs.",
    "The confidence stated orders {stated:.0f} % of pairs of answers rightly, the probability of the answer {behind:.0f} %.",
    holds=(n["n_cases"] >= 8)
    & (47 < n["stated"] < 53)
    & (n["behind"] > 57)
    & (n["n_behind"] > 2 * n["n_stated"]),
    head=True,
    note=medians,
    rule="answer",
)

# %%
forest(
    small.areas[small.areas["source"].ne("")],
    value="auroc2",
    rows="part",
    colour="source",
    panel="model",
    reference=0.5,
    limits=(0.2, 1.03),
    caption="How often a right answer has more confidence than a wrong one (AUROC2), with 95 % intervals; dashed: a coin. Compare how far each colour lies from the line. In study 4 the probability is how often the answer comes back when it is asked for again.",
    titles={"part": "asked", "source": "confidence"},
    label="fig-small-signals",
)

# %%
small.says(
    "two_signals",
    "In {n_cases} places of this figure both marks have an interval and the number stated varies. The probability lies wholly beyond the coin's line in {n_behind} of them, the number stated in {n_stated}. The models lean towards their right answers, and cannot say so when they are asked.",
    "In {n_cases} places of this figure both marks have an interval and the number stated varies. The probability lies wholly beyond the coin's line in {n_behind} of them, the number stated in {n_stated}.",
    holds=(n["n_cases"] >= 8) & (n["n_behind"] > 2 * n["n_stated"]),
)

# %%
small.says(
    "same",
    "**Where there is nothing to see.** In {n_same} of the {n_places} places in which a model states how sure it is, it states one and the same value in at least nine of ten replies. Such a value cannot put one answer before another, so these marks say how a model replies, and nothing of what it knows; the sentence above leaves them out.",
    "In {n_same} of {n_places} places a model states one and the same value in at least nine of ten replies.",
    holds=0 < n["n_same"] < n["n_places"],
)

# %% [markdown]
# Models that run on a laptop were asked what four of the papers ask of large ones: [two
# choices](study2-replication.ipynb), [nine ways of asking](study3-replication.ipynb), [the probe](study4-replication.ipynb)
# and [the battery](study5-replication.ipynb). Each link leads to all that one study found. The questions were written for
# this book, so no score here stands beside a printed one. What such models teach is how to ask, how many questions it
# takes, and which claims they are too weak to test.

# %%
small.says(
    "who",
    "A name holds the number of parameters: 1.5B is 1.5 thousand million, 135M less than a tenth of that. Qwen is Alibaba's, Gemma Google's, SmolLM Hugging Face's.",
    "The models of this run: {models}.",
    holds=n["models"]
    == "Qwen2.5-Coder-1.5B-Instruct, Qwen2.5-Coder-0.5B-Instruct, SmolLM2-135M-Instruct and Gemma-3-270M",
)

# %% [markdown]
# ## What could have been seen
#
# A mark on the coin's line is no proof that a model knows nothing. How much confidence would have to tell before this run
# sees it, four times in five, was simulated before anything was asked. [The page on two
# choices](study2-replication.ipynb) says how many trials the M-ratio of that study takes: many more. ([What that ratio is
# not](study1-correction.ipynb) for open answers is another page.)

# %%
small.says(
    "power",
    "On {most_trials:,} answers it is enough that the right one comes first in {floor:.0f} of 100 pairs. On {hopeless_trials} answers, by the same reckoning, it would have to be more than 100: there a coin and a model that knows itself mostly look alike.",
    "On {most_trials:,} answers it is enough that the right one comes first in {floor:.0f} of 100 pairs.",
    holds=n["hopeless_trials"] > 0,
)

# %%
table(
    small.sizes,
    *("study", "part", "n_trials", "half_width", "floor"),
    titles={"part": "Part", "n_trials": "Answers", "half_width": "Half-width of AUROC2"},
    caption="With three of four answers right: how wide intervals will be, and the least AUROC2 that is told from a coin four times in five; none where it would lie above 1.",
    empty="Runs of this size were not simulated (benchmarks/reference_sizes.py does it).",
    folded=True,
)

# %% [markdown]
# ## A small model does not keep to a form
#
# Papers mostly read a confidence off what a model writes: a letter, a comma, a number. A reply without them is lost.

# %%
forest(
    small.forms,
    value="share",
    rows="form",
    colour="model",
    interval=("lower", "upper"),
    limits=(-0.03, 1.03),
    caption="Share of replies that could be read, by what was asked for, with 95 % intervals. *Written*: as in study 3, without an example. In study 4, two worked replies come first. *Chosen*: the model picks among words that are given.",
    titles={"share": "share that could be read", "form": "asked for"},
    label="fig-small-forms",
)

# %%
small.says(
    "forms",
    "In writing and without an example, {worst_writer} gives {least_written:.0f} % that can be read, {best_writer} {most_written:.0f} %. On the probe's tasks, with two worked replies in front, the former gives {with_examples:.0f} %. What always works is to let a model choose among words that are given, and to read how probable each is.",
    "Of the written replies, {least_written:.0f} % could be read in the worst model and {most_written:.0f} % in the best.",
    holds=(n["least_written"] < 50)
    & (n["with_examples"] > n["least_written"] + 20)
    & (n["least_chosen"] > 95),
)

# %%
small.says(
    "meant",
    "Readable is not the same as meant. A digit chosen from 1 to 5 can always be read, and in {digits_above} of {n_digits} cases it beats a coin. Asked to choose between A and B, these models prefer A, whatever A is (in all {say_first} of them). So every other question puts the right option first.",
    "A digit chosen from 1 to 5 beats a coin in {digits_above} of {n_digits} cases. Asked to choose between A and B, {say_first} of {n_models} models prefer A, whatever A is.",
    holds=(n["n_digits"] > 5 * n["digits_above"]) & (n["say_first"] == n["n_models"]),
)

# %% [markdown]
# ## Ask back
# <!-- fold -->
#
# Nine ways of asking for confidence in one of two answers, from [study 3](study3-overview.ipynb) and {cite:t}`kadavath2022`:
#
# - **Verbalised**: a number, at once (*vanilla*), after a sentence of reasoning (*CoT*), or for each guess (*top-k*); here
#   every digit gets its probability.
# - **Consistency**: ask again, and count how often the answer is the same: the question as it is (*self-random*), reworded
#   (*perturbing*), or with a remark that leads astray (*misleading*).
# - **Read off the model**: the probability of the option; *decoding entropy*, how widely its answers scatter; and
#   *P(True)*, the probability of "yes" when it is asked whether its own answer is right.

# %%
forest(
    small.ways,
    value="auroc2",
    rows="signal",
    colour="model",
    reference=0.5,
    titles={"signal": "way of asking"},
    caption="How often a right answer has more confidence than a wrong one (AUROC2), with 95 % intervals; dashed: a coin. Look whether one way leads in every model.",
    label="fig-small-ways",
)

# %%
small.says(
    "ask_back",
    "No way leads in every model. But {asked_back}, asked whether its own answer is right, is surer of the right one in {back:.0f} of 100 pairs ({back_lower:.0f} to {back_upper:.0f}). The next best model by that question gets {next_back:.0f}. Judging an answer is a skill of its own, and only the largest model here has much of it.",
    "By P(True), {asked_back} is best: {back:.0f} of 100 pairs ({back_lower:.0f} to {back_upper:.0f}).",
    holds=(n["asked_back"] == "Qwen2.5-Coder-1.5B-Instruct")
    & (n["back_lower"] > n["next_back"])
    & (n["leading_ways"] > 1),
)

# %% [markdown]
# ## What holds of the papers' claims

# %%
matrix(
    small.claims,
    rows="claim",
    columns="model",
    value="answer",
    why="why",
    caption="In how many of the comparisons that can be judged a claim is borne out; what stands behind an answer shows on pointing at it.",
    titles={"claim": "claim"},
)

# %%
small.says(
    "claims",
    "Confidence uses less than the decision knew, as in print: an M-ratio is shown to lie below 1 in {below} cases, above 1 in none. Two ways of asking differ in one model alone, {ways_where}. The rest is what small models cannot do, or what so few answers cannot tell. None is shown to heed a warning, as large ones do. None is shown to withdraw its wrong answers more often than its right ones, and {reversed} of {n_models} does the reverse. To leave the unsure unanswered gains nothing that is shown. And the probe's items are too few to say yes or no to any of its claims.",
    "What holds stands in the table, by claim and model.",
    holds=(n["below"] > 0)
    & (n["above"] + n["heeded"] + n["withdrawn"] + n["of_the_probe"] + n["gains"] == 0)
    & (n["reversed"] == 1)
    & (n["ways_where"] == "Qwen2.5-Coder-1.5B-Instruct"),
)

# %% [markdown]
# ## What does not follow
# <!-- fold -->
#
# - **That large models cannot say how sure they are.** In [larger models](frontier-self-knowledge.ipynb) the stated number
#   does tell right from wrong.
# - **That a small model knows itself.** The probability of an answer is part of answering. It may only say how hard a
#   question is for anybody; [what else it holds](study1-luck.ipynb) takes other models and further draws to tell.
# - **That a paper is refuted.** A model that guesses has nothing to know of its errors. How many kinds of the battery's
#   items each model answers better than by guessing stands in the table above.
# - **Anything of makers or of size.** A handful of models is a handful of models.
#
# ## What would change your mind
#
# - We would no longer call the stated number a coin if there were a task on which its interval lies above one half in
#   several small models.
# - We would no longer think that judging one's own answer comes with size if a model of a few thousand million parameters
#   could not do it, or if a smaller one could.
#
# To ask [one of your own](../book/new-model.md), add it to a profile; it stands in each of these figures then.
