"""Does thinking help a model to know itself? The same weights under two conditions: what is computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table, ended, with_ends
from metacog.measures.equal_accuracy import equal_accuracy
from metacog.measures.remainder import own_parts
from metacog.measures.set_effects import standing
from metacog.sdt import auroc2_interval
from metacog.sdt.resampling import cluster_weights
from metacog.studies.study import analysis
from metacog.studies.study7_mmlu_pro.replication import MOST_OF_FAMILY
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
KEPT = ("accuracy", "auroc2", "equal_accuracy")
#: How columns end in which a reply without an answer counts as wrong.
AS_WRONG = "_wrong"
#: Why a pair says nothing though both runs answered.
AT_CHANCE = "one of the two answers at chance"


@dataclass(frozen=True)
class Thinking:
    """Pairs of conditions of the same weights, and what changes between them.

    Attributes
    ----------
    pairs : DataFrame
        One row a pair: ``kind`` (of :data:`KINDS`), ``first, second, pair`` (as a figure calls it), ``n`` items, and
        the changes :data:`KEPT` from the first to the second with ends, on items that both answered; the same of
        ``equal_accuracy_wrong``, where a reply without an answer counts as wrong; ``missing`` (the larger share of
        replies without an answer or a number), ``says`` (yes where AUROC2 at equal accuracy rises in both readings, no
        where it falls in both, open otherwise), ``equivalent`` (within :data:`BOUND`, in both readings: yes, no where
        both intervals lie outside the bound, else open), ``flag``. Of pairs with thinking also the change in what
        remains of own confidence less another family's (:func:`remaining`) and ``remains_says``. A pair with a run at
        chance has no changes, and a ``flag`` that says so.
    kinds : DataFrame
        By kind: ``kind, pairs, rises, falls, open``.
    sizes : DataFrame
        Models of one series by size: ``series, model, billions, accuracy, auroc2`` with ends.
    verdicts : tuple of Verdict
    bound : float
    n_pairs, n_thinking, n_rises, n_precision, n_equivalent : int
        Of all pairs; of those with thinking; of those in reduced precision.
    least_rise, most_rise : float
        Of the pairs with thinking that rise, at equal accuracy; NaN where none does.
    bias_plain, bias_equal : float
        The farthest that the mean of the plain change, and of that at equal accuracy, is off in simulated pairs.
    mean_rise, mean_rise_equal : float
        Means over the pairs with thinking, of the change in AUROC2 and of that at equal accuracy.
    """

    pairs: pd.DataFrame
    kinds: pd.DataFrame
    sizes: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    bound: float
    n_pairs: int
    n_thinking: int
    n_rises: int
    n_precision: int
    n_equivalent: int
    least_rise: float
    most_rise: float
    bias_plain: float
    bias_equal: float
    mean_rise: float
    mean_rise_equal: float


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


def compared(rows: Rows, most: int = 0) -> pd.DataFrame:
    """All pairs in both readings of missing answers: :attr:`Thinking.pairs`; ``most`` of a kind, all for 0."""
    found = pd.DataFrame(pairs_of(rows.models), columns=["kind", "first", "second"])
    if most:
        found = found.groupby("kind", sort=False).head(most)
    size = found["second"].map(rows.models.set_index("model")["billions"])
    found = found.assign(kind=pd.Categorical(found["kind"], KINDS), size=size)
    found = found.sort_values(["kind", "size"], kind="stable", ignore_index=True)
    found = found.drop(columns="size").astype({"kind": str})
    asked = list(found[["first", "second"]].itertuples(index=False, name=None))
    items = rows.model_items()
    left_out, as_wrong = (
        equal_accuracy(items, asked, missing=way, bound=BOUND) for way in ("left_out", "wrong")
    )
    ends = list(with_ends("equal_accuracy"))
    other = as_wrong[ends].set_axis(list(with_ends("equal_accuracy_wrong")), axis=1)
    lacking = left_out[["n_missing_first", "n_missing_second"]].max(axis=1) / len(items.items)
    found["pair"] = [
        _called(kind, second) for kind, second in zip(found["kind"], found["second"], strict=True)
    ]
    made = pd.concat([found, left_out[["n", *with_ends(*KEPT), "flag"]], other], axis=1).assign(
        missing=lacking
    )
    made["says"] = _said(made, "equal_accuracy")
    both = left_out["equivalent"].eq(True) & as_wrong["equivalent"].eq(True)
    outside = [
        one["equal_accuracy_lower"].gt(BOUND) | one["equal_accuracy_upper"].lt(-BOUND)
        for one in (left_out, as_wrong)
    ]
    made["equivalent"] = np.select([both, outside[0] & outside[1]], ["yes", "no"], "open")
    chance = ~made[["first", "second"]].isin(counted(rows)).all(axis=1)
    made.loc[chance, list(with_ends(*KEPT, f"equal_accuracy{AS_WRONG}"))] = np.nan
    made.loc[chance, ["says", "equivalent", "flag"]] = ["open", "open", AT_CHANCE]
    return made


def remaining(rows: Rows, pairs: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """The change in own confidence less another family's among equally hard items, in both readings, and in another's.

    Columns ``remains, remains_wrong`` with ends, and ``another`` (the median). Both runs of a pair are judged on the
    same items and resamples, against the same others, those of
    :mod:`metacog.studies.study7_mmlu_pro.replication`.
    """
    items, weights = rows.model_items(), rows.models.set_index("model")["weights"]
    others = standing(items, [str(weights[model]) for model in items.models], MOST_OF_FAMILY)
    table = items.kept(models=others)
    right, sure, families = [table.right], [table.confidence], list(table.families)
    asked: list[str] = []
    for pair in pairs.itertuples():
        at = [items.models.index(str(one)) for one in (pair.first, pair.second)]
        there = items.answered[at]
        both = there.all(axis=0)
        right += [np.where(both, items.right[at], np.nan), np.where(there, items.right[at], 0.0)]
        sure += [np.where(both, items.confidence[at], np.nan), np.where(there, items.confidence[at], -1.0)]
        families += [items.families[i] for i in (*at, *at)]
        asked += [f"{pair.Index} {way} {run}" for way in ("left out", "wrong") for run in (1, 2)]
    table = replace(
        table,
        models=(*others, *asked),
        right=np.vstack(right),
        confidence=np.vstack(sure),
        families=tuple(families),
        answer=None,
        key=None,
    )
    moved = cluster_weights(len(items.items), n_resamples, np.random.default_rng([seed, 0])) - 1
    found = {}
    for part in own_parts(table, models=asked, others=others, information=False, seed=seed) if asked else ():
        gap, gaps = part.placebos.gaps(moved[:, part.kept].astype(np.float32))
        another = float(np.median(part.placebos.other))
        found[part.model] = float(np.median(gap)), np.median(gaps, axis=1), another
    nothing = np.nan, np.full(n_resamples, np.nan), np.nan
    made = []
    for i in pairs.index:
        row: dict[str, float] = {}
        for end, way in (("", "left out"), (AS_WRONG, "wrong")):
            off, on = (found.get(f"{i} {way} {run}", nothing) for run in (1, 2))
            change, half = on[0] - off[0], 1.959964 * float(np.std(on[1] - off[1], ddof=1))
            row |= ended(f"remains{end}", change, change - half, change + half)
            row |= {f"another{end}": on[2] - off[2]}
        made.append(row)
    columns = (*with_ends("remains", f"remains{AS_WRONG}"), "another")
    return pd.DataFrame(made, index=pairs.index, columns=columns)


def _said(pairs: pd.DataFrame, change: str) -> NDArray[np.str_]:
    """Whether a change is above 0 in both readings of missing answers (yes), below in both (no), or open."""
    both = [change, f"{change}{AS_WRONG}"]
    above, below = (pairs[[f"{one}_{end}" for one in both]] for end in ("lower", "upper"))
    return np.select([(above > 0).all(axis=1), (below < 0).all(axis=1)], ["yes", "no"], "open")


def _called(kind: str, second: str) -> str:
    return second.removesuffix("-think").removesuffix("-fp8-tput") if kind == THINKING else second


def _bias(quantity: str) -> float:
    """The farthest that the mean of a change is from the truth in simulated pairs."""
    table = committed_table(SIMULATED)
    own = table[(table["measure"] == "equal_accuracy") & (table["quantity"] == quantity)]
    return float((own["mean"] - own["truth"]).abs().max())


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
    """Whether AUROC2 at equal accuracy rises, in both readings of missing answers."""
    lower = min(row["equal_accuracy_lower"], row["equal_accuracy_wrong_lower"])
    upper = max(row["equal_accuracy_upper"], row["equal_accuracy_wrong_upper"])
    return beyond(row["pair"], lower, upper, 0.0, row["flag"] or "no estimate")


def thinking_verdict(pairs: pd.DataFrame) -> Verdict | None:
    """Whether thinking raises AUROC2 at equal accuracy."""
    own = pairs[pairs["kind"] == THINKING]
    if own.empty:
        return None
    return judged(
        [_risen(row) for row in own.to_dict("records")],
        "thinking",
        Kind.EXPLORATORY,
        "For more than half of the weights that answered with thinking on and off, stated confidence tells right "
        "answers from wrong ones better with thinking on, at equal accuracy: the 95 % interval of the change in AUROC2 "
        "lies above 0, both where replies without an answer are left out and where they count as wrong.",
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
        f"than {BOUND}: the 90 % interval lies within this bound, both where replies without an answer "
        "are left out and where they count as wrong.",
        name="precision",
        equivalent=int((own["equivalent"] == "yes").sum()),
        unlike=int((own["equivalent"] == "no").sum()),
        of=len(own),
    )


def examine(
    rows: Rows, *, most: int = 0, n_resamples: int = 400, seed: int = 42, verdicts: bool = True
) -> Thinking:
    """Pairs of conditions among some rows."""
    pairs = compared(rows, most)
    asked = pairs[(pairs["kind"] == THINKING) & (pairs["flag"] != AT_CHANCE)]
    pairs = pairs.join(remaining(rows, asked, n_resamples=n_resamples, seed=seed))
    pairs["remains_says"] = np.where(pairs["kind"] == THINKING, _said(pairs, "remains"), "")
    says = pairs["says"]
    kinds = pd.DataFrame(
        {"pairs": True, "rises": says == "yes", "falls": says == "no", "open": says == "open"}
    )
    kinds = kinds.groupby(pairs["kind"], sort=False).sum()
    think, reduced = pairs[pairs["kind"] == THINKING], pairs[pairs["kind"] == PRECISION]
    rises = think.loc[think["says"] == "yes", "equal_accuracy"]
    return Thinking(
        pairs=pairs,
        kinds=kinds.reset_index(),
        sizes=sizes_of(rows),
        verdicts=drawn(thinking_verdict(pairs), precision_verdict(pairs)) if verdicts else (),
        bound=BOUND,
        n_pairs=len(pairs),
        n_thinking=len(think),
        n_rises=len(rises),
        n_precision=len(reduced),
        n_equivalent=int((reduced["equivalent"] == "yes").sum()),
        least_rise=float(rises.min()) if len(rises) else np.nan,
        most_rise=float(rises.max()) if len(rises) else np.nan,
        bias_plain=_bias("auroc2"),
        bias_equal=_bias("equal_accuracy"),
        mean_rise=float(think["auroc2"].mean()),
        mean_rise_equal=float(think["equal_accuracy"].mean()),
    )


@analysis(returns=Thinking, files=(*FILES, SIMULATED))
def thinking(
    inputs: Inputs, *, most: int = 0, n_resamples: int = 400, seed: int = 42, verdicts: bool = True
) -> Thinking:
    """Does thinking help a model to know itself?"""
    return examine(load(), most=most, n_resamples=n_resamples, seed=seed, verdicts=verdicts)
