# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Robustness: six ways the result could be an accident
#
# A finding that hangs on one choice is a finding about that choice. The study registered six checks.
#
# | check | what is changed |
# | --- | --- |
# | R1 | the number of ratings: $K = 3$ and 6 a side instead of 4 |
# | R2 | the spread of wrong and right answers: unequal, $s$ = slope of the z-ROC, instead of equal |
# | R3 | the rating edges: equal widths instead of equal numbers |
# | R4 | the questions: another set |
# | R5 | what was likely: accepted answers are scored against the wrong answer given |
# | R6 | difficulty: domains and models matched for it |
#
# :::{warning}
# R1 to R4 vary the settings of the **M-ratio** (see [H1](study1-h1.ipynb)). That it holds still
# under them does not make it valid for open answers; the [correction](study1-correction.ipynb) is about
# what no setting can repair.
# :::

# %% tags=["parameters"]
profile = "default"
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %% tags=["hide-input"]
from IPython.display import Markdown, display

from metacog.book import trial_files
from metacog.core.config import load_profile
from metacog.report.show import glue, save_table
from metacog.report.style import use_style
from metacog.studies.study1_qa import beside, figures
from metacog.studies.study1_qa.cells import primary, rate_trials
from metacog.studies.study1_qa.forced import RULE as RULE_R5
from metacog.studies.study1_qa.forced import analyse_forced, read_forced
from metacog.studies.study1_qa.matched import RULE_DOMAINS, RULE_MODELS, matched
from metacog.studies.study1_qa.robustness import (
    RULES,
    compact,
    judge,
    paper_names,
    robustness,
    robustness_from_counts,
)
from metacog.studies.study1_qa.show import show_beside, show_rule, show_verdicts, titled
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
trials = read_trials(trial_files(profile))
names = paper_names(trials["model"].unique())
options = {"n_resamples": n_resamples, "seed": seed}
result = robustness(trials, paper_names=names, verdicts=verdicts, **options)
made_by = {"profile": name, **options}

# %% [markdown]
# ## R1 to R4: other settings
#
# The order of models, and whether each is below 1, should not depend on them:

# %% tags=["hide-input"]
show_rule("\n>\n> ".join(f"{check}: {rule}" for check, rule in RULES.items()))

# %% mystnb={"figure": {"name": "fig-robustness-variants", "caption": "M-ratio under every variant, with 95 % intervals. Read down one marker: a robust model stays in place. Read across one line: where markers change order, the ranking was made by the setting."}, "image": {"alt": "M-ratio of each model under all variants"}} tags=["hide-input"]
figures.robustness_dots(result.table)

# %% tags=["hide-input"]
save_table(result.table, f"{name}/robustness", **made_by)
titled(
    compact(result.table),
    [
        "check",
        "variant",
        "model",
        "dataset",
        "s",
        "d_prime",
        "meta_d",
        "m_ratio",
        "ci_lo",
        "ci_hi",
        "rank",
        "flag",
    ],
    caption="R1 to R4.",
)

# %% tags=["hide-input"]
show_verdicts(result.verdicts)

# %% [markdown]
# In R2 two slopes are at hand for the paper's models: the slope of their own z-ROC, and the one the
# author took from an earlier study. For models that are not the paper's there is only their own. A slope
# below 1 says that right answers are more spread out in confidence than wrong ones.
#
# ## R5: was the right answer likely, although a wrong one was said?
#
# For up to 300 questions a model got wrong at $T = 1$, every accepted answer (at most eight) and the wrong
# answer itself are scored as continuations of the same prompt; nothing is sampled. If the accepted answer is
# often the likelier one, wrong answers are slips of sampling; if not, the knowledge is not there.

# %% tags=["hide-input"]
show_rule(RULE_R5)
decoded = read_forced([file.parent.parent / "forced" / file.name for file in trial_files(profile)])
if len(decoded):
    r5 = analyse_forced(decoded, verdicts=verdicts, **options)
    save_table(r5.table, f"{name}/robustness_forced", **made_by)
    display(titled(r5.table, caption="Share of wrongly answered questions whose right answer was likelier."))
    show_verdicts(r5.verdicts)
else:
    display(Markdown("This run has no forced decodings: its book was built without them."))

# %% mystnb={"figure": {"name": "fig-robustness-forced", "caption": "How much likelier, per token, the best accepted answer is than the wrong answer that was given. Mass to the right of the dashed line: the model found the right answer likelier and said the wrong one all the same."}, "image": {"alt": "Histogram of the difference in NLP between best accepted and wrong answer"}} tags=["hide-input"]
figures.forced_gaps(decoded)

# %% [markdown]
# Two cautions. The best of several accepted answers has several chances to win, so the first accepted answer
# is shown alone too. And a mean over tokens favours long names whose end follows from their beginning, so the
# share by *whole* log-probability stands beside it. "Rescoring" is how far the wrong answer's score moves when
# it is scored again: arithmetic on a compressed model depends a little on what else is in the batch.
#
# ## R6: the same difficulty
#
# The paper names a difficulty-matched check and does not define it. **This definition is ours.** The
# difficulty of a question is the number of the run's models that answered it correctly at $T = 1$. From every
# domain questions are drawn so that all domains hold equally many at each difficulty. For a pair of models,
# which share their questions, we keep those both got right or both got wrong, and equally many that only the
# one or only the other got right. Drawing is repeated over seeds; limits come from drawing the questions
# anew and matching each time. With two models difficulty has only three levels.

# %% tags=["hide-input"]
r6 = matched(
    rate_trials(primary(trials)), n_resamples=min(n_permutations, n_resamples), seed=seed, verdicts=verdicts
)
save_table(r6.domains, f"{name}/robustness_matched", **made_by)
glue("robustness_r6_levels", int(r6.levels["n_right"].nunique()))
levels = r6.levels.pivot(index="n_right", columns="domain", values="n_questions").reset_index()
levels["kept in each"] = r6.levels.groupby("n_right")["n_matched"].first().to_numpy() if len(levels) else []
titled(levels.rename(columns={"n_right": "models right"}), caption="Questions of each domain by difficulty.")

# %% tags=["hide-input"]
show_rule("\n>\n> ".join([RULE_DOMAINS, RULE_MODELS]))
titled(
    r6.domains,
    [
        "model", "domain", "m_ratio", "m_ratio_matched", "ci_lo", "ci_hi", "auroc2_matched", "meta_i2r_chi_square_matched",
        "n_matched", "flag",
    ],
    caption="Domains before and after matching.",
)  # fmt: skip

# %% tags=["hide-input"]
if len(r6.models):
    display(
        titled(
            r6.models,
            ["model_a", "model_b", "difference", "matched_difference", "lo", "hi", "p_holm", "n_matched"],
            caption="Differences of M-ratio between models before and after matching.",
        )
    )
show_verdicts(r6.verdicts)

# %% [markdown]
# ## Published beside ours
#
# R1's values are printed; R2 and R4 are recomputed from the paper's counts at $K = 4$. R3, R5 and R6
# need the paper's trials.

# %% tags=["hide-input"]
show_beside(beside.beside_binning(result.table, verdicts=verdicts))

# %% tags=["hide-input"]
theirs = robustness_from_counts(beside.published_cells(None), **options)
save_table(theirs, f"{name}/robustness_published", **made_by)
titled(
    compact(theirs),
    ["check", "variant", "model", "dataset", "s", "m_ratio", "ci_lo", "ci_hi", "rank"],
    caption="R2 and R4 of the paper's models, from its counts.",
)

# %% [markdown]
# The paper's text says that the ordering is identical on the second question set. From its own counts:

# %% tags=["hide-input"]
show_verdicts([v for v in judge(theirs) if v.hypothesis in ("R2", "R4")] if verdicts else [])

# %% [markdown]
# ## What would change your mind
#
# A ranking that turns with the number of bins, the assumed spread, or the question set is not a property of
# the models. Look for the check that moves a model furthest; the mechanism behind it is the subject of
# [The correction](study1-correction.ipynb).
