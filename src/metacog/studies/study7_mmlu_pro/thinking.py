"""Does thinking help a model to know itself? The same weights under two conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table, ended, rows_of, with_ends
from metacog.core.words import listed, plural
from metacog.measures.equal_accuracy import HIGHEST, LEFT_OUT, LOWEST, MEDIAN, equal_accuracy
from metacog.report.views import Views
from metacog.sdt import auroc2_interval
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study7_mmlu_pro.rows import FILES, Rows, counted, load
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import Unit, beyond

#: A change of AUROC2 that does not matter: fixed before any pair was computed.
BOUND = 0.02
#: Simulated pairs whose truth is known, made by ``benchmarks/whom_to_ask.py``.
SIMULATED = "data/simulations/whom_to_ask.csv"
#: Kinds of pairs: the second condition is the one named first.
THINKING, INSTRUCT, REASONING, PRECISION = (
    "thinking on, off",
    "instructed, base",
    "reasoning, chat",
    "reduced precision, full",
)
KINDS = (THINKING, INSTRUCT, REASONING, PRECISION)
#: A maker's chat model and the reasoning model that it made from the same base; not of the same weights.
CHAT_AND_REASONING = (
    ("deepseek-chat", "deepseek-reasoner"),
    ("Phi-4-mini-instruct", "Phi-4-mini-reasoning"),
)
#: Models of one series that differ in size: how their names begin, whether they think, and what is left out.
SERIES = {
    "Qwen3": ("Qwen3-", "off"),
    "Qwen3, thinking": ("Qwen3-", "on"),
    "Qwen2.5": ("Qwen2.5-", ""),
    "Gemma 3": ("gemma-3-", ""),
    "Gemma 2": ("gemma-2-", ""),
    "Llama 3": ("Meta-Llama-3.1-", ""),
}
#: Changes of :func:`metacog.measures.equal_accuracy.equal_accuracy` that are kept; the last three in each reading.
KEPT = ("accuracy", "auroc2", "equal_accuracy", "excess", "beyond")
#: How a reply without an answer is read: left out, or as wrong, with the lowest or the median number of its run.
#: Columns of all but the first end so. With the highest number it is shown, and decides nothing.
READINGS = {LEFT_OUT: "", LOWEST: "_lowest", MEDIAN: "_median"}
ALL_READINGS = READINGS | {HIGHEST: "_highest"}
#: Why a pair says nothing though both runs answered.
AT_CHANCE = "one of the two answers at chance"

_NO_NULL = "conditions whose confidence tells as much in test_mmlu_thinking.py"
RULES = {
    "thinking": Rule(
        "For more than half of the weights that answered with thinking on and off, stated confidence tells right "
        "answers from wrong ones better with thinking on, at equal accuracy and beyond confidence that does not "
        "change: the 95 % interval of the change in AUROC2, beyond that with other makers' confidence, the same in "
        "both, lies above 0, where replies without an answer are left out, and where they count as wrong with the "
        "lowest or the median number. The interval is over questions and over whose unchanged confidence it is.",
        "thinking",
        no_null=_NO_NULL,
    ),
    "precision": Rule(
        "For all models that answered in full and in reduced precision, AUROC2 at equal accuracy changes by less "
        f"than {BOUND}: the 90 % interval lies within this bound, where replies without an "
        "answer are left out, and where they count as wrong with the lowest or the median number.",
        "precision",
        no_null=_NO_NULL,
    ),
}


@analysis(files=(*FILES, SIMULATED))
def thinking(
    inputs: Inputs, rows: Rows | None = None, *, most: int = 0, seed: int = 42, verdicts: bool = True
) -> dict[str, Any]:
    """Does thinking help a model to know itself?"""
    rows = rows or load()
    pairs = compared(rows, most, seed)
    simulated = committed_table(SIMULATED)
    simulated = simulated[simulated["measure"] == "equal_accuracy"]
    return {
        "pairs": pairs,
        "sizes": sizes_of(rows),
        "simulated": said_of(simulated),
        "outcomes": pd.concat([risen(pairs), as_precise(pairs)]) if verdicts else None,
        "n_thinking": int((pairs["kind"] == THINKING).sum()),
        "bias_plain": _bias(simulated, "auroc2"),
        "bias_equal": _bias(simulated, "equal_accuracy"),
    }


def pairs_of(models: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Kind, first and second condition, from the table of families."""
    rows = models.astype({"model": str}).to_dict("records")
    names = {row["model"] for row in rows}
    for one in rows:
        kin = [row for row in rows if row["weights"] == one["weights"] and row["thinking"] != "on"]
        if one["thinking"] == "on":
            alike = [row for row in kin if row["thinking"] == "off" and row["precision"] == one["precision"]]
            yield from ((THINKING, row["model"], one["model"]) for row in alike)
        elif one["precision"]:
            yield from ((PRECISION, row["model"], one["model"]) for row in kin if not row["precision"])
        elif one["made_from"] in names:
            yield INSTRUCT, one["made_from"], one["model"]
    yield from ((REASONING, *pair) for pair in CHAT_AND_REASONING if set(pair) <= names)


def compared(rows: Rows, most: int = 0, seed: int = 42) -> pd.DataFrame:
    """All pairs, ``most`` of a kind (all for 0), with the changes :data:`KEPT` in all readings of missing answers.

    ``unchanged`` is the mean change with other makers' confidence, the same in both conditions, and ``as_much`` the
    share of these that have as much excess; ``missing`` the larger share of replies without an answer or a number.
    ``says`` is yes where ``beyond`` lies above 0 in all :data:`READINGS`, no where it lies below, open otherwise;
    ``says_mean`` the same of ``excess``, over questions alone; ``equivalent`` whether ``equal_accuracy`` lies within
    :data:`BOUND`, or outside it. A pair with a run at chance has no changes, and a ``flag`` that says so.
    """
    found = pd.DataFrame(pairs_of(rows.models), columns=["kind", "first", "second"])
    if most:
        found = found.groupby("kind", sort=False).head(most)
    size = found["second"].map(rows.models.set_index("model")["billions"])
    found = found.assign(kind=pd.Categorical(found["kind"], KINDS), size=size)
    found = found.sort_values(["kind", "size"], kind="stable", ignore_index=True)
    found = found.drop(columns="size").astype({"kind": str})
    asked = list(found[["first", "second"]].itertuples(index=False, name=None))
    items, able = rows.model_items(), counted(rows)
    each = {
        end: equal_accuracy(items, asked, missing=way, unchanged=able, bound=BOUND, seed=seed)
        for way, end in ALL_READINGS.items()
    }
    first = each[""]
    found["pair"] = [_called(kind, second) for kind, second in found[["kind", "second"]].to_numpy()]
    others = [
        of[[*with_ends(*KEPT[2:])]].set_axis([*with_ends(*(f"{name}{end}" for name in KEPT[2:]))], axis=1)
        for end, of in each.items()
        if end
    ]
    kept = first[["n", *with_ends(*KEPT), "unchanged", "as_much", "flag"]]
    made = pd.concat([found, kept, *others], axis=1)
    made["missing"] = first[["n_missing_first", "n_missing_second"]].max(axis=1) / len(items.items)
    chance = ~made[["first", "second"]].isin(able).all(axis=1)
    numbers = [name for name in made if str(name).startswith((*KEPT, "unchanged", "as_much"))]
    made.loc[chance, numbers] = np.nan
    made.loc[chance, "flag"] = AT_CHANCE
    made["says"] = _said(made, "beyond")
    made["says_mean"] = _said(made, "excess")
    judging = [each[end] for end in READINGS.values()]
    inside = np.all([of["equivalent"].eq(True) for of in judging], axis=0)
    lower, upper = (np.array([of[f"equal_accuracy_{end}"] for of in judging]) for end in ("lower", "upper"))
    outside = ((lower > BOUND) | (upper < -BOUND)).all(axis=0)
    made["equivalent"] = np.select([chance, inside, outside], ["open", "yes", "no"], "open")
    return made


def _said(pairs: pd.DataFrame, change: str) -> NDArray[np.str_]:
    """Whether a change is above 0 in all :data:`READINGS` (yes), below in all (no), or open."""
    above, below = (
        pairs[[f"{change}{one}_{end}" for one in READINGS.values()]] for end in ("lower", "upper")
    )
    return np.select([(above > 0).all(axis=1), (below < 0).all(axis=1)], ["yes", "no"], "open")


def _called(kind: str, second: str) -> str:
    return second.removesuffix("-think").removesuffix("-fp8-tput") if kind == THINKING else second


def _bias(simulated: pd.DataFrame, quantity: str) -> float:
    """The farthest that the mean of a change is from the truth in simulated pairs."""
    own = simulated[simulated["quantity"] == quantity]
    return float((own["mean"] - own["truth"]).abs().max())


def said_of(simulated: pd.DataFrame) -> pd.DataFrame:
    """In how many of 100 simulated pairs a rise is said, over worlds (``least``, ``most``), by ``change`` and quantity.

    Confidence is better in worlds in which its true excess is above half the bound.
    """
    true = simulated[simulated["quantity"] == "beyond"].set_index("world")["truth"]
    own = simulated[simulated["quantity"].isin(KEPT[2:])]
    own = own.assign(
        change=np.where(own["world"].map(true) > BOUND / 2, "better", "none"),
        above=100 * own["above_0"] / own["n_runs"],
    )
    made = own.groupby(["change", "quantity"])["above"].agg(["min", "max"]).reset_index()
    return made.rename(columns={"min": "least", "max": "most"})


def series_of(models: pd.DataFrame) -> pd.DataFrame:
    """Models of one series that differ in size; a series that thinks and one that does not are two lines of one."""
    made = []
    for line, (begins, thinks) in SERIES.items():
        own = models[models["model"].str.startswith(begins) & (models["thinking"] == thinks)]
        own = own[(own["trained"] == "instruct") & own["billions"].notna()].drop_duplicates("weights")
        made.append(own[["model", "billions"]].assign(series=line.partition(",")[0], line=line))
    return pd.concat(made, ignore_index=True)


def sizes_of(rows: Rows) -> pd.DataFrame:
    """AUROC2 of stated confidence by size, in series of models."""
    items, made = rows.model_items(), []
    for one in rows_of(series_of(rows.models)):
        place = items.models.index(one.model)
        there = items.answered[place]
        right, sure = items.right[place, there], items.confidence[place, there]
        if np.ptp(sure) == 0 or np.ptp(right) == 0:
            continue
        area = auroc2_interval(right, sure)
        row = {"series": one.line, "model": one.model, "billions": one.billions}
        made.append(row | ended("auroc2", area.estimate, area.lower, area.upper))
    table = pd.DataFrame(made, columns=["series", "model", "billions", *with_ends("auroc2")])
    return table.sort_values(["series", "billions"], kind="stable", ignore_index=True)


def risen(pairs: pd.DataFrame) -> pd.DataFrame:
    """Whether thinking raises AUROC2 at equal accuracy beyond what confidence that does not change gains."""
    own = pairs[pairs["kind"] == THINKING]
    units = []
    for row in own.to_dict("records"):
        lower, upper = (
            [row[f"beyond{one}_{end}"] for one in READINGS.values()] for end in ("lower", "upper")
        )
        units.append(beyond(row["pair"], min(lower), max(upper), 0.0, row["flag"] or "no estimate"))
    return outcomes("thinking", units, len(own) // 2 + 1)


def as_precise(pairs: pd.DataFrame) -> pd.DataFrame:
    """Whether reduced precision changes nothing that matters."""
    holds = {"yes": True, "no": False}
    units = []
    for row in rows_of(pairs[pairs["kind"] == PRECISION]):
        says = None if row.flag else holds.get(row.equivalent)
        why = row.flag or "the 90 % interval reaches over the bound"
        units.append(Unit(row.pair, says, why if says is None else ""))
    return outcomes("precision", units)


def of_kind(result: Result, kind: str) -> pd.DataFrame:
    """Pairs of one kind."""
    pairs: pd.DataFrame = result.pairs
    return pairs[pairs["kind"] == kind]


def answer(result: Result) -> str:
    """For how many sizes thinking helps."""
    own = of_kind(result, THINKING)
    rises = int((own["says"] == "yes").sum())
    if own.empty:
        return "No model answered both with thinking on and off."
    if not rises:
        return (
            f"It is not shown of any of {plural(len(own), 'model')} that with thinking on stated confidence "
            "tells more than unchanged confidence would, at equal accuracy."
        )
    return (
        "With thinking on, stated confidence is shown to tell more than unchanged confidence would in "
        f"{rises} of {len(own)} models, at equal accuracy."
    )


def at_equal_accuracy(result: Result) -> str:
    """What of the rise goes with accuracy, what with other answers, and how large it is without."""
    plain, equal, excess = of_kind(result, THINKING)[["auroc2", "equal_accuracy", "excess"]].mean()
    said = (
        f"AUROC2 changes by {plain:+.3f} on average with thinking on; between answers that are right equally often, by "
        f"{equal:+.3f}; beyond what other makers' unchanged confidence gains, by {excess:+.3f}"
    )
    if equal > excess > 0:
        return f"{said}: {100 * (1 - excess / equal):.0f} % of the rise at equal accuracy is other answers."
    return f"{said}."


def alike(result: Result) -> str:
    """How many models' unchanged confidence has as much excess, and what is said against their mean."""
    own = of_kind(result, THINKING)
    half = float((own["beyond_upper"] - own["beyond_lower"]).median()) / 2
    return (
        f"In the median pair {100 * own['as_much'].median():.0f} % of other makers' models, each maker counted alike, "
        f"gain as much with a confidence that has not changed. So the interval reaches {half:.2f} to either side: a "
        "smaller rise is not seen. Against their mean alone, with an interval over questions, "
        f"{(own['says_mean'] == 'yes').sum()} of {len(own)} rise."
    )


def missing(result: Result) -> str:
    """What the readings of replies without an answer change."""
    own = of_kind(result, THINKING)
    at = {end: own.loc[own[f"equal_accuracy{end}_lower"] > 0, "pair"] for end in ALL_READINGS.values()}
    both = own.loc[(own["equal_accuracy_lower"] > 0) & (own["equal_accuracy_lowest_lower"] > 0), "pair"]
    still = (
        "all of these" if lost.empty else f"all but {listed(lost)}"
        for lost in (both[~both.isin(at[end])] for end in ("_median", "_highest"))
    )
    median, highest = still if len(both) else ("none", "none")
    return (
        f"Left out, and as wrong with the lowest number of their run, AUROC2 at equal accuracy rises in {len(both)} of "
        f"{len(own)} models; with the median number in {median}, with the highest in {highest}. A rise is claimed here "
        "only where the first three readings show it."
    )


def checked(result: Result) -> str:
    """What is said of simulated pairs whose confidence does not change, or gets better."""
    of = {(str(r.change), str(r.quantity)): r for r in rows_of(result.simulated)}
    old, mean, rule = (of["none", name] for name in ("equal_accuracy", "excess", "beyond"))
    better = of["better", "beyond"]
    return (
        "In simulated pairs whose confidence does not change, a rise is said in "
        f"{_between(rule)} of 100 runs; by the change at equal accuracy alone in {_between(old)}, against the mean of "
        f"unchanged confidences in {_between(mean)}. Where confidence gets better it is said in {_between(better)}."
    )


def _between(row: Any) -> str:
    least, most = round(row.least), round(row.most)
    return f"{least} to {most}" if least < most else f"{most}"


def at_chance(result: Result) -> str:
    """Which pairs cannot tell, because a run answers at chance."""
    lost = result.pairs.loc[result.pairs["flag"] == AT_CHANCE, "pair"]
    return (
        f"One of the two answers at chance, so that nothing can be told: {listed(lost)}."
        if len(lost)
        else "No run in these pairs answers at chance."
    )


def other_pairs(result: Result) -> str:
    """The other kinds of pairs."""
    said = []
    says, reduced = of_kind(result, INSTRUCT)["says"], of_kind(result, PRECISION)
    if len(says):
        said.append(
            f"Instructed models tell more than their base, and than unchanged confidence would, for "
            f"{(says == 'yes').sum()} of {len(says)}, and less for {(says == 'no').sum()}."
        )
    if len(reduced):
        unlike = reduced.loc[reduced["equivalent"] == "no", "pair"]
        said.append(
            f"Reduced precision changes AUROC2 by less than {BOUND:g}, as far as can be shown, in "
            f"{(reduced['equivalent'] == 'yes').sum()} of {len(reduced)} pairs"
            + (f", and by more in {listed(unlike)}." if len(unlike) else ".")
        )
    return " ".join(said)


def in_how_many(result: Result) -> str:
    """Of how many models the rule on thinking holds."""
    says = of_kind(result, THINKING)["says"]
    return (
        f"It does in {(says == 'yes').sum()} of {len(says)} models, and tells less in {(says == 'no').sum()}."
    )


def within_bound(result: Result) -> str:
    """Of how many pairs the rule on precision holds."""
    same = of_kind(result, PRECISION)["equivalent"]
    return (
        f"Shown to be so in {(same == 'yes').sum()} of {len(same)} pairs, and shown not to be in "
        f"{(same == 'no').sum()}."
    )


VIEWS = Views(
    "thinking",
    sentences={
        "answer": answer,
        "at_equal_accuracy": at_equal_accuracy,
        "alike": alike,
        "missing": missing,
        "checked": checked,
        "at_chance": at_chance,
        "other_pairs": other_pairs,
    },
    verdicts={"thinking": in_how_many, "precision": within_bound},
)
