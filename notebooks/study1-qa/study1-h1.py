# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The first hypothesis: is metacognition less than perfect?

# %% tags=["parameters"]
profile = "default"
other = ""
n_resamples = 10_000
seed = 42
verdicts = True

# %%
from metacog.studies import Kind, open_run

run = open_run("study1_qa", profile, other)
h1 = run.result("h1", n_resamples=n_resamples, seed=seed, verdicts=verdicts)
h1.glue()
h1.answer(note="own")

# %%
h1.figure("models")

# %% [markdown]
# The first pre-registered hypothesis is that models use less than all they know when they express confidence. It
# is stated in terms of the **M-ratio**, which the paper reads as metacognitive efficiency.
#
# - **$d'$** is type-1 sensitivity: how far apart right and wrong answers are when ratings are cut once, in the
#   middle.
# - **meta-$d'$** is the $d'$ that would have produced the ratings *within* each half, fitted by maximum
#   likelihood.
# - **M-ratio** $=$ meta-$d'/d'$. At 1, the finer ratings carry as much as the single cut promises; below 1, less.
#
# :::{warning}
# For open answers this reading does not hold: $d'$ and meta-$d'$ come from the same table, and their ratio is a
# statistic of that table's shape. A value below 1 can mean that something was lost in grading, that right and
# wrong answers spread unequally with nothing lost, and more besides. The page shows the test as it was registered;
# that the same M-ratio can come from many efficiencies and several causes is a computed verdict of [The
# correction](study1-correction.ipynb).
# :::

# %%
run.result("signal").text("which")

# %% [markdown]
# ## The rule
#
# NLP, the mean log-probability of an answer's words, is cut into eight ratings of equal frequency at $T = 1$;
# wrong answers play "stimulus 1" and right answers "stimulus 2"; 0.5 is added to every cell. The interval comes
# from resampling the trials {glue:text}`h1_resamples:,` times with replacement (a **bootstrap**), fitting each
# resample, and taking the middle 95 %.

# %%
h1.rules()

# %%
h1.table("measures", folded=True)

# %% [markdown]
# A **flag** states why a row cannot be relied on: fewer than 50 right or wrong answers, ratings without a trial,
# hardly any answer on one side of the middle cut, or a result that is determined by the constant added to every
# cell. A flagged model is undecided: it counts neither for nor against the rule.
#
# Resamples without a finite M-ratio, or with one of 10 or more, are dropped; here {glue:text}`h1_dropped_draws:,`
# were.

# %%
h1.verdicts(Kind.PREREGISTERED)

# %% [markdown]
# ## The sound counterpart: what was resampled, and what was held fixed
#
# The registered interval treats every trial as independent and the rating edges as known. Two checks relax that.
# Resampling whole **questions** keeps together what belongs together, and recomputing the **edges** in every
# resample acknowledges that they, too, were estimated. With one answer per question at $T = 1$ the first changes
# nothing; over all temperatures the same question returns several times, and there it can.
#
# The registered rule counts an interval that contains 1 against H1. But not to show that an M-ratio is below 1 is not
# to show that it is 1 or more: here such a model is open, and only an interval at or above 1 refutes.

# %%
h1.figure("intervals")

# %%
h1.table("intervals", folded=True)

# %%
h1.verdicts(Kind.SOUND)

# %% [markdown]
# ## Published values and ours
#
# The published rows are recomputed from the paper's real counts (625 answers per rating).

# %%
h1.table("comparison", folded=True)

# %%
h1.verdicts(Kind.PUBLISHED)

# %%
run.other_run("h1", "measures")

# %% [markdown]
# ## What would change your mind
#
# About H1 as registered: an upper limit on the other side of 1; about its sound counterpart: a whole interval there.
# About whether H1 asks the right question: nothing on this page can. If both numbers come from one table, their ratio
# can only describe that table's shape; what that shape responds to is tested by [The
# correction](study1-correction.ipynb) with eight families of simulated answerers whose true efficiency is known.
