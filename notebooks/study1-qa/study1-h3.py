# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The third hypothesis: does temperature move the criterion or the insight?

# %% tags=["parameters"]
profile = "default"
other = ""
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %%
from metacog.report import lines, table
from metacog.studies import Kind, open_run

run = open_run("study1_qa", profile, other)
h3 = run.result("h3", n_resamples=n_resamples, n_permutations=n_permutations, seed=seed, verdicts=verdicts)
h3.glue()
luck = run.result("luck", seed=seed, verdicts=verdicts)
luck.glue()
luck.answer("rise")

# %%
rises = luck.rises[luck.rises["why"] == ""]
named = {"with_draw": "with the draw's own confidence", "with_question": "with the question's", "": "Rise of AUROC2"}
caption = (
    "Rise of AUROC2 since the lowest temperature: with each draw's own confidence, and with that of the model's answer to "
    "the same question at the lowest temperature, which knows nothing of the draw. Where the first rises and the second "
    "does not, the rise can be luck of the draw. 95 % intervals."
)
more = {"panel": "model", "reference": 0, "label": "fig-luck-rises", "titles": named}
lines(rises, x="temperature", value=["with_draw", "with_question"], caption=caption, **more)

# %% [markdown]
# Raising the **sampling temperature** $T$ makes a model bolder in its choice of words. The third hypothesis is
# that this moves where confidence is cut (the **type-2 criterion**) and leaves metacognitive sensitivity
# (**meta-$d'$**) unchanged. The rating edges at every temperature are those of $T = 1$, so a shift of confidence
# shows as a shift of the criterion.
#
# Two things follow from fixed edges. Confidence that rises as $T$ falls *must* move a criterion that is measured
# against them: that it moves is arithmetic, not a discovery about the model. And at low $T$ the lower ratings can
# become nearly empty. Then $d'$ and meta-$d'$ are determined by the 0.5 that is added to every cell; such a cell
# is **flagged** ("padding decides": $d'$ or M-ratio moves by more than its standard error when 0.1 or 1 is added
# instead) and its model carries no verdict. So results with each temperature's own edges are shown as well.
#
# :::{warning}
# meta-$d'$ of open answers is computed from the same table as $d'$: the same separation, seen at other cuts, not a
# second, inner one. Where the two diverge, the table's shape has changed ([The
# correction](study1-correction.ipynb)). Read this page as being about how well right and wrong answers are
# separated at each temperature.
# :::

# %%
run.result("signal").text("which")

# %% [markdown]
# ## The rule
#
# Two conditions were registered. **Spearman's $\rho$** is the correlation of ranks, here of a measure with
# the temperature.

# %%
h3.rules("range", "rho")

# %%
h3.verdicts(Kind.PREREGISTERED)

# %% [markdown]
# ## The sound counterpart: a test that can show sameness
#
# The paper calls its range rule "TOST". It is not one: a small range of estimates can come from luck, and a large
# one from noise. Two one-sided tests (**TOST**) reverse the burden of proof: the difference counts as negligible
# only if its 90 % interval lies within a bound fixed beforehand, here {glue:text}`h3_bound` as in the paper. An
# interval entirely outside it shows a difference; one that straddles it decides nothing. Questions are resampled
# as wholes, so that the same questions are compared at both temperatures. And with four temperatures a rank
# correlation can take only a handful of values, so comparing two such correlations decides little.

# %%
h3.rules("tost", "criterion")

# %%
h3.verdicts(Kind.SOUND)

# %% [markdown]
# ## d', meta-d' and the criterion at each temperature
# <!-- fold -->

# %%
h3.table("temperatures", folded=True)

# %%
h3.figure("temperatures")

# %%
h3.table("summary", folded=True)

# %% [markdown]
# ## Sameness in detail
# <!-- fold -->
#
# With each temperature's own edges all ratings are filled equally, as far as ties allow, and a mere shift of
# confidence changes nothing:

# %%
h3.table("separate_edges", folded=True)

# %%
h3.table("equivalence", folded=True)

# %%
h3.figure("equivalence")

# %% [markdown]
# The criteria, measured against the edges of $T = 1$. Either side may move, so each has a 97.5 % interval and the
# two together 95 %.

# %%
h3.table("criteria", folded=True)

# %% [markdown]
# How often do these rules pass where they should not? In simulated runs: a criterion that does not move, judged on
# two uncorrected sides and as it is judged here; and meta-$d'$ that differs by the bound itself.

# %%
h3.table("levels", folded=True)

# %% [markdown]
# ## Version 2's measures over temperature
# <!-- fold -->
#
# Here each temperature sets its own rating edges, as in version 2, so that a mere shift of confidence cannot look
# like a loss of insight. Intervals are the book's, not version 2's (see [the
# correction](study1-correction.ipynb)); whether meta-I2r is more than nothing is answered by the permutation $p$.

# %%
h3.table("corrected", folded=True)

# %% [markdown]
# ## What the rise is made of
#
# Where the measures above rise with temperature, it looks as if a bolder model knew itself better. There is a
# simpler possible cause. At a high temperature a wrong answer may be only an unlucky draw, and the confidence of a
# draw is computed from the very words that were unlikely. So the same answers are judged twice: with the draw's
# confidence, and with the confidence of the model's answer to the same question at the lowest temperature, which
# knows nothing of the draw. Whatever part of the rise is knowledge of the *question* remains; the rest is the luck
# of the draw, at most: one answer reads a question with noise ([the chapter on it](study1-luck.ipynb)). The first figure of this page shows both.
#
# The paper's models cannot be asked this. AUROC2 computed from the first paper's counts, which are binned, rises
# where version 2's printed values do not, because ties dissolve: it may rise although nothing is told apart better.

# %%
luck.rules("rise")

# %%
luck.verdicts(topic="rise")

# %% [markdown]
# ## What the rise of the paper's models can be made of
# <!-- fold -->
#
# Version 2 printed AUROC2 of the paper's models at four temperatures, with rating edges of each temperature's own. The
# first paper's counts are shown because they alone have seven temperatures. They are in 20 bins of equal width with the same edges at every temperature: at a low temperature
# nearly all answers fall into the highest few, right and wrong ones are **tied** there, and ties pull AUROC2 towards
# 0.5. As confidence spreads with temperature the ties dissolve.
#
# Can it be asked what a rise is made of? Only in part. Neither source shows which questions were answered
# correctly at both temperatures, so the question's confidence cannot be put in place of the draw's. But accuracy
# at two temperatures bounds how many of the wrong answers belong to questions that the model gets right at the
# lowest one:

# %%
columns = ["model", "temperature", "accuracy", "printed", "auroc2", "unlucky_at_least", "unlucky_at_most"]
caption = "The paper's models: AUROC2 as version 2 printed it and from the first paper's 20 bins; slips among wrong answers."
table(luck.record.published, *columns, caption=caption, folded=True)

# %% [markdown]
# Where the lower bound is high, much of the error at that temperature is certainly due to the draw. Where it is
# low the counts leave the question open; the author's trials, which can be downloaded, would settle it.

# %% [markdown]
# ## Published values and ours
# <!-- fold -->
#
# The author's 224,000 trials have to be downloaded; the statistics are recomputed here from the printed table.

# %%
h3.table("comparison", folded=True)

# %%
h3.verdicts(Kind.PUBLISHED)

# %% [markdown]
# ## The paper's models, from the first paper's counts
# <!-- fold -->
#
# The trials were first used in another paper by the same author, whose public result files contain right and wrong
# answers in 20 bins of confidence at seven temperatures, with **the same edges at every temperature**: what H3
# requires. The bins are of equal width, which is a problem for $d'$ and meta-$d'$, because they rest on the middle
# cut: hardly any answer lies below the middle of the range. So the same edges are read in two ways, as 20 ratings
# cut in the middle of the range, and as fewer ratings cut at the edge nearest the median of $T = 1$. A criterion
# measured against edges that stay where $T = 1$ put them must move when confidence moves with $T$; whether
# meta-$d'$ moves is the question.

# %%
first = run.result("first_paper", seed=seed, verdicts=verdicts)
first.glue()
first.rules("tost")

# %%
first.table("summary", folded=True)

# %%
first.figure("temperatures")

# %%
first.verdicts(topic="first paper")

# %%
first.table("comparison", folded=True)

# %%
first.table("temperatures", folded=True)

# %% [markdown]
# Temperatures are resampled independently here, because counts do not show which questions two of them share: a
# difference that is not shown to be small may be small nevertheless.

# %%
run.other_run("h3", "temperatures")

# %% [markdown]
# ## What would change your mind
#
# A paired interval entirely outside the band would show that temperature does change the separation of right and
# wrong answers. Intervals that merely stick out show that the run is too small to tell; more questions, not more
# temperatures, would narrow them.
