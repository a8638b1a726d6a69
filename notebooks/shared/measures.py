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
from metacog.report import forest, lines, matrix, table
from metacog.studies import open_run

run = open_run("shared", profile)
measures = run.result("measures")
measures.glue()
m = measures.numbers()
measures.says(
    "answer",
    "On one table of open answers, {only_names} notice that ratings got worse, and little else of what "
    "we tried.",
    "On this table of open answers, of {n_measures} measures {only_names} react to worse ratings and to little else.",
    holds=1 < m["n_only"] < m["n_measures"] / 2,
    head=True,
)

# %%
caption = (
    "Does a measure move by more than 5 % of its distance from chance when one thing about this page's table is changed? "
    "(Share right, c and ECE: by more than 0.05.) Spoken boldly: larger numbers are stated, nothing else. More right answers: "
    "as many times more at every rating, so that what is about one class at a time (d', c, ROC) stays as it is. Half at "
    "random: half of the ratings are replaced at random. Fewer ratings: neighbours are merged. A rating higher: every answer is "
    "rated one higher. The M-ratio needs a decision, which this table lacks."
)
# to move is neither good nor bad
matrix(measures.changes, rows="measure", columns="change", value="moves", why="why", good=None, caption=caption)

# %% [markdown]
# "Does it know what it knows?" is not one question. Is a confident answer more often right than an unsure one? Does
# "90 % sure" come true nine times in ten? How much would you gain by ignoring the unsure answers? Each measure answers
# one such question and is blind to others. [The primer](primer.ipynb) derives the first of them, step by step; this page
# says what each sees, and what it misses.
#
# ## One cut: d' and c
#
# {glue:text}`measures_n:,` questions were put to Llama-3-8B-Instruct, and {glue:text}`measures_right:,` answers were
# right (**accuracy** {glue:text}`measures_accuracy:.3f`). They are sorted by the model's confidence and cut into eight
# **ratings** of equal size. (The counts by rating are [reconstructed](ledger.ipynb) from what study 1's paper prints.)
#
# Cut the ratings in the middle and call the upper half "sure". Let $h$ be the share of right answers above the cut and
# $f$ that of wrong ones: $d' = z(h) - z(f)$ = {glue:text}`measures_d_prime:.3f` and
# $c = -\tfrac12\,\bigl(z(h) + z(f)\bigr)$ = {glue:text}`measures_c:.3f`. *Sees*: how far apart right and wrong answers
# are at one cut, wherever it is. *Misses*: everything else. (The name is the paper's. In psychophysics $d'$ is about the
# question: which of two things was there? This one is about the answer, right or wrong, so it is a type-2 $d'$, often
# written $d'_2$. Wherever this book gives a $d'$ of open answers, it is that.)
#
# ## Every cut: AUROC2
#
# Slide the cut through all ratings and plot $h$ against $f$: the **type-2 ROC** {cite:p}`galvin2003`. The area under it, **AUROC2**, is the
# probability that a random right answer has a higher rating than a random wrong one, ties counting one half. Here it is
# {glue:text}`measures_auroc2:.3f`. Its interval comes from how much single answers differ in where they fall among the
# answers of the other class {cite:p}`delong1988,obuchowski1997`.

# %%
named = {"f": "Share of wrong answers, f", "h": "Share of right answers, h"}
caption = "The type-2 ROC of the reconstructed table: shares above each cut. AUROC2 is the area below the line; the dashed line is chance."
lines(measures.roc, x="f", value="h", diagonal=True, caption=caption, label="fig-measures-roc", titles=named)

# %% [markdown]
# *Sees*: how well confidence **ranks** answers. *Misses*: what the confidence states, and how many answers are right: a
# model that is right 5 % of the time and one that is right 95 % of the time can have the same AUROC2. Yet where a
# decision is made, easier questions raise $d'$ and AUROC2 with it ([the primer](primer.ipynb)).
#
# Draw the same points in $z$: of two bell curves they lie on a straight line, whose **slope** is the width of the wrong
# answers' curve divided by that of the right answers' ({glue:text}`measures_z_slope:.3f` here). **$d_a$** is a distance
# that allows for unequal widths, $\text{intercept}\cdot\sqrt{2/(1 + \text{slope}^2)}$ = {glue:text}`measures_d_a:.3f`.
#
# ## Only with a decision: meta-d' and M-ratio
#
# Where someone first decides between two things, the **M-ratio** is meta-$d'$/$d'$ {cite:p}`maniscalco2012`: 1 if
# confidence uses all the evidence that the decision used. *Meant to see*: self-knowledge apart from skill, if evidence
# follows two bell curves of equal width. In practice it still moves with $d'$, and weakly with bias
# {cite:p}`guggenmos2021,rahnev2025`: [by how much in thousands of people](which-measure.ipynb). *Misses*: without a decision, both how informative the confidence is and how much it loses. On the table above the formula runs and gives
# {glue:text}`measures_m_ratio:.3f`, but that number compares the table with itself ({doc}`the correction
# <study1-correction>`).
#
# ## In bits: meta-I
#
# Before you hear the rating, you are uncertain whether the answer is right: $H$ bits, 1 for a coin flip, 0 for certainty.
# After you hear it, less is left. The average difference is **meta-$I$** {cite:p}`dayan2023`, and **meta-$I_{2r}$** its
# share of $H$:
#
# $$\text{meta-}I = H(\text{right}) - \sum_r p(r)\,H(\text{right} \mid r), \qquad
# \text{meta-}I_{2r} = \frac{\text{meta-}I}{H(\text{right})}.$$
#
# Here $H$ is {glue:text}`measures_entropy:.3f` bits, meta-$I$ {glue:text}`measures_meta_i:.3f` bits and meta-$I_{2r}$
# {glue:text}`measures_meta_i2r:.3f`. Ratings dealt out at random would seem informative too, by luck: with all trials
# that is worth {glue:text}`measures_null:.4f`, with {glue:text}`measures_small_n` trials
# {glue:text}`measures_small_null:.3f`. It is subtracted, which leaves {glue:text}`measures_corrected:.3f`. Whether
# ratings know **more than nothing** is answered by a permutation test; **how much** they know, by an interval, which is
# no test near zero.
#
# *Sees*: all the information in the ratings, in any order or shape. *Misses*: whether stated confidence is true (a model
# that is sure exactly when it is wrong is fully informative). It needs many trials for each rating.
#
# ## Stated probabilities: ECE and Brier
#
# Now let the model *state* a probability, in three ways for the very same answers: **honest** states at each rating its
# actual share of right answers; **boastful** adds something to each; **always the average** states the same number every
# time. **ECE**, the expected calibration error {cite:p}`guo2017`, is the mean distance between the stated probability and
# the share of right answers among those it was stated for; the **Brier score** {cite:p}`murphy1973` the mean squared
# distance between it and the outcome (1 right, 0 wrong).

# %%
table(measures.spoken, caption="One set of answers, three ways of speaking.")

# %% [markdown]
# *ECE sees*: whether stated numbers come true. *Misses*: whether they are of any use. *Brier sees* both, blended into one
# number that also moves with how many answers are right.
#
# ## What you gain: risk and coverage
#
# Answer only the questions the model is most sure of, and fewer answers are wrong. The **risk-coverage curve**
# {cite:p}`geifman2017` shows by how much ([Can I use this confidence?](study1-use.ipynb)); the area under it, and the
# share right in the surer half, sum it up. *Sees*: what confidence is
# worth in use. *Misses*: the difference between knowing more and knowing better what one knows, unless you look at the
# fall of the curve rather than its height.
#
# Five changes of one table, as at the head of this page, are few, and whether a measure moves "by more than 5 %" is a line
# that some pass by little. [Which measure should I report?](which-measure.ipynb) tries ten of them on thousands of people,
# and recommends one for each of five purposes.
#
# Does the estimator find what was put in?

# %%
recovery = run.result("recovery")
recovery.glue()
recovered = recovery.numbers()
recovery.says(
    "answer",
    "Yes: with as many trials as the study has, the intervals of meta-d' contain the known truth in {covered_least:.1f} to "
    "{covered_most:.1f} % of simulations.",
    "With as many trials as the study has, {n_met} of {n_targets} targets are met.",
    holds=recovered["n_met"] == recovered["n_targets"],
)

# %% [markdown]
# ## The simulations
# <!-- fold -->

# %%
named = {"coverage": "Share of 95 % intervals that contain the truth", "design": "Simulated deciders"}
caption = (
    "Deciders with a known d' and M-ratio, each simulated as often as the main study has trials of one model. The marks "
    "should lie at 0.95; lines are the error of the simulation."
)
core = recovery.sweeps[recovery.sweeps["factor"] == ""]
forest(
    core, value="coverage", rows="design", colour="quantity", reference=0.95, limits=(0.925, 0.975),
    caption=caption, titles=named, label="fig-recovery-coverage",
)

# %% [markdown]
# Simulated deciders with a known $d'$ and a known M-ratio answer a number of questions, the same code that analyses the
# models fits them, and the fits are compared with the truth. Each design was simulated
# {glue:text}`recovery_fewest_simulations:,` to {glue:text}`recovery_simulations:,` times, and each simulated data set
# resampled {glue:text}`recovery_resamples:,` times for its interval. The deciders make a real two-choice decision, so that
# meta-$d'$ and the M-ratio mean what their names say.

# %%
table(
    recovery.widths,
    *("width", "n_trials"),
    caption="The fewest simulated trials from which the 95 % interval of the M-ratio is on average at most so wide.",
    titles={"width": "Width of the interval"},
    digits={"width": 2},
)

# %% [markdown]
# For other designs, `metacog power` simulates the trials that a difference or an interval of a certain width requires.
#
# From $d'$ = 1, an M-ratio of 0.8, four ratings per side, equally many trials of both stimuli and 1,000 trials, one
# factor is varied at a time. The study adds 0.5 to every cell, which pulls $d'$ and meta-$d'$ towards 0 where cells are
# sparse: at few trials and at large $d'$. The M-ratio divides by $d'$, so it is wild where $d'$ is small.

# %%
varied = recovery.sweeps[recovery.sweeps["factor"] != ""]
caption = "Estimate minus truth, averaged over simulations, with two errors of the simulation. Dashed: right on average."
named = {"bias": "Bias", "design": "What is varied"}
forest(
    varied, value="bias", rows="design", colour="quantity", reference=0, caption=caption, titles=named,
    label="fig-recovery-bias",
)

# %% [markdown]
# ## Intervals and tests of AUROC2 and meta-I2r
# <!-- fold -->
#
# Open answers are measured by other means, and these have a record too. Confidence was simulated from two normal curves,
# cut into eight ratings, with a known AUROC2 and meta-I2r. *Questions* as the unit means that each question is asked at
# seven temperatures. With fewer than {glue:text}`recovery_floor` right or wrong answers no interval is computed.

# %%
recovery.says(
    "levels",
    "Where ratings know nothing, the permutation test finds something in {false_least:.1f} to {false_most:.1f} % of simulations; {level:.0f} % "
    "is meant.",
)

# %%
caption = (
    "Lowest and highest share of 95 % intervals that contain the truth, over designs; meta-I2r from a true value of 0.05. With "
    "600 trials there are 18 mistakes, with 1,500 there are 75."
)
columns = ["measure", "unit", "n_trials", "lowest", "highest", "designs"]
table(recovery.intervals, *columns, caption=caption, digits={"lowest": 3, "highest": 3})

# %% [markdown]
# The simulations are in the repository, made by `python benchmarks/recovery.py` and `python
# benchmarks/interval_coverage.py`; next to each are its seed and the versions it was run with.
