# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # @MODEL@
#
# This page is made anew for each model of the run, from the same notebook: what the model is, what it answers,
# and how well its confidence tells its right answers from its wrong ones. Its numbers are also part of the
# chapters that compare models; here one model can be read in one go.

# %% tags=["parameters"]
profile = "default"
model = "smollm2-135m"
temperature = 1.0
n_examples = 5
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %% tags=["hide-input"]
from IPython.display import Markdown, display

from metacog.book import trial_files
from metacog.collect.models import get_model
from metacog.core.config import load_profile
from metacog.measures.table import Options
from metacog.report.measure_figures import (
    confidence_figure,
    interval_figure,
    reliability_figure,
    risk_coverage_figure,
    temperature_figure,
)
from metacog.report.measure_verdicts import group_sentences, model_sentences
from metacog.report.model_page import about, examples, model_measures, question_texts
from metacog.report.own_trials import READING, cells_shown
from metacog.report.show import glue, table, verdict
from metacog.report.style import use_style
from metacog.trials import read_trials

use_style()
settings = load_profile(profile)
entry = get_model(model)
files = [f for f in trial_files(profile) if f.name.startswith(f"{model}.")]
measured = model_measures(read_trials(files), model, temperature, Options(n_resamples, n_permutations, seed))
for name in ("accuracy", "auroc2", "meta_i2r"):
    glue(f"{model}-{name}", float(measured.overall[name].iloc[0]))

# %% tags=["hide-input"]
display(table(about(entry, entry.prompt_id(settings.prompt_set))))

# %% [markdown]
# ## What it says
#
# **Confidence** here is the probability that the model gave to its own answer, a word (strictly, a token) on
# average: the exponential of the mean log-probability. The surest wrong answers show what a model believes that
# is not so; they are the ones that confidence cannot catch.

# %% tags=["hide-input"]
left_out = f" {measured.n_empty} empty answers are left out." if measured.n_empty else ""
display(
    Markdown(
        f"**{entry.label}** at temperature {measured.temperature:g}: {len(measured.at):,} answers.{left_out}"
    )
)
texts = question_texts(list(settings.datasets), settings.shuffle_seed)
for sort, shown in examples(measured.at, texts, n_examples).items():
    if len(shown):
        display(table(shown, digits=2, caption=sort.capitalize()))

# %% mystnb={"figure": {"caption": "How confidence is spread over right answers and over wrong ones. If the two curves lay on each other, confidence would say nothing about being right."}, "image": {"alt": "Density of confidence for right and for wrong answers"}} tags=["hide-input"]
display(confidence_figure(measured.at, "confidence"))

# %% [markdown]
# ## How well it knows what it knows

# %% tags=["hide-input"]
display(Markdown(READING))
display(table(cells_shown(measured.overall, "model")))

# %% tags=["hide-input"]
if verdicts:
    for sentence in model_sentences(measured.overall.iloc[0]):
        verdict(sentence.sentence, passed=sentence.passed)
else:
    display(Markdown("This run is too small for verdicts; the numbers show that the pipeline works."))

# %% mystnb={"figure": {"caption": "Share of right answers against confidence, with 95 % Wilson intervals. On the diagonal confidence comes true; below it the model is overconfident."}, "image": {"alt": "Reliability diagram of this model"}} tags=["hide-input"]
display(reliability_figure({model: measured.at}))

# %% mystnb={"figure": {"caption": "Error rate among the answers of which the model is surest, from few (left) to all (right). The dotted line is the error rate of answering everything; confidence is of use as far as the curve lies below it."}, "image": {"alt": "Error rate against share of questions answered, for this model"}} tags=["hide-input"]
display(risk_coverage_figure({model: measured.at}))

# %% [markdown]
# ## By domain
#
# Domains share the model's rating cuts, so that a rating means the same confidence in all of them.

# %% tags=["hide-input"]
if len(measured.domains):
    display(table(cells_shown(measured.domains, "domain")))
else:
    display(Markdown("The questions of this run are of one domain."))

# %% mystnb={"figure": {"caption": "AUROC2 in each domain, with 95 % intervals; the dashed line is chance."}, "image": {"alt": "Area under the type-2 ROC by domain for this model"}} tags=["hide-input"]
if len(measured.domains):
    display(interval_figure(measured.domains, "auroc2", label="domain"))

# %% [markdown]
# ## By temperature
#
# Temperature changes what is answered. Each temperature has rating cuts of its own.

# %% tags=["hide-input"]
if len(measured.temperatures):
    display(table(cells_shown(measured.temperatures, "temperature")))
else:
    display(Markdown("This run has one temperature."))

# %% mystnb={"figure": {"caption": "Accuracy and AUROC2 against sampling temperature, with 95 % intervals. Accuracy falls as sampling grows bolder; if AUROC2 stayed level, the model would keep knowing which of its answers are right."}, "image": {"alt": "Accuracy and AUROC2 of this model against temperature"}} tags=["hide-input"]
if len(measured.temperatures):
    display(temperature_figure(measured.temperatures))

# %% tags=["hide-input"]
if verdicts:
    for by, rows in (("domain", measured.domains), ("temperature", measured.temperatures)):
        for sentence in group_sentences(rows, by) if len(rows) else []:
            verdict(sentence.sentence, passed=sentence.passed)
