# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Selective prediction: what is confidence good for?
#
# A model that knows what it does not know can stay silent. **Selective prediction** answers only the share
# of questions with the highest confidence, the **coverage**, and abstains on the rest. If confidence is worth
# anything, accuracy on the answered questions rises as coverage falls. This needs no model of metacognition,
# no $d'$ and no bins: it is what a user would notice.

# %% tags=["parameters"]
profile = "default"
n_permutations = 2_000
seed = 42
verdicts = True

# %% tags=["hide-input"]
from metacog.book import trial_files
from metacog.core.config import load_profile
from metacog.report.show import glue, save_table
from metacog.report.style import use_style
from metacog.studies.study1_qa import beside, figures
from metacog.studies.study1_qa.selective import RULE, selective, selective_from_cells
from metacog.studies.study1_qa.show import show_beside, show_rule, show_verdicts, titled
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
trials = read_trials(trial_files(profile))
result = selective(trials, n_resamples=n_permutations, seed=seed, verdicts=verdicts)
made_by = {"profile": name, "n_resamples": n_permutations, "seed": seed}
published = selective_from_cells(beside.published_cells())
glue("selective_resamples", n_permutations)

# %% [markdown]
# ## The question
#
# Exploratory, at $T = 1$; the interval resamples questions ({glue:text}`selective_resamples:,` times).

# %% tags=["hide-input"]
show_rule(RULE)
save_table(result.table, f"{name}/selective", **made_by)
titled(
    result.table,
    ["model", "dataset", "coverage", "accuracy", "lo", "hi", "gain"],
    caption="Accuracy of the most confident answers; gain is over answering everything.",
)

# %% mystnb={"figure": {"name": "fig-selective-curves", "caption": "Accuracy against coverage, by raw NLP. A useful confidence climbs to the left; a useless one follows its dotted line, which is accuracy without abstaining. The first twenty answers are left out: they are too few for a share."}, "image": {"alt": "Accuracy against coverage for each model of the run"}} tags=["hide-input"]
figures.risk_coverage_lines(result.curves, {key: curve.full_risk for key, curve in result.curves.items()})

# %% tags=["hide-input"]
show_verdicts(result.verdicts)

# %% [markdown]
# ## Risk and coverage in one number
#
# **Risk** is the share of wrong answers among those given. **AURC** is its mean over all coverages: less is
# better. It depends on accuracy, so **E-AURC** takes off what a perfect ranking of the same answers would
# have; 0 is perfect.

# %% tags=["hide-input"]
save_table(result.areas, f"{name}/selective_areas", **made_by)
titled(
    result.areas.rename(
        columns={
            "full_risk": "risk without abstaining",
            "aurc": "AURC",
            "e_aurc": "E-AURC",
            "oracle_aurc": "perfect AURC",
        }
    ),
    caption="Risk-coverage areas of this run at T = 1.",
)

# %% [markdown]
# ## Published beside ours
#
# At half coverage the counts of eight ratings are enough: the upper four ratings are the more confident half.

# %% tags=["hide-input"]
compared = beside.beside_selective(result.table, verdicts=verdicts)
show_beside(compared)

# %% mystnb={"figure": {"name": "fig-selective-published", "caption": "The paper's models on TriviaQA, from counts by rating (straight within a rating, because the order there is not public). Compare the height of a curve at its right end, accuracy, with how far it climbs from there, which is what confidence adds."}, "image": {"alt": "Accuracy against coverage for the published models"}} tags=["hide-input"]
figures.risk_coverage_lines(
    published.curves, {key: curve.full_risk for key, curve in published.curves.items()}
)

# %% [markdown]
# ## What would change your mind
#
# A curve that follows its dotted line. Note what the curves do not say: a model can gain little because its
# confidence is poor, or because it was right nearly everywhere to begin with. Compare the
# order of models by gain with their order by M-ratio in [AUROC2 against M-ratio](study1-auroc2.ipynb), and with
# that by meta-I2r in [The correction](study1-correction.ipynb).
