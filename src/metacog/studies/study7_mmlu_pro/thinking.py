"""Does thinking help a model to know itself? The same weights under two conditions: what is computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table, ended, with_ends
from metacog.measures.equal_accuracy import HIGHEST, LEFT_OUT, LOWEST, MEDIAN, equal_accuracy
from metacog.sdt import auroc2_interval
from metacog.studies.study import analysis
from metacog.studies.study7_mmlu_pro.rows import FILES, Rows, counted, load
from metacog.verdicts.rules import Unit, beyond, judged
from metacog.verdicts.verdict import Kind, Verdict, drawn

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


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
#: Changes of :func:`metacog.measures.equal_accuracy.equal_accuracy` that are kept.
KEPT = ("accuracy", "auroc2", "equal_accuracy", "excess", "beyond")
#: How a reply without an answer is read: left out, or as wrong, with the lowest or the median number of its run.
#: Columns of all but the first end so. With the highest number it is shown, and decides nothing.
READINGS = {LEFT_OUT: "", LOWEST: "_lowest", MEDIAN: "_median"}
ALL_READINGS = READINGS | {HIGHEST: "_highest"}
#: Why a pair says nothing though both runs answered.
AT_CHANCE = "one of the two answers at chance"


@dataclass(frozen=True)
class Thinking:
    """Pairs of conditions of the same weights, and what changes between them.

    Attributes
    ----------
    pairs : DataFrame
        One row a pair: ``kind`` (of :data:`KINDS`), ``first, second, pair`` (as a figure calls it), ``n`` items, and
        the changes :data:`KEPT` from the first to the second with ends, on items that both answered; of
        ``equal_accuracy, excess, beyond`` the same in the other :data:`ALL_READINGS`; ``unchanged`` (the mean change
        with other makers' confidence, the same in both) and ``as_much`` (the share of these that have as much excess);
        ``missing`` (the larger share of replies without an answer or a number), ``says`` (yes where ``beyond`` lies
        above 0 in all :data:`READINGS`, no where it lies below, open otherwise), ``says_mean`` (the same of ``excess``,
        over questions alone), ``equivalent``
        (``equal_accuracy`` within :data:`BOUND`, in all readings: yes, no where all lie outside the bound, else open),
        ``flag``. A pair with a run at chance has no changes, and a ``flag`` that says so.
    kinds : DataFrame
        By kind: ``kind, pairs, rises, falls, open``.
    sizes : DataFrame
        Models of one series by size: ``series, model, billions, accuracy, auroc2`` with ends.
    simulated : DataFrame
        What is said of simulated pairs: ``change`` (of confidence: none, or better), ``quantity``, and in how many of
        100 runs its interval lies above 0, over worlds (``least, most``).
    verdicts : tuple of Verdict
    bound : float
    n_pairs, n_thinking, n_rises, n_precision, n_equivalent : int
        Of all pairs; of those with thinking; of those in reduced precision.
    n_mean : int
        Of those with thinking that rise beyond the mean unchanged confidence, over questions alone.
    bias_plain, bias_equal : float
        The farthest that the mean of the plain change, and of that at equal accuracy, is off in simulated pairs.
    mean_rise, mean_rise_equal, mean_excess : float
        Means over the pairs with thinking, of the change in AUROC2, of that at equal accuracy, and of its excess.
    as_much : float
        Median over the pairs with thinking.
    """

    pairs: pd.DataFrame
    kinds: pd.DataFrame
    sizes: pd.DataFrame
    simulated: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    bound: float
    n_pairs: int
    n_thinking: int
    n_rises: int
    n_mean: int
    n_precision: int
    n_equivalent: int
    bias_plain: float
    bias_equal: float
    mean_rise: float
    mean_rise_equal: float
    mean_excess: float
    as_much: float


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
    """All pairs in all readings of missing answers: :attr:`Thinking.pairs`; ``most`` of a kind, all for 0."""
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
    found["pair"] = [
        _called(kind, second) for kind, second in zip(found["kind"], found["second"], strict=True)
    ]
    others = [
        of[list(with_ends(*KEPT[2:]))].set_axis(
            list(with_ends(*(f"{name}{end}" for name in KEPT[2:]))), axis=1
        )
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
    inside = np.all([each[end]["equivalent"].eq(True) for end in READINGS.values()], axis=0)
    outside = np.all(
        [
            each[end]["equal_accuracy_lower"].gt(BOUND) | each[end]["equal_accuracy_upper"].lt(-BOUND)
            for end in READINGS.values()
        ],
        axis=0,
    )
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
    """:attr:`Thinking.simulated`: confidence is better in worlds in which its true excess is above half the bound."""
    true = simulated[simulated["quantity"] == "beyond"].set_index("world")["truth"]
    own = simulated[simulated["quantity"].isin(KEPT[2:])]
    own = own.assign(
        change=np.where(own["world"].map(true) > BOUND / 2, "better", "none"),
        above=100 * own["above_0"] / own["n_runs"],
    )
    made = own.groupby(["change", "quantity"])["above"].agg(["min", "max"]).reset_index()
    return made.rename(columns={"min": "least", "max": "most"})


def sizes_of(rows: Rows) -> pd.DataFrame:
    """AUROC2 of stated confidence by size, in series of models: :attr:`Thinking.sizes`."""
    items, made = rows.model_items(), []
    for series, (begins, thinks) in SERIES.items():
        own = rows.models[rows.models["model"].str.startswith(begins) & (rows.models["thinking"] == thinks)]
        own = own[(own["trained"] == "instruct") & own["billions"].notna()].drop_duplicates("weights")
        for one in own.itertuples():
            place = items.models.index(one.model)
            there = items.answered[place]
            right, sure = items.right[place, there], items.confidence[place, there]
            if np.ptp(sure) == 0 or np.ptp(right) == 0:
                continue
            area = auroc2_interval(right, sure)
            made.append(
                {
                    "series": series,
                    "model": one.model,
                    "billions": one.billions,
                    "accuracy": float(right.mean()),
                }
                | ended("auroc2", area.estimate, area.lower, area.upper)
            )
    columns = ["series", "model", "billions", "accuracy", *with_ends("auroc2")]
    return pd.DataFrame(made, columns=columns).sort_values(
        ["series", "billions"], kind="stable", ignore_index=True
    )


def _risen(row: dict) -> Unit:
    """Whether AUROC2 rises beyond unchanged confidence, in all readings of missing answers."""
    lower, upper = ([row[f"beyond{one}_{end}"] for one in READINGS.values()] for end in ("lower", "upper"))
    return beyond(row["pair"], min(lower), max(upper), 0.0, row["flag"] or "no estimate")


def thinking_verdict(pairs: pd.DataFrame) -> Verdict | None:
    """Whether thinking raises AUROC2 at equal accuracy beyond what confidence that does not change gains."""
    own = pairs[pairs["kind"] == THINKING]
    if own.empty:
        return None
    return judged(
        [_risen(row) for row in own.to_dict("records")],
        "thinking",
        Kind.EXPLORATORY,
        "For more than half of the weights that answered with thinking on and off, stated confidence tells right "
        "answers from wrong ones better with thinking on, at equal accuracy and beyond confidence that does not "
        "change: the 95 % interval of the change in AUROC2, beyond that with other makers' confidence, the same in "
        "both, lies above 0, where replies without an answer are left out, and where they count as wrong with the "
        "lowest or the median number. The interval is over questions and over whose unchanged confidence it is.",
        name="thinking",
        k=len(own) // 2 + 1,
        rises=int((own["says"] == "yes").sum()),
        falls=int((own["says"] == "no").sum()),
        of=len(own),
    )


def precision_verdict(pairs: pd.DataFrame) -> Verdict | None:
    """Whether reduced precision changes nothing that matters."""
    own = pairs[pairs["kind"] == PRECISION]
    if own.empty:
        return None
    states = {
        "yes": (True, ""),
        "no": (False, ""),
        "open": (None, "the 90 % interval reaches over the bound"),
    }
    return judged(
        [
            Unit(r["pair"], None, r["flag"]) if r["flag"] else Unit(r["pair"], *states[r["equivalent"]])
            for r in own.to_dict("records")
        ],
        "precision",
        Kind.EXPLORATORY,
        "For all models that answered in full and in reduced precision, AUROC2 at equal accuracy changes by less "
        f"than {BOUND}: the 90 % interval lies within this bound, where replies without an "
        "answer are left out, and where they count as wrong with the lowest or the median number.",
        name="precision",
        equivalent=int((own["equivalent"] == "yes").sum()),
        unlike=int((own["equivalent"] == "no").sum()),
        of=len(own),
    )


def examine(rows: Rows, *, most: int = 0, seed: int = 42, verdicts: bool = True) -> Thinking:
    """Pairs of conditions among some rows."""
    pairs = compared(rows, most, seed)
    says, simulated = pairs["says"], committed_table(SIMULATED)
    simulated = simulated[simulated["measure"] == "equal_accuracy"]
    kinds = pd.DataFrame(
        {"pairs": True, "rises": says == "yes", "falls": says == "no", "open": says == "open"}
    )
    kinds = kinds.groupby(pairs["kind"], sort=False).sum()
    think, reduced = pairs[pairs["kind"] == THINKING], pairs[pairs["kind"] == PRECISION]
    return Thinking(
        pairs=pairs,
        kinds=kinds.reset_index(),
        sizes=sizes_of(rows),
        simulated=said_of(simulated),
        verdicts=drawn(thinking_verdict(pairs), precision_verdict(pairs)) if verdicts else (),
        bound=BOUND,
        n_pairs=len(pairs),
        n_thinking=len(think),
        n_rises=int((think["says"] == "yes").sum()),
        n_mean=int((think["says_mean"] == "yes").sum()),
        n_precision=len(reduced),
        n_equivalent=int((reduced["equivalent"] == "yes").sum()),
        bias_plain=_bias(simulated, "auroc2"),
        bias_equal=_bias(simulated, "equal_accuracy"),
        mean_rise=float(think["auroc2"].mean()),
        mean_rise_equal=float(think["equal_accuracy"].mean()),
        mean_excess=float(think["excess"].mean()),
        as_much=float(think["as_much"].median()),
    )


@analysis(returns=Thinking, files=(*FILES, SIMULATED))
def thinking(inputs: Inputs, *, most: int = 0, seed: int = 42, verdicts: bool = True) -> Thinking:
    """Does thinking help a model to know itself?"""
    return examine(load(), most=most, seed=seed, verdicts=verdicts)
