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
from metacog.report import forest, matrix, table
from metacog.studies import open_run

run = open_run("shared", profile)
survives = run.result("survives")
survives.glue()
survives.answer(note="by_effect")

# %%
known = survives.claims[survives.claims["claim"].isin(survives.effects)]
forest(
    survives.effects,
    value=list(known["claim"]),
    rows="set",
    beside=True,
    reference=dict(zip(known["claim"], known["reference"], strict=True)),
    caption="How large the effect that a claim speaks of is in each set of answers, with 95 % intervals (dashed: no effect): how well confidence tells right from wrong, the share of answers at the two commonest numbers, the change of AUROC2 per doubling of size, as it is and at equal accuracy, the correlation of accuracy with AUROC2, the spread of AUROC2 over domains, and that of token probability less that of words. What each interval is over is in a table below.",
    titles={"set": "set of answers", "confidence": "AUROC2 less one half", "saturated": "share at two numbers", "size": "change per doubling", "size_equal": "at equal accuracy", "accuracy": "accuracy with AUROC2", "thinking": "with thinking on", "domains": "spread over domains", "tokens": "tokens less words"},
    label="fig-survives",
)

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
# that accuracy and self-monitoring are unrelated or inverted {cite}`wang2025dmc,cacioli2026battery`, that thinking helps
# {cite}`cacioli2026thinking`, that domains differ {cite}`cacioli2026sdt,cacioli2026atlas`, and that log-probability is the
# better signal {cite}`cacioli2026sdt`. The wording here is the book's. A claim that fails here may hold where its paper made
# it, with other measures.
#
# **The rule** was written down before any effect was computed by it. One thing was changed afterwards: intervals over
# series and over pairs with thinking are now over their makers, since models of one maker have much in common.

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
# about these models; those over makers say what other makers' models might do, and there are few: they are t intervals,
# for the correlation from leaving each maker out in turn. So what thinking does cannot be told here: all its pairs on
# MMLU-Pro are of one maker, Qwen, and the published counts are of two. What these show has
# [a page of its own](thinking.ipynb). The other claims are not independent either: nothing
# is adjusted for asking so many.
#
# **What the signals are.** *Token probability* is the mean over a whole reply with its explanation, not over the answer
# alone; a log-probability of the answer might tell more. Models on BrainBench state nothing: their confidence is how far the
# perplexities of two abstracts are apart. Open questions were asked at T = 1, where a probability of the words also knows
# [the luck of the draw](study1-luck.ipynb). The row of *domains* is about what makers have in common.
#
# **At equal accuracy** asks whether the change is more than being right more often: a larger model is compared on harder
# questions. The atlas's effects beyond these claims are on
# [a page of their own](frontier-replication.ipynb).
#
# ## What would change your mind
#
# For a claim that holds: a set in which its interval lies on the other side, or wholly within the bound. For one that
# cannot be tested: models of three makers or more, in the condition that is missing.
