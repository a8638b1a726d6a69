"""Which claims survive in open data: what every set of answers says of each, by the rule fixed before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.frames import committed_table
from metacog.core.words import plural
from metacog.measures.claims import COLUMNS, SetClaims
from metacog.studies.study import analysis
from metacog.verdicts.claims import CANNOT_TELL, CLAIMS, FAILS, HOLDS, UNTESTED, judged_claim

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: What the rule says in worlds with known answers, by ``benchmarks/claims_simulated.py``.
SIMULATED = "data/simulations/claims_simulated.csv"
#: Outcomes as a matrix shows them.
ANSWERS = {HOLDS: "yes", FAILS: "no", CANNOT_TELL: "undecided", UNTESTED: "not testable"}
#: Why nothing is said where a value has no interval, and where there is no value.
TOO_FEW, NONE_HERE = "too few to tell", "too few right or wrong answers"


@dataclass(frozen=True)
class Survives:
    """Claims by sets of answers.

    Attributes
    ----------
    cells : DataFrame
        A row for each claim and set: ``claim, called, set, value, lower, upper, reference, bound, n_models,
        n_families, n_items, n`` (of what the interval is over: ``over``), ``outcome``, the same as an ``answer``,
        and what stands behind it (``why``).
    claims : DataFrame
        A row for each claim: ``claim, called, effect, reference, bound, over``, and the number of sets in which it
        ``holds``, ``fails``, is left ``open``, or is ``untested``.
    effects : DataFrame
        A row for each set that can test a claim: ``set``, and the effect of each such claim, under its name, with ends.
    n_claims, n_sets, n_cells : int
        ``n_cells`` is how many cells can be tested.
    simulated : DataFrame
        What the rule says in simulated worlds, one row for each world and claim.
    """

    cells: pd.DataFrame
    claims: pd.DataFrame = field(repr=False)
    effects: pd.DataFrame = field(repr=False)
    n_claims: int
    n_sets: int
    n_cells: int
    simulated: pd.DataFrame = field(default_factory=pd.DataFrame, repr=False)


def judge(found: Mapping[str, SetClaims]) -> Survives:
    """Every claim in every set, by the rule; sets in the order in which studies have them."""
    effects = pd.concat([one.effects for one in found.values()], ignore_index=True)
    why = pd.concat([one.why for one in found.values()], ignore_index=True)
    known = {(row["set"], row["claim"]): row for row in effects.to_dict("records")}
    reasons = dict(zip(zip(why["set"], why["claim"], strict=True), why["why"], strict=True))
    sets = list(dict.fromkeys([*effects["set"], *why["set"]]))
    rows = []
    for claim in CLAIMS:
        for name in sets:
            one = known.get((name, claim.name)) or dict.fromkeys(COLUMNS, float("nan"))
            outcome = judged_claim(claim, one["lower"], one["upper"])
            value = f"{one['value']:+.3f}" if claim.reference == 0 else f"{one['value']:.3f}"
            text = f"{value} ({one['lower']:.3f} to {one['upper']:.3f})"
            if outcome == UNTESTED:
                n = 0 if pd.isna(one["n"]) else int(one["n"])
                few = f"{TOO_FEW}: {plural(n, claim.over.removesuffix('s'))}"
                text = few if pd.isna(one["value"]) else f"{value}; {few}"
                text = text if (name, claim.name) in known else reasons.get((name, claim.name), NONE_HERE)
            rows.append(
                {column: one[column] for column in COLUMNS[1:]}
                | {"claim": claim.name, "called": claim.called, "set": name, "outcome": outcome, "why": text}
                | {"answer": ANSWERS[outcome]}
                | {"reference": claim.reference, "bound": claim.bound, "over": claim.over}
            )
    cells = pd.DataFrame(rows)
    named = {"holds": HOLDS, "fails": FAILS, "open": CANNOT_TELL, "untested": UNTESTED}
    counts = [
        {name: getattr(claim, name) for name in ("called", "effect", "reference", "bound", "over")}
        | {"claim": claim.name}
        | {
            name: int(((cells["claim"] == claim.name) & (cells["outcome"] == outcome)).sum())
            for name, outcome in named.items()
        }
        for claim in CLAIMS
    ]
    told = cells[cells["outcome"] != UNTESTED]
    ends = {"value": "", "lower": "_lower", "upper": "_upper"}
    parts = [
        told.pivot(index="set", columns="claim", values=end).add_suffix(name) for end, name in ends.items()
    ]
    wide = pd.concat(parts, axis=1)
    wide = wide.reindex([name for name in sets if name in wide.index]).reset_index()
    return Survives(cells, pd.DataFrame(counts), wide, len(CLAIMS), len(sets), len(told))


@analysis(returns=Survives, across="claims", files=(SIMULATED,))
def survives(inputs: Inputs) -> Survives:
    """Which claims about self-knowledge survive in open data?"""
    return replace(judge(inputs.across()), simulated=committed_table(SIMULATED))
