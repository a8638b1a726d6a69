# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Collection: what was asked, which models answered, and what came back

# %% tags=["parameters"]
profile = "default"
other = ""
seed = 42

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
collected = run.result("collection", seed=seed)
collected.glue()
collected.answer()

# %%
collected.figure("tiers")

# %% [markdown]
# Everything in this book starts from a **trial**: one question, put to one model once, at one sampling
# temperature, with one random seed. This page shows the trials from which the rest of the book is computed, before
# anything is estimated from them.
#
# The **temperature** $T$ sets how boldly a model draws its next word: near 0 it always takes its favourite, at 1
# it draws according to its own probabilities, above 1 it flattens them. Whatever the temperature, we record how
# probable the model itself, at $T = 1$, found the words that it wrote. The mean of those log-probabilities over
# the $L$ words (strictly, tokens) of an answer is the **normalised log-probability**,
#
# $$\begin{aligned}
# \mathrm{NLP} &= \frac{1}{L}\sum_{i=1}^{L} \log p_i, \\
# p_i &= p(w_i \mid \text{prompt}, w_1 \ldots w_{i-1}),
# \end{aligned}$$
#
# and it is the study's measure of confidence: a model that wrote nothing but its favourite words has an NLP near
# 0, one that wandered has a large negative one.

# %%
run.result("signal").text("which")

# %% [markdown]
# ## Which models answered, and how long it took
#
# The run behind this page has {glue:text}`collection_n_trials:,` trials (models: {glue:text}`collection_n_models`,
# questions: {glue:text}`collection_n_questions:,`, temperatures: {glue:text}`collection_n_temperatures`).
# The checksum identifies the exact file that answered. Times are those of the machine that collected the trials.

# %%
collected.table("facts", folded=True)

# %% [markdown]
# ## How answers were marked
#
# A text is **right** if, lower-cased and without a, an and the, it equals an accepted answer (*exact*), or if the
# share of matching characters between the two is at least 0.85 (*similar*). A text that begins with a phrase such
# as "I don't know" is a **refusal** and counts as wrong; an **empty** text, of which nothing is left, counts as wrong too, and has
# no NLP if the model wrote no word. A text that hit the token limit is **truncated**. The rule is the study's, and is generous where one letter makes the
# difference: the examples below show what it lets through.

# %% [markdown]
# Models are shown questions one below the other, each behind the mark `Q:`. A reply ends at a new line, but a model
# may go on with a question of its own in the same line: `Berlin Q: What is the largest ocean`. Such a reply **ends
# where the mark begins**. Only what stands before it is marked, and the NLP is the mean over its tokens; a token that
# holds some of the mark belongs to the mark. Where an accepted answer contains the mark itself, nothing is cut there.

# %%
collected.text("ran_on")

# %%
collected.table("outcomes", folded=True)

# %%
collected.figure("lengths")

# %% [markdown]
# ## Some answers
#
# These were drawn with a seed, not chosen. The last column is the confidence: compare the wrong answers with the
# right ones and you have the question of this book in front of you.

# %%
collected.table("examples")

# %% [markdown]
# ## Are there enough of each kind?
#
# The estimators of this study compare right answers with wrong ones. With fewer than 50 of either in a cell, an
# estimate is mostly noise. The bank's questions were assigned to five **tiers** of difficulty before any model saw
# them: 1 is what any child's school book contains, 5 is for specialists.

# %%
collected.box("enough")

# %%
collected.table("cells", folded=True)

# %%
run.other_run("collection", "facts", "outcomes")

# %% [markdown]
# ## What would change your mind
#
# If you doubt a number in this book, begin here: every trial is a row of the table in `results/`, with its text,
# the seed that drew it, and the key it was compared with. Find an answer that was marked wrongly, and every later
# chapter should move by what it is worth.
