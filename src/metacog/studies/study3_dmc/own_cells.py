"""The cells of the book's own trials, each measured once, and their table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from metacog.core.words import listed, plural
from metacog.studies.study3_dmc.own import (
    ABILITY,
    MEASURES,
    PADDED,
    RATIOS,
    ROWS,
    Measured,
    Resamples,
    measured,
)
from metacog.studies.study3_dmc.signals import ALL, N_RATINGS, signal_name

#: Base questions by set.
Questions = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Way:
    """One way of asking, with its form."""

    method: str
    form: str

    @property
    def name(self) -> str:
        """For readers."""
        return signal_name(self.method, self.form)


@dataclass(frozen=True, eq=False)
class Own:
    """Trials of all models and ways, measured as they are asked for and kept.

    Attributes
    ----------
    trials : DataFrame
        Of ``single``, ``repeated`` and ``written``.
    resamples : Resamples
    """

    trials: pd.DataFrame
    resamples: Resamples
    _known: dict[tuple[object, ...], Measured] = field(default_factory=dict)
    _parts: dict[tuple[str, Way], pd.DataFrame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for (model, method, form), own in self.trials.groupby(["model", "method", "form"], sort=False):
            self._parts[str(model), Way(str(method), str(form))] = own

    @property
    def models(self) -> list[str]:
        """In the order of the trials."""
        return list(dict.fromkeys(model for model, _ in self._parts))

    @property
    def ways(self) -> list[Way]:
        """In the order of the trials."""
        return list(dict.fromkeys(way for _, way in self._parts))

    @property
    def sets(self) -> list[str]:
        """In the order of the trials."""
        return [str(one) for one in self.trials["dataset"].drop_duplicates()]

    def has(self, model: str, way: Way) -> bool:
        """Whether the model was asked so."""
        return (model, way) in self._parts

    def of(self, model: str, way: Way, dataset: str = ALL) -> pd.DataFrame:
        """Trials of a cell."""
        own = self._parts[model, way]
        return own if dataset == ALL else own[own["dataset"] == dataset]

    def questions(self, model: str, way: Way) -> dict[str, frozenset[str]]:
        """Base questions asked, by set."""
        own = self._parts[model, way].groupby("dataset")["base_id"]
        return {str(dataset): frozenset(ids) for dataset, ids in own}

    def cell(self, model: str, way: Way, dataset: str = ALL, questions: Questions | None = None) -> Measured:
        """A cell, of all its questions or of some."""
        own = self.of(model, way, dataset)
        if questions is not None and dict(questions) != self.questions(model, way):
            pairs = pd.MultiIndex.from_frame(own[["dataset", "base_id"]])
            wanted = {(name, one) for name, ids in questions.items() for one in ids}
            own = own[pairs.isin(list(wanted))] if wanted else own.head(0)
        key = (model, way, dataset, frozenset(zip(own["dataset"], own["base_id"], strict=True)))
        if key not in self._known:
            self._known[key] = measured(own, self.resamples)
        return self._known[key]


def shared(first: Questions, second: Questions) -> dict[str, frozenset[str]]:
    """The base questions that both were asked."""
    both = {name: first[name] & second[name] for name in first if name in second}
    return {name: ids for name, ids in both.items() if ids}


def cell_table(own: Own) -> pd.DataFrame:
    """Every cell, sets one by one and all together.

    Returns
    -------
    DataFrame
        ``model, dataset, method, form, name, asked, n, questions, low, high, padded``; each measure with
        ``_lower`` and ``_upper``, NaN where undefined; ``ece_calibrated``; ``why`` the way is undefined
        here, ``why_ratio`` only MC and M-ratio are; the counts as ``TA1`` ... ``FB4``.
    """
    rows = []
    for model in own.models:
        for way in own.ways:
            if own.has(model, way):
                present = set(own.of(model, way)["dataset"])
                for dataset in (*(one for one in own.sets if one in present), ALL):
                    rows.append(_row(model, way, dataset, own.cell(model, way, dataset)))
    return pd.DataFrame(rows)


def _row(model: str, way: Way, dataset: str, found: Measured) -> dict[str, object]:
    row: dict[str, object] = {
        "model": model,
        "dataset": dataset,
        "method": way.method,
        "form": way.form,
        "name": way.name,
        "asked": found.asked,
        "n": found.n,
        "questions": found.questions,
        "low": found.low,
        "high": found.high,
        "padded": found.padded,
    }
    for name in (*MEASURES, *ABILITY):
        low, high = found.bounds.get(name, (float("nan"), float("nan")))
        row |= {name: found.values.get(name, float("nan")), f"{name}_lower": low, f"{name}_upper": high}
    row["ece_calibrated"] = found.values.get("ece_calibrated", float("nan"))
    whole = found.why.get("auroc2", "")
    ratio = list(dict.fromkeys(found.why[name] for name in RATIOS if name in found.why))
    row |= {"why": whole, "why_ratio": "" if whole else "; ".join(ratio)}
    matrix = np.full((4, N_RATINGS), np.nan) if found.matrix is None else found.matrix
    row |= {f"{name}{k + 1}": float(matrix[i, k]) for i, name in enumerate(ROWS) for k in range(N_RATINGS)}
    return row


def cells_said(cells: pd.DataFrame) -> str:
    """In how many cells MC is defined, and why not in the others."""
    said = []
    for model, own in cells[cells["dataset"] != ALL].groupby("model", sort=False):
        good = int(own["mc"].notna().sum())
        silent, empty = int((own["why"] != "").sum()), own["why_ratio"].str.startswith("no answer")
        near = int((own["why_ratio"].str.startswith("d^")).sum())
        padded = int((own["why_ratio"] == PADDED).sum())
        rest = len(own) - good - silent - near - int(empty.sum()) - padded
        parts = [
            f"in {n} {reason}"
            for n, reason in (
                (silent, "the way failed or trials are too few"),
                (near, "d^ is not above 0 beyond doubt"),
                (int(empty.sum()), "an answer was never right or never wrong"),
                (padded, PADDED),
                (rest, "too few resamples could be fitted"),
            )
            if n
        ]
        said.append(
            f"{model}: MC is defined in {good} of {plural(len(own), 'cell')} of a way and a set"
            + (f"; {listed(parts)}." if parts else ".")
        )
    return " ".join(said)


def ranges_said(cells: pd.DataFrame) -> str:
    """Within which range the ratings lie."""
    own = cells[(cells["dataset"] != ALL) & cells["low"].notna()]
    if not len(own):
        return "No cell has ratings."
    narrow = own.iloc[int((own["high"] - own["low"]).argmin())]
    return (
        "The range that ratings divide is that of the confidences seen in the cell, so it differs "
        f"from cell to cell: the narrowest is {narrow['low']:.2f} to {narrow['high']:.2f} "
        f"({narrow['model']}, {narrow['name']}, {narrow['dataset']})."
    )
