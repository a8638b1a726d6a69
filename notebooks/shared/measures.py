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
from metacog.report import bars, forest, lines, matrix, table
from metacog.studies import open_run

run = open_run("shared", profile)
measures = run.result("measures")
measures.glue()
measures.answer()

# %%
caption = (
    "Does a measure move by more than 5 % when one thing about the table below is changed? Spoken boldly: larger numbers are "
    "stated, nothing else. Easier questions: more right answers at every rating. Half at random: half of the ratings are "
    "replaced at random. Fewer ratings: neighbours are merged. A rating higher: every answer is rated one higher."
)
matrix(measures.changes, rows="measure", columns="change", value="moves", why="why", caption=caption)

# %% [markdown]
# "Does it know what it knows?" is not one question. Is a confident answer more often right than an unsure one? Does
# "90 % sure" come true nine times in ten? How much would you gain by ignoring the unsure answers? Each measure answers
# one such question and is blind to others. A measure of self-knowledge should move when ratings get worse and not when
# questions get easier or words bolder. (For a slower way in, see [the primer](primer.ipynb).)
#
# ## The table
#
# All measures are computed from one published table. {glue:text}`measures_n:,` questions were put to
# Llama-3-8B-Instruct; {glue:text}`measures_right:,` of the answers were right. They are sorted by the model's confidence
# and cut into eight **ratings** of equal size.

# %%
bars(
    measures.counted,
    value="answers",
    rows="rating",
    colour="mark",
    stacked=True,
    caption="Right and wrong answers at each rating; 8 is the most confident. Were all bars alike, confidence would know nothing.",
    label="fig-measures-bars",
)

# %% [markdown]
# **Accuracy** is {glue:text}`measures_accuracy:.3f`. It is the share of right answers and does not look at confidence.
#
# ## One cut: d' and c
#
# Cut the ratings in the middle and call the upper half "sure". Let $h$ be the share of right answers above the cut and
# $f$ that of wrong ones. Signal detection theory pictures the confidence of wrong and of right answers as two bell curves
# of equal width; $z$ turns a share into a place on such a curve. **$d'$** is the distance between the peaks, and the
# **criterion $c$** is the place of the cut (0: half-way between them):
#
# $$\begin{aligned}
# d' &= z(h) - z(f), \\
# c &= -\tfrac12\,\bigl(z(h) + z(f)\bigr).
# \end{aligned}$$
#
# Here $d'$ = {glue:text}`measures_d_prime:.3f` and $c$ = {glue:text}`measures_c:.3f`. *Sees*: how far apart right and
# wrong answers are at one cut, wherever it is. *Misses*: everything else. Merge ratings 1 to 4 and 5 to 8, and $d'$ does
# not notice.
#
# ## Every cut: AUROC2
#
# Slide the cut through all ratings and plot $h$ against $f$: the **type-2 ROC**. (*Type 1* is about the world, *type 2*
# about one's own answers.) The area under it, **AUROC2**, is the probability that a random right answer has a higher
# rating than a random wrong one, ties counting one half. Chance is 1/2. Here it is {glue:text}`measures_auroc2:.3f`. Its
# interval comes from how much single answers differ in where they fall among the answers of the other class
# {cite:p}`delong1988,obuchowski1997`.

# %%
named = {"f": "f, wrong answers above the cut", "h": "h, right answers above it"}
caption = "The type-2 ROC of the table, one point for each cut. AUROC2 is the area below the line; the dashed line is chance."
lines(measures.roc, x="f", value="h", diagonal=True, caption=caption, label="fig-measures-roc", titles=named)

# %% [markdown]
# *Sees*: how well confidence **ranks** answers. *Misses*: what the confidence states, and how many answers are right: a
# model that is right 5 % of the time and one that is right 95 % of the time can have the same AUROC2.
#
# Draw the same points in $z$. If both curves are bells, they lie on a straight line. Its **slope** is the width of the
# wrong answers' curve divided by that of the right answers', {glue:text}`measures_z_slope:.3f` here. **$d_a$** is a
# distance that allows for unequal widths, $d_a = \text{intercept}\cdot\sqrt{2/(1 + \text{slope}^2)}$:
# {glue:text}`measures_d_a:.3f`.
#
# ## Only with a decision: meta-d' and M-ratio
#
# Suppose someone must first decide between two things (was it A or B?) and then says how sure they are. $d'$ describes
# the decisions. **meta-$d'$** {cite:p}`maniscalco2012` asks: if the confidence came from the same evidence, which $d'$
# would it show? The **M-ratio** is meta-$d'$/$d'$: 1 if confidence uses all the evidence that the decision used, less if
# some was lost on the way. The table has no such decision, so here are two *simulated* deciders, both with $d'$ =
# {glue:text}`measures_pair_d:.2f`.

# %%
named = {"confidence": "Confidence (4 = most confident)"}
caption = "Both are right equally often. The steeper line is the better self-knowledge."
more = {"colour": "decider", "caption": caption, "label": "fig-measures-two-choice", "titles": named}
lines(measures.deciders, x="confidence", value="share_right", **more)

# %% [markdown]
# *Sees*: self-knowledge apart from skill, where there is a decision to compare with. *Misses*: where there is none, both
# how informative the confidence is and how much it loses. On the table above the formula runs and gives
# {glue:text}`measures_m_ratio:.3f`, but that number compares the table with itself ({doc}`the correction
# <study1-correction>`).
#
# ## In bits: meta-I
#
# Before you hear the rating, you are uncertain whether the answer is right: $H$ bits of uncertainty, 1 for a coin flip, 0
# for certainty. After you hear it, less is left. The average difference is the **mutual information**, **meta-$I$**
# {cite:p}`dayan2023`, and **meta-$I_{2r}$** is its share of $H$:
#
# $$\begin{aligned}
# \text{meta-}I &= H(\text{right}) - \sum_r p(r)\,H(\text{right} \mid r), \\
# \text{meta-}I_{2r} &= \frac{\text{meta-}I}{H(\text{right})}.
# \end{aligned}$$

# %%
named = {"bits": "Uncertainty that is left (bits)"}
caption = "Uncertainty about being right once the rating is known. Dashed: before. meta-I is the mean gap; the outer ratings help most."
before = measures.record.numbers["entropy"]
more = {"caption": caption, "label": "fig-measures-information", "titles": named}
bars(measures.left, value="bits", rows="rating", reference=before, **more)

# %% [markdown]
# Here $H$ is {glue:text}`measures_entropy:.3f` bits, meta-$I$ {glue:text}`measures_meta_i:.3f` bits and meta-$I_{2r}$
# {glue:text}`measures_meta_i2r:.3f`. Ratings dealt out at random would seem informative too, by luck: with all trials
# that is worth {glue:text}`measures_null:.4f`, with {glue:text}`measures_small_n` trials
# {glue:text}`measures_small_null:.3f`. It is subtracted, which leaves {glue:text}`measures_corrected:.3f`; a value below
# 0 is less than luck usually gives.
#
# Two questions are kept apart in this book. Whether ratings know **more than nothing** is answered by a permutation
# test: shuffle the ratings among the answers (where questions repeat, among whole questions) and see how often chance does
# as well. **How much** they know is answered by an interval, computed from resampled tables and shifted so that the luck
# which resampling adds does not count; near zero it is not a test.
#
# *Sees*: all the information in the ratings, in any order or shape. *Misses*: whether stated confidence is true (a model
# that is sure exactly when it is wrong is fully informative). It needs many trials for each rating.
#
# ## Stated probabilities: ECE and Brier
#
# So far ratings had no meaning beyond their order. Now let the model *state* a probability, in three ways for the very
# same answers: **honest** states at each rating its actual share of right answers; **boastful** adds something to each;
# **always the average** states the same number every time.
#
# - **ECE**, the expected calibration error {cite:p}`guo2017`: the mean distance between the stated probability and the
#   share of right answers among those it was stated for.
# - **Brier score**: the mean squared distance between the stated probability and the outcome (1 right, 0 wrong)
#   {cite:p}`murphy1973`.

# %%
named = {"stated": "Stated probability of being right", "true": "Share right"}
caption = "On the dashed line, what is stated comes true. The single point always states the average: calibrated and of no use."
more = {"colour": "way", "caption": caption, "label": "fig-measures-speaking", "titles": named}
lines(measures.heard, x="stated", value="true", diagonal=True, **more)

# %%
table(measures.spoken, caption="One set of answers, three ways of speaking.")

# %% [markdown]
# *ECE sees*: whether stated numbers come true. *Misses*: whether they are of any use. *Brier sees* both, blended into one
# number that also moves with how hard the questions are.
#
# ## What you gain: risk and coverage
#
# Answer only the questions the model is most sure of, and fewer answers are wrong. The **risk-coverage curve**
# {cite:p}`geifman2017` shows by how much. Here are two published models.

# %%
named = {"answered": "Share of questions answered, surest first", "wrong": "Share wrong among them"}
caption = (
    "The fall of a line, from its right end to its left, is what confidence is worth; its height is mostly how much the "
    "model knows."
)
more = {"colour": "model", "caption": caption, "label": "fig-measures-risk", "titles": named}
lines(measures.risks, x="answered", value="wrong", **more)

# %% [markdown]
# *Sees*: what confidence is worth in use. *Misses*: the difference between knowing more and knowing better what one
# knows, unless you look at the fall rather than the height.
#
# Five changes of one table, as at the head of this page, are few: that a measure moves under one of them alone does not
# prove that it sees that and nothing else. So this book reports several measures, each with an interval, and says which
# question each of them answers.
#
# ## Does the estimator find what was put in?

# %%
recovery = run.result("recovery")
recovery.glue()
recovery.text("answer")

# %%
named = {"coverage": "Share of 95 % intervals that contain the truth", "design": "Simulated deciders"}
caption = (
    "Deciders with a known d' and M-ratio, each simulated as often as the main study has trials of one model. The marks "
    "should lie at 0.95; lines are the error of the simulation."
)
core = recovery.sweeps[recovery.sweeps["factor"] == ""]
more = {"colour": "quantity", "reference": 0.95, "limits": (0.925, 0.975), "label": "fig-recovery-coverage"}
forest(core, value="coverage", rows="design", caption=caption, titles=named, **more)

# %% [markdown]
# An estimate is only as good as its record on cases where the truth is known. Simulated deciders with a known $d'$ and a
# known M-ratio answer a number of questions, the same code that analyses the models fits them, and the fits are compared
# with the truth. Each design was simulated {glue:text}`recovery_fewest_simulations:,` to
# {glue:text}`recovery_simulations:,` times, and each simulated data set resampled {glue:text}`recovery_resamples:,` times
# for its interval. The deciders make a real two-choice decision, so that meta-$d'$ and the M-ratio mean what their names
# say. For open answers, see {doc}`the correction <study1-correction>`.
#
# ### How many trials it takes

# %%
table(
    recovery.widths,
    *("width", "n_trials"),
    caption="The fewest simulated trials from which the 95 % interval of the M-ratio is on average at most so wide.",
    titles={"width": "Width of the interval"},
    digits={"width": 2},
)

# %%
trials = recovery.sweeps[recovery.sweeps["factor"] == "trials"]
named = {"at": "Trials", "sd": "Standard deviation"}
caption = "How much one estimate differs from another, by the number of trials; d' is 1 and the M-ratio 0.8."
more = {"colour": "quantity", "log": True, "label": "fig-recovery-spread", "titles": named}
lines(trials, x="at", value="sd", caption=caption, **more)

# %% [markdown]
# For other designs, `metacog power` simulates the trials that a difference or an interval of a certain width requires.
#
# ### One factor at a time
# <!-- fold -->
#
# From $d'$ = 1, an M-ratio of 0.8, four ratings per side, equally many trials of both stimuli and 1,000 trials, one
# factor is varied at a time. The study adds 0.5 to every cell, which pulls $d'$ and meta-$d'$ towards 0 where cells are
# sparse: at few trials and at large $d'$. The M-ratio divides by $d'$, so it is wild where $d'$ is small.

# %%
varied = recovery.sweeps[recovery.sweeps["factor"] != ""]
caption = "Estimate minus truth, averaged over simulations, with two errors of the simulation. Dashed: right on average."
named = {"bias": "Bias", "design": "What is varied"}
more = {"colour": "quantity", "reference": 0, "label": "fig-recovery-bias", "titles": named}
forest(varied, value="bias", rows="design", caption=caption, **more)

# %% [markdown]
# ### Intervals and tests of AUROC2 and meta-I2r
# <!-- fold -->
#
# Open answers are measured by other means, and these have a record too. Confidence was simulated from two normal curves,
# cut into eight ratings, with a known AUROC2 and meta-I2r. *Questions* as the unit means that each question is asked at
# seven temperatures. With fewer than {glue:text}`recovery_floor` right or wrong answers no interval is computed.

# %%
recovery.text("levels")

# %%
caption = "Lowest and highest share of 95 % intervals that contain the truth, over designs; meta-I2r from a true value of 0.05."
columns = ["measure", "unit", "n_trials", "lowest", "highest", "designs"]
table(recovery.intervals, *columns, caption=caption, digits={"lowest": 3, "highest": 3})

# %% [markdown]
# The simulations are in the repository, made by `python benchmarks/recovery.py` and `python
# benchmarks/interval_coverage.py`; next to each are its seed and the versions it was run with.
