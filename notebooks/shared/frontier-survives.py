# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Which finding survives?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import matrix, table
from metacog.studies import open_run

run = open_run("shared", profile)
survives = run.result("survives")
survives.glue()
survives.answer(note="by_outcome")

# %%
matrix(
    survives.cells,
    rows="called",
    columns="set",
    value="answer",
    why="why",
    caption="Does a claim hold in a set of answers? Behind each answer: the effect and its 95 % interval, or why it cannot be tested (undecided: cannot be told).",
    titles={"called": "claim", "set": "set of answers"},
)

# %% [markdown]
# The papers of this book make or test {glue:text}`survives_n_claims:d` claims that other people's open data can test too:
# that confidence tells right from wrong {cite}`servajean2026,cacioli2026sdt`, that stated numbers crowd at a few values
# {cite}`cacioli2026battery,cacioli2026screen`, that larger models know themselves better or not {cite}`cacioli2026battery`,
# that accuracy and self-monitoring are unrelated or inverted {cite}`wang2025dmc,cacioli2026battery`, what thinking does
# {cite}`cacioli2026thinking`, that domains differ {cite}`cacioli2026sdt,cacioli2026atlas`, and that log-probability is the
# better signal {cite}`cacioli2026sdt`. The wording here is the book's. A claim that fails here may hold where its paper made
# it, with other measures.
#
# **The rule** was written down before any effect was computed by it:

# %%
survives.text("rule")

# %%
survives.text("checked")

# %%
table(
    survives.claims,
    *("called", "effect", "reference", "bound", "over", "holds", "fails", "open", "untested"),
    caption="What is computed for each claim, what is no effect, what the interval is over, and in how many sets the claim holds, fails, cannot be told, or cannot be tested.",
    titles={"called": "claim", "reference": "none is", "bound": "within", "over": "interval over", "holds": "holds", "fails": "fails", "open": "cannot be told", "untested": "cannot be tested"},
    digits={"reference": 1, "bound": 3},
    folded=True,
)

# %%
survives.text("counted")

# %%
table(
    survives.cells.query("answer != 'not testable'"),
    *("called", "set", "outcome", "value", "lower", "upper", "n", "over"),
    caption="Every effect that has an interval, and of how many of what that is.",
    titles={"called": "claim", "set": "set of answers", "value": "effect", "n": "of", "over": "interval over"},
    digits={"value": 3, "lower": 3, "upper": 3},
    folded=True,
)

# %% [markdown]
# **Sets are not all independent.** The three kinds of confidence on MMLU-Pro belong to the same replies, and some models of
# one set are in another. Runs of the same weights count as one, and makers weigh equally. Intervals over questions are
# about these models; those over makers, series and pairs say what other models might do, and there are few: they are t
# intervals, for the correlation from leaving each maker out in turn. The other claims are not independent either: nothing
# is adjusted for asking so many.
#
# **What the signals are.** *Token probability* is the mean over a whole reply with its explanation, not over the answer
# alone; a log-probability of the answer might tell more. Models on BrainBench state nothing: their confidence is how far the
# perplexities of two abstracts are apart. Open questions were asked at T = 1, where a probability of the words also knows
# [the luck of the draw](study1-luck.ipynb). The row of *domains* is about what makers have in common. The pairs with thinking
# on and off on MMLU-Pro are all of one maker, Qwen; those of the published counts are small models too, on other questions.
#
# **At equal accuracy** asks whether the change is more than being right more often, as on the page of
# [thinking](frontier-thinking.ipynb). The atlas's effects beyond these claims are on
# [a page of their own](frontier-replication.ipynb).
#
# ## What would change your mind
#
# For a claim that holds: a set in which its interval lies on the other side, or wholly within the bound. For one that
# cannot be tested: models of three makers or more, in the condition that is missing.
