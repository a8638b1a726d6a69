"""Study 3 in the ledger: every figure that it printed, and what its other printed figures give for it.

No counts were published. Averages, coefficients of variation and the text's statistics follow from printed cells,
which are rounded. Rounding counts as chance: each cell is off by up to half its last digit, all places equally likely,
so a statistic of eight cells has a standard error of rounding (:func:`metacog.ledger.tolerances.rounding`), and
may lie off by as many of these as the level shared by all rows allows. Claims on the order of averages and CVs are
counted in comparisons that hold.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.claims import claim_entries
from metacog.ledger.entry import Kind, Role, Settings, Status, StudyLedger, Value, entries_of
from metacog.ledger.judging import agreement, agrees, inside
from metacog.ledger.tolerances import rounding, z_bound
from metacog.sdt.over_groups import coefficient_of_variation
from metacog.studies.study3_dmc import paper
from metacog.studies.study3_dmc.paper import CV_MEASURES, DATASETS, METHODS, MODELS, TABLE2_MODEL

STUDY = "study 3"
T1, T2 = "study 3, table 1: CV over data sets", "study 3, table 2: DMC of GPT-3.5"
T3, TEXT = "study 3, table 3: DMC of three models", "study 3, text"
AVERAGE, CV = "average", "CV of DMC"
FROM_CELLS, FROM_AVERAGES = "the printed cells", "the printed averages"
#: What a cell of DMC waits for, and a CV of another measure.
NEEDS_COUNTS = "the counts of right and wrong answers by answer and rating (not published)"
NEEDS_VALUES = "the eight values it is taken over (not published)"
SAME_CELLS = Role(Status.REPEAT, "GPT-3.5's rows of table 3", "prints again what table 2 prints")
EXTREMES = Role(Status.REPEAT, "largest and smallest averages of the text", "restates an average of table 3")
#: What is said of a cell that is printed twice, and which table's value its printed average and CV follow.
TWICE = (
    "{cell} is printed as {two} in table 2 and as {three} in table 3: with the first the row's average would be "
    "{means[0]:.5f} and its CV {cvs[0]:.4f}, with the second {means[1]:.5f} and {cvs[1]:.4f}; printed are {mean} and "
    "{cv}, which follow from {follows}"
)
FOLLOWS = {
    (True, False): "table 2's value",
    (False, True): "table 3's value",
    (True, True): "either",
    (False, False): "neither",
}
#: By method: the data set whose cell is printed twice, and what is said of it.
Twice = dict[str, tuple[str, str]]
STATISTICS: dict[str, Callable[..., Any]] = {"mean": np.mean, "sd": np.std, "max": np.max, "min": np.min}
#: Statistics of the text by id of the claim: a model, and what is taken of its averages.
CLAIMS = {
    "gpt_4_mean": ("gpt_4", "mean"),
    "gpt_35_mean": ("gpt_3.5", "mean"),
    "llama2_mean": ("llama2_70b", "mean"),
    **{
        f"{model}_{of}": (name, of)
        for model, name in (("llama2", "llama2_70b"), ("gpt_4", "gpt_4"))
        for of in ("max", "min", "sd")
    },
}


def figures() -> pd.DataFrame:
    """Every printed figure but the claims on order: columns of :func:`.entries_of`.

    Of those that others give, ``rounding`` and ``worst``: the standard error of rounding, and the most it can do.
    """
    twice = printed_twice()
    parts = [_table1(twice), _cells("table2", T2, twice), _cells("table3", T3, twice), _text()]
    rows = pd.concat(parts, ignore_index=True)
    new = rows["rounding"].notna() & rows["role"].isna()
    reach = (z_bound(int(new.sum())) * rows["rounding"]).clip(upper=rows["worst"])
    return rows.assign(reach=reach.where(new, 0.0))  # what restates another figure stands next to it


def _given(of: Callable[..., Any], figures: Any, printed_in: str, source: str = FROM_CELLS) -> Any:
    """A statistic of each row of printed figures, and how far their rounding may put it off."""
    half = paper.precision(printed_in)
    found = [(float(of(x)), *rounding(of, x, half)) for x in figures.to_numpy()]
    given = pd.DataFrame(found, figures.index, ["value", "rounding", "worst"])
    return given.assign(source=source, kind=Kind.PRINTED)


def _beside(printed: pd.DataFrame, *ours: pd.DataFrame) -> pd.DataFrame:
    """Printed figures, a row each, next to what is recomputed of some of them by the same rows and columns."""
    figures: Any = printed.rename_axis(columns="column").stack()
    return figures.to_frame("published").join(pd.concat(ours), validate="1:1").reset_index()


def _of(column: str, rows: pd.DataFrame) -> pd.DataFrame:
    return rows.assign(column=column).set_index("column", append=True)


def _table1(twice: Twice) -> pd.DataFrame:
    cells = paper.cells("table2").loc[TABLE2_MODEL]
    given = _given(coefficient_of_variation, cells, "table2").assign(
        rival=[coefficient_of_variation(x, ddof=1) for x in cells.to_numpy()],
        without="with a sample deviation",
        note=pd.Series({method: told for method, (_, told) in twice.items()}),
    )
    rows = _beside(paper.as_text("table1").set_index("method")[list(CV_MEASURES)], _of("dmc", given))
    return rows.drop(columns=["method", "column"]).assign(
        table=T1,
        item=rows["method"].map(METHODS),
        quantity="CV of " + rows["column"].map(CV_MEASURES),
        precision=paper.precision("table1"),
        needs=NEEDS_VALUES,
    )


def _cells(name: str, title: str, twice: Twice) -> pd.DataFrame:
    """Cells of a table of DMC, which wait for counts, and averages of its rows."""
    values = paper.cells(name)
    means: Any = _given(np.mean, values, name)
    ours: list[Any] = []
    if name == "table3":
        second: Any = paper.cells("table2").rename_axis(columns="column").stack()
        ours = [
            second.to_frame("value").assign(
                source="table 2's print of the same cell", kind=Kind.PRINTED, role=SAME_CELLS
            )
        ]
        # what repeats a row of table 2 is no second test of one average
        again = paper.averages("table2").to_frame().query("method not in @twice")
        again = again.loc[again.index.isin(means.index)]
        means = pd.concat([means.drop(again.index), _given(np.mean, again, "table2").assign(role=SAME_CELLS)])
    printed = paper.as_text(name)[[*DATASETS, paper.AVERAGE]].set_axis(values.index)
    rows = _beside(printed, *ours, _of(paper.AVERAGE, means))
    for method, (dataset, told) in twice.items():
        noted = [paper.AVERAGE] if name == "table2" else [paper.AVERAGE, dataset]
        of_row = (rows["model"] == TABLE2_MODEL) & (rows["method"] == method)
        rows.loc[of_row & rows["column"].isin(noted), "note"] = told
    methods = rows["method"].map(METHODS)
    return rows.drop(columns=["model", "method", "column"]).assign(
        table=title,
        item=methods if name == "table2" else rows["model"].map(MODELS) + ", " + methods,
        quantity=rows["column"].map(DATASETS | {paper.AVERAGE: AVERAGE}),
        precision=paper.precision(name),
        needs=NEEDS_COUNTS,
    )


def _text() -> pd.DataFrame:
    """Statistics of the averages."""
    found = []
    for line in rows_of(paper.as_text("text_claims")):
        model, of = CLAIMS[line.id]
        averages = paper.averages("table3")[model]
        row = _given(STATISTICS[of], averages.to_frame().T, "table3", FROM_AVERAGES)
        row = row.assign(item=line.claim, quantity=line.quantity, published=line.value)
        if of == "sd":
            row = row.assign(rival=averages.std(ddof=1), without="with a sample deviation")
        found.append(row.assign(role=EXTREMES if of in ("max", "min") else None))
    return pd.concat(found).assign(table=TEXT, precision=paper.precision("text_claims"))


def printed_twice() -> Twice:
    """Rows of which tables 2 and 3 print a cell differently: that data set, and what either value would imply."""
    second, third, cvs = (paper.as_text(f"table{n}").set_index("method") for n in (2, 3, 1))
    third = third[third["model"] == TABLE2_MODEL]
    found = {}
    for method, dataset in product(third.index, DATASETS):
        two, three = second.loc[method, dataset], third.loc[method, dataset]
        if float(two) == float(three):
            continue
        one = second.loc[method, list(DATASETS)].astype(float)
        both = [x.to_numpy() for x in (one, one.where(one.index != dataset, float(three)))]
        said: dict[str, Any] = {
            "means": [x.mean() for x in both],
            "cvs": [coefficient_of_variation(x) for x in both],
        }
        mean, cv = second.loc[method, paper.AVERAGE], cvs.loc[method, "dmc"]
        follows = agrees(mean, said["means"], paper.precision("table2"))
        follows &= agrees(cv, said["cvs"], paper.precision("table1"))
        which = bool(follows[0]), bool(follows[1])
        cell = f"{MODELS[TABLE2_MODEL]}, {METHODS[method]}, {DATASETS[dataset]}"
        said |= {"cell": cell, "two": two, "three": three, "mean": mean, "cv": cv}
        found[method] = dataset, TWICE.format(follows=FOLLOWS[which], **said)
    return found


VERBALISED = ("verb_vanilla", "verb_cot", "verb_topk")
CONSISTENCY = ("self_random", "perturbing", "misleading")
#: The claim that rests on table 1.
VARIATION = "cv_lowest"
#: Whether each comparison of a claim holds, and the averages that are compared.
Held = tuple[list[bool], str]


def _vanilla(two: pd.Series, three: pd.Series) -> Held:
    shown = ", ".join(f"{METHODS[m]} {two[m]:.4f}" for m in VERBALISED)
    return [bool(two["verb_vanilla"] < two[m]) for m in VERBALISED[1:]], shown


def _notably(two: pd.Series, three: pd.Series) -> Held:
    """Both above, and the second by more than the first."""
    base, one, other = (float(two[m]) for m in VERBALISED)
    note = f"{one - base:.4f} and {other - base:.4f} above; notably is read as by more than the other"
    return [one > base, other > base, other - base > one - base], note


def _lower(below: tuple[str, ...], above: tuple[str, ...], two: pd.Series, three: pd.Series) -> Held:
    gaps = [float(two[high] - two[low]) for low, high in product(below, above)]
    return [gap > 0 for gap in gaps], f"by {min(gaps):.4f} to {max(gaps):.4f}"


def _slightly(two: pd.Series, three: pd.Series) -> Held:
    """The order alone: no measure of "slightly" is printed, so the gap stands next to another one."""
    held, by = _lower(("perturbing", "misleading"), ("self_random",), two, three)
    other = float(two[list(CONSISTENCY)].min() - two[list(VERBALISED)].max())
    return (
        held,
        f"{by}; only the order is judged, every consistency way is {other:.4f} or more above the others",
    )


def _models(two: pd.Series, three: pd.Series) -> Held:
    methods = list(dict.fromkeys(three.index.get_level_values("method")))
    steps = [(low, high, m) for m in methods for low, high in pairwise(MODELS)]
    cells = paper.cells("table3")
    single = [cells.loc[(high, m)].to_numpy() > cells.loc[(low, m)].to_numpy() for low, high, m in steps]
    held = [bool(three[high, m] > three[low, m]) for low, high, m in steps]
    return held, f"and in {int(np.sum(single))} of {np.size(single)} comparisons of single cells"


def _spread(two: pd.Series, three: pd.Series) -> Held:
    low, high = (three[m].to_numpy(dtype=np.float64) for m in ("llama2_70b", "gpt_4"))
    note = f"range {np.ptp(low):.4f} and {np.ptp(high):.4f}, sd {low.std():.4f} and {high.std():.4f}"
    return [bool(np.ptp(low) < np.ptp(high)), bool(low.std() < high.std())], note


def _variation(two: pd.Series, three: pd.Series) -> Held:
    """Whether the CV of DMC lies below that of each other measure with each way of eliciting confidence."""
    printed = paper.as_numbers("table1").set_index("method")[list(CV_MEASURES)]
    ratios = printed.drop(columns="dmc").div(printed["dmc"], axis=0).to_numpy(dtype=np.float64).ravel()
    note = f"the others are {ratios.min():.0f} to {ratios.max():.0f} times as large, as printed"
    return [bool(ratio > 1) for ratio in ratios], note


#: What each claim gives, by its id: from averages of table 2 by method, and of table 3 by (model, method).
ORDERS: dict[str, Callable[[pd.Series, pd.Series], Held]] = {
    "vanilla_lowest": _vanilla,
    "topk_notably": _notably,
    "consistency_above": partial(_lower, VERBALISED, CONSISTENCY),
    "models_ordered": _models,
    "llama_differs_less": _spread,
    VARIATION: _variation,
    "slightly_below": _slightly,
}


def orders() -> pd.DataFrame:
    """How many of the comparisons in a claim on order hold."""

    def value(claim: str, two: pd.Series, three: pd.Series) -> Value:
        held, note = ORDERS[claim](two, three)
        source = FROM_CELLS if claim == VARIATION else FROM_AVERAGES
        return Value(float(sum(held)), source, note=note, kind=Kind.PRINTED)

    answers = {claim: partial(value, claim) for claim in ORDERS}
    given = paper.averages("table2")[TABLE2_MODEL], paper.averages("table3")
    return claim_entries(
        paper.as_text("order_claims"), answers, *given, study=STUDY, table=TEXT, item="{section}: {claim}"
    )


def entries(settings: Settings) -> pd.DataFrame:
    """Every row of study 3."""
    return pd.concat([entries_of(figures().drop(columns=["rounding", "worst"]), STUDY), orders()])


def judged() -> pd.Series:
    """Whether each printed figure agrees, by table, item and quantity."""
    return agreement(entries(Settings()))


def possible(printed: str, most: float, half: float) -> bool:
    """Whether a printed coefficient of variation may lie between 0 and the most that there can be."""
    return bool(inside(printed, 0.0, most, half))


LEDGER = StudyLedger(STUDY, entries, roles=(SAME_CELLS, EXTREMES))
