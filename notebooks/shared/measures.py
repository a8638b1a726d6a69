# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The measures: what each one sees, and what it misses

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("shared", profile)
measures = run.result("measures")
measures.glue()
measures.answer()

# %%
measures.figure("bars")

# %% [markdown]
# "Does it know what it knows?" is not one question. Is a confident answer more often right than an
# unsure one? Does "90 % sure" come true nine times in ten? How much would you gain by ignoring the
# unsure answers? Each measure in this book answers one such question and is blind to others. This page
# introduces them on **one table**, so that you can see what each takes from it. (For a shorter and slower way in, see
# [the primer](primer.ipynb).)

# %% [markdown]
# ## The table
#
# {glue:text}`measures_n:,` questions were put to Llama-3-8B-Instruct in the study this book begins with.
# {glue:text}`measures_right:,` of the answers were right. The answers are sorted by the model's confidence and cut
# into eight **ratings** of equal size, 1 being the least confident. The counts are the published ones.

# %%
measures.table("ratings", folded=True)

# %% [markdown]
# **Accuracy** is {glue:text}`measures_accuracy:.3f`. It is the share of right answers, and it does not look at
# confidence at all: shuffle the ratings and it stays the same.
#
# ## d' and c: one cut
# <!-- fold -->
#
# Cut the ratings in the middle and call the upper half "sure". Signal detection theory pictures the confidence of
# wrong and of right answers as two bell curves of equal width. **$d'$** is the distance between their peaks in
# standard deviations, and the **criterion $c$** is the position of the cut (0: half-way between the peaks):
#
# $$\begin{aligned}
# d' &= z(h) - z(f), \\
# c &= -\tfrac12\,\bigl(z(h) + z(f)\bigr),
# \end{aligned}$$
#
# where $h$ is the share of right answers above the cut, $f$ that of wrong ones, and $z$ turns a share into a
# position on the bell curve. Here $d'$ = {glue:text}`measures_d_prime:.3f` and $c$ = {glue:text}`measures_c:.3f`.

# %%
measures.figure("bells")

# %% [markdown]
# *Sees*: how far apart right and wrong answers are at one cut, whatever the position of the cut. *Misses*:
# everything else in the table. Merge ratings 1 to 4 and 5 to 8 and $d'$ does not notice.
#
# ## AUROC2: every cut
#
# Slide the cut through all ratings and plot $h$ against $f$: the **type-2 ROC**. (*Type 1* is about the world,
# *type 2* about one's own answers.) The area under it, **AUROC2**, is the probability that a random right answer
# has a higher rating than a random wrong one, ties counting one half. Chance is 1/2. Here it is
# {glue:text}`measures_auroc2:.3f`. Its interval is computed from how much single answers differ in where they fall
# among the answers of the other class {cite:p}`delong1988,obuchowski1997`.
#
# ## z-ROC slope and d_a: the shape
# <!-- fold -->
#
# Draw the same points in $z$. If both curves are bells, the points lie on a straight line. Its **slope** is the
# width of the wrong answers' curve divided by that of the right answers': {glue:text}`measures_z_slope:.3f` here,
# below 1, so the confidence of right answers spreads more. **$d_a$** is a distance that allows for unequal widths,
# $d_a = \text{intercept}\cdot\sqrt{2/(1 + \text{slope}^2)}$: {glue:text}`measures_d_a:.3f`.

# %%
measures.figure("roc")

# %% [markdown]
# *Sees*: how well confidence **ranks** answers; the slope adds in what way. *Misses*: what the confidence states
# in words or per cent, and how many answers are right. AUROC2 is the same for a model that is right 5 % of the
# time and one that is right 95 % of the time, if the ranking is as good.
#
# ## meta-d' and M-ratio: only with a decision
#
# Suppose someone must first decide between two things (was it A or B?) and then says how sure they are. $d'$
# describes the decisions. **meta-$d'$** {cite:p}`maniscalco2012` asks: if the confidence came from the same
# evidence, which $d'$ would it show? The **M-ratio** is meta-$d'$/$d'$: 1 if confidence uses all the evidence that
# the decision used, less than 1 if some was lost on the way. The worked table has no such decision, so here are
# two *simulated* deciders instead.

# %%
measures.figure("two_choice")

# %% [markdown]
# Both have $d'$ = {glue:text}`measures_pair_d:.2f`. *Sees*: self-knowledge apart from skill, where there is a
# decision to compare with. *Misses*: where there is none, both how informative the confidence is and how much
# information it loses. On the worked table the formula runs and gives {glue:text}`measures_m_ratio:.3f`, but the
# number compares the table with itself: it is a statistic of that table's shape. What moves it, and that one value
# can mean many efficiencies and several causes, is computed in the chapter on
# {doc}`the correction <study1-correction>`.
#
# ## meta-I: bits
#
# Before you hear the rating, you are uncertain whether the answer is right: $H$ bits of uncertainty, 1 for a coin
# flip, 0 for certainty. After you hear it, less uncertainty remains. The average difference is the **mutual
# information**, **meta-$I$** {cite:p}`dayan2023`, and **meta-$I_{2r}$** is its share of $H$:
#
# $$\begin{aligned}
# \text{meta-}I &= H(\text{right}) \\
# &\quad {}- \sum_r p(r)\,H(\text{right} \mid r), \\
# \text{meta-}I_{2r} &= \frac{\text{meta-}I}{H(\text{right})}.
# \end{aligned}$$

# %%
measures.figure("information")

# %% [markdown]
# Here $H$ is {glue:text}`measures_entropy:.3f` bits, meta-$I$ is {glue:text}`measures_meta_i:.3f` bits and
# meta-$I_{2r}$ {glue:text}`measures_meta_i2r:.3f`. Ratings dealt out at random would seem informative too, by
# luck: that null is {glue:text}`measures_null:.4f` with all trials, and {glue:text}`measures_small_null:.3f` with
# {glue:text}`measures_small_n`. It is subtracted, which leaves {glue:text}`measures_corrected:.3f`.
#
# Two questions are kept apart in this book. Whether ratings know **more than nothing** is answered by a
# permutation test: shuffle the ratings among the answers (where questions repeat, among whole questions) and see
# how often chance does as well. **How much** they know is answered by an interval, computed from resampled tables
# and shifted so that the luck which resampling adds does not count; near zero it is not a test.
#
# *Sees*: all the information in the ratings, in any order or shape, on a scale on which half means half. *Misses*:
# whether stated confidence is true (a model that is sure exactly when it is wrong is fully informative), and how
# informative the model *could* have been. It needs ratings, and many trials for each.
#
# ## ECE and Brier: stated probabilities
# <!-- fold -->
#
# So far ratings had no meaning beyond their order. Now let the model *state* a probability. Here are three ways of
# stating confidence in the very same answers: **honest** states at each rating its actual share of right answers;
# **boastful** adds something to each; **always the average** states the same number every time.
#
# - **ECE**, the expected calibration error {cite:p}`guo2017`: the mean distance between the stated probability and
#   the share of right answers among those it was stated for.
# - **Brier score**: the mean squared distance between the stated probability and the outcome (1 right, 0 wrong).
#   It has a part for calibration and a part for distinguishing right from wrong answers {cite:p}`murphy1973`.

# %%
measures.figure("speaking")

# %%
measures.table("spoken")

# %% [markdown]
# *ECE sees*: whether stated numbers come true. *Misses*: whether they are of any use. *Brier sees* both, and
# blends them into one number that also moves with how hard the questions are. Both depend on how confidence is
# turned into a probability; AUROC2 and meta-$I$ do not.
#
# ## Risk and coverage: what you gain
# <!-- fold -->
#
# Answer only the questions the model is most sure of, and fewer answers are wrong. The **risk-coverage curve**
# {cite:p}`geifman2017` plots the share of wrong answers among those given against the share of questions answered.
# Here are two of the study's models.

# %%
measures.figure("risk")

# %%
measures.table("gains")

# %% [markdown]
# *Sees*: what confidence is worth in use. *Misses*: the difference between knowing more and knowing better what
# one knows, unless you look at the gain rather than the level.
#
# ## All at once: change one thing
#
# To see what a measure is blind to, change one thing about the worked table and see what moves. *Spoken boldly*:
# larger numbers are stated, nothing else. *Easier questions*: more right answers at every rating. *Half at
# random*: half of the ratings are replaced at random. *Fewer ratings*: neighbours are merged. *A rating higher*:
# every answer is rated one higher.

# %%
measures.table("moves")

# %%
measures.text("moving")

# %% [markdown]
# *Half at random* is the change that is made to lose much of what the ratings say; merging ratings, or the top two when
# all are one higher, loses a little as well. Five changes are few: that a measure moves under one of them alone does
# not prove that it sees that and nothing else. And such a measure says nothing about whether stated numbers come true,
# about what confidence is worth in use, or about how the uncertainty compares with what there was to know. So this book
# reports several measures, each with an interval, and states which question each of them answers.
