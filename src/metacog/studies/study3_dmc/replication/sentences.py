"""Sentences of the four questions, from their stored result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import expected, listed, plural
from metacog.report.needed import area_cost
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.measures.dmc import D_HAT, PADDED
from metacog.studies.study3_dmc.replication import abstaining, comparisons, variations
from metacog.studies.study3_dmc.replication.analysis import Replication
from metacog.studies.study3_dmc.replication.cells import COMPARED

#: An outcome as readers know it.
VARIES = {variations.SAME: "cannot be distinguished"}
GAINED = {abstaining.SAME: "cannot be distinguished from a constant strategy"}
#: By what the answer counts comparisons.
JUDGED = {"mc": "MC", "auroc2": "AUROC2"}
GAIN_OUTCOMES = (abstaining.GAINS, abstaining.LOSES, abstaining.SAME)
RELATED = {
    abstaining.RISES: "rises with it",
    abstaining.FALLS: "falls with it",
    abstaining.NONE: "cannot be distinguished from no relation",
    abstaining.CONSTANT: "undefined: one of the two is constant",
}


def single_sets(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of one set, without those of all sets together."""
    return frame[frame["dataset"] != ALL]


def reading_of(row: Mapping[Any, Any]) -> str:
    """How a relation is read."""
    if row["outcome"] == abstaining.FEW:
        points = plural(row["n"], "point")
        return f"undefined: {points} with both halves defined, {abstaining.MIN_POINTS} are needed"
    return RELATED[row["outcome"]]


def defined_cells(result: Replication) -> str:
    """In how many cells MC is defined, and why not in the rest."""
    sentences = []
    for model, rows in single_sets(result.cells).groupby("model", sort=False):
        good, failed = int(rows["mc"].notna().sum()), int((rows["why"] != "").sum())
        empty, near = (int(rows["why_ratio"].str.startswith(x).sum()) for x in ("no answer", D_HAT))
        padded = int((rows["why_ratio"] == PADDED).sum())
        reasons = {
            "the way of asking failed or trials are too few": failed,
            f"{D_HAT} is not above 0 beyond doubt": near,
            "an answer was never right or never wrong": empty,
            PADDED: padded,
            "too few resamples could be fitted": len(rows) - good - failed - near - empty - padded,
        }
        parts = [f"in {n} {reason}" for reason, n in reasons.items() if n]
        number_of = plural(len(rows), "cell")
        sentence = f"{model}: MC is defined in {good} of {number_of} of a way of asking and a set"
        sentences.append(f"{sentence}; {listed(parts)}." if parts else f"{sentence}.")
    return " ".join(sentences)


def ranges(result: Replication) -> str:
    """Within which range the ratings lie."""
    cells = single_sets(result.cells[result.cells["low"].notna()])
    if not len(cells):
        return "No cell has ratings."
    narrow = cells.iloc[int((cells["high"] - cells["low"]).argmin())]
    return (
        "The range that ratings divide is that of the confidences observed in the cell, so it differs from "
        f"cell to cell: the narrowest is {narrow['low']:.2f} to {narrow['high']:.2f} ({narrow['model']}, "
        f"{narrow['name']}, {narrow['dataset']})."
    )


def variation(result: Replication) -> str:
    """For each model: where CVs exist, whether MC is the flattest, and how much of them is noise."""
    sentences = []
    for model, rows in result.variations.groupby("model", sort=False):
        mc = rows[rows["measure"] == "mc"]
        good = int(mc["cv"].notna().sum())
        sentences.append(f"{model}: MC has a CV for {good} of {plural(len(mc), 'way')} of asking.")
        sentences.append(_gaps(rows[(rows["measure"] != "mc") & rows["gap"].notna()]))
        known = rows["explained"].dropna()
        if len(known):
            cvs = plural(len(known), "CV")
            whole = int((known >= 1).sum())
            sentences.append(f"Sampling alone explains all of the variation in {whole} of {cvs}.")
    return " ".join(sentences)


def _gaps(rows: pd.DataFrame) -> str:
    if not len(rows):
        return "So no measure's CV can be compared with MC's."
    parts = []
    for outcome, verb in ((variations.MORE, "varies more than MC"), (variations.LESS, "varies less")):
        names = rows.loc[rows["outcome"] == outcome, "measure_name"]
        if len(names):
            parts.append(f"{verb} in {len(names)} ({listed(dict.fromkeys(names))})")
    same = int((rows["outcome"] == variations.SAME).sum())
    compared = plural(len(rows), "comparison")
    start = f"Of {compared} of another measure's CV with MC's over the same sets, "
    end = f"; the other measure {listed(parts)}." if parts else "."
    return f"{start}the two cannot be distinguished in {same}{end}"


def questions(result: Replication) -> str:
    """How many base questions the CVs rest on."""
    known = result.variations[result.variations["cv"].notna()]
    if not len(known):
        return "No CV could be computed."
    low, high = int(known["questions"].min()), int(known["questions"].max())
    number_of = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    fewest, most = int(known["sets"].min()), int(known["sets"].max())
    sets = plural(fewest, "set") if fewest == most else f"{fewest} to {most} sets"
    return f"A CV rests on {number_of} base questions of {sets}."


def ways_apart(result: Replication, measures: tuple[str, ...] = ("mc", "auroc2")) -> str:
    """Which ways of asking differ within each model."""
    return " ".join(
        _counted(f"{model} by {COMPARED[m]}", rows[rows["measure"] == m], "pair of ways", "pairs of ways")
        for model, rows in result.ways.groupby("model", sort=False)
        for m in measures
    )


def models_apart(result: Replication, measures: tuple[str, ...] = ("mc", "auroc2")) -> str:
    """In which ways of asking models differ."""
    rows = result.models
    if not len(rows):
        return "There is one model: nothing to compare."
    return " ".join(_counted(COMPARED[m], rows[rows["measure"] == m], "comparison") for m in measures)


def _counted(what: str, rows: pd.DataFrame, one: str, many: str | None = None) -> str:
    known, differing = rows[rows["outcome"] != comparisons.UNDEFINED], comparisons.apart(rows)
    if not len(known):
        return f"{what}: undefined on one side or both in all {plural(len(rows), one, many)}."
    start = f"{what}: of {plural(len(known), one, many)}"
    if len(known) < len(rows):
        start += f" ({len(rows) - len(known)} more are undefined)"
    if not len(differing):
        return f"{start}, none can be distinguished."
    named = "; ".join(_higher(row) for row in differing.head(3).to_dict("records"))
    more = f" and {len(differing) - 3} more" if len(differing) > 3 else ""
    return (
        f"{start}, {len(differing)} can be distinguished ({named}{more}); with no difference anywhere, about "
        f"{comparisons.CHANCE * len(known):.1f} would be."
    )


def _higher(row: Mapping[Any, Any]) -> str:
    first, second = row["first"], row["second"]
    higher, lower = (first, second) if row["outcome"] == comparisons.FIRST else (second, first)
    where = f"{row['name']}: " if "name" in row else ""
    return f"{where}{higher} above {lower}"


def abstaining_gains(result: Replication) -> str:
    """Where abstaining gains."""
    sentences = []
    for model, rows in result.abstained.groupby("model", sort=False):
        names = {one: rows.loc[rows["outcome"] == one, "name"] for one in GAIN_OUTCOMES}
        parts = [f"{one} with {listed(names[one])}" for one in GAIN_OUTCOMES[:2] if len(names[one])]
        if rest := len(names[abstaining.SAME]):
            parts.append(f"{GAINED[abstaining.SAME]} with {plural(rest, 'way')} of asking")
        what = f"abstaining {listed(parts)}" if parts else "every way of asking is undefined"
        sentences.append(f"{model}: {what}.")
    return " ".join(sentences)


def relation(result: Replication) -> str:
    """Whether MC and AUROC2 go with what abstaining gives."""
    sentences = []
    for row in result.relations.to_dict("records"):
        start, reading = f"{row['share']} and {row['measure_name']}", reading_of(row)
        if np.isfinite(row["rho"]):
            start += f", over {row['n']} of {row['of']} pairs of model and way of asking"
            rho = f"{row['rho']:.2f} ({row['lower']:.2f} to {row['upper']:.2f})"
            sentences.append(f"{start}: Spearman's rho {rho}, {reading}.")
        else:
            sentences.append(f"{start}: {reading}.")
    return " ".join(sentences)


def page_answer(result: Replication) -> str:
    """How far the trials answer the four questions; what more it would take where they answer none."""
    cells = single_sets(result.cells)
    good = int(cells["mc"].notna().sum())
    defined = (
        f"MC can be computed in {good} of {plural(len(cells), 'cell')} of a model, a way of asking and a set"
    )
    told = {"measures": _told(result.variations, "gap", (variations.MORE, variations.LESS))}
    for what, rows in (("ways of asking", result.ways), ("models", result.models)):
        told |= {f"{what} by {name}": _apart(rows, measure) for measure, name in JUDGED.items()}
    parts = [
        f"{n} of {plural(of, 'comparison')} of {what} ({expected(comparisons.CHANCE * of)} by chance)"
        for what, (n, of) in told.items()
        if of
    ]
    gains = int((result.abstained["outcome"] == abstaining.GAINS).sum())
    ways = int((result.abstained["outcome"] != abstaining.UNDEFINED).sum())
    gained = f"Abstaining by confidence gains something in {gains} of {plural(ways, 'way')} of asking a model"
    if not any(n for n, _ in told.values()) and not gains:
        first = f"None of the paper's four questions can be answered from {_most(cells)} in a cell"
        cost = area_cost(float(cells["accuracy"].median()), int(cells["n"].max()) if len(cells) else 0)
        return f"{first}{f': {cost}' if cost else ''}. {defined}."
    apart = f"The intervals tell two sides apart in {listed(parts)}. " if parts else ""
    return f"{defined}. {apart}{gained}."


def _told(rows: pd.DataFrame, known: str, outcomes: tuple[str, ...]) -> tuple[int, int]:
    """Comparisons with one of the outcomes, of those that are known."""
    return int(rows["outcome"].isin(outcomes).sum()), int(rows[known].notna().sum())


def _apart(rows: pd.DataFrame, measure: str) -> tuple[int, int]:
    """Pairs that differ in a measure, of those in which both sides have one."""
    if not len(rows):
        return 0, 0
    own = rows[rows["measure"] == measure]
    return len(comparisons.apart(own)), int((own["outcome"] != comparisons.UNDEFINED).sum())


def _most(cells: pd.DataFrame) -> str:
    return plural(int(cells["n"].max()), "answer") if len(cells) else "no answers"
