# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 1: do language models know what they know?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, table
from metacog.studies import open_run
from metacog.studies.pages import linked

run = open_run("study1_qa", profile)
luck = run.result("luck")
numbers = luck.numbers()
coin = luck.says(
    "coin",
    "Four small models of this book, at the lowest temperature; a coin would get 50. It need not be self-knowledge: some "
    "questions are easy for everyone.",
    "At the lowest temperature. Models of this run that can be judged: {n_ranked}; clearly above a coin: {n_ranking}.",
    holds=numbers["n_ranked"] == 4,
)
luck.says(
    "ranks",
    "Better than a coin: of a right and a wrong answer, the right one carries the higher confidence in at least {least_pairs:.0f} of 100 pairs.",
    "Where confidence tells least, the right answer of a pair carries the higher one in {least_pairs:.0f} % of pairs; a coin "
    "would in half.",
    holds=(numbers["n_ranked"] > 1) & (numbers["n_ranked"] == numbers["n_ranking"]),
    head=True,
    rule="tells",
    note=coin,
)

# %%
two = luck.answers[luck.answers["temperature"].isin([luck.lowest, 1])]
caption = (
    "How often confidence puts a right answer above a wrong one: at the lowest temperature, and at temperature 1, where "
    "luck of the draw helps. A coin lies at the dashed line. 95 % intervals."
)
forest(two, value="auroc2", rows="model", panel="temperature", reference=0.5, caption=caption, label="fig-study1")

# %% [markdown]
# **The question.** Ask a language model a quiz question. It writes its answer in **tokens**, words or pieces of words, and
# gives each a probability. Do these probabilities tell whether the answer is right? And is that a skill of its own, apart
# from how much the model knows?
#
# **What the paper did** {cite:p}`cacioli2026sdt`. Four models of 7 to 9 billion parameters, by Meta, Mistral and Google,
# answered questions of two public collections, **TriviaQA** (pub-quiz questions) and **Natural Questions** (what people
# typed into Google), at seven sampling **temperatures**: the higher, the more boldly a model picks its next word.
# Confidence was the mean log-probability of an answer's tokens, cut into eight ratings. Four hypotheses were registered
# beforehand. The first version ranked the models by the M-ratio; the second withdrew that measure.
#
# **What this book adds.** It reconstructs the paper's counts from [what it prints](ledger.ipynb), asks smaller models of its own
# the same kind of questions, and asks two things that the paper does not: how much of confidence is luck of the draw,
# and whether the measures recover a truth that is known.

# %% [markdown]
# ## What the paper found, and what holds of it
#
# *Found again* means that the paper computed what it says, not that the measure is sound.

# %%
shared = open_run("shared", profile)
findings = shared.result("findings")
findings.text("study 1")

# %%
shown = {"finding": "What the paper says", "where": "Where", "printed": "Printed", "recomputed": "Computed again", "outcome": "Its figures", "page": "More"}
table(linked(findings.findings.query("study == 'study 1'"), "page"), *shown, titles=shown, caption="Each finding of the paper, next to what its figures give when they are computed again.")

# %%
run.result("signal").text("which")

# %% [markdown]
# ## What was found
#
# - [What is confidence made of?](study1-luck.ipynb) {glue:text}`/_executed/study1-luck.ipynb::luck_head:s`
# - [Is it only the surface?](study1-luck.ipynb) {glue:text}`/_executed/study1-luck.ipynb::surface_answer:s`
# - [The correction](study1-correction.ipynb). {glue:text}`/_executed/study1-correction.ipynb::correction_head:s`
# - [Four hypotheses](study1-hypotheses.ipynb): as registered, and as they can be answered.
#   {glue:text}`/_executed/study1-hypotheses.ipynb::robustness_head:s`
# - [What temperature does](study1-hypotheses.ipynb).
#   {glue:text}`/_executed/study1-hypotheses.ipynb::luck_rise:s`
# - [Can I use this confidence?](study1-use.ipynb) {glue:text}`/_executed/study1-use.ipynb::use_head:s`
# - [Thinking and tuning](thinking.ipynb): do they help a model to know itself?
#   {glue:text}`/_executed/thinking.ipynb::thinking_compared_head:s`
#
# ## The other chapters
#
# - [The answers](study1-collection.ipynb): what was asked, how answers were marked, and whether to trust the marks.
#   {glue:text}`/_executed/study1-collection.ipynb::validation_answer:s`
