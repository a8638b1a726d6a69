# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Instruct and base: does tuning change self-knowledge?
#
# A **base** model is trained to continue texts; an **instruct** model is the same network tuned further to
# follow instructions. Tuning is known to disturb how well a model's probabilities match how often it is right.
# The paper has one such pair, Llama-3-8B, and compares the two.
#
# What can be compared fairly: accuracy; **AUROC2**, the chance that a right answer carries more confidence
# than a wrong one; **meta-I2r**, the share of uncertainty about correctness that confidence takes away; and
# the **slope of the z-ROC**, below 1 where right answers are more spread out in confidence than wrong ones.
#
# :::{warning}
# $d'$, meta-$d'$ and M-ratio are listed as in version 1. M-ratio does not rank metacognition for open answers:
# [The correction](study1-correction.ipynb).
# :::

# %% tags=["parameters"]
profile = "default"
n_resamples = 10_000
seed = 42
verdicts = True

# %% tags=["hide-input"]
from IPython.display import Markdown, display

from metacog.book import trial_files
from metacog.core.config import load_profile
from metacog.report.show import save_table
from metacog.report.style import use_style
from metacog.studies.study1_qa import beside, figures
from metacog.studies.study1_qa.cells import primary, rate_trials
from metacog.studies.study1_qa.instruct_base import RULE, compare_counts, compare_trials, registry_pairs
from metacog.studies.study1_qa.show import show_rule, show_verdicts, titled
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
rated = rate_trials(primary(read_trials(trial_files(profile))))
pairs = registry_pairs(rated.trials["model"].unique())
options = {"n_resamples": n_resamples, "seed": seed, "verdicts": verdicts}
found = [compare_trials(rated, instruct, base, **options) for instruct, base in pairs]
counts = beside.published_cells(None)
theirs = [compare_counts(counts, dataset=dataset, **options) for dataset in ("triviaqa", "nq")]
made_by = {"profile": name, "n_resamples": n_resamples, "seed": seed}

# %% [markdown]
# ## This run

# %% tags=["hide-input"]
show_rule(RULE)
for one in found:
    save_table(one.table, f"{name}/instruct_base_{one.instruct}", **made_by)
    display(titled(one.table, caption=f"{one.instruct} and {one.base}, the same questions drawn for both."))
    show_verdicts(one.verdicts)
if not found:
    display(
        Markdown(
            "No two models of this run are a base model and the instruct model made from it "
            "(`base_of` in `config/models.yaml` says which are). With such a pair this section would hold the "
            "table below for them, with questions drawn for both at once. The published pair follows."
        )
    )

# %% [markdown]
# ## Published beside ours
#
# Llama-3-8B-Instruct and Llama-3-8B, from the paper's real counts at $T = 1$ on both of its question sets. Each
# model is drawn alone, since the counts do not say which answers share a question; paired intervals would be
# narrower. meta-I2r is not corrected for bias here: both models have equally many answers, so the bias all but
# cancels in the difference.

# %% tags=["hide-input"]
for one in theirs:
    save_table(one.table, f"{name}/instruct_base_published_{one.dataset}", **made_by)
    display(titled(one.table, caption=f"{one.instruct} and {one.base} on {one.dataset}."))
    show_verdicts(one.verdicts)

# %% mystnb={"figure": {"name": "fig-instruct-base", "caption": "Instruct less base on every measure, with 95 % intervals. Measures differ in scale, so compare a line with zero and with its other markers, not with other lines. A marker clear of zero on one question set and not on the other is a warning against general statements."}, "image": {"alt": "Differences between instruct and base model on seven measures"}} tags=["hide-input"]
figures.pair_differences(
    [(f"Llama-3-8B, {one.dataset}", one.table) for one in theirs]
    + [(f"{one.instruct}, {one.dataset}", one.table) for one in found]
)

# %% [markdown]
# ## What would change your mind
#
# One pair cannot carry a statement about tuning in general. A second family with the same signs would begin to;
# add one with `metacog add-model` and `base_of` ([how](../book/new-model.md)). Watch the
# slope of the z-ROC: unequal slopes alone move M-ratio.
