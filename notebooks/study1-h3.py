# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # H3: does temperature move the criterion or the insight?
#
# Raising the **sampling temperature** $T$ makes a model bolder in its choice of words. The third
# hypothesis says that this moves where confidence is cut (the **type-2 criterion**) and leaves
# metacognitive sensitivity (**meta-$d'$**) as it is. Rating edges are those of $T = 1$ at every
# temperature, so a shift of confidence shows as a shift of the criterion.
#
# :::{warning}
# meta-$d'$ of open answers measures the same separation as $d'$, not a second, inner one
# ([The correction](study1-correction.ipynb)). Read this page as being about the separation of right and
# wrong answers over temperature.
# :::

# %% tags=["parameters"]
profile = "default"
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %% tags=["hide-input"]
from metacog.book import trial_files
from metacog.core.config import load_profile
from metacog.report.show import glue, save_table
from metacog.report.style import use_style
from metacog.studies.study1_qa import beside, figures
from metacog.studies.study1_qa.cells import primary, rate_trials
from metacog.studies.study1_qa.exploratory import temperature_measures
from metacog.studies.study1_qa.h3 import BOUND, RULE_CRITERION, RULE_RANGE, RULE_RHO, RULE_TOST, h3
from metacog.studies.study1_qa.show import show_beside, show_rule, show_verdicts, titled
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
trials = primary(read_trials(trial_files(profile)))
result = h3(rate_trials(trials), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
made_by = {"profile": name, "n_resamples": n_resamples, "seed": seed}
glue("h3_bound", BOUND)

# %% [markdown]
# ## The rule
#
# Two conditions were registered. **Spearman's $\rho$** is the correlation of ranks, here of a measure with
# the temperature.

# %% tags=["hide-input"]
show_rule("\n>\n> ".join([RULE_RANGE, RULE_RHO]))
save_table(result.table, f"{name}/h3", **made_by)
titled(
    result.table,
    ["model", "temperature", "n", "accuracy", "d_prime", "meta_d", "m_ratio", "mean_rating", "flag"],
    caption="All temperatures of the run; the hypothesis is about 0.3, 0.5, 0.7 and 1.0.",
)

# %% mystnb={"figure": {"name": "fig-h3-temperature", "caption": "d', meta-d' and the mean type-2 criterion of the upper ratings against temperature, with 95 % intervals over resampled questions. The hypothesis expects flat lines in the middle panel and a slope in the lowest. An interval in the middle panel that leaves its neighbours' would speak against it."}, "image": {"alt": "d', meta-d' and criterion against temperature"}} tags=["hide-input"]
figures.temperature_lines(result.table)

# %% tags=["hide-input"]
save_table(result.summary, f"{name}/h3_summary", **made_by)
titled(
    result.summary,
    ["model", "rho_meta_d_T", "rho_d_prime_T", "meta_d_range", "tost_pass", "relative_robust"],
    caption="The pre-registered statistics.",
)

# %% tags=["hide-input"]
show_verdicts(result.verdicts[:2])

# %% [markdown]
# ## The sound counterpart: a test that can show sameness
#
# The paper calls its range rule "TOST". It is not one: a small range of estimates can come from luck, and
# a large one from noise. Two one-sided tests (**TOST**) turn the burden round: the difference counts as
# negligible only if its 90 % interval lies within a bound fixed beforehand, here
# {glue:text}`h3_bound` as in the paper. Questions are resampled as wholes, so that both temperatures
# answer the same ones. And with four temperatures a rank correlation can only take a handful of values, so
# comparing two of them decides little.

# %% tags=["hide-input"]
show_rule("\n>\n> ".join([RULE_TOST, RULE_CRITERION]))
titled(
    result.summary,
    ["model", "smallest_bound", "tost_p", "equivalent"],
    caption="Smallest bound: what the true TOST would have passed with.",
)

# %% mystnb={"figure": {"name": "fig-h3-equivalence", "caption": "Paired differences of meta-d' between temperatures with 90 % intervals. Equivalence is shown where every interval lies inside the band; an interval that straddles the band's edge is undecided, and one wholly outside is a difference."}, "image": {"alt": "Differences of meta-d' between temperatures against an equivalence band"}} tags=["hide-input"]
figures.equivalence(result.pairs, BOUND)

# %% tags=["hide-input"]
titled(
    result.summary,
    [
        "model", "low_criterion_change", "low_criterion_change_lo", "low_criterion_change_hi",
        "high_criterion_change", "high_criterion_change_lo", "high_criterion_change_hi",
    ],
    caption="How far the mean type-2 criteria move from the lowest to the highest of the four temperatures.",
)  # fmt: skip

# %% tags=["hide-input"]
show_verdicts(result.verdicts[2:])

# %% [markdown]
# ## Version 2's measures over temperature
#
# Here each temperature makes its own rating edges, as version 2 does, so that a mere shift of confidence
# cannot look like a loss of insight. Intervals of meta-I2r are made as published and sit a little high.

# %% tags=["hide-input"]
corrected = temperature_measures(trials, n_permutations=n_permutations, n_resamples=n_permutations, seed=seed)
save_table(corrected, f"{name}/h3_measures", **made_by)
titled(
    corrected,
    [
        "model",
        "temperature",
        "acc",
        "n",
        "meta_i2r_permutation",
        "mi_lo",
        "mi_hi",
        "p_perm",
        "auroc2",
        "flag",
    ],
    caption="meta-I2r and AUROC2 by temperature.",
)

# %% [markdown]
# ## Published beside ours
#
# Counts at other temperatures are not public; the statistics are recomputed from the printed table.

# %% tags=["hide-input"]
compared = beside.beside_h3(result.summary, verdicts=verdicts)
show_beside(compared)

# %% [markdown]
# ## What would change your mind
#
# A paired interval wholly outside the band would show that temperature does change the separation of right
# and wrong answers. Intervals that merely stick out say that the run is too small to tell; more questions,
# not more temperatures, would narrow them.
