"""Study 3 in the ledger: every figure that it printed, and what its other printed figures give for it.

No counts were published. Averages, coefficients of variation and the text's statistics follow from printed cells,
which are rounded. Rounding counts as chance: each cell is off by up to half its last digit, all places equally likely,
so a statistic of eight cells has a standard error of rounding (:func:`metacog.ledger.tolerances.rounding_error`), and
may lie off by as many of these as the level shared by all rows allows. Claims on the order of averages and CVs are
counted in comparisons that hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise, product
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.entry import Entry, Kind, Role, Settings, Status, StudyLedger, Value, entries_of
from metacog.ledger.judging import agreement, agrees, claim_entries, inside
from metacog.ledger.tolerances import rounding_error, rounding_limit, z_bound
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
    """Every printed figure but the claims on order: attributes of :class:`.Entry` and :class:`.Value` as columns.

    Of those that others give, ``rounding`` and ``worst``: the standard error of rounding, and the most it can do.
    """
    rows = pd.DataFrame([*_table1(), *_cells("table2", T2), *_cells("table3", T3), *_text()])
    new = rows["rounding"].notna() & rows["role"].isna()
    reach = (z_bound(int(new.sum())) * rows["rounding"]).clip(upper=rows["worst"])
    return rows.assign(reach=reach.where(new, 0.0))  # what restates another figure stands next to it


def _given(of: Callable[..., Any], x: Any, printed_in: str, source: str = FROM_CELLS) -> dict[str, Any]:
    half = paper.precision(printed_in)
    return {
        "value": float(of(x)),
        "rounding": rounding_error(of, x, half),
        "worst": rounding_limit(of, x, half),
        "source": source,
        "kind": Kind.PRINTED,
    }


def _table1() -> Iterator[dict[str, Any]]:
    values, twice = paper.cells("table2").loc[TABLE2_MODEL], printed_twice()
    for row, (measure, name) in product(rows_of(paper.as_text("table1")), CV_MEASURES.items()):
        about: dict[str, Any] = {"table": T1, "item": METHODS[row.method], "quantity": f"CV of {name}"}
        about |= {"published": getattr(row, measure), "precision": paper.precision("table1")}
        about["needs"] = NEEDS_VALUES
        if measure == "dmc":
            x = values.loc[row.method].to_numpy()
            about |= _given(coefficient_of_variation, x, "table2")
            about |= {"rival": coefficient_of_variation(x, ddof=1), "without": "with a sample deviation"}
            about["note"] = twice.get(row.method, ("", ""))[1]
        yield about


def _cells(name: str, title: str) -> Iterator[dict[str, Any]]:
    """Cells of a table of DMC, which wait for counts, and averages of its rows."""
    values, second, twice = paper.cells(name), paper.cells("table2").loc[TABLE2_MODEL], printed_twice()
    same = {"source": "table 2's print of the same cell", "kind": Kind.PRINTED, "role": SAME_CELLS}
    for (model, method), row in zip(values.index, paper.as_text(name).to_dict("records"), strict=True):
        again = name == "table3" and model == TABLE2_MODEL
        dataset_twice, note = twice.get(method, ("", "")) if model == TABLE2_MODEL else ("", "")
        item = f"{MODELS[model]}, {METHODS[method]}" if name == "table3" else METHODS[method]
        about = {"table": title, "item": item, "precision": paper.precision(name)}
        for dataset, quantity in DATASETS.items():
            cell = {"quantity": quantity, "published": row[dataset], "needs": NEEDS_COUNTS}
            if again:
                cell |= same | {"value": float(second.loc[method, dataset])}
                cell["note"] = note if dataset == dataset_twice else ""
            yield about | cell
        x, printed_in = values.loc[(model, method)].to_numpy(), name
        if again and not note:  # repeats the row of table 2, so not a second test of one average
            x, printed_in = np.array([paper.averages("table2")[TABLE2_MODEL, method]]), "table2"
            about["role"] = SAME_CELLS
        average = {"quantity": AVERAGE, "published": row[paper.AVERAGE], "note": note}
        yield about | average | _given(np.mean, x, printed_in)


def _text() -> Iterator[dict[str, Any]]:
    """Statistics of the averages."""
    for line in rows_of(paper.as_text("text_claims")):
        model, of = CLAIMS[line.id]
        x = paper.averages("table3")[model].to_numpy()
        about = {"table": TEXT, "item": line.claim, "quantity": line.quantity, "published": line.value}
        about |= _given(STATISTICS[of], x, "table3", FROM_AVERAGES)
        about["precision"] = paper.precision("text_claims")
        if of == "sd":
            about |= {"rival": float(x.std(ddof=1)), "without": "with a sample deviation"}
        yield about | ({"role": EXTREMES} if of in ("max", "min") else {})


def printed_twice() -> dict[str, tuple[str, str]]:
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


def orders() -> list[Entry]:
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


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 3."""
    return [*entries_of(figures().drop(columns=["rounding", "worst"]), STUDY), *orders()]


def judged() -> pd.Series:
    """Whether each printed figure agrees, by table, item and quantity."""
    return agreement(entries(Settings()))


def possible(printed: str, most: float, half: float) -> bool:
    """Whether a printed coefficient of variation may lie between 0 and the most that there can be."""
    return bool(inside(printed, 0.0, most, half))


LEDGER = StudyLedger(STUDY, entries, roles=(SAME_CELLS, EXTREMES))
