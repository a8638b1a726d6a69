# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Robustness: six ways the result could be an accident

# %% tags=["parameters"]
profile = "default"
other = ""
n_resamples = 10_000
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
robust = run.result("robustness", n_resamples=n_resamples, seed=seed, verdicts=verdicts)
robust.glue()
robust.answer(note="likelier")

# %%
robust.figure("published")

# %% [markdown]
# A finding that depends on one choice is a finding about that choice. The study registered six checks.
#
# | check | what is changed |
# | --- | --- |
# | R1 | the number of ratings: $K = 3$ and 6 per side instead of 4 |
# | R2 | the spread of wrong and right answers: unequal, $s$ = slope of the z-ROC, instead of equal |
# | R3 | the rating edges: equal widths instead of equal numbers |
# | R4 | the questions: another set |
# | R5 | what was likely: accepted answers are scored against the wrong answer given |
# | R6 | difficulty: domains and models matched for it |
#
# :::{warning}
# R1 to R4 vary the settings of the **M-ratio** (see [H1](study1-h1.ipynb)). Stability under them would not make it
# a measure of efficiency for open answers: no statistic of that table can be one, which is the *same table*
# verdict of [The correction](study1-correction.ipynb).
# :::

# %%
run.result("signal").text("which")

# %% [markdown]
# ## R1 to R4: other settings
#
# The order of models, and whether each is below 1, should not depend on the settings:

# %%
robust.rules("R1", "R2", "R3", "R4")

# %%
robust.figure("variants")

# %%
robust.table("variants", folded=True)

# %% [markdown]
# Is an order of two models more than luck? It counts as kept if the interval of the difference excludes zero on
# the same side as registered and under the variant, as reversed if on opposite sides; where either interval
# contains zero there was no settled order to keep.

# %%
robust.table("orders", folded=True)

# %%
robust.verdicts(topic="variants")

# %% [markdown]
# In R2 two slopes are available for the paper's models: the slope of their own z-ROC, and the one the author took
# from an earlier study. For all other models there is only their own slope. A slope below 1 means that right
# answers are more spread out in confidence than wrong ones.
#
# ## R5: was the right answer likely, although a wrong one was given?
# <!-- fold -->
#
# For up to 300 questions that a model got wrong at $T = 1$, every accepted answer (at most eight) and the wrong
# answer itself are scored as continuations of the same prompt; nothing is sampled. If an accepted answer is often the
# more likely one, many wrong answers were less likely draws. That alone does not make them slips of sampling: the
# wrong answer that was drawn may be improbable itself, and a third one the model's usual answer. So the table also
# shows how many of the same questions the model answers rightly at the lowest temperature, where sampling decides
# least.

# %%
robust.rules("R5")

# %%
robust.table("forced", folded=True)

# %%
robust.text("forced_left_out")

# %%
robust.verdicts(topic="forced")

# %% [markdown]
# Two cautions. The best of several accepted answers has several chances to win, so the first accepted answer is
# shown alone too. And a mean over tokens favours long names whose end follows from their beginning, so the share
# by *whole* log-probability is shown next to it. "Rescoring" is how far the wrong answer's score moves when it is
# scored again: arithmetic on a compressed model depends a little on what else is in the batch.
#
# ## R5, question by question
# <!-- fold -->

# %%
robust.figure("forced")

# %% [markdown]
# ## R6: the same difficulty
# <!-- fold -->
#
# The paper mentions a difficulty-matched check and does not define it. **This definition is ours.** The difficulty
# of a question is the number of the run's models that answered it correctly at $T = 1$. From every domain
# questions are drawn so that all domains contain equally many at each difficulty. For a pair of models, which
# share their questions, we keep those that both got right or both got wrong, and equal numbers of those that only
# the one or only the other got right. The drawing is repeated over seeds; limits come from resampling the
# questions and matching each time. Of $n$ models difficulty has $n + 1$ levels.

# %%
robust.table("levels", folded=True)

# %%
robust.rules("R6 domains", "R6 models")

# %%
robust.table("domains", folded=True)

# %%
robust.table("models", folded=True)

# %%
robust.verdicts(topic="matched")

# %% [markdown]
# ## Published values and ours
# <!-- fold -->
#
# R1's values are printed; R2 and R4 are recomputed from the paper's counts at $K = 4$. R3's bins, R5 and R6
# require the paper's trials.

# %%
robust.table("comparison", folded=True)

# %%
robust.verdicts(topic="binning")

# %%
robust.table("published", folded=True)

# %% [markdown]
# The paper's text states that the ordering is identical on the second question set. From its own counts:

# %%
robust.verdicts(topic="published")

# %% [markdown]
# ## Equal widths and the marking threshold, from the first paper's counts
# <!-- fold -->
#
# R3's question can be asked of the paper's models after all: the result files of the author's first paper contain
# their answers at $T = 1$ in 20 bins of equal width. They are not R3's eight bins, and they are cut here in two
# ways, in the middle of the range and at the edge nearest the median.

# %%
first = run.result("first_paper", seed=seed, verdicts=verdicts)
first.box("equal_widths")

# %%
first.table("widths", folded=True)

# %% [markdown]
# The same files show how many answers count as right under other thresholds of similarity. Which ratings they fall
# in is not public, so AUROC2 is bounded rather than recomputed.

# %%
first.box("threshold")

# %%
first.table("marking", folded=True)

# %%
run.other_run("robustness", "orders")

# %% [markdown]
# ## What would change your mind
#
# A ranking that changes with the number of bins, the assumed spread, or the question set is not a property of the
# models. Look for the check that moves a model furthest; what can move an M-ratio is the subject of [The
# correction](study1-correction.ipynb).
