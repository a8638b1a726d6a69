# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Validation: is there anything to explain?
#
# Before a hypothesis is tested, the study asks whether its measurements make sense at all. Confidence
# here is the **NLP**, the mean log-probability of the words of an answer (see
# [Collection](study1-collection.ipynb)). If confidence knows nothing of correctness, or if there are
# too few right or wrong answers to compare, no later chapter means anything.
#
# Three things were fixed in advance:
#
# 1. At $T = 1$, accuracy rises over the four **quartiles** of NLP: the least confident quarter of
#    answers, the next, and so on.
# 2. Every domain of every model holds at least 50 right and 50 wrong answers at $T = 1$.
# 3. Type-1 sensitivity $d'$ is compared with what an earlier study found for the same models.

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
from metacog.studies.study1_qa.cells import rate_trials
from metacog.studies.study1_qa.show import show_beside, show_rule, show_verdicts, titled
from metacog.studies.study1_qa.validation import RULE_MINIMUM, RULE_MONOTONE, validate_study
from metacog.trials import read_trials

use_style()
name = load_profile(profile).name
trials = read_trials(trial_files(profile))
rated = rate_trials(trials)
checked = validate_study(rated, verdicts=verdicts)
glue("validation_flags", len(checked.flags))
glue("validation_empty", int(trials["nlp"].isna().sum()))

# %% [markdown]
# ## Does accuracy rise with confidence?
#
# The rule:

# %% tags=["hide-input"]
show_rule(RULE_MONOTONE)
save_table(checked.quartiles, f"{name}/validation_quartiles", profile=name)
titled(checked.quartiles, caption="Accuracy in each quartile of NLP at T = 1.")

# %% mystnb={"figure": {"name": "fig-validation-quartiles", "caption": "Accuracy against confidence, in quarters. A line that climbs at every step says that NLP orders answers by how likely they are to be right; a flat or falling step would mean that confidence is uninformative there."}, "image": {"alt": "Accuracy by quartile of NLP for each model"}} tags=["hide-input"]
figures.quartile_lines(checked.quartiles)

# %% tags=["hide-input"]
show_verdicts(checked.verdicts[:1])

# %% [markdown]
# ## Are there enough of each kind?
#
# *Empty* answers have no words and so no NLP; they leave the analysis and are counted
# ({glue:text}`validation_empty:,` over all temperatures).

# %% tags=["hide-input"]
show_rule(RULE_MINIMUM)
save_table(checked.minimums, f"{name}/validation_cells", profile=name)
titled(
    checked.minimums,
    ["model", "dataset", "domain", "n_correct", "n_incorrect", "n_dropped", "enough"],
    caption="Right and wrong answers at T = 1 by domain.",
)

# %% tags=["hide-input"]
show_verdicts(checked.verdicts[1:])

# %% [markdown]
# ## Sensitivity, measured twice
#
# $d'$ cuts the eight ratings in the middle: $d' = z(H) - z(F)$ with $H$ the share of right answers, and
# $F$ the share of wrong ones, above the cut; $z$ turns a share into a distance on the bell curve.
# $d_a$ uses all seven cuts: the points $(z(F), z(H))$ should lie on a straight line (the **z-ROC**), and
# $d_a$ is the line's distance from chance. Where its slope is 1, right and wrong answers are equally
# spread out and both numbers agree.

# %% tags=["hide-input"]
save_table(checked.sensitivity, f"{name}/validation_sensitivity", profile=name)
titled(checked.sensitivity, caption="Type-1 d' and the z-ROC at T = 1.")

# %% [markdown]
# ## What temperature does to the answers themselves
#
# Hot sampling can make long, wandering texts. If many answers are cut off at the token limit or left
# empty, a change over temperature is partly a change of *texts*, not of metacognition.

# %% mystnb={"figure": {"name": "fig-validation-temperature", "caption": "Top: accuracy by temperature. Bottom: answers cut off at the token limit, and empty answers. Where the lower lines climb, later comparisons over temperature rest on damaged texts."}, "image": {"alt": "Accuracy, truncation and empty answers against temperature"}} tags=["hide-input"]
figures.answers_by_temperature(checked.answers)

# %% tags=["hide-input"]
save_table(checked.answers, f"{name}/validation_answers", profile=name)
titled(
    checked.answers,
    ["model", "dataset", "temperature", "mean_tokens", "truncated", "refusal", "empty"],
    caption="Mean length in tokens, and shares cut off, refused and empty.",
)

# %% [markdown]
# How answers were marked: *exact* is equal to an accepted answer, *similar* is at least 0.85 alike,
# *none* matches nothing.

# %% tags=["hide-input"]
titled(checked.matches, caption="Shares of answers by how they were marked.")

# %% [markdown]
# ## Flags
#
# Whatever is not as it should be, as data. Later chapters leave flagged cells out of their verdicts and
# say how many they left out. This run has {glue:text}`validation_flags` of them.

# %% tags=["hide-input"]
save_table(checked.flags, f"{name}/validation_flags", profile=name)
titled(checked.flags, caption="Things to keep in mind.")

# %% [markdown]
# ## Published beside ours
#
# The paper's counts at $T = 1$ are public, so its quartiles and its $d'$ are recomputed here rather than
# copied.

# %% tags=["hide-input"]
compared = beside.beside_validation(checked.quartiles, checked.sensitivity, verdicts=verdicts)
show_beside(compared)

# %% [markdown]
# The paper compared its $d'$ with $d_a$ of an earlier study of the same models: 1.39 for
# Llama-3-Instruct, 1.97 for Mistral and 1.45 for the Llama-3 base model, and expected Mistral to differ.
#
# ## What would change your mind
#
# One model whose accuracy falls from one quartile to the next would be enough to doubt NLP as
# confidence for that model. Many cut-off answers at $T = 1$ would be enough to doubt the rest.
