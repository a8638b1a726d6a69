# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # H2: does self-knowledge depend on the subject?
#
# A model may know what it knows of geography and not of art. The second hypothesis compares the
# **M-ratio** (see [H1](study1-h1.ipynb)) between four **domains** of questions.
#
# :::{warning}
# M-ratio is not a valid measure of metacognition for open answers
# ([The correction](study1-correction.ipynb)). Domains are therefore compared on two measures that are:
# **AUROC2**, the chance that a right answer carries more confidence than a wrong one, and
# **meta-I2r**, the share of the uncertainty about correctness that ratings take away.
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
from metacog.studies.study1_qa.h2 import RULE, h2
from metacog.studies.study1_qa.show import show_beside, show_rule, show_verdicts, titled
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
rated = rate_trials(primary(read_trials(trial_files(profile))))
result = h2(rated, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
made_by = {"profile": name, "n_resamples": n_resamples, "seed": seed}
m_ratio_pairs = result.pairs[result.pairs["measure"] == "m_ratio"]
glue("h2_pairs", len(m_ratio_pairs))
glue("h2_flagged", int(m_ratio_pairs["flagged"].sum()))

# %% [markdown]
# ## The rule
#
# The rating edges are the model's own at $T = 1$, the same for all its domains. Questions of no domain
# ("Unclassified") are left out.

# %% tags=["hide-input"]
show_rule(RULE)
save_table(result.table, f"{name}/h2", **made_by)
titled(
    result.table,
    ["model", "domain", "n", "accuracy", "d_prime", "meta_d", "m_ratio", "ci_lo", "ci_hi", "flag"],
    caption="M-ratio by domain at T = 1.",
)

# %% mystnb={"figure": {"name": "fig-h2-domains", "caption": "Three measures by domain, with 95 % intervals. Look first at how wide the top intervals are: M-ratio is a ratio of two noisy numbers. Then ask whether the order of domains is the same in all three panels; where it is not, the measure decides, not the domain."}, "image": {"alt": "M-ratio, AUROC2 and meta-I2r by domain for each model"}} tags=["hide-input"]
figures.domain_measures(result.table)

# %% [markdown]
# Every difference between two domains of one model, {glue:text}`h2_pairs` in all
# ({glue:text}`h2_flagged` of them with a domain of fewer than 50 right or wrong answers, which no verdict
# uses):

# %% tags=["hide-input"]
save_table(result.pairs, f"{name}/h2_pairs", **made_by)
titled(
    m_ratio_pairs,
    ["model", "domain_a", "domain_b", "difference", "lo", "hi", "p", "p_holm"],
    caption="Pairwise differences of M-ratio.",
)

# %% tags=["hide-input"]
show_verdicts(result.verdicts[:1])

# %% [markdown]
# ## The sound counterpart: many comparisons, and a valid measure
#
# Six comparisons in each of several models are many chances to be surprised. **Bonferroni** divides the
# 5 % by the number of comparisons (the paper's 18); **Holm** does the same step by step and is never
# weaker. Then the question is asked again of AUROC2 and meta-I2r.

# %% tags=["hide-input"]
others = result.pairs[result.pairs["measure"] != "m_ratio"]
titled(
    others,
    ["measure", "model", "domain_a", "domain_b", "difference", "lo", "hi", "p_holm"],
    caption="The same pairs on measures that are valid for open answers.",
)

# %% tags=["hide-input"]
show_verdicts(result.verdicts[1:])

# %% [markdown]
# ## Published beside ours
#
# Counts by domain are not public, so the paper's domain values stand as printed: M-ratio from version 1,
# AUROC2 and meta-I2r from version 2.

# %% tags=["hide-input"]
compared = beside.beside_h2(result.table, verdicts=verdicts)
show_beside(compared)

# %% [markdown]
# ## What would change your mind
#
# A domain difference that keeps its sign in another model, survives Holm, and shows in meta-I2r as well as
# in AUROC2 would be hard to explain away. One that shows in M-ratio alone is most likely a difference in
# the *shape* of the confidence distributions. Domains also differ in difficulty; the
# [robustness chapter](study1-robustness.ipynb) matches it (R6).
