# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What small models can and cannot show

# %% tags=["parameters"]
profile = "default"
d_prime = 1.0
m_ratio = 0.8
n_ratings = 5
half_width = 0.1
repetitions = 20
n_simulations = 2_000

# %%
from metacog.report import forest, lines, matrix, table
from metacog.studies import open_run

run = open_run("shared", profile)
small = run.result("small_models")
small.glue()
n = small.numbers()
medians = small.says(
    "medians",
    "Medians over {n_cases} cases, each a model on one task: {stated:.0f} of 100 pairs for the number stated, {behind:.0f} for the probability. The models: {models}.",
    "The models: {models}.",
    holds=n["n_cases"] > 0,
)
small.says(
    "head",
    "The confidence that small models state orders right and wrong answers like a coin; the probability of their answer orders {behind:.0f} of 100 pairs rightly.",
    "The median of the confidence stated is {stated:.0f} of 100 pairs in order, that of the probability of the answer {behind:.0f}.",
    holds=(n["n_cases"] >= 8) & (47 < n["stated"] < 53) & (n["behind"] > 57) & (n["n_behind"] > 2 * n["n_stated"]),
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
    limits=(0.2, 1),
    caption="How often a right answer has more confidence than a wrong one (AUROC2), with 95 % intervals; dashed: a coin. Look which colour leaves the line. In study 4 the probability is how often the answer comes back when it is asked for again.",
    titles={"part": "asked", "source": "confidence"},
    label="fig-small-signals",
)

# %%
small.says(
    "two_signals",
    "Of {n_cases} pairs of marks with an interval, the probability lies beyond the coin's line in {n_behind}, the number stated in {n_stated}. The model leans towards its right answers, and cannot say so when it is asked.",
    "Of {n_cases} pairs of marks with an interval, the probability lies beyond the coin's line in {n_behind}, the number stated in {n_stated}.",
    holds=n["n_behind"] > 2 * n["n_stated"],
)

# %% [markdown]
# Models that run on a laptop were asked what the papers ask of large ones: [two choices](study2-overview.ipynb),
# [nine ways of asking](study3-overview.ipynb), [the probe](study4-overview.ipynb) and [the
# battery](study5-overview.ipynb). The questions were written for this book, so no score here stands beside a printed one.
# What such models teach is how to ask, how many questions it takes, and which of the claims they are too weak to test.

# %%
small.says(
    "who",
    "A name holds the number of parameters: 1.5B is 1.5 thousand million, 135M a tenth of that. Qwen is Alibaba's, Gemma Google's, SmolLM Hugging Face's. The smallest models that people talk to are five times as large as the largest here.",
    "The models of this run: {models}.",
    holds=n["models"]
    == "Qwen2.5-Coder-1.5B-Instruct, Qwen2.5-Coder-0.5B-Instruct, SmolLM2-135M-Instruct and Gemma-3-270M",
)

# %% [markdown]
# ## What could have been seen
#
# A mark on the coin's line is no proof that a model knows nothing. How much confidence would have to tell before this run
# sees it, four times in five, was simulated before anything was asked.

# %%
small.says(
    "power",
    "On {most_trials:,} answers it is enough that the right one comes first in {floor_low:.0f} of 100 pairs. On the {least_trials} items of the smallest task it takes {floor_high:.0f}: there, even good self-knowledge would mostly look like a coin.",
    "No task of this run has a size that was simulated.",
    holds=n["floor_high"] > 75,
)

# %%
table(
    small.sizes,
    *("study", "part", "n_trials", "half_width", "floor"),
    titles={"study": "study", "part": "part", "n_trials": "answers", "half_width": "half-width of AUROC2"},
    caption="With three of four answers right: how wide intervals will be, and the least AUROC2 that is told from a coin four times in five.",
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
    limits=(0, 1),
    caption="Share of replies that could be read, by what was asked for, with 95 % intervals. *Written*: as in study 3, without an example. In study 4, two worked replies come first. *Chosen*: the model picks among words that are given.",
    titles={"share": "share that could be read", "form": "asked for"},
    label="fig-small-forms",
)

# %%
small.says(
    "forms",
    "Asked in writing for a letter and a number, {worst_writer} gives what can be read {least_written:.0f} % of the time, {best_writer} {most_written:.0f} %. Two worked replies help; but then the numbers are mostly those of the examples. What always works is to let a model choose among words that are given, and to read how probable each is.",
    "Of the written replies, {least_written:.0f} % could be read in the worst model and {most_written:.0f} % in the best.",
    holds=(n["least_written"] < 50) & (n["least_chosen"] > 95),
)

# %% [markdown]
# Look what that leaves. A digit chosen from 1 to 5 can always be read, and in the figure at the head it is as good as a
# coin. Readable is not the same as meant: asked to choose between A and B, these models say A, whatever A is (the table of
# claims below has how often). So every other question puts the right option first.
#
# ## Ask back
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
ways = small.areas[small.areas["study"].eq("study3_dmc")]
forest(
    ways[~ways["signal"].astype(str).str.contains("written")],
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
    "No way leads in every model. But {asked_back}, asked whether its own answer is right, is surer of the right one in {back:.0f} of 100 pairs ({back_lower:.0f} to {back_upper:.0f}). The next best model by that question gets {next_back:.0f}. Judging an answer is a skill of its own, and only the largest model here has it.",
    "By P(True), {asked_back} is best: {back:.0f} of 100 pairs ({back_lower:.0f} to {back_upper:.0f}); the next one gets {next_back:.0f}.",
    holds=(n["asked_back"] == "Qwen2.5-Coder-1.5B-Instruct") & (n["back_lower"] > n["next_back"]),
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
    "Three things hold here as in print. Confidence uses less than the decision knew, wherever that can be judged. How one asks matters, in the largest model. And letting the unsure go unanswered pays in few cases. No model heeds a warning, as large ones do; none withdraws its wrong answers, and one withdraws its right ones. The probe's items are too few to say yes or no to any of its claims.",
    "What holds stands in the table, by claim and model.",
    holds=(n["heeded"] == 0) & (n["withdrawn"] == 0) & (n["probe_yes"] == 0) & (n["more_than_used"] == 0),
)

# %% [markdown]
# ## How many trials does it take?
#
# The M-ratio, what confidence uses of what the decision knew, is a ratio of two estimates and needs more data than either.
# Invent an observer whose M-ratio is known, let it answer, fit its answers with the code that fits the models, and see how
# far the estimates fall from the truth. The paper of study 2 did so for one observer with 20 repetitions
# {cite:p}`servajean2026`; here is one whose decisions are as hard as those of most models.

# %%
sizes = run.result(
    "sample_size",
    d_prime=d_prime,
    m_ratio=m_ratio,
    n_ratings=n_ratings,
    half_width=half_width,
    repetitions=repetitions,
    n_simulations=n_simulations,
)

# %%
forest(
    sizes.single[sizes.single["observer"].ne(sizes.single["observer"].iloc[0])],
    value="m_ratio",
    rows="n_trials",
    inline=True,
    reference=m_ratio,
    limits=(-1, 3),
    titles={"n_trials": "trials", "m_ratio": "M-ratio, estimated"},
    caption="Twenty simulated runs at each number of trials, a mark each; the dashed line is the true M-ratio. Look from where on the marks would not mislead you.",
    label="fig-small-sizes",
)

# %%
sizes.says(
    "needed",
    "To know this M-ratio to within {half_width:g} takes {trials:,} trials; the paper's observer, who is right nineteen times in twenty, takes {paper_trials:,}. Half the width takes about four times as many.",
    "To know the M-ratio to within {half_width:g} takes {trials:,} trials, and of the paper's observer {paper_trials:,}.",
    holds=(d_prime == 1) & (sizes.numbers()["trials"] > 500),
)

# %%
table(
    sizes.grid,
    *("d_prime", "accuracy", "at_0.5", "at_0.8", "at_1"),
    titles={"accuracy": "Share right", "at_0.5": "M-ratio 0.5", "at_0.8": "M-ratio 0.8"},
    digits={"d_prime": 1, "accuracy": 2, "at_0.5": 0, "at_0.8": 0},
    caption="Trials for the wanted half-width, by how often a model is right. Near chance no affordable number makes the ratio precise.",
    folded=True,
)

# %%
lines(
    sizes.spread,
    x="n_trials",
    value="m_ratio_half",
    colour="observer",
    reference=half_width,
    log=True,
    limits=(0, 1.5),
    titles={"m_ratio_half": "half-width of M-ratio", "n_trials": "trials"},
    caption="Expected half-width of the 95 % interval of the M-ratio, of both observers; the dashed line is the wanted one.",
    label="fig-study2-half-width",
)

# %% [markdown]
# For another observer, run this page with other parameters, or use
# `metacog power --measure m_ratio --value 0.8 --d-prime 1 --ratings 10 --half-width 0.1`.
#
# ## What does not follow
#
# - **That large models cannot say how sure they are.** In [larger models](frontier-self-knowledge.ipynb) the stated number
#   does tell right from wrong.
# - **That a small model knows itself.** The probability of an answer is part of answering. It may only say how hard a
#   question is for anybody; [what else it holds](study1-luck.ipynb) takes other models and further draws to tell.
# - **That a paper is refuted.** A model that guesses has nothing to know of its errors, and on most kinds of the battery's
#   items these models guess.
# - **Anything of makers or of size.** Four models are four models, and two of them share a recipe.
#
# ## What would change your mind
#
# That the stated number is a coin: a task on which its interval lies above one half in several models. That asking back is
# the larger model's skill: another model of a few thousand million parameters that cannot do it, or a smaller one that can.
# To ask [one of your own](../book/new-model.md), add it to a profile; it stands in each of these figures then.
