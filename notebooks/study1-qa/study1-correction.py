# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The correction: why M-ratio could not answer the question
#
# The study this part of the book follows exists in two versions {cite:p}`cacioli2026sdt`. Version 1
# ranked four models by an *efficiency ratio*, the M-ratio, and put Mistral last. Version 2, by the
# same author and on the same data, withdrew that measure and put Mistral first. This page shows
# version 1 exactly as it was pre-registered, then why its measure is circular, then what version 2
# measures instead.
#
# :::{important}
# The M-ratio ranking below is **not a finding about the models**. It is shown so that you can see
# what went wrong.
# :::

# %% tags=["parameters"]
profile = "default"
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile)
published = run.result("correction", n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
published.glue()

# %% [markdown]
# ## Version 1, as pre-registered
#
# Each answer is right or wrong and comes with a confidence (the mean log-probability of its words),
# cut into eight ratings that are equally frequent. Two numbers are then computed.
#
# - **$d'$** ("d prime") cuts the ratings in the middle and asks how far right and wrong answers lie
#   apart: $d' = z(\text{share of right answers above the cut}) - z(\text{share of wrong ones above it})$,
#   where $z$ turns a share into a distance on the bell curve.
# - **meta-$d'$** looks at the ratings *within* each half and asks which $d'$ would have produced them.
#
# Their ratio is the **M-ratio**, read as efficiency: 1 means that confidence uses all there is to know.
# The study's first hypothesis was that it lies below 1.

# %%
published.table("version_one")

# %% [markdown]
# ## Why it is circular
#
# In the task that meta-$d'$ was made for {cite:p}`maniscalco2012`, an observer first *decides* between
# two alternatives, and then says how sure it is. $d'$ describes the decision, meta-$d'$ describes the
# confidence, and they can differ: that is the point of the ratio.
#
# An open question has no such decision. Version 1 put "wrong" and "right" where the two stimuli
# belong, and "confidence in the lower half" and "in the upper half" where the two responses belong.
# Now the decision *is* the confidence. Both numbers come from one table, right or wrong by rating,
# and the ratio compares the table with itself: the middle cut with the other six.
#
# The figure shows $d'$ at each of the seven places where the eight ratings can be cut. If a line is
# flat, all cuts agree and the M-ratio is 1, whether the line lies high or low.

# %%
published.figure("cuts")

# %% [markdown]
# ## Answerers whose efficiency we know
#
# To see what a measure measures, give it something whose answer is known. Simulated answerers are
# right with a fixed probability. A hidden **strength** $x$ separates their right answers from their
# wrong ones, and their confidence is $x$ plus noise. The information that $x$ carries about
# correctness is $I(\text{correct};x)$, in bits; the information that confidence carries is
# $I(\text{correct};y)$; and
#
# $$\text{true efficiency} = \frac{I(\text{correct};\,y)}{I(\text{correct};\,x)}.$$
#
# With no noise it is 1. Five answerers, each with the same accuracy and the same strength but ever
# more noise, span four-fold in efficiency. Each answers 5,000 questions, {glue:text}`correction_recovery_repetitions` times over. In the
# left panel strength is Gaussian for right and for wrong answers; in the right one it *decides*
# whether an answer is right (right if $x > 0$).
#
# Besides M-ratio there are the two measures of version 2. **AUROC2** is the probability that a right
# answer carries more confidence than a wrong one (1/2 is chance). **meta-$I_{2r}$** is the share of
# the uncertainty about correctness that the rating removes,
# $I(\text{correct};\text{rating})/H(\text{correct})$ {cite:p}`dayan2023`; what chance alone would
# give is subtracted.

# %%
known = run.result("correction_recovery", n_resamples=n_resamples, seed=seed)
known.glue()

# %%
known.figure("recovery")

# %%
known.verdicts(topic="noise")

# %%
known.verdicts(topic="threshold")

# %% [markdown]
# ## What M-ratio does see
#
# It sees the *shape* of the two confidence distributions. Plot the share of right answers above each
# cut against the share of wrong answers above it, both turned into $z$: this is the **z-ROC**. If both
# distributions are bell curves it is a straight line, and its **slope** is the spread of wrong
# answers' confidence over that of right answers'. At slope 1, $d'$ is the same at every cut. At any
# other slope it changes from cut to cut, and how the middle compares with the rest depends on the
# slope and on where the middle falls, that is on accuracy.
#
# Here are five answerers that are *all* fully efficient (no noise at all) and differ only in slope.
# (meta-$I_{2r}$ is not perfectly level either: at one and the same sensitivity, an uneven spread
# makes the strength itself a little more informative.)

# %%
known.figure("shapes")

# %%
known.verdicts(topic="shape")

# %% [markdown]
# Can slope turn the order round? In the left panel below the most efficient answerer has the steepest
# z-ROC and the least efficient the shallowest. The right panel asks something of *every* measure on
# this page: there, strength grows together with noise so that the expected table of right and wrong by
# rating stays the same while efficiency falls.

# %%
known.figure("limits")

# %%
known.verdicts(topic="reversed")

# %%
known.verdicts(topic="same table")

# %% [markdown]
# So meta-$I_{2r}$ deserves a plain reading: it says what share of the uncertainty about correctness
# the confidence removes. It is proportional to efficiency among answerers whose hidden strength is
# equally informative. It does not say whether a model with a low value has a poor sense of its own
# knowledge or has little to sense.
#
# ## The published cells
#
# The curves show what a perfectly straight z-ROC predicts for the M-ratio at three accuracies; the
# points are the study's eight cells.

# %%
published.figure("slope")

# %%
published.verdicts(topic="line")

# %% [markdown]
# Version 2 puts it as "M-ratio only reflects unequal variance". The cells above say it a little more
# widely: M-ratio reflects the *shape* of the z-ROC, its slope and its bend, and the accuracy that
# decides where the middle cut falls. None of these is efficiency.
#
# ## Version 2, and the reversed ranking
#
# Version 2 reports meta-$I_{2r}$, AUROC2 and the z-ROC slope for what they are. The intervals here are not
# its own: those of meta-$I_{2r}$ sat too high, and percentile intervals of AUROC2 are too short where a class
# is small. Where simulated intervals like these did not hold the truth in 93 to 97 of a hundred, the
# table says in how many they did.

# %%
published.table("version_two")

# %%
published.figure("two")

# %%
published.verdicts(topic="ranking")

# %%
published.verdicts(topic="datasets")

# %% [markdown]
# The other findings of version 1, on domains and on temperature, version 2 reports as standing under
# its own measure; the figures are rows of {doc}`the ledger <ledger>`.
#
# ## This run's own models
#
# The same measures for the models behind this book, from their trials at $T = 1$. The M-ratio is
# shown for one reason: so that you can check that it says nothing that the slope does not.

# %%
own = run.result(
    "correction_own", n_resamples=n_resamples, n_permutations=n_permutations, seed=seed, verdicts=verdicts
)
own.table("measures")

# %%
own.figure("two")

# %%
own.verdicts()

# %% [markdown]
# ## What to take away
#
# - For open answers, do not report an M-ratio. Report how much confidence tells about correctness
#   (meta-$I_{2r}$), how well it ranks (AUROC2), and the z-ROC slope, each with its interval.
# - Where there *is* a two-choice decision, meta-$d'$ keeps its meaning; the next study uses it there.
# - A pre-registered analysis can be carried out to the letter and still not measure what it names.
#   What would have shown it in advance is a simulation like the one above.
