# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # H1: is metacognition less than perfect?
#
# The first pre-registered hypothesis says that models use less than all they know when they are
# confident. It is put in terms of the **M-ratio** (metacognitive efficiency).
#
# - **$d'$** is type-1 sensitivity: how far right and wrong answers lie apart when ratings are cut once, in
#   the middle.
# - **meta-$d'$** is the $d'$ that would have produced the ratings *within* each half, fitted by maximum
#   likelihood.
# - **M-ratio** $=$ meta-$d'/d'$. At 1, the finer ratings hold as much as the single cut promises; below 1,
#   less.
#
# :::{warning}
# For open answers this reading does not hold: $d'$ and meta-$d'$ come from the same table, and their
# ratio does not follow how good or bad confidence is. The page shows the test as it was registered;
# [The correction](study1-correction.ipynb) shows why its outcome says nothing about which model knows
# itself better.
# :::

# %% tags=["parameters"]
profile = "default"
n_resamples = 10_000
seed = 42
verdicts = True

# %% tags=["hide-input"]
from metacog.book import trial_files
from metacog.core.config import load_profile
from metacog.report.show import glue, save_table
from metacog.report.style import use_style
from metacog.studies.study1_qa import beside, figures
from metacog.studies.study1_qa.cells import primary, rate_trials
from metacog.studies.study1_qa.h1 import RULE, h1
from metacog.studies.study1_qa.show import show_beside, show_rule, show_verdicts, titled
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
rated = rate_trials(primary(read_trials(trial_files(profile))))
result = h1(rated, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
made_by = {"profile": name, "n_resamples": n_resamples, "seed": seed}
glue("h1_resamples", n_resamples)
glue("h1_dropped_draws", int(result.table["n_draws_dropped"].sum()))

# %% [markdown]
# ## The rule
#
# NLP is cut into eight ratings of equal frequency at $T = 1$; wrong answers play "stimulus 1" and right
# answers "stimulus 2"; 0.5 is added to every cell. The interval comes from drawing the trials anew
# {glue:text}`h1_resamples:,` times with replacement (a **bootstrap**), fitting each time, and taking the
# middle 95 %.

# %% tags=["hide-input"]
show_rule(RULE)
save_table(result.table, f"{name}/h1", **made_by)
titled(
    result.table,
    [
        "model",
        "dataset",
        "n",
        "accuracy",
        "d_prime",
        "meta_d",
        "m_ratio",
        "ci_lo",
        "ci_hi",
        "below_one",
        "flag",
    ],
    caption="H1 at T = 1, trial-level bootstrap.",
)

# %% [markdown]
# Resamples without a finite M-ratio, or with one of 10 and more, are dropped; here
# {glue:text}`h1_dropped_draws:,` were.

# %% tags=["hide-input"]
show_verdicts(result.verdicts[:1])

# %% [markdown]
# ## The sound counterpart: what was drawn, and what was held fixed
#
# The registered interval treats every trial as independent and the rating edges as known. Two checks
# relax that. Drawing whole **questions** keeps together what belongs together, and making the **edges
# anew** in every resample admits that they, too, were estimated. With one answer a question at $T = 1$
# the first changes nothing; over all temperatures the same question comes back several times, and there
# it can.

# %% mystnb={"figure": {"name": "fig-h1-intervals", "caption": "M-ratio with 95 % intervals made in several ways. Compare widths within a model: where drawing questions widens the interval, trials of one question tell the same story several times. An interval that changes sides of the dashed line would change the verdict."}, "image": {"alt": "M-ratio of each model with intervals from four ways of resampling"}} tags=["hide-input"]
figures.interval_schemes(result.intervals)

# %% tags=["hide-input"]
save_table(result.intervals, f"{name}/h1_intervals", **made_by)
titled(result.intervals, caption="The same M-ratio, resampled in different ways.")

# %% tags=["hide-input"]
show_verdicts(result.verdicts[1:])

# %% [markdown]
# ## Published beside ours
#
# The published rows are recomputed from the paper's real counts (625 answers a rating).

# %% tags=["hide-input"]
compared = beside.beside_h1(result.table, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
show_beside(compared)

# %% [markdown]
# ## What would change your mind
#
# About H1 as registered: an upper limit on the other side of 1. About whether H1 asks the right question:
# nothing on this page can. If both numbers come from one table, their ratio can only
# speak of that table's shape, and that is what [The correction](study1-correction.ipynb) tests with simulated
# observers whose true efficiency is known.
