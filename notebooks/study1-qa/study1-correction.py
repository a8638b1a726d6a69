# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The correction: what M-ratio can and cannot say

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
known = run.result("correction_recovery", seed=seed)
published.glue()
known.glue()
known.answer()

# %%
published.figure("two")

# %% [markdown]
# The study that this part of the book follows exists in two versions {cite:p}`cacioli2026sdt`. Version 1 ranked
# four models by an *efficiency ratio*, the M-ratio, and put Mistral last. Version 2, by the same author and on the
# same data, withdrew that measure and put Mistral first. This page shows version 1 exactly as it was
# pre-registered, then what its measure responds to, then how far the author's explanation holds, then what version
# 2 measures instead.
#
# :::{important}
# The M-ratio ranking below is **not a finding about the models**: the ratio describes the shape of one table, and
# nothing leads from it to how well a model knows itself. Nor is it 1 whatever happens: what moves it, and what
# does not, is computed below.
# :::

# %%
run.result("signal").text("which")

# %% [markdown]
# ## Version 1, as pre-registered
# <!-- fold -->
#
# Each answer is right or wrong and comes with a confidence (the mean log-probability of its words), cut into eight
# ratings that are equally frequent. Two numbers are then computed.
#
# - **$d'$** ("d prime") cuts the ratings in the middle and asks how far apart right and wrong answers are:
#   $d' = z(\text{share of right answers above the cut}) - z(\text{share of wrong ones above it})$, where $z$ turns
#   a share into a distance on the bell curve.
# - **meta-$d'$** looks at the ratings *within* each half and asks which $d'$ would have produced them.
#
# Their ratio is the **M-ratio**, read as efficiency: 1 means that confidence uses all there is to know. The
# study's first hypothesis was that it lies below 1.

# %%
published.table("version_one")

# %% [markdown]
# ## One table, twice
# <!-- fold -->
#
# In the task that meta-$d'$ was made for {cite:p}`maniscalco2012`, an observer first *decides* between two
# alternatives, and then says how sure it is. $d'$ describes the decision, meta-$d'$ describes the confidence, and
# they can differ: that is the point of the ratio.
#
# An open question has no such decision. Version 1 put "wrong" and "right" where the two stimuli belong, and
# "confidence in the lower half" and "in the upper half" where the two responses belong. Now the decision *is* the
# confidence. Both numbers come from one table, right or wrong by rating, and the ratio compares the table with
# itself: the middle cut with the other six.
#
# The figure shows $d'$ at each of the seven places where the eight ratings can be cut. If a line is flat, all cuts
# agree and the M-ratio is 1, whether the line is high or low. If it tilts or bends, the ratio departs from 1. The
# question is what tilts and bends it.

# %%
published.figure("cuts")

# %% [markdown]
# ## Answerers whose efficiency we know
# <!-- fold -->
#
# To see what a measure measures, apply it to something whose answer is known. Simulated answerers are right with a
# fixed probability. A hidden **strength** $x$ separates their right answers from their wrong ones, and their
# confidence $y$ is what remains of $x$ after some kind of loss. The information that $x$ carries about correctness
# is $I(\text{correct};x)$, in bits; the information that confidence carries is $I(\text{correct};y)$; and
#
# $$\text{true efficiency} = \frac{I(\text{correct};\,y)}{I(\text{correct};\,x)}.$$
#
# If nothing is lost it is 1. Strength follows one bell curve for wrong and another for right answers, 1.6 standard
# deviations apart, unless a family says otherwise. Information can be lost in many ways, and nobody knows which of
# them a language model has. So here are eight families:

# %%
known.text("described")

# %% [markdown]
# Each family is computed at five accuracies, and the first seven lose just so much that true efficiency is 1,
# 0.75, 0.5, 0.35 and 0.25; the last starts from the answerers of the first. Expected tables are computed to many
# digits, without chance. Not every combination exists: where only the distance from the middle is garbled, the
# side remains known, and efficiency cannot fall far.

# %%
known.table("reach")

# %%
known.figure("families")

# %% [markdown]
# ## What moves M-ratio, and what does not
#
# **Not the amount of information**, in the first family. Two bell curves of equal spread, moved apart or together,
# or drowned in more of the same noise, give a flat line of $d'$, high or low:

# %%
known.verdicts(topic="level")

# %% [markdown]
# **The shape**, with nothing lost. Plot the share of right answers above each cut against the share of wrong
# answers above it, both turned into $z$: this is the **z-ROC**. Two bell curves give a straight line, and its
# **slope** is the spread of wrong answers' confidence divided by that of right answers'. Questions that are partly
# known and partly guessed give a line that **bends**. And the same answers rated differently are **cut**
# elsewhere:

# %%
known.verdicts(topic="lossless")

# %% [markdown]
# **Losses that change the shape.** The first box is about losses whose direction depends on accuracy, the second
# about those that always move the ratio down:

# %%
known.verdicts(topic="direction")

# %% [markdown]
# So M-ratio does respond to some losses, and among answerers who differ in *graded noise alone* it may even order
# them correctly. To read it that way one would have to know beforehand that a model loses information in just that
# way, at the same accuracy and from the same strength. The question can be reversed: given an M-ratio, what
# could have produced it?

# %%
known.table("same", folded=True)

# %%
known.verdicts(topic="reading")

# %% [markdown]
# What would change your mind: a value in the table that only one family gives, or that corresponds to nearly one
# efficiency.
#
# ## One criterion for every measure
# <!-- fold -->
#
# Two measures of version 2 are compared with M-ratio. **AUROC2** is the probability that a right answer carries
# more confidence than a wrong one (1/2 is chance). **meta-$I_{2r}$** is the share of the uncertainty about
# correctness that the rating removes, $I(\text{correct};\text{rating})/H(\text{correct})$ {cite:p}`dayan2023`;
# what chance alone would give is subtracted. Two more are included: meta-$d'$ by itself, and $d_a$, the distance
# that allows for uneven spread. Here each answerer answers 5,000 questions,
# {glue:text}`correction_recovery_repetitions` times over, and a row of answerers differs in true efficiency alone.
# Does the measure put the row in order? Does it fall by the right amount?

# %%
known.figure("outcomes")

# %% [markdown]
# Before this is read as a contest that meta-$I_{2r}$ wins, note how it was set up:

# %%
known.verdicts(topic="definition")

# %% [markdown]
# ## The same in numbers, and two more designs
# <!-- fold -->

# %%
known.table("counted")

# %%
known.verdicts(topic="outcomes")

# %% [markdown]
# Two designs make the same point in other ways. First, five answerers that are *all* fully efficient and differ
# only in the slope of their z-ROC. (meta-$I_{2r}$ is not perfectly level: at the same sensitivity, an uneven
# spread makes the strength itself a little more informative.)

# %%
known.figure("shapes")

# %%
known.verdicts(topic="shape")

# %% [markdown]
# Second, a test that is applied to *every* measure on this page. On the left strength is the same and noise grows.
# On the right strength grows together with noise, so that the expected table of right and wrong by rating stays
# the same while efficiency falls.

# %%
known.figure("limits")

# %%
known.verdicts(topic="noise")

# %% [markdown]
# ## What that leaves of meta-$I_{2r}$
#
# meta-$I_{2r}$ deserves a plain reading: it is the share of the uncertainty about correctness that the
# confidence removes. It does not tell whether a model with a low value has a poor sense of its own knowledge or
# has little to sense. No statistic of the table can tell that, M-ratio least of all: it does not even show how
# informative confidence is.

# %%
known.verdicts(topic="same table")

# %% [markdown]
# ## How far the author's explanation holds
#
# Version 2 explains its correction as follows: computed from one table, the M-ratio is pinned near 1 and only
# reflects unequal variance. That can be tested on all eight families, and on the published cells.

# %%
known.verdicts(topic="claim")

# %%
published.verdicts(topic="claim")

# %% [markdown]
# ## The published cells
# <!-- fold -->
#
# The curves show what a perfectly straight z-ROC predicts for the M-ratio at three accuracies; the points are the
# study's eight cells.

# %%
published.figure("slope")

# %%
published.verdicts(topic="line")

# %% [markdown]
# Where a point deviates from its prediction, something other than slope and accuracy moved it: a bend, or chance.
# Several of the eight families bend a z-ROC (those that, according to the box above, slope and accuracy do not
# account for), and the table does not reveal which of them it was.
#
# ## Version 2, and the reversed ranking
# <!-- fold -->
#
# Version 2 reports meta-$I_{2r}$, AUROC2 and the z-ROC slope for what they are. The intervals here are not version
# 2's: its intervals of meta-$I_{2r}$ lay too high, and percentile intervals of AUROC2 are too short where a class
# is small. Where simulated intervals like these did not contain the truth in 93 to 97 of a hundred cases, the
# table reports in how many they did.

# %%
published.table("version_two", folded=True)

# %%
published.verdicts(topic="ranking")

# %%
published.verdicts(topic="datasets")

# %%
published.table("pairs", folded=True)

# %% [markdown]
# Version 2 reports that the other findings of version 1, on domains and on temperature, hold under its measure as
# well; the figures are rows of {doc}`the ledger <ledger>`.
#
# ## The models of this run
# <!-- fold -->
#
# The same measures for the models behind this book, from their trials at $T = 1$. The M-ratio is shown for one
# reason: so that you can check how far slope and accuracy alone predict it. Note the share of right answers: the
# boxes above state at which shares a loss raises the ratio, and at which it lowers it.

# %%
replication = run.result(
    "correction_replication",
    n_resamples=n_resamples,
    n_permutations=n_permutations,
    seed=seed,
    verdicts=verdicts,
)
replication.table("measures")

# %%
replication.figure("two")

# %%
replication.verdicts(topic="run")

# %%
replication.verdicts(topic="line")

# %% [markdown]
# ## What to take away
#
# - For open answers, do not read an M-ratio as efficiency, and do not ascribe it to one cause. It is a statistic
#   of the shape of one table. It is not 1 by necessity either: near 1 it stays in
#   {glue:text}`correction_recovery_pinned:s`.
# - Report how informative confidence is about correctness (meta-$I_{2r}$), how well it ranks (AUROC2), and the
#   z-ROC slope, each with its interval and next to the accuracy. None of them is efficiency: the *same table*
#   design shows that none can be.
# - Where there *is* a two-choice decision, meta-$d'$ keeps its meaning; the next study uses it there.
# - A pre-registered analysis can be carried out to the letter and still not measure what it names. And an
#   explanation of what went wrong can itself claim too much, if it is tested on only one family of answerers.
