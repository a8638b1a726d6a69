# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Recovery: does the estimator find what was put in?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("shared", profile)
recovery = run.result("recovery")
recovery.glue()
recovery.answer()

# %%
recovery.figure("bias")

# %% [markdown]
# An estimate is only as good as its record on cases where the truth is known. Here, simulated deciders with a
# known $d'$ and a known M-ratio answer a number of questions; the same code that analyses the models fits them;
# and the fits are compared with the truth. Each design was simulated {glue:text}`recovery_fewest_simulations:,` to {glue:text}`recovery_simulations:,` times,
# and each simulated data set was resampled {glue:text}`recovery_resamples:,` times for its interval.
#
# Three things are asked of an estimator:
#
# - **bias**: is it right on average? (estimate minus truth, averaged over simulations)
# - **spread**: how much does one estimate differ from another? (their standard deviation)
# - **coverage**: does a 95 % interval contain the truth 95 times in 100?
#
# The simulated deciders make a real two-choice decision, so that meta-$d'$ and the M-ratio mean what their names
# say. For open answers, see {doc}`the correction <study1-correction>`.

# %% [markdown]
# ## Six designs at the size of the study
#
# At 5,000 trials and four ratings per side, the size of one model's data in the main study, the bias of meta-$d'$
# should stay under 0.02, and intervals should contain the truth in 93 to 97 % of simulations. Both targets were
# set before the simulation was run.

# %%
recovery.table("core", folded=True)

# %%
recovery.verdicts(topic="core")

# %% [markdown]
# ## One factor at a time
#
# The centre is $d'$ = 1, M-ratio = 0.8, four ratings per side, equally many trials of both stimuli and 1,000
# trials. From there, one factor is varied at a time.

# %%
recovery.figure("spread")

# %%
recovery.figure("coverage")

# %%
recovery.text("factors")

# %% [markdown]
# ## Intervals of meta-I2r and AUROC2
# <!-- fold -->
#
# Open answers are measured by other means, and their intervals have a record too. Confidence was simulated from
# two normal curves, one for wrong and one for right answers, cut into eight ratings at fixed positions, with a
# known meta-I2r and AUROC2. *Questions* as the unit means that each question is asked at seven temperatures, and
# that its answers resemble one another. With fewer than {glue:text}`recovery_floor` answers of either class, right
# or wrong, no interval is computed.

# %%
recovery.table("intervals", folded=True)

# %%
recovery.verdicts(topic="intervals")

# %% [markdown]
# ## What this means for a design

# %%
recovery.text("widths")

# %% [markdown]
# For other designs, `metacog power` simulates the number of trials that a difference or an interval width
# requires. The table behind this page is in the repository, produced by `python benchmarks/recovery.py`, and that
# of the intervals by `python benchmarks/interval_coverage.py`; next to each are its seed and the versions it was
# run with.
