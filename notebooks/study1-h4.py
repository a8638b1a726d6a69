# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # H4: equal skill, unequal self-knowledge?
#
# If two models tell right from wrong equally well and yet differ in **M-ratio**
# (see [H1](study1-h1.ipynb)), then metacognition is a capacity of its own. That is the fourth hypothesis,
# the "hidden structure" of the paper.
#
# :::{warning}
# The M-ratio of open answers is not a ranking of metacognition. What it responds to is the shape of
# the confidence distributions; see [The correction](study1-correction.ipynb), where the order of the paper's
# models turns round.
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
from metacog.report.show import glue, save_table
from metacog.report.style import use_style
from metacog.studies.study1_qa import beside, figures
from metacog.studies.study1_qa.cells import primary, rate_trials
from metacog.studies.study1_qa.h4 import D_PRIME_BOUND, RULE_CODE, RULE_SOUND, RULE_TEXT, h4
from metacog.studies.study1_qa.show import show_beside, show_rule, show_verdicts, titled
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
rated = rate_trials(primary(read_trials(trial_files(profile))))
result = h4(rated, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
made_by = {"profile": name, "n_resamples": n_resamples, "seed": seed}
glue("h4_pairs", len(result.pairs))
glue("h4_bound", D_PRIME_BOUND)

# %% [markdown]
# ## The rule, in two wordings
#
# The author's code and the paper's text do not ask the same thing. Intervals that overlap can still belong to
# a difference whose own interval excludes zero, so the code is the stricter of the two. Neither checks that
# the two models are similar in $d'$, which is the point of the hypothesis.

# %% tags=["hide-input"]
show_rule("\n>\n> ".join([RULE_CODE, RULE_TEXT]))
save_table(result.table, f"{name}/h4", **made_by)
titled(
    result.table,
    ["model", "accuracy", "d_prime", "d_prime_lo", "d_prime_hi", "m_ratio", "ci_lo", "ci_hi", "flag"],
    caption="Sensitivity and M-ratio at T = 1 with 95 % intervals.",
)

# %% mystnb={"figure": {"name": "fig-h4-plane", "caption": "Each model by its d' (across) and M-ratio (up), with 95 % intervals. The hypothesis needs two models above one another: close in d', apart in M-ratio."}, "image": {"alt": "M-ratio against d' for each model"}} tags=["hide-input"]
figures.sensitivity_and_ratio(result.table)

# %% tags=["hide-input"]
save_table(result.pairs, f"{name}/h4_pairs", **made_by)
if len(result.pairs):
    display(
        titled(
            result.pairs,
            ["model_a", "model_b", "overlap", "difference", "lo", "hi", "d_difference", "d_similar"],
            caption=f"The run's {len(result.pairs)} pair(s) of models, drawn independently.",
        )
    )
else:
    display(Markdown("This run has one model, so there is no pair to compare."))

# %% tags=["hide-input"]
show_verdicts(result.verdicts[:2])

# %% [markdown]
# ## The sound counterpart: same questions, and a test of similarity
#
# Both models answered the same questions, so questions are drawn for both at once: what an easy or a hard
# sample does to one it does to the other, and the difference is measured more sharply. Holm's method allows
# for the number of pairs. Similarity in $d'$ is shown by two one-sided tests (**TOST**) with a bound of
# {glue:text}`h4_bound`, our choice.

# %% tags=["hide-input"]
show_rule(RULE_SOUND)
if len(result.pairs):
    display(
        titled(
            result.pairs,
            [
                "model_a", "model_b", "n_shared", "paired", "paired_lo", "paired_hi", "p_holm", "d_lo", "d_hi",
                "d_similar",
            ],
            caption="Differences over shared questions; d' limits are 90 %, as TOST wants.",
        )
    )  # fmt: skip

# %% mystnb={"figure": {"name": "fig-h4-pairs", "caption": "Differences of M-ratio, with the models drawn alone and over shared questions. An interval clear of the dashed zero is a difference; compare the two widths to see what pairing buys."}, "image": {"alt": "Differences of M-ratio between pairs of models"}} tags=["hide-input"]
figures.model_pairs(
    result.pairs if len(result.pairs) else beside.beside_h4(result.pairs, verdicts=False).table
)

# %% tags=["hide-input"]
show_verdicts(result.verdicts[2:])

# %% [markdown]
# ## Published beside ours
#
# Recomputed from the paper's counts, models drawn independently (which answers share a question is not
# public). "d' similar" is our test, not the paper's.

# %% tags=["hide-input"]
compared = beside.beside_h4(result.pairs, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
show_beside(compared)

# %% [markdown]
# ## What would change your mind
#
# A pair that is shown similar in $d'$ and different in M-ratio satisfies the sound rule. Before reading it as
# hidden structure, look at the slope of the z-ROC of the two models ([Validation](study1-validation.ipynb)):
# if the slopes differ, unequal spread alone makes such a pair, and R2 of the
# [robustness chapter](study1-robustness.ipynb) shows how far.
