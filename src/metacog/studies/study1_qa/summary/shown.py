"""What did this run find? How it is shown."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.style import GREY, new_axes
from metacog.report.tables import Schema, columns_of, limits, number, text
from metacog.report.verdict_words import OUTCOME
from metacog.report.verdicts import Kind
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    AUROC2,
    COVERAGE,
    DATASET,
    FLAG,
    META_I2R,
    MODEL,
    NAMES,
    N,
)
from metacog.studies.study1_qa.cells.figures import model_looks
from metacog.studies.study1_qa.cells.sentences import nothing_read, silent_in
from metacog.studies.study1_qa.h1.shown import VIEWS as H1
from metacog.studies.study1_qa.h2.shown import VIEWS as H2
from metacog.studies.study1_qa.h3.shown import VIEWS as H3
from metacog.studies.study1_qa.h4.shown import VIEWS as H4

#: What each hypothesis asks.
HYPOTHESES = {
    "H1": "Is M-ratio below 1 in every model?",
    "H2": "Does M-ratio differ between domains?",
    "H3": "Is meta-d' the same at every temperature?",
    "H4": "Do models of similar d' differ in M-ratio?",
}
#: Sentences of the hypotheses' verdicts, by the verdict's name.
SENTENCES = {**H1.verdicts, **H2.verdicts, **H3.verdicts, **H4.verdicts}
PANELS = (("auroc2", "AUROC2", 0.5), ("meta_i2r", "meta-I2r", 0.0))


@drawing(
    name="fig-summary-measures",
    caption=(
        "AUROC2 and meta-I2r of this run's models at T = 1, with 95 % bootstrap intervals. The dashed line "
        "is confidence that knows nothing. Intervals that do not overlap tell models apart."
    ),
    alt="Dot plot of AUROC2 and meta-I2r by model",
)
def measures(result: Any) -> Figure:
    """AUROC2 and meta-I2r with their intervals, one row per model (and question set)."""
    table = result.measures
    several = table["dataset"].nunique() > 1
    names = [f"{r.model}, {r.dataset}" if several else str(r.model) for r in rows_of(table)]
    style = model_looks(names)
    figure, axes = new_axes(1, 2, height=1.2 + 0.55 * len(names), sharey=True)
    for axis, (measure, title, nothing) in zip(axes, PANELS, strict=True):
        axis.axvline(nothing, color=GREY, ls="--", lw=1.2)
        for place, (name, row) in enumerate(zip(names, table.to_dict("records"), strict=True)):
            if np.isfinite(row[measure]):
                ends = [[row[measure] - row[f"{measure}_lower"]], [row[f"{measure}_upper"] - row[measure]]]
                axis.errorbar(row[measure], place, xerr=np.abs(ends), ms=5, lw=1.8, capsize=5, **style[name])
        axis.set_xlabel(title)
        axis.set_yticks(range(len(names)), names)
        axis.margins(x=0.12, y=0.25)
    axes[0].invert_yaxis()
    return figure


def outcomes(result: Any) -> pd.DataFrame:
    """One row per verdict: hypothesis, what it asks, kind of rule, outcome, and what the data say."""
    rows = [
        {
            "hypothesis": verdict.hypothesis,
            "question": HYPOTHESES[verdict.hypothesis],
            "kind": verdict.kind.value,
            "outcome": OUTCOME[verdict.passed],
            "sentence": SENTENCES[verdict.name](verdict),
        }
        for verdict in result.verdicts
    ]
    return pd.DataFrame(rows)


def front(result: Any) -> str:
    """What the study's own rules say of this run's models, and what their sound counterparts do."""
    models = listed(dict.fromkeys(result.measures["model"]))
    own = _by_rules(result, Kind.PREREGISTERED, ask=True)
    if not own:
        return (
            f"This run ({models}) is too small for the study's own rules; the profile default applies them."
        )
    sound = _by_rules(result, Kind.SOUND)
    after = f" By the sounder rules that this book puts next to them, {listed(sound)}." if sound else ""
    unread = nothing_read(silent_in(result.measures))
    return f"By the main study's own rules, on {models}: {listed(own)}.{after} {unread}".rstrip()


def _by_rules(result: Any, kind: Kind, *, ask: bool = False) -> list[str]:
    """What became of each hypothesis by the rules of one kind; with what it asks, if told to."""
    verdicts = [v for v in result.verdicts if v.kind is kind]
    answers = []
    for name in dict.fromkeys(v.hypothesis for v in verdicts):
        outcomes = Counter(OUTCOME[v.passed] for v in verdicts if v.hypothesis == name)
        by_rule = [f"{outcome} by {plural(n, 'rule')}" for outcome, n in outcomes.items()]
        found = listed(by_rule) if len(outcomes) > 1 else next(iter(outcomes))
        answers.append(f"{name} ({HYPOTHESES[name]}) is {found}" if ask else f"{name} is {found}")
    return answers


VIEWS = Views(
    "summary",
    names=NAMES,
    tables={
        "measures": Schema(
            "measures",
            columns_of(
                MODEL,
                DATASET,
                N,
                ACCURACY,
                AUROC2,
                limits("auroc2_lower", "auroc2_upper", "AUROC2, 95 %"),
                META_I2R,
                limits("meta_i2r_lower", "meta_i2r_upper", "meta-I2r, 95 %"),
                number("p_value", "p (perm.)", 4),
                COVERAGE,
                FLAG,
            ),
            "Measures at T = 1.",
        ),
        "outcomes": Schema(
            outcomes,
            columns_of(
                text("hypothesis", "Hypothesis"),
                text("question", "Question"),
                text("kind", "Kind of rule"),
                text("outcome", "Outcome"),
                text("sentence", "What the data say"),
            ),
            "All verdicts of this run.",
            empty="This run is too small for verdicts; the chapters show the path only.",
        ),
    },
    figures={"measures": measures},
    sentences={"front": front},
    verdicts=SENTENCES,
    claims={**H1.claims, **H2.claims, **H3.claims, **H4.claims},
)
