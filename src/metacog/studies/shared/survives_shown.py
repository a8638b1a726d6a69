"""Which claims survive: what its page says."""

from __future__ import annotations

import pandas as pd

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.shared.survives import Survives
from metacog.verdicts.claims import CANNOT_TELL, FAILS, HOLDS, RULE, UNTESTED

#: What simulated intervals are over where each pair, series or model counts for itself.
EACH = "each"


def tested(claims: pd.DataFrame) -> pd.Series:
    """In how many sets each claim can be tested."""
    return claims["holds"] + claims["fails"] + claims["open"]


def answer(result: Survives) -> str:
    """How well confidence tells right from wrong, and how many claims hold wherever they can be tested."""
    own = result.claims[tested(result.claims) > 0]
    if own.empty:
        return "These answers can test none of the claims."
    held = own[own["holds"] == tested(own)]
    if "confidence" not in held["claim"].tolist():
        return "Not in every set that can tell does confidence tell right from wrong."
    areas = 50 + 100 * result.effects["confidence"].dropna()
    rest = [str(name) for name in held["called"] if name != held["called"].iloc[0]]
    also = f"; otherwise only *{rest[0]}* holds throughout." if len(rest) == 1 else "."
    share = f"{areas.min():.0f} to {areas.max():.0f}" if len(areas) > 1 else f"{areas.min():.0f}"
    return f"Confidence puts right answers above wrong ones in {share} % of pairs, in every set that can tell{also}"


def by_effect(result: Survives) -> str:
    """How large each other claim's effect is, and in how many sets it holds, fails, or cannot be told."""
    own = result.claims.assign(tested=tested(result.claims))
    rest = own[own["tested"].gt(0) & own["claim"].ne("confidence")]
    each = [f"*{r['called']}*: {_size(result, r)} ({_numbers(r)})" for r in rest.to_dict("records")]
    untested = own.loc[own["tested"].eq(0), "called"]
    said = [f"{'; '.join(each)}."] if each else []
    return " ".join([*said, *([f"Cannot be tested: {listed(untested)}."] if len(untested) else [])])


def _size(result: Survives, row: dict) -> str:
    return _ends(result.effects[row["claim"]].dropna(), "+" if row["reference"] == 0 else "")


def _ends(values: pd.Series, sign: str = "") -> str:
    low, high = f"{values.min():{sign}.2f}", f"{values.max():{sign}.2f}"
    return low if low == high else f"{low} to {high}"


def _numbers(row: dict) -> str:
    named = {"holds": "holds in", "fails": "fails in", "open": "open in"}
    return ", ".join(f"{words} {row[name]}" for name, words in named.items() if row[name])


def counted(result: Survives) -> str:
    """How many cells say what."""
    n = result.cells["outcome"].value_counts()
    return (
        f"Of {len(result.cells)} pairs of a claim and a set {result.n_cells} can be tested: {n.get(HOLDS, 0)} hold, "
        f"{n.get(FAILS, 0)} fail, {n.get(CANNOT_TELL, 0)} cannot be told. {n.get(UNTESTED, 0)} cannot be tested."
    )


def rule(result: Survives) -> str:
    """The rule."""
    return RULE


def checked(result: Survives) -> str:
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
