"""What the rules of validation say of quartiles and of cells, and how quartiles compare with the published."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.rules import Unit, judged, those, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.counts import GROUP, cell_name
from metacog.studies.study1_qa.cells.flags import MIN_CLASS, Flag
from metacog.studies.study1_qa.ledger.rows import reproduced

RULE_MONOTONE = "At T = 1 accuracy rises over the four quartiles of NLP, in every model and question set."
RULE_MINIMUM = (
    f"Every domain x model cell at T = 1 has at least {MIN_CLASS} correct and {MIN_CLASS} incorrect answers."
)
RULE_PUBLISHED = "Accuracy rises over quartiles."


def judge(quartiles: pd.DataFrame, minimums: pd.DataFrame) -> tuple[Verdict, ...]:
    """Verdicts on both pre-registered conditions; tables as in the result of validation."""
    return judge_monotone(quartiles), judge_minimum(minimums)


def judge_monotone(quartiles: pd.DataFrame) -> Verdict:
    """Whether accuracy rises at every step; a model without quarters (``why``) is undecided."""
    n_sets = quartiles["dataset"].nunique()
    units = [unit(cell_name(r.model, r.dataset, n_sets), r.monotone, flag=r.why) for r in rows_of(quartiles)]
    values: dict[str, Any] = {"rises": those(units, True), "falls": those(units, False)}
    return judged(
        units, "Validation", Kind.PREREGISTERED, RULE_MONOTONE, name="quartiles", topic="quartiles", **values
    )


def judge_minimum(minimums: pd.DataFrame) -> Verdict:
    """Whether every cell is large enough; undecided without domains, or where no confidence could be read."""
    n_sets = minimums["dataset"].nunique()
    known = minimums[minimums["enough"].notna()]
    units = [unit(f"{cell_name(r.model, r.dataset, n_sets)}, {r.domain}", r.enough) for r in rows_of(known)]
    silent = minimums[minimums["enough"].isna()]
    units += [
        Unit(f"{cell_name(model, dataset, n_sets)} ({plural(len(own), 'domain')})", None, Flag.SILENT.value)
        for (model, dataset), own in silent.groupby(list(GROUP), sort=False)
    ]
    smallest = known[["n_correct", "n_incorrect"]].min(axis=1).min()
    return judged(
        units,
        "Validation",
        Kind.PREREGISTERED,
        RULE_MINIMUM,
        name="minimum",
        topic="minimum",
        n_cells=len(minimums),
        n_judged=len(known),
        n_enough=len(those(units, True)),
        smallest=int(smallest) if len(known) else 0,
    )


def compare(theirs: pd.DataFrame, ours: pd.DataFrame) -> Verdict:
    """Quartiles of the published cells, against the printed ones and those of the run."""
    values = {
        "agree": int(reproduced("v1_table5_monotonicity", theirs).sum()),
        "published_rises": int(theirs["monotone"].sum()),
        "n_published": len(theirs),
        "run_rises": int(ours["monotone"].sum()),
        "n_run": int(ours["monotone"].notna().sum()),
    }
    return Verdict("Validation", Kind.PUBLISHED, RULE_PUBLISHED, None, name="published", values=values)
