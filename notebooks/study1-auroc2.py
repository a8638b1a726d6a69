# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # AUROC2 against M-ratio: two measures, two rankings
#
# Ask for the probability that a right answer carries more confidence than a wrong one, ties counting
# half: that is the area under the **type-2 ROC**, **AUROC2**. It is 0.5 if confidence knows nothing and 1 if
# it knows all. Version 1 of the paper found that AUROC2 and the **M-ratio** (see [H1](study1-h1.ipynb)) rank
# the models in opposite orders and read it as two kinds of metacognition.
#
# :::{warning}
# With open answers M-ratio is not a measure of metacognition, so the disagreement is one of a valid with an
# invalid measure: see [The correction](study1-correction.ipynb). meta-I2r, the measure that version 2 uses,
# stands beside both.
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
from metacog.studies.study1_qa.exploratory import (
    RULE_RANKS,
    describe_domains,
    domain_measures,
    ranks,
    ranks_from_cells,
)
from metacog.studies.study1_qa.show import show_beside, show_rule, show_verdicts, titled
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
rated = rate_trials(primary(read_trials(trial_files(profile))))
result = ranks(rated, verdicts=verdicts)
made_by = {"profile": name, "seed": seed, "n_permutations": n_permutations}
glue("auroc2_models", int(result.table["model"].nunique()))
published = ranks_from_cells(beside.published_cells(None), verdicts=verdicts)
trivia = published.table[published.table["dataset"] == beside.MAIN]

# %% [markdown]
# ## The exploratory question
#
# No rule was registered here; this one puts the paper's claim as a test. **Spearman's $\rho$** is 1 for equal
# and -1 for opposite orders. With so few models it can hardly ever be significant: the smallest possible
# $p$ stands beside it.

# %% tags=["hide-input"]
show_rule(RULE_RANKS)
save_table(result.table, f"{name}/auroc2_ranks", **made_by)
titled(
    result.table,
    [
        "model", "accuracy", "auroc2", "auroc2_ratings", "m_ratio", "meta_i2r", "auroc2_rank", "m_ratio_rank",
        "meta_i2r_rank", "flag",
    ],
    caption="This run at T = 1: AUROC2 of raw NLP and of the eight ratings, M-ratio and meta-I2r.",
)  # fmt: skip

# %% tags=["hide-input"]
titled(result.correlations, caption="Rank correlations of this run's models.")

# %% mystnb={"figure": {"name": "fig-auroc2-ranks", "caption": "M-ratio (left) and meta-I2r (right) against AUROC2: above, the paper's models on TriviaQA from its counts; below, this run's. Points that climb together agree; the left panel above shows why version 1 spoke of opposite rankings."}, "image": {"alt": "Scatter of M-ratio and meta-I2r against AUROC2"}} tags=["hide-input"]
figures.rank_scatter({"published": trivia, "this run": result.table})

# %% tags=["hide-input"]
show_verdicts(result.verdicts)

# %% [markdown]
# ## Within domains
#
# AUROC2 and meta-I2r by domain at $T = 1$, in the form of version 2's table. Intervals of meta-I2r are made as
# published and sit a little high, by about the bias that the permutations take off.

# %% tags=["hide-input"]
by_domain = domain_measures(rated, n_permutations=n_permutations, n_resamples=n_permutations, seed=seed)
save_table(by_domain, f"{name}/auroc2_domains", **made_by)
titled(
    by_domain,
    ["model", "domain", "acc", "n", "meta_i2r_permutation", "mi_lo", "mi_hi", "p_perm", "auroc2", "flag"],
    caption="Version 2's measures by domain.",
)

# %% tags=["hide-input"]
show_verdicts([describe_domains(by_domain)] if verdicts else [])

# %% [markdown]
# ## Published beside ours
#
# The paper's AUROC2 is of raw NLP and stands as printed; that of the eight ratings is recomputed from the
# counts and is a little smaller, because ratings make ties.

# %% tags=["hide-input"]
compared = beside.beside_ranks(result.table, verdicts=verdicts)
show_beside(compared)

# %% tags=["hide-input"]
titled(published.correlations, caption="Rank correlations of the published models on both question sets.")

# %% tags=["hide-input"]
show_verdicts(published.verdicts)

# %% [markdown]
# ## What would change your mind
#
# If the two measures stood for two real capacities, their disagreement would look alike on both question sets.
# Compare the correlation of AUROC2 and M-ratio on TriviaQA with that on NQ, for the same four models, in the
# table above; and then that of AUROC2 and meta-I2r.
