"""What the published tables of study 3 allow to compute again, and whether it agrees.

Averages, coefficients of variation and the text's statistics follow from printed cells, which are rounded.
Rounding counts as chance: each cell is off by up to half its last digit, all places equally likely, so a
statistic of eight cells has a standard error of rounding
(:func:`metacog.ledger.tolerances.rounding_error`), and may lie off by as many of these as the level shared
by all rows allows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.ledger.entry import Status
from metacog.ledger.judging import agrees, inside
from metacog.ledger.tolerances import rounding_error, rounding_limit, z_bound
from metacog.sdt.over_groups import coefficient_of_variation
from metacog.studies.study3_dmc import paper
from metacog.studies.study3_dmc.paper import DATASETS, METHODS, MODELS, TABLE2_MODEL

T1, T2, T3, TEXT = "table 1", "table 2", "table 3", "text"
AVERAGE, CV = "average", "CV of DMC"
FloatArray = NDArray[np.float64]
#: What is said of a cell that is printed twice, and which table's value its printed average and CV follow.
TWICE = (
    "{cell} is printed as {one.in_table2} in table 2 and as {one.in_table3} in table 3: with the first the row's "
    "average would be {one.average2:.5f} and its CV {one.cv2:.4f}, with the second {one.average3:.5f} and "
    "{one.cv3:.4f}; printed are {one.average} and {one.cv}, which follow from {follows}"
)
FOLLOWS = {
    (True, False): "table 2's value",
    (False, True): "table 3's value",
    (True, True): "either",
    (False, False): "neither",
}
Statistic = Callable[[FloatArray], float]


@dataclass(frozen=True)
class Recomputed:
    """A printed figure that printed cells give.

    Attributes
    ----------
    place : str
        Table, or text.
    model, method : str
        Empty where the figure is over several.
    quantity, printed : str
    value : float
    sample : float
        The same with a sample deviation in place of the population's; NaN for other statistics.
    rounding : float
        Standard error that rounding of the cells gives it.
    worst : float
        Most that rounding could put it off.
    reach : float
        How far rounding may put it off, at the level shared by all rows.
    precision : float
        Half the last printed digit.
    note : str
    repeats : bool
        It restates another printed figure.
    claim : str
        Its id among the claims of the text.
    status : Status or None
        What the ledger says about it; None before it is judged.
    sample_agrees, agrees_at_worst : bool
        Whether the sample deviation would agree, and the figure if rounding had put it off as far as it can.
    """

    place: str
    model: str
    method: str
    quantity: str
    printed: str
    value: float
    sample: float
    rounding: float
    worst: float
    reach: float
    precision: float
    note: str = ""
    repeats: bool = False
    claim: str = ""
    status: Status | None = None
    sample_agrees: bool = False
    agrees_at_worst: bool = False

    @property
    def item(self) -> str:
        """Which row of its table, in words."""
        names = (MODELS.get(self.model, ""), METHODS.get(self.method, ""))
        return ", ".join(n for n in names if n)

    @property
    def off(self) -> float:
        """Recomputed minus printed."""
        return self.value - float(self.printed)


@dataclass(frozen=True)
class TwoPrints:
    """A cell that tables 2 and 3 print differently, and what either value would imply.

    Attributes
    ----------
    model, method, dataset : str
    in_table2, in_table3 : str
        As printed.
    average2, average3, cv2, cv3 : float
        The row's average and CV with either value.
    average, cv : str
        As printed.
    follows2, follows3 : bool
        Whether both follow from that table's value.
    """

    model: str
    method: str
    dataset: str
    in_table2: str
    in_table3: str
    average2: float
    average3: float
    cv2: float
    cv3: float
    average: str
    cv: str
    follows2: bool
    follows3: bool

    @property
    def note(self) -> str:
        """In one sentence."""
        cell = f"{MODELS[self.model]}, {METHODS[self.method]}, {DATASETS[self.dataset]}"
        return TWICE.format(one=self, cell=cell, follows=FOLLOWS[self.follows2, self.follows3])


def _mean(x: FloatArray) -> float:
    return float(x.mean())


def _sd(x: FloatArray) -> float:
    return float(x.std())


def two_prints() -> list[TwoPrints]:
    """Cells of the rows that both tables hold, where they are not alike."""
    second, third = paper.as_text("table2"), paper.as_text("table3")
    cv = paper.as_text("table1").set_index("method")["dmc"]
    second, third = (
        second.set_index("method"),
        third[third["model"] == TABLE2_MODEL].set_index("method"),
    )
    found = []
    for method in third.index:
        for dataset in DATASETS:
            a, b = str(second.loc[method, dataset]), str(third.loc[method, dataset])
            if float(a) != float(b):
                one = second.loc[method, list(DATASETS)].astype(float).to_numpy()
                other = one.copy()
                other[list(DATASETS).index(dataset)] = float(b)
                printed = str(second.loc[method, paper.AVERAGE]), str(cv[method])
                means = _mean(one), _mean(other)
                cvs = coefficient_of_variation(one), coefficient_of_variation(other)
                follows = agrees(printed[0], means, paper.precision("table2"))
                follows &= agrees(printed[1], cvs, paper.precision("table1"))
                found.append(
                    TwoPrints(
                        TABLE2_MODEL, str(method), dataset, a, b, *means, *cvs, *printed, *map(bool, follows)
                    )
                )
    return found


def above(name: str, most: float) -> list[str]:
    """Methods whose printed CV of a measure is larger than any can be, rounding allowed for."""
    half = paper.precision("table1")
    texts = paper.as_text("table1").set_index("method")[name]
    return [METHODS[str(method)] for method, text in texts.items() if not inside(text, 0.0, most, half)]


def recomputed() -> list[Recomputed]:
    """Every printed figure that follows from other printed ones: averages, CVs, statistics of the text."""
    rows = [*_averages("table2"), *_averages("table3"), *_variations(), *_text()]
    z = z_bound(sum(not r.repeats for r in rows))
    return [_with_reach(r, z) for r in rows]


def _with_reach(row: Recomputed, z: float) -> Recomputed:
    return replace(row, reach=min(z * row.rounding, row.worst))


def _row(
    place: str,
    model: str,
    method: str,
    quantity: str,
    printed: str,
    statistic: Statistic,
    values: FloatArray,
    source: str,
    text: str,
    *,
    sample: float = float("nan"),
    note: str = "",
    repeats: bool = False,
    claim: str = "",
) -> Recomputed:
    """One figure: ``source`` is the file its values stand in, ``own`` the one it is printed in."""
    half = paper.precision(source)
    error, worst = rounding_error(statistic, values, half), rounding_limit(statistic, values, half)
    return Recomputed(
        place,
        model,
        method,
        quantity,
        printed,
        statistic(values),
        rounding=error,
        worst=worst,
        reach=0.0,
        precision=paper.precision(text),
        sample=sample,
        note=note,
        repeats=repeats,
        claim=claim,
    )


def _differing(method: str) -> str:
    return next((t.note for t in two_prints() if t.method == method), "")


def _averages(name: str) -> list[Recomputed]:
    values, texts = paper.cells(name), paper.as_text(name)
    place = {"table2": T2, "table3": T3}[name]
    second = paper.averages("table2")
    rows = []
    for (model, method), printed in zip(values.index, texts[paper.AVERAGE], strict=True):
        x = values.loc[(model, method)].to_numpy(dtype=np.float64)
        shared = model == TABLE2_MODEL
        note = _differing(method) if shared else ""
        if name == "table3" and shared and not note:
            # repeats the row of table 2, so not a second test of one average
            x = np.array([second[(model, method)]])
            rows.append(_row(place, model, method, AVERAGE, printed, _mean, x, "table2", name, repeats=True))
            continue
        rows.append(_row(place, model, method, AVERAGE, printed, _mean, x, name, name, note=note))
    return rows


def _variations() -> list[Recomputed]:
    values = paper.cells("table2")
    rows = []
    for row in rows_of(paper.as_text("table1")):
        x = values.loc[(TABLE2_MODEL, row.method)].to_numpy(dtype=np.float64)
        rows.append(
            _row(
                T1,
                TABLE2_MODEL,
                row.method,
                CV,
                row.dmc,
                coefficient_of_variation,
                x,
                "table2",
                "table1",
                sample=coefficient_of_variation(x, ddof=1),
                note=_differing(row.method),
            )
        )
    return rows


_STATISTICS: dict[str, Statistic] = {
    "mean": _mean,
    "sd": _sd,
    "max": lambda x: float(x.max()),
    "min": lambda x: float(x.min()),
}
#: Statistics of the text by id of the claim: a model, and what is taken of its averages.
CLAIMS: dict[str, tuple[str, str]] = {
    "gpt_4_mean": ("gpt_4", "mean"),
    "gpt_35_mean": ("gpt_3.5", "mean"),
    "llama2_mean": ("llama2_70b", "mean"),
    "llama2_max": ("llama2_70b", "max"),
    "llama2_min": ("llama2_70b", "min"),
    "llama2_sd": ("llama2_70b", "sd"),
    "gpt_4_max": ("gpt_4", "max"),
    "gpt_4_min": ("gpt_4", "min"),
    "gpt_4_sd": ("gpt_4", "sd"),
}


def _text() -> list[Recomputed]:
    averages = paper.averages("table3")
    rows = []
    for line in rows_of(paper.as_text("text_claims")):
        model, kind = CLAIMS[line.id]
        x = averages[model].to_numpy(dtype=np.float64)
        sample = float(x.std(ddof=1)) if kind == "sd" else float("nan")
        rows.append(
            _row(
                TEXT,
                model,
                "",
                line.quantity,
                line.value,
                _STATISTICS[kind],
                x,
                "table3",
                "text_claims",
                sample=sample,
                repeats=kind in ("max", "min"),
                claim=line.id,
            )
        )
    return rows
