# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 1 on one page
#
# What the main study asked, and what this run's own models answer. Each line is judged by a rule that
# was fixed beforehand; the chapters that follow show how, with the numbers the paper printed beside ours.

# %% tags=["parameters"]
profile = "default"
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %% tags=["hide-input"]
from IPython.display import display

from metacog.book import trial_files
from metacog.core.config import load_profile
from metacog.report.show import glue, save_table, table, verdict
from metacog.report.style import use_style
from metacog.studies.study1_qa.show import titled
from metacog.studies.study1_qa.summary import summarise
from metacog.studies.study1_qa.summary_figures import measures_figure
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
found = summarise(
    read_trials(trial_files(profile)),
    n_resamples=n_resamples,
    n_permutations=n_permutations,
    seed=seed,
    verdicts=verdicts,
)
glue("summary_headline", found.headline)
save_table(found.corrected.table, f"{name}/summary_measures", profile=name, seed=seed)
verdict(found.headline)

# %% [markdown]
# ## What confidence is worth, after the correction
#
# **AUROC2** is the chance that a right answer carries more confidence than a wrong one: 0.5 is a coin,
# 1 is perfect. **meta-I2r** is the share of the uncertainty about correctness that confidence removes:
# 0 is none, 1 is all. These two stand after the author's correction of the study; the **M-ratio**, by which
# the first version ranked the models, does not (see [The correction](study1-correction.ipynb)).

# %% mystnb={"figure": {"name": "fig-summary-measures", "caption": "AUROC2 and meta-I2r of this run's models at T = 1, with 95 % bootstrap intervals. The dashed line is confidence that knows nothing. Intervals that do not overlap tell models apart."}, "image": {"alt": "Dot plot of AUROC2 and meta-I2r by model"}} tags=["hide-input"]
measures_figure(found.corrected.table)

# %% tags=["hide-input"]
titled(
    found.corrected.table,
    [
        "model",
        "dataset",
        "n",
        "accuracy",
        "auroc2",
        "auroc2_lo",
        "auroc2_hi",
        "meta_i2r",
        "meta_i2r_lo",
        "meta_i2r_hi",
        "flag",
    ],
    caption="Measures at T = 1.",
)

# %% [markdown]
# ## The pre-registered hypotheses, and their sound counterparts
#
# A *pre-registered* rule is the paper's own, good or bad; a *sound counterpart* asks the same question in
# a way that the data can answer. Most of them speak of the M-ratio:
# read them as history.

# %% tags=["hide-input"]
rules = found.table()
if len(rules):
    save_table(rules, f"{name}/summary_verdicts", profile=name, seed=seed)
    display(table(rules, caption="All verdicts of this run."))
else:
    verdict("This run is too small for verdicts; the chapters show the path only.")

# %% [markdown]
# - [Collection](study1-collection.ipynb) and [validation](study1-validation.ipynb): the trials themselves.
# - [H1](study1-h1.ipynb), [H2](study1-h2.ipynb), [H3](study1-h3.ipynb), [H4](study1-h4.ipynb),
#   [robustness](study1-robustness.ipynb).
# - [The correction](study1-correction.ipynb): why the M-ratio ranking was withdrawn.
