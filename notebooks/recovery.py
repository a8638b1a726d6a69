# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Recovery: does the estimator find what was put in?
#
# An estimate is only as good as its record on cases where the truth is known. Here, simulated deciders
# with a known $d'$ and a known M-ratio answer a number of questions; the same code that analyses the
# models fits them; and the fits are compared with the truth. Each design was simulated
# {glue:text}`recovery_simulations:,` times, and each simulated data set was resampled
# {glue:text}`recovery_resamples:,` times for its interval.
#
# Three things are asked of an estimator:
#
# - **bias**: is it right on average? (estimate less truth, averaged over simulations)
# - **spread**: how far does one estimate lie from another? (their standard deviation)
# - **coverage**: does a 95 % interval hold the truth 95 times in 100?
#
# The simulated deciders make a real two-choice decision, so that meta-$d'$ and the M-ratio mean what
# their names say. For open answers, see {doc}`the correction <study1-correction>`.

# %% tags=["parameters"]
seed = 42

# %% tags=["hide-input"]
from IPython.display import Markdown

from metacog.report import recovery_page
from metacog.report.show import glue, table, verdict
from metacog.report.style import use_style

use_style()
results, made_by = recovery_page.load_recovery()
glue("recovery_simulations", int(results["n_simulations"].max()))
glue("recovery_resamples", int(results["n_resamples"].max()))
glue("recovery_designs", len(results))

# %% [markdown]
# ## Six designs at the size of the study
#
# At 5,000 trials and four ratings a side, the size of one model's data in the main study, the bias of
# meta-$d'$ should stay under 0.02, and intervals should hold the truth in 93 to 97 % of simulations.
# Both targets were set before the simulation was run.

# %% tags=["hide-input"]
table(
    recovery_page.core(results),
    labels={
        "d_prime": "d'", "m_ratio": "M-ratio", "n_trials": "trials", "bias_meta_d": "bias of meta-d'",
        "sd_meta_d": "its sd", "bias_m_ratio": "bias of M-ratio", "sd_m_ratio": "sd of M-ratio",
        "coverage_meta_d": "coverage, meta-d'", "coverage_m_ratio": "coverage, M-ratio",
        "coverage_se": "Monte-Carlo error",
    },
    digits={"d_prime": 1, "m_ratio": 1, "bias_meta_d": 4, "bias_m_ratio": 4},
    caption="Core designs. The last column is the error of the coverage itself, from a finite number of simulations.",
)  # fmt: skip

# %% tags=["hide-input"]
for judged in recovery_page.core_verdicts(results):
    verdict(judged.sentence, passed=judged.passed)

# %% [markdown]
# ## One factor at a time
#
# Around a centre of $d'$ = 1, M-ratio = 0.8, four ratings a side, equally many trials of both stimuli
# and 1,000 trials, one factor is varied.

# %% mystnb={"figure": {"name": "fig-recovery-bias", "caption": "Bias against four factors, with two Monte-Carlo standard errors. On the grey line the estimator is right on average. Adding 0.5 to every cell, as the study does, pulls d' and meta-d' towards 0 where cells are few or nearly empty: at few trials and at large d'."}, "image": {"alt": "Bias of meta-d prime and M-ratio against trials, ratings, d prime and base rate"}} tags=["hide-input"]
recovery_page.bias_figure(results)
# %% mystnb={"figure": {"name": "fig-recovery-spread", "caption": "Spread of the estimates against the same factors. The M-ratio divides by d', so it is wild where d' is small: no number of ratings mends that."}, "image": {"alt": "Standard deviation of meta-d prime and M-ratio against trials, ratings, d prime and base rate"}} tags=["hide-input"]
recovery_page.spread_figure(results)
# %% mystnb={"figure": {"name": "fig-recovery-coverage", "caption": "Share of 95 % intervals that hold the truth; grey band: the target. A point below the band is an interval that claims more than it knows."}, "image": {"alt": "Coverage of 95 percent intervals against trials, ratings, d prime and base rate"}} tags=["hide-input"]
recovery_page.coverage_figure(results)
# %% tags=["hide-input"]
Markdown("\n".join(f"- {s}" for s in recovery_page.sweep_sentences(results)))

# %% [markdown]
# ## What this means for a design

# %% tags=["hide-input"]
enough = {width: recovery_page.trials_for_width(results, width) for width in (0.6, 0.4, 0.25)}
lines = [
    f"- An M-ratio interval of width {width:g} takes about {n:,} trials at the centre."
    if n
    else f"- No simulated number of trials brings the M-ratio's interval to width {width:g}."
    for width, n in enough.items()
]
Markdown("\n".join(lines))

# %% [markdown]
# For other designs, `metacog power` simulates the number of trials that a difference or an interval
# width needs. The table behind this page is in the repository, made by
# `python benchmarks/recovery.py`, which holds its seed and the versions it ran with.
