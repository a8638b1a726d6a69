# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # DMC: metacognition with ability removed

# %% tags=["parameters"]
profile = "default"
n_trials = 400
d_prime = 1.5
m_ratio = 0.7
seed = 42

# %%
from metacog.studies import open_run

run = open_run("study3_dmc", profile)
flat = run.result("decoupling")
flat.glue()
flat.answer()

# %%
flat.figure("decoupling")

# %%
one = run.result("estimators", n_trials=n_trials, d_prime=d_prime, m_ratio=m_ratio, seed=seed)
one.glue()
one.box("few_and_many")

# %% [markdown]
# A model that answers better also tends to *seem* to know itself better: with few errors there is less to get
# wrong about one's errors. DMC {cite:p}`wang2025dmc` sets out to remove the influence of ability. This page
# explains what it computes, compares it with the maximum-likelihood M-ratio on the same counts, and tests the
# claim that such measures stay the same when only ability changes.
#
# ## What it computes
#
# A question has two options, **A** and **B**; the model picks one and says how sure it is. Confidence is cut into
# four ratings: bins of equal width over the range observed for this model, data set and way of asking, a value on
# a border belonging to the lower bin. The **counts matrix** has four rows: answered A and right (TA), A and wrong
# (FA), B and right (TB), B and wrong (FB).
#
# 1. **Ability** is the plain $d'$ of the answers, here $\hat d = z(\text{TB rate}) - z(\text{FB rate})$, with its
#    criterion $c_0$.
# 2. **Metacognitive ability** is $d^*$. Each row of the matrix is divided by its sum. Two bell curves a distance
#    of $d^*$ apart predict these shares as areas between confidence axes, given the answer; $d^*$ and the axes are
#    chosen so that the squared (Frobenius) distance to the rows is smallest. $c_0$ stays where it was.
# 3. **MC** is $d^*/\hat d$: of what the answers show that the model can distinguish, the share that its confidence
#    reveals.
#
# That is the question of the [M-ratio](study2-two-choice.ipynb) {cite:p}`maniscalco2012`, asked of the same
# counts. Two things differ. Maximum likelihood gives each *trial* the same weight; DMC gives each *row* the same
# weight, however few trials it rests on. And maximum likelihood lets the criterion move with meta-$d'$; DMC does
# not.
#
# ## What stays flat when only ability changes?
#
# This is the test on which the paper's argument rests: a measure of metacognition alone should not move when a
# data set is merely easier. The **coefficient of variation** (CV) of a measure over data sets is its standard
# deviation divided by its mean; the smaller, the flatter.
#
# Simulated observers can be made to change in ability and in nothing else. But *nothing else* has no single
# meaning: "efficiency" is a parameter of a model. Three meanings are tried. In the first the M-ratio itself is
# held fixed; DMC and the M-ratio must turn out flat there, since they assume that very model. In the second,
# confidence reads the evidence of the decision through noise of fixed size. In the third, a fixed share of ratings
# is drawn at random. Each has {glue:text}`decoupling_abilities` abilities from $d'$ =
# {glue:text}`decoupling_lowest` to {glue:text}`decoupling_highest`. For ECE (one bin per rating) and Brier, a
# rating states the same probability at every ability.

# %%
flat.text("flat")

# %%
flat.box("zero")

# %%
one.box("needed")

# %% [markdown]
# ## Where the two estimators diverge
#
# {glue:text}`estimators_simulations:,` tables were simulated of each design, and every table was given to each
# estimator. Bias is the mean estimate minus the true ratio. Four bins of equal width over the observed range are
# seldom filled evenly: models say "90 %" and little else.

# %%
one.figure("estimators")

# %%
one.box("usage")

# %%
one.text("trials_bias")

# %%
one.table("trials", folded=True)

# %%
one.table("usage", folded=True)

# %% [markdown]
# ## Padding, criterion, efficiency
# <!-- fold -->
#
# **Padding.** DMC adds 1/8 to every cell. Where wrong answers are few, so are the trials of two of the four rows,
# and half of DMC's loss rests on these.

# %%
one.text("padding")

# %%
one.table("padding")

# %% [markdown]
# **Criterion.** With a bias to one answer the two are estimates of different things.

# %%
one.text("criterion")

# %%
one.table("criterion")

# %%
one.table("efficiency")

# %% [markdown]
# ## One table, worked through
# <!-- fold -->
#
# A simulated observer with $d'$ = {glue:text}`estimators_d_prime` and a true ratio of
# {glue:text}`estimators_ratio` answered {glue:text}`estimators_trials:,` questions, {glue:text}`estimators_wrong`
# of them wrongly.

# %%
one.table("counts")

# %%
one.table("fits")

# %%
one.text("moved")

# %% [markdown]
# Compare the estimates with one another, and with the observer's true ratio: chance alone separates them from it,
# and another `seed` moves them.
#
# ### Three notes on the equations
#
# - The paper prints "arg max" before a loss that must be minimised. It is minimised here.
# - It demands that accuracy rise strictly with the rating, for both answers. With two bell curves of equal width,
#   ordered axes and $d^* > 0$ this holds by itself: the further out, the more likely the answer is to be right.
#   All that remains of the demand is $d^* > 0$. A model that is more sure of its wrong answers ends at $d^* = 0$,
#   and the table of fits reports that the demand is not met.
# - That accuracy is computed from rows that have been divided by their sums (equation 19), so the sums that weight
#   it in equation 21 are all 1: how often the model is right cancels. It is not the accuracy of the trials.

# %%
one.table("accuracy")

# %% [markdown]
# The code that the authors released differs from the printed equations as follows: its loss is taken over
# cumulative rates, $c_0$ moves in proportion to $d$, and $d^*$ may not exceed $\hat d$, so that MC is at most 1.
# It is included here as a variant. A bound at 1 hides what lies above it, whether by chance or in truth.

# %%
one.text("released")

# %% [markdown]
# ## A CV contains noise too
# <!-- fold -->
#
# Estimates from finitely many trials differ even where nothing differs. A noisy measure then looks less flat than
# it is, and a measure on few questions less flat than one on many. So each CV is shown twice: unadjusted, and with
# the sampling variance subtracted. Intervals come from resampled questions.

# %%
flat.box("sampled")

# %%
flat.figure("variations")

# %%
flat.table("variations")

# %% [markdown]
# ## What would change your mind
#
# About DMC compared with the M-ratio: a use of ratings at which it has the smaller error at no loss elsewhere.
# About flatness: a kind of observer, with an efficiency one would want to call fixed, whose M-ratio and MC move as
# much as its AUROC2 does. What else can be checked with the printed figures is on [the next
# page](study3-published.ipynb).
