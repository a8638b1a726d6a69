# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A million answers: what is in them

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, table
from metacog.studies import open_run

run = open_run("study7_mmlu_pro", profile)
reading = run.result("reading")
reading.glue()
reading.answer(note="outside")

# %%
forest(
    reading.lacking,
    value=["no_answer", "no_stated", "no_tokens", "no_tone"],
    rows="model",
    inline=True,
    limits=(0, 1),
    caption="Share of replies in which no answer was found, no number was stated, no token probability is given, or the judge gave no verdict on tone: models that lack one of them in more than a twentieth of their replies.",
    titles={"no_answer": "answer", "no_stated": "stated number", "no_tokens": "token probability", "no_tone": "tone", "": "share of replies without it"},
    label="fig-frontier-lacking",
)

# %% [markdown]
# The atlas is small: 1,500 questions, one kind of confidence. A second set of open data is far larger
# {cite:p}`tao2025`. {glue:text}`reading_n_models:d` models of {glue:text}`reading_n_families:d` makers answered the same
# {glue:text}`reading_n_items:,` questions of MMLU-Pro, with up to ten options, and each reply carries three kinds of
# confidence:
#
# - **the stated number**, which the model wrote, from 0 to 1;
# - **the token probability**: the mean over all tokens of the reply, reasoning included. It is not the probability of the
#   answer, and {glue:text}`reading_n_without_tokens:d` models have none;
# - **how sure the reply sounds**: another language model read the reply and judged its tone, from 0 to 1. Such a judge
#   may also have read whether the reply is right.
#
# What is asked of them: whether what the atlas shows [is found again](frontier-replication.ipynb), [whom to
# ask](frontier-whom-to-ask.ipynb) whether a model is right, whether [thinking](thinking.ipynb) helps, and [what
# tone tells](frontier-tone.ipynb).
#
# **A missing answer is not wrong by itself.** A reply that ran out of room while thinking has none. The chapters leave
# such replies out, and say what changes where they count as wrong.
#
# **Variants of the same weights are no different models.** The {glue:text}`reading_n_models:d` runs are of
# {glue:text}`reading_n_weights:d` sets of weights: some run with thinking on and off, or in reduced precision. Where a chapter
# speaks of *other* models, they are of other makers, so that no variant stands as the other of itself.
#
# ## Zeros
# <!-- fold -->
#
# A 0 can be what the model wrote, or what a program put in where it found no number.

# %%
reading.text("of_zeros")

# %%
table(
    reading.zeros,
    *("model", "zeros", "unanswered", "right_at_zero", "right_elsewhere", "tone_at_zero", "tone_elsewhere"),
    caption="Answers beside a stated 0, in models that have at least a hundred: how often they are right, and how sure they sound (0 to 1), beside the model's other answers.",
    titles={"zeros": "Zeros with an answer", "unanswered": "Zeros without an answer", "right_at_zero": "Right at 0", "right_elsewhere": "Right elsewhere", "tone_at_zero": "Tone at 0", "tone_elsewhere": "Tone elsewhere"},
)
