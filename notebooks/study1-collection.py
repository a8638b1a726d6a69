# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Collection: what was asked, of whom, and what came back
#
# Everything in this book starts from a **trial**: one question, put to one model once, at one
# sampling temperature, with one random seed. This page shows the trials that the rest of the
# book is computed from, before anything is estimated from them.
#
# The **temperature** $T$ says how boldly a model draws its next word: near 0 it always takes its
# favourite, at 1 it draws by its own probabilities, above 1 it flattens them. Whatever the
# temperature, we record how probable the model itself, at $T = 1$, found the words that it wrote.
# The mean of those log-probabilities over the $L$ words (strictly, tokens) of an answer is the
# **normalised log-probability**,
#
# $$\mathrm{NLP} = \frac{1}{L}\sum_{i=1}^{L} \log p(w_i \mid \text{prompt}, w_1 \ldots w_{i-1}),$$
#
# and it is the study's measure of confidence: a model that wrote nothing but its favourite words
# has an NLP near 0, one that wandered has a large negative one.

# %% tags=["parameters"]
profile = "default"
seed = 42

# %% tags=["hide-input"]
from metacog.book import manifests, trial_files
from metacog.collect.questions import load_questions
from metacog.core.config import load_profile
from metacog.report.show import glue, save_table, table, verdict
from metacog.report.style import use_style
from metacog.studies.study1_qa import collection
from metacog.studies.study1_qa.collection_figures import accuracy_by_tier, answer_lengths
from metacog.trials import read_trials

use_style()
settings = load_profile(profile)
trials = read_trials(trial_files(profile))
glue("n_trials", len(trials))
glue("n_models", trials["model"].nunique())
glue("n_questions", trials["question_id"].nunique())
glue("n_temperatures", trials["temperature"].nunique())

# %% [markdown]
# ## Who was asked, and how long it took
#
# The run behind this page has {glue:text}`n_trials:,` trials: {glue:text}`n_models` model(s),
# {glue:text}`n_questions:,` questions, {glue:text}`n_temperatures` temperatures. The checksum
# names the very file that answered. Times are those of the machine that collected the trials.

# %% tags=["hide-input"]
facts = collection.run_facts(manifests(profile))
glue("collection_minutes", float(facts["minutes"].sum()))
table(facts, digits={"minutes": 1, "trials_per_second": 1}, caption="The runs behind this page.")

# %% [markdown]
# ## How answers were marked
#
# A text is **right** if, lower-cased and without a, an and the, it equals an accepted answer
# (*exact*), or is at least 0.85 alike by the share of matching characters (*similar*). A text that
# begins with a phrase such as "I don't know" is a **refusal** and counts as wrong; an **empty**
# text counts as wrong and has no NLP. A text that hit the token limit is **truncated**. The rule is the
# study's own, and generous where one letter makes the difference: the examples below show what it lets
# through.

# %% tags=["hide-input"]
marked = collection.outcomes(trials, by=("model", "temperature"))
save_table(marked, f"{settings.name}/collection_outcomes", profile=settings.name)
table(marked, digits={"temperature": 1}, caption="Shares of trials by how they were marked.")

# %% mystnb={"figure": {"name": "fig-collection-lengths", "caption": "Length of answers in tokens, by temperature. Where the lines climb at the right edge, answers were cut off at the token limit, and their NLP is that of an unfinished text."}, "image": {"alt": "Histograms of answer length by temperature"}} tags=["hide-input"]
answer_lengths(trials)
# %% [markdown]
# ## Some answers
#
# Drawn by seed, not chosen. The last column is the confidence: compare the wrong answers with the
# right ones and you have the question of the book in front of you.

# %% tags=["hide-input"]
asked = {q.id: q.question for name in settings.datasets for q in load_questions(name)}
table(collection.examples(trials, asked, seed=seed), digits=2, caption="Trials of each kind.")

# %% [markdown]
# ## Are there enough of each kind?
#
# The estimators of this study compare right answers with wrong ones. With fewer than 50 of either
# in a cell, an estimate is mostly noise. The bank's questions were put in five **tiers** of
# difficulty, before any model saw them: 1 is what any child's school book holds, 5 is for
# specialists.

# %% tags=["hide-input"]
cells = collection.right_by_tier(trials)
save_table(cells, f"{settings.name}/collection_cells", profile=settings.name)
verdict(collection.cell_sentence(cells))
table(cells, caption="Right answers of those asked at T = 1, by domain and tier.")

# %% mystnb={"figure": {"name": "fig-collection-tiers", "caption": "Accuracy at T = 1 by tier. The tiers were set by the writers; if the lines did not fall, the writers' sense of difficulty would not be the models'. Bars are 95 % Wilson intervals."}, "image": {"alt": "Accuracy falls with tier for each model"}} tags=["hide-input"]
accuracy_by_tier(trials)

# %% [markdown]
# ## What would change your mind
#
# If you doubt a number of this book, begin here: every trial is a row of the table in
# `results/`, with its text, the seed that drew it, and the key it was held against. Find
# an answer that was marked wrongly, and every later chapter should move by what it is worth.
