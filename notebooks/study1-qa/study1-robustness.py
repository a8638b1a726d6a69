# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Do the answers survive other choices?

# %% tags=["parameters"]
profile = "default"
other = ""
n_resamples = 10_000
seed = 42
verdicts = True

# %%
from metacog.report import forest, matrix
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
robust = run.result("robustness", n_resamples=n_resamples, seed=seed, verdicts=verdicts)
robust.glue()
robust.says(
    "head",
    "On other questions three pairs of the paper's models swap places by M-ratio, always with Mistral-7B: the order depends on "
    "the questions.",
    robust.sentence("answer"),
    holds="On other questions 3 pairs" in robust.sentence("answer"),
    head=True,
    rule="answer",
)

# %%
settings = robust.published.drop_duplicates(["variant", "model"])
caption = (
    "M-ratio of the paper's models under each setting, with 95 % intervals: from reconstructed counts, with ratings of equal "
    "width from the first paper's, and with 3 or 6 ratings a side as printed (open). Where marks change order from row to "
    "row, the ranking may come from the setting."
)
more = {"colour": "model", "hollow": "flag", "reference": 1, "label": "fig-robustness-published"}
forest(settings, value="m_ratio", rows="variant", caption=caption, **more)

# %% [markdown]
# A finding that depends on one choice is a finding about that choice. The study registered six checks. Four change the
# settings of the **M-ratio** (see [the first hypothesis](study1-hypotheses.ipynb)):
#
# - **how many ratings**: 3 or 6 a side instead of 4;
# - **how spread out** wrong and right answers are in confidence: unequally, by the slope of the z-ROC, instead of equally.
#   A slope below 1 means that right answers are more spread out. Of the paper's models there are two slopes: that of their
#   own z-ROC, and the one that the author took from an earlier study;
# - **where ratings end**: at equal widths instead of equal numbers of answers. The paper prints no such value; its
#   earlier counts have 20 equal widths, read here as ratings cut at the edge nearest the median;
# - **which questions**: another set.
#
# Two more ask for something else: whether right answers were **likely** where wrong ones were given, and whether
# subjects and models still differ where questions are **equally difficult**.
#
# Stability under other settings would **not** make the M-ratio a measure of efficiency for open answers: no statistic of
# its table can be one ([the correction](study1-correction.ipynb)).

# %%
run.result("signal").text("which")

# %% [markdown]
# ## What every check says
#
# Does a model stay below 1, or not below it? And does it keep its order with every other model? An order of two models
# is kept if the interval of their difference lies on the same side of zero before and after. Where either interval holds
# zero, there was no settled order to keep, which leaves the question undecided.

# %%
caption = "The checks by model. Cells are empty where a check needs what there is not, such as the paper's trials."
matrix(robust.checks, rows="claim", columns="model", value="answer", why="why", caption=caption, titles={"claim": "Claim"})

# %% [markdown]
# ### Setting by setting
# <!-- fold -->

# %%
asked = (robust.variants["check"] == "R1") | (robust.variants["variant"] != "K = 4, s = 1, quantiles")
caption = "M-ratio of this book's models under each setting, with 95 % intervals. Open marks are flagged and decide nothing."
more = {"colour": "model", "hollow": "flag", "reference": 1, "label": "fig-robustness-variants"}
forest(robust.variants[asked], value="m_ratio", rows="variant", caption=caption, **more)

# %% [markdown]
# ## Was the right answer likely, although a wrong one was given?
#
# For up to 300 questions that a model got wrong at temperature 1, every accepted answer (at most eight) and the wrong
# answer itself are scored as continuations of the same prompt; nothing is sampled. If an accepted answer is often the more
# likely one, many wrong answers were less likely draws. That alone does not make them slips of sampling: the wrong answer
# may be improbable itself, and a third one the model's usual answer. So the figure also shows how many of the same
# questions the model answers rightly at the lowest temperature. Models whose server tells no probabilities of a given text
# are left out.

# %%
named = {
    "share_best": "likelier per token",
    "share_sum": "likelier as a whole",
    "right_lowest": "right at the lowest temperature",
    "": "Share of questions answered wrongly",
}
values = ["share_best", "share_sum", "right_lowest"]
caption = "How often an accepted answer was likelier than the wrong one that was given, with 95 % intervals."
forest(robust.forced, value=values, rows="model", reference=0.5, caption=caption, label="fig-robustness-forced", titles=named)

# %% [markdown]
# The best of several accepted answers has several chances to win. And a mean over tokens favours long names whose end
# follows from their beginning, so the share by *whole* log-probability stands next to it.
#
# ### The M-ratio of force-decoded confidence
# <!-- fold -->
#
# The paper's check is the M-ratio of another confidence: that of an *accepted* answer to every question, whatever the
# model said. So a fluent wrong answer can no longer look sure. A right answer keeps its confidence, since it is an accepted
# one; a wrong one gets that of the likeliest accepted answer that was scored. Which wrong answers are scored was drawn by a
# seed. So each that was scored is weighted up to the number of all wrong ones, where ratings are cut and where they are
# counted, and right and wrong answers are resampled apart, which keeps the intervals as wide as few scored answers make them.

# %%
robust.text("weighted")

# %%
caption = "M-ratio of all questions, with the confidence of the answer that was given and of an accepted one; 95 % intervals."
more = {"colour": "confidence_of", "reference": 1, "label": "fig-robustness-force-decoded", "titles": {"confidence_of": "Confidence in"}}
forest(robust.force_decoded, value="m_ratio", rows="model", caption=caption, **more)

# %% [markdown]
# ## The same difficulty
# <!-- fold -->
#
# The paper mentions a check that is matched for difficulty and does not define it. **This definition is ours.** The
# difficulty of a question is the number of the run's models that answered it correctly at temperature 1. From every subject
# questions are drawn so that all subjects contain equally many at each difficulty. For a pair of models, which
# share their questions, we keep those that both got right or both got wrong, and equal numbers of those that only
# the one or only the other got right. The drawing is repeated over seeds; limits come from resampling the
# questions and matching each time.

# %%
caption = "M-ratio by subject, on all its questions and on questions of equal difficulty, with 95 % intervals."
more = {"rows": ["model", "domain"], "hollow": "flag", "reference": 1, "label": "fig-robustness-difficulty"}
forest(robust.matched_domains, value=["m_ratio_matched", "m_ratio"], caption=caption, titles={"": "M-ratio"}, **more)

# %%
robust.text("needed")

# %% [markdown]
# ## What would change your mind
#
# A ranking that changes with the number of ratings, the assumed spread, or the questions is not a property of the models.
# Look for the check that moves a model furthest; what can move an M-ratio is the subject of [the
# correction](study1-correction.ipynb).
