"""The cells of this run's trials, each measured once, and their table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import pandas as pd

from metacog.collect.models import labelled
from metacog.core.frames import ended
from metacog.measures.cell import Flag
from metacog.measures.estimates import Measured
from metacog.studies.study import Inputs
from metacog.studies.study3_dmc.asking.ways import ALL, way_name
from metacog.studies.study3_dmc.measures import RATIOS, Draws, WayCell, way_cell

#: What is compared, as readers know it.
MEASURES = {
    "mc": "MC (DMC)",
    "m_ratio": "M-ratio (ML)",
    "meta_i2r": "meta-I2r",
    "auroc2": "AUROC2",
    "ece_debiased": "ECE",
    "brier": "Brier",
}

#: What is shown next to the measures.
ABILITY = ("accuracy", "d_hat", "d_star")

#: Flags of a cell of which nothing but accuracy is used: the floors of every chapter (:mod:`metacog.measures.cell`).
FLOORS = {Flag.FEW_TRIALS, Flag.ONE_CLASS, Flag.CONSTANT, Flag.FEW_OF_A_CLASS, Flag.FEW_QUESTIONS}

#: Base questions by set.
Questions = Mapping[str, frozenset[str]]


class Way(NamedTuple):
    """One way of asking, with its form."""

    method: str
    form: str

    @property
    def name(self) -> str:
        """For readers."""
        return way_name(self.method, self.form)


@dataclass(frozen=True, eq=False)
class Cells:
    """Trials of all models and ways of asking, measured as they are asked for and kept; by ``ratios`` too, whose
    resamples are fitted."""

    trials: pd.DataFrame
    draws: Draws
    ratios: Sequence[str] = RATIOS
    _known: dict[tuple[object, ...], WayCell] = field(default_factory=dict)
    _parts: dict[tuple[str, Way], pd.DataFrame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for (model, method, form), part in self.trials.groupby(["model", "method", "form"], sort=False):
            self._parts[str(model), Way(str(method), str(form))] = part

    @property
    def models(self) -> list[str]:
        """In the order of the trials."""
        return list(dict.fromkeys(model for model, _ in self._parts))

    @property
    def ways(self) -> list[Way]:
        """In the order of the trials."""
        return list(dict.fromkeys(way for _, way in self._parts))

    @property
    def asked(self) -> list[tuple[str, Way]]:
        """Models with the ways they were asked in, ways of one model together."""
        return [(m, way) for m in self.models for way in self.ways if (m, way) in self._parts]

    @property
    def sets(self) -> list[str]:
        """In the order of the trials."""
        return [str(one) for one in self.trials["dataset"].drop_duplicates()]

    def of(
        self, model: str, way: Way, dataset: str = ALL, questions: Questions | None = None
    ) -> pd.DataFrame:
        """Trials of a cell, of all its questions or of some."""
        part = self._parts[model, way]
        if dataset != ALL:
            part = part[part["dataset"] == dataset]
        if questions is not None and dict(questions) != self.questions(model, way):
            wanted = [(name, one) for name, ids in questions.items() for one in ids]
            pairs = pd.MultiIndex.from_frame(part[["dataset", "base_id"]])
            part = part[pairs.isin(wanted)] if wanted else part.head(0)
        return part

    def questions(self, model: str, way: Way) -> dict[str, frozenset[str]]:
        """Base questions asked, by set."""
        by_set = self._parts[model, way].groupby("dataset")["base_id"]
        return {str(dataset): frozenset(ids) for dataset, ids in by_set}

    def cell(self, model: str, way: Way, dataset: str = ALL, questions: Questions | None = None) -> WayCell:
        """A cell, of all its questions or of some; its measures without those that rest on too few trials."""
        trials = self.of(model, way, dataset, questions)
        key = (model, way, dataset, frozenset(zip(trials["dataset"], trials["base_id"], strict=True)))
        if key not in self._known:
            self._known[key] = floored(way_cell(trials, self.draws, ratios=self.ratios))
        return self._known[key]


def floored(cell: WayCell) -> WayCell:
    """A cell with nothing but accuracy where its trials are too few, and the reason for every measure."""
    few = next((remark.text for remark in cell.made.remarks if remark.flag in FLOORS), "")
    why, kept = cell.why or few, {}
    if not why:
        return cell
    if few:
        kept = {"accuracy": cell.made.values["accuracy"]}
    reasons = {name: why for name in (*MEASURES, *ABILITY) if name not in kept}
    return replace(cell, made=Measured(kept, {}, cell.made.remarks, {}, reasons))


def shared(first: Questions, second: Questions) -> dict[str, frozenset[str]]:
    """The base questions that both were asked."""
    both = {name: first[name] & second[name] for name in first if name in second}
    return {name: ids for name, ids in both.items() if ids}


def cell_table(cells: Cells) -> pd.DataFrame:
    """Every cell, sets one by one and all together: each measure with its limits, NaN where undefined.

    ``why`` says why the way is undefined here, ``why_ratio`` why only MC and M-ratio are.
    """
    rows = []
    for model, way in cells.asked:
        present = set(cells.of(model, way)["dataset"])
        for dataset in (*(one for one in cells.sets if one in present), ALL):
            rows.append(_row(model, way, dataset, cells.cell(model, way, dataset)))
    return pd.DataFrame(rows)


def _row(model: str, way: Way, dataset: str, cell: WayCell) -> dict[str, object]:
    row: dict[str, object] = {
        "model": model,
        "dataset": dataset,
        "method": way.method,
        "form": way.form,
        "name": way.name,
        "asked": cell.asked,
        "n": cell.n,
        "questions": cell.questions,
    }
    made, nothing = cell.made, float("nan")
    for name in (*MEASURES, *ABILITY):
        row |= ended(name, made.values.get(name, nothing), *made.bounds.get(name, (nothing, nothing)))
    whole = made.why.get("auroc2", "")
    ratio = list(dict.fromkeys(made.why[name] for name in RATIOS if name in made.why))
    return row | {"why": whole, "why_ratio": "" if whole else "; ".join(ratio)}


def all_trials(inputs: Inputs) -> pd.DataFrame:
    return labelled(pd.concat(map(inputs.trials, ("single", "repeated", "written")), ignore_index=True))
