"""What the page on somebody's own trials shows, part by part."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.paths import project_root
from metacog.imports.example import simulate_table
from metacog.imports.mapping import Columns
from metacog.imports.posterior_view import Shown, posterior_part
from metacog.imports.report import Request, Results, import_trials, read_results
from metacog.imports.self_knowledge import self_knowledge_part
from metacog.measures.screen import alarms_table
from metacog.measures.table import Options
from metacog.report import measure_figures as figures
from metacog.report import screen as screening
from metacog.report.drawing import Drawn, drawing
from metacog.report.measure_verdicts import model_verdicts, pair_verdicts, part_verdicts
from metacog.report.measure_words import findings, in_short
from metacog.report.own_trials import (
    READING,
    level_text,
    measures_shown,
    pairs_shown,
    pairs_text,
    ranks_shown,
    validation_text,
)
from metacog.report.show import Prose, lead
from metacog.report.tables import Schema, ShownTable
from metacog.report.verdicts import Verdict
from metacog.report.views import Finding
from metacog.studies.view import finding_boxes

SIMULATED = (
    "No file of trials was named, so **two simulated models** stand in: they are equally accurate, but "
    "`vague` states its confidence with four times the noise of `insightful`."
)
NO_PARTS = "The file names neither several domains nor several temperatures."
ONE_MODEL = "There is one model only, or too few can be judged."
#: Most models whose curves stand in one figure.
MOST_CURVES = 8
NO_PROBABILITY = "Confidence is no probability here, so calibration is left out."


@dataclass(frozen=True)
class OwnTrials:
    """The results of an import, ready to be shown.

    Attributes
    ----------
    results : Results
    simulated : bool
        Whether an example stands in for a file.
    """

    results: Results
    simulated: bool

    def answer(self) -> Prose:
        """How well confidence ranks answers, at the head of the page."""
        return Prose(lead(in_short(self.results.rows("model"))))

    def source(self) -> Prose:
        """Says so if the trials are an example; then what was read, kept and dropped."""
        return Prose((f"{SIMULATED}\n\n" if self.simulated else "") + validation_text(self.results.facts))

    def verdicts(self) -> Prose:
        """What the tables say about each model and each pair of models."""
        rows = self.results.rows("model")
        verdicts = [v for _, row in rows.iterrows() for v in model_verdicts(row)]
        return _boxes([*verdicts, *pair_verdicts(self.results.pairs, len(rows), self.results.ranks)])

    def screen(self) -> ShownTable:
        """The validity screen of each model."""
        return _table(screening.screen_shown(self.results.screen))

    def about_screen(self) -> Prose:
        """What the screen's indices say."""
        return Prose(screening.READING)

    def screen_verdict(self) -> Prose:
        """Which signals break a rule of the screen, and how often others would."""
        rows = self.results.screen
        size = int(rows["n"].median())
        simulated, split = alarms_table(), (rows["split"] == "median").any()
        texts = (
            f"{screening.screen_sentence(rows)} {screening.alarms_sentence(rows)}".strip(),
            screening.median_sentence(rows),
            screening.ties_sentence(simulated, size) if split else "",
            screening.level_sentence(simulated, size),
        )
        return finding_boxes([Finding(t) for t in texts if t])

    def reading(self) -> Prose:
        """What each measure says."""
        return Prose(READING)

    def measures(self) -> ShownTable:
        """The measures of each model."""
        return _table(measures_shown(self.results, "model"))

    def parts(self, by: str) -> ShownTable | Prose:
        """The measures of each domain, or of each temperature."""
        if len(self.results.rows(by)):
            return _table(measures_shown(self.results, by))
        return Prose(NO_PARTS if not self._has_parts and by == "domain" else "")

    def part_verdicts(self, by: str) -> Prose:
        """What the parts' measures say."""
        results = self.results
        if not len(results.rows(by)):
            return Prose("")
        return _boxes(part_verdicts(results.measures, by, results.orders))

    def ranks(self) -> ShownTable | Prose:
        """Models by each quantity, from three on, with what is not known of their order."""
        shown = ranks_shown(self.results.ranks)
        return _table(shown) if len(shown) else Prose("")

    def pairs(self) -> ShownTable | Prose:
        """Differences between models; those that differ where there are too many to read."""
        pairs = self.results.pairs
        return _table(pairs_shown(pairs)) if len(pairs) else Prose(ONE_MODEL)

    def about_pairs(self) -> Prose:
        """What the table of pairs leaves out, and how the pairs were resampled."""
        return Prose(pairs_text(self.results.pairs))

    def level(self) -> Prose:
        """How often such comparisons err, by the simulation that the repository keeps."""
        if not len(self.results.pairs):
            return Prose("")
        return Prose(
            level_text(pd.read_csv(project_root() / "data" / "simulations" / "comparison_level.csv"))
        )

    def posterior(self, part: str = "source") -> Shown:
        """A part of the posteriors by its name in :data:`metacog.imports.posterior_view.PARTS`."""
        return posterior_part(self.results.posteriors, part)

    def self_knowledge(self, part: str = "answer") -> Shown:
        """A part by its name in :data:`metacog.imports.self_knowledge.PARTS`."""
        return self_knowledge_part(self.results.self_knowledge, part)

    def figure(self, name: str) -> Drawn | Prose:
        """A figure by name; words where there is nothing to draw."""
        drawn = FIGURES[name](self.results)
        if drawn.figure is not None:
            return drawn
        return Prose(NO_PROBABILITY if name == "reliability" else "")

    @property
    def _has_parts(self) -> bool:
        return any(len(self.results.rows(by)) for by in ("domain", "temperature"))


def open_trials(folder: str, *, n_resamples: int = 2_000, seed: int = 42) -> OwnTrials:
    """The results in an import's folder; without one, those of two simulated models."""
    if folder:
        return OwnTrials(read_results(Path(folder)), simulated=False)
    made = Path(tempfile.mkdtemp(prefix="metacog-own-trials-"))
    example = made / "example.csv"
    simulate_table(seed=seed).to_csv(example, index=False)
    asked = Columns(correct="is_right", confidence="stated", model="llm", domain="topic", question_id="item")
    request = Request(asked, scale="percent", options=Options(n_resamples=n_resamples, seed=seed))
    import_trials(example, made, request, page=False)
    return OwnTrials(read_results(made), simulated=True)


def _table(frame: pd.DataFrame) -> ShownTable:
    return ShownTable(Schema("frame", ()), frame)


def _boxes(verdicts: Iterable[Verdict]) -> Prose:
    return finding_boxes(findings(verdicts))


@drawing(
    caption="AUROC2 of each model with its 95 % interval; the dashed line is chance. A model whose interval "
    "reaches the line has not shown that its confidence means anything.",
    alt="Area under the type-2 ROC of each model with intervals",
)
def auroc2(results: Results) -> Figure:
    """AUROC2 of each model."""
    return figures.interval_figure(results.rows("model"), "auroc2")


def _leading(results: Results, draw: Callable[[dict[str, pd.DataFrame]], Figure]) -> Figure:
    """Curves of the models with the highest AUROC2, where there are more than one figure can show."""
    trials = results.by_model()
    if len(trials) <= MOST_CURVES:
        return draw(trials)
    ordered = results.rows("model").sort_values("auroc2", ascending=False, kind="stable")["model"]
    figure = draw({name: trials[name] for name in ordered.head(MOST_CURVES)})
    figure.axes[0].set_title(f"the {MOST_CURVES} of {len(trials)} models with the highest AUROC2", loc="left")
    return figure


@drawing(
    caption="Error rate among the answers of which the model is surest, from few (left) to all (right); "
    "dotted lines are the error rate of answering everything. Confidence is of use where the curve lies "
    "below its dotted line.",
    alt="Error rate against share of questions answered",
)
def risk_coverage(results: Results) -> Figure:
    """Error rate against coverage."""
    return _leading(results, figures.risk_coverage_figure)


@drawing(
    caption="Share of right answers against stated confidence, with 95 % Wilson intervals. Points below the "
    "diagonal are overconfident.",
    alt="Reliability diagram",
)
def reliability(results: Results) -> Figure | None:
    """Reliability, where confidence is a probability."""
    return _leading(results, figures.reliability_figure) if results.calibrated else None


@drawing(
    caption="AUROC2 in each domain of each model, with 95 % intervals, each for its domain alone. How sure "
    "their order is stands in the sentences above. Hollow: no interval, so not judged.",
    alt="Area under the type-2 ROC by domain and model",
)
def domains(results: Results) -> Figure | None:
    """AUROC2 by domain."""
    rows = results.rows("domain")
    return figures.interval_figure(rows, "auroc2", label="domain") if len(rows) else None


@drawing(
    caption="Accuracy and AUROC2 against sampling temperature, with 95 % intervals. Hollow: no interval, so not "
    "judged.",
    alt="Accuracy and AUROC2 against temperature",
)
def temperatures(results: Results) -> Figure | None:
    """Accuracy and AUROC2 over temperature."""
    rows = results.rows("temperature")
    return figures.temperature_figure(rows) if len(rows) else None


FIGURES = {
    "auroc2": auroc2,
    "risk_coverage": risk_coverage,
    "reliability": reliability,
    "domains": domains,
    "temperatures": temperatures,
}
