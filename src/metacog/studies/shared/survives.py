"""Which claims survive in open data: what every set of answers says of each, by the rule fixed before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from metacog.core.frames import committed_table
from metacog.core.words import listed, plural
from metacog.measures.claims import COLUMNS, SetClaims
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.verdicts.claims import CANNOT_TELL, CLAIMS, FAILS, HOLDS, RULE, UNTESTED, judged_claim

#: What the rule says in worlds with known answers, by ``benchmarks/claims_simulated.py``.
SIMULATED = "data/simulations/claims_simulated.csv"
#: Outcomes as a matrix shows them.
ANSWERS = {HOLDS: "yes", FAILS: "no", CANNOT_TELL: "undecided", UNTESTED: "not testable"}
#: Why nothing is said where a value has no interval, and where there is no value.
TOO_FEW, NONE_HERE = "too few to tell", "too few right or wrong answers"


def judge(found: Mapping[str, SetClaims]) -> dict[str, Any]:
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
    return {
        "cells": cells,
        "claims": pd.DataFrame(counts),
        "effects": wide,
        "n_claims": len(CLAIMS),
        "n_cells": len(told),
    }


@analysis(across="claims", files=(SIMULATED,))
def survives(inputs: Inputs) -> dict[str, Any]:
    """Which claims about self-knowledge survive in open data?"""
    return {**judge(inputs.across()), "simulated": committed_table(SIMULATED)}


# What is said of it.


#: What simulated intervals are over where each pair, series or model counts for itself.
EACH = "each"


def tested(claims: pd.DataFrame) -> pd.Series:
    """In how many sets each claim can be tested."""
    return claims["holds"] + claims["fails"] + claims["open"]


def answer(result: Any) -> str:
    """How well confidence tells right from wrong, and how many claims hold wherever they can be tested."""
    own = result.claims[tested(result.claims) > 0]
    if own.empty:
        return "These answers can test none of the claims."
    held = own[own["holds"] == tested(own)]
    if "confidence" not in held["claim"].tolist():
        return "Not in every set that can tell does confidence tell right from wrong."
    areas = 50 + 100 * result.effects["confidence"].dropna()
    rest = [str(name) for name in held["called"] if name != held["called"].iloc[0]]
    also = f"; only *{rest[0]}* also holds throughout." if len(rest) == 1 else "."
    share = f"{areas.min():.0f} to {areas.max():.0f}" if len(areas) > 1 else f"{areas.min():.0f}"
    return f"In every set that can tell, right answers have more confidence in {share} % of pairs{also}"


def by_effect(result: Any) -> str:
    """How large each other claim's effect is, and in how many sets it holds, fails, or cannot be told."""
    own = result.claims.assign(tested=tested(result.claims))
    rest = own[own["tested"].gt(0) & own["claim"].ne("confidence")]
    each = [f"*{r['called']}*: {_size(result, r)} ({_numbers(r)})" for r in rest.to_dict("records")]
    untested = own.loc[own["tested"].eq(0), "called"]
    said = [f"{'; '.join(each)}."] if each else []
    return " ".join([*said, *([f"Cannot be tested: {listed(untested)}."] if len(untested) else [])])


def _size(result: Any, row: dict) -> str:
    return _ends(result.effects[row["claim"]].dropna(), "+" if row["reference"] == 0 else "")


def _ends(values: pd.Series, sign: str = "") -> str:
    low, high = f"{values.min():{sign}.2f}", f"{values.max():{sign}.2f}"
    return low if low == high else f"{low} to {high}"


def _numbers(row: dict) -> str:
    named = {"holds": "holds in", "fails": "fails in", "open": "open in"}
    return ", ".join(f"{words} {row[name]}" for name, words in named.items() if row[name])


def counted(result: Any) -> str:
    """How many cells say what."""
    n = result.cells["outcome"].value_counts()
    return (
        f"Of {len(result.cells)} pairs of a claim and a set {result.n_cells} can be tested: {n.get(HOLDS, 0)} hold, "
        f"{n.get(FAILS, 0)} fail, {n.get(CANNOT_TELL, 0)} cannot be told. {n.get(UNTESTED, 0)} cannot be tested."
    )


def rule(result: Any) -> str:
    """The rule."""
    return RULE


def checked(result: Any) -> str:
    """How often the rule says what is not so in simulated worlds, and how often intervals hold the truth."""
    rows = result.simulated
    if rows.empty:
        return ""
    each = rows["over"].eq(EACH)
    nought = rows[rows["nought"].astype(bool) & ~each]
    said = nought["holds"].where(nought["claim"] != "accuracy", nought["beyond"]) / nought["runs"]
    covers = 100 * rows.loc[~each, "covers"] / rows.loc[~each, "runs"]
    names = dict(zip(result.claims["claim"], result.claims["called"], strict=True))
    lacking = [name for claim, name in names.items() if claim not in set(nought["claim"])]
    pairs = rows[each & rows["claim"].eq("thinking") & rows["world"].str.startswith("one maker")]
    wrong = sorted({f"{100 * share:.0f}" for share in pairs["holds"] / pairs["runs"]}, key=int)
    alone = (
        f" If each pair of one maker's models counted for itself, makers that differ around nothing would be said to "
        f"bear a claim out in {' to '.join(dict.fromkeys([wrong[0], wrong[-1]]))} %."
        if len(pairs)
        else ""
    )
    return (
        f"In simulated answers of the models of MMLU-Pro, and of makers whose effects differ ({rows['runs'].min():,} "
        f"runs or more of each of {rows['world'].nunique()} worlds), where there is nothing of a claim to find, the "
        f"rule finds it in {100 * said.min():.1f} to {100 * said.max():.1f} % of the runs, by claim; 95 % intervals "
        f"hold the truth in {covers.min():.1f} to {covers.max():.1f} %. "
        + (f"Not simulated: {listed(lacking)}." if lacking else "All claims are covered.")
        + alone
    )


SENTENCES = {"answer": answer, "by_effect": by_effect, "counted": counted, "rule": rule, "checked": checked}
VIEWS = Views("survives", sentences=SENTENCES)
