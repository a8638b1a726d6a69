"""Does thinking help a model to know itself? The same weights under two conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table, ended, rows_of, with_ends
from metacog.measures.equal_accuracy import HIGHEST, LEFT_OUT, LOWEST, MEDIAN, equal_accuracy
from metacog.measures.two_conditions import in_hundred, mean_change
from metacog.report.views import Views
from metacog.sdt import auroc2_interval
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study7_mmlu_pro.rows import FILES, STATED, TOKENS, Rows, counted, load
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


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences are made of; changes of AUROC2 in pairs of a hundred."""
    own = of_kind(result, THINKING)
    lower = {end: own[f"equal_accuracy{end}_lower"] > 0 for end in ALL_READINGS.values()}
    both = lower[""] & lower["_lowest"]
    rates = {f"{r.change}_{r.quantity}": r for r in rows_of(result.simulated)}
    says, reduced = of_kind(result, INSTRUCT)["says"], of_kind(result, PRECISION)["equivalent"]
    found = {f"mean_{name}": float(100 * own[name].mean()) for name in ("auroc2", "equal_accuracy", "excess")}
    for name, row in rates.items():
        found |= {f"{name}_least": round(row.least), f"{name}_most": round(row.most)}
    return found | {
        "bound": BOUND,
        "rises": int((own["says"] == "yes").sum()),
        "rises_mean": int((own["says_mean"] == "yes").sum()),
        "as_much": float(100 * own["as_much"].median()),
        "reach": float(50 * (own["beyond_upper"] - own["beyond_lower"]).median()),
        "in_both": int(both.sum()),
        "in_median": int((both & lower["_median"]).sum()),
        "in_highest": int((both & lower["_highest"]).sum()),
        "unanswered": float(100 * own["missing"].max()),
        "lost": int((result.pairs["flag"] == AT_CHANCE).sum()),
        "instructed": len(says),
        "instructed_more": int((says == "yes").sum()),
        "instructed_less": int((says == "no").sum()),
        "reduced": len(reduced),
        "reduced_same": int((reduced == "yes").sum()),
        "reduced_other": int((reduced == "no").sum()),
    }


@analysis(needs=("thinking",), files=(*FILES, SIMULATED))
def thinking_effects(inputs: Inputs) -> dict[str, Any]:
    """What do two kinds of confidence in the same replies gain by thinking?"""
    rows, signals = load(), {STATED: "a number it states", TOKENS: "probability of its whole reply"}
    own = of_kind(inputs.result("thinking"), THINKING)
    asked = list(own[["first", "second"]].itertuples(index=False, name=None))
    kinds = {signal: rows.model_items(signal) for signal in signals}
    tokens = kinds[TOKENS]
    able = [name for name in counted(rows) if name in tokens.models]
    found = {STATED: own, TOKENS: equal_accuracy(tokens, asked, unchanged=able, bound=BOUND)}
    effects = [
        in_hundred(found[one], own["pair"].tolist(), of="MMLU-Pro", signal=called)
        for one, called in signals.items()
    ]
    means = [
        {"signal": called, "n": len(asked), **mean_change(kinds[one], asked)}
        for one, called in signals.items()
    ]
    simulated = committed_table(SIMULATED)
    simulated = simulated[simulated["measure"] == "equal_accuracy"]
    plain = simulated[(simulated["quantity"] == "auroc2") & (simulated["truth"] == 0)]
    better = simulated.loc[(simulated["quantity"] == "beyond") & (simulated["truth"] > BOUND / 2), "truth"]
    return {
        "effects": pd.concat(effects, ignore_index=True),
        "means": pd.DataFrame(means),
        "faked": float(100 * (plain["above_0"] / plain["n_runs"]).max()),
        "gained": float(100 * better.mean()),
    }


VIEWS = Views("thinking", numbers=numbers)
