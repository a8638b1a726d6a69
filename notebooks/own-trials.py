# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Trials of your own
#
# What follows was computed from one file of trials: for every answer, whether it was right and how sure the
# model was. `metacog import-trials FILE --correct COLUMN --confidence COLUMN` reads such a file, checks it and
# makes this page from it.

# %% tags=["parameters"]
profile = "default"
folder = ""
n_resamples = 2_000
seed = 42

# %% tags=["hide-input"]
import tempfile
from pathlib import Path

from IPython.display import Markdown, display

from metacog.imports.example import simulate_table
from metacog.imports.mapping import Columns
from metacog.imports.report import Request, import_trials, read_results
from metacog.measures.table import Options
from metacog.report.measure_figures import (
    interval_figure,
    reliability_figure,
    risk_coverage_figure,
    temperature_figure,
)
from metacog.report.measure_verdicts import group_sentences, model_sentences, pair_sentences
from metacog.report.own_trials import READING, measures_shown, pairs_shown, validation_text
from metacog.report.show import table, verdict
from metacog.report.style import use_style

use_style()
if not folder:
    folder = tempfile.mkdtemp(prefix="metacog-own-trials-")
    example = Path(folder) / "example.csv"
    simulate_table(seed=seed).to_csv(example, index=False)
    asked = Columns(correct="is_right", confidence="stated", model="llm", domain="topic", question_id="item")
    request = Request(asked, scale="percent", options=Options(n_resamples=n_resamples, seed=seed))
    import_trials(example, Path(folder), request, page=False)
    text = (
        "No file of trials was named, so **two simulated models** stand in: they are equally accurate, but `vague` "
        "states its confidence with four times the noise of `insightful`."
    )
    display(Markdown(text))
results = read_results(Path(folder))

# %% [markdown]
# ## What was read
#
# Rows that lack what is needed are left out and counted here, with the reason; nothing is filled in.

# %% tags=["hide-input"]
display(Markdown(validation_text(results.facts)))

# %% [markdown]
# ## The verdict
#
# Each sentence is computed from the tables below. Intervals are 95 % bootstrap intervals; where questions are
# named, whole questions are resampled, because answers to the same question are not independent.

# %% tags=["hide-input"]
for _, row in results.rows("model").iterrows():
    for sentence in model_sentences(row):
        verdict(sentence.sentence, passed=sentence.passed)
for sentence in pair_sentences(results.pairs, len(results.rows("model"))):
    verdict(sentence.sentence, passed=sentence.passed)

# %% [markdown]
# ## The measures
#
# Accuracy says how much a model knows. The other measures say how well its confidence tells what it knows from
# what it does not, which is another matter.

# %% tags=["hide-input"]
display(Markdown(READING))

# %% tags=["hide-input"]
display(table(measures_shown(results, "model"), index=False))

# %% mystnb={"figure": {"caption": "AUROC2 of each model with its 95 % interval; the dashed line is chance. A model whose interval reaches the line has not shown that its confidence means anything."}, "image": {"alt": "Area under the type-2 ROC of each model with intervals"}} tags=["hide-input"]
display(interval_figure(results.rows("model"), "auroc2"))

# %% mystnb={"figure": {"caption": "Error rate among the answers of which the model is surest, from few (left) to all (right); dotted lines are the error rate of answering everything. Confidence is of use where the curve lies below its dotted line."}, "image": {"alt": "Error rate against share of questions answered"}} tags=["hide-input"]
display(risk_coverage_figure(results.by_model()))

# %% [markdown]
# ## Does confidence come true?
#
# A calibrated model is right in eight of ten answers that it gives 80 %. This can be asked only where confidence
# is a probability; on any other scale the order alone is used, and this part stays empty.

# %% tags=["hide-input"]
if not results.calibrated:
    display(Markdown("Confidence is no probability here, so calibration is left out."))

# %% mystnb={"figure": {"caption": "Share of right answers against stated confidence, with 95 % Wilson intervals. Points below the diagonal are overconfident."}, "image": {"alt": "Reliability diagram"}} tags=["hide-input"]
if results.calibrated:
    display(reliability_figure(results.by_model()))

# %% [markdown]
# ## By domain and temperature
#
# Parts are shown where the file names them and there are several. A part with too few trials, or with answers
# that are all right or all wrong, is flagged and left without numbers.

# %% tags=["hide-input"]
for by in ("domain", "temperature"):
    if len(results.rows(by)):
        display(table(measures_shown(results, by), index=False))
        for sentence in group_sentences(results.measures, by):
            verdict(sentence.sentence, passed=sentence.passed)
if not len(results.rows("domain")) and not len(results.rows("temperature")):
    display(Markdown("The file names neither several domains nor several temperatures."))

# %% mystnb={"figure": {"caption": "AUROC2 in each domain of each model, with 95 % intervals. Domains of one model whose intervals lie apart differ in how well the model knows what it knows."}, "image": {"alt": "Area under the type-2 ROC by domain and model"}} tags=["hide-input"]
if len(results.rows("domain")):
    display(interval_figure(results.rows("domain"), "auroc2", label="domain"))

# %% mystnb={"figure": {"caption": "Accuracy and AUROC2 against sampling temperature, with 95 % intervals."}, "image": {"alt": "Accuracy and AUROC2 against temperature"}} tags=["hide-input"]
if len(results.rows("temperature")):
    display(temperature_figure(results.rows("temperature")))

# %% [markdown]
# ## Differences between models
#
# Where models answered the same questions the difference is taken question by question. Intervals are widened so
# that they hold for all pairs together.

# %% tags=["hide-input"]
if len(results.pairs):
    display(table(pairs_shown(results.pairs), index=False))
else:
    display(Markdown("There is one model only, or too few can be judged."))
