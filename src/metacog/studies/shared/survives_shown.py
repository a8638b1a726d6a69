"""Which claims survive: what its page says."""

from __future__ import annotations

import pandas as pd

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.shared.survives import Survives
from metacog.verdicts.claims import CANNOT_TELL, FAILS, HOLDS, RULE, UNTESTED

#: Claims that the head names.
MOST = 3


def tested(claims: pd.DataFrame) -> pd.Series:
    """In how many sets each claim can be tested."""
    return claims["holds"] + claims["fails"] + claims["open"]


def answer(result: Survives) -> str:
    """How many claims hold wherever they can be tested, and which."""
    own = result.claims[tested(result.claims) > 0]
    if own.empty:
        return "These answers can test none of the claims."
    held = own.loc[own["holds"] == tested(own), "called"].tolist()
    if not held:
        return f"None of the {len(own)} claims that open data can test holds in every set that can test it."
    many = f"{len(held)} of {len(own)} claims" if len(held) < len(own) else f"All {len(own)} claims"
    which = listed(held) if len(held) <= MOST else f"among them, {held[0]}"
    return f"{many} hold wherever they can be tested: {which}."


def by_outcome(result: Survives) -> str:
    """Which claims fail everywhere, are tested once, are told unlike in different sets, or cannot be tested."""
    own = result.claims.assign(tested=tested(result.claims))
    fail, untested = own["tested"].gt(0) & own["fails"].eq(own["tested"]), own["tested"].eq(0)
    rest = own[~fail & ~untested & own["holds"].ne(own["tested"])]
    said = [
        f"{words}: {listed(own.loc[which, 'called'])}."
        for words, which in (
            ("Fails wherever it can be tested", fail),
            ("Tested in one set alone", own["tested"].eq(1)),
            ("Cannot be tested", untested),
        )
        if which.any()
    ]
    each = [f"{r['called']} ({_numbers(r)})" for r in rest.to_dict("records")]
    return " ".join([*said, *([f"Not the same everywhere: {'; '.join(each)}."] if each else [])])


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
    nought = rows[rows["nought"].astype(bool)]
    said = nought["holds"].where(nought["claim"] != "accuracy", nought["beyond"]) / nought["runs"]
    covers = 100 * rows["covers"] / rows["runs"]
    return (
        f"In simulated answers of the models of MMLU-Pro ({rows['runs'].min():,} runs of each of "
        f"{rows['world'].nunique()} worlds), where there is nothing of a claim to find, the rule finds it in "
        f"{100 * said.min():.1f} to {100 * said.max():.1f} % of the runs, by claim; 95 % intervals hold the truth in "
        f"{covers.min():.1f} to {covers.max():.1f} %."
    )


SENTENCES = {"answer": answer, "by_outcome": by_outcome, "counted": counted, "rule": rule, "checked": checked}
VIEWS = Views("survives", sentences=SENTENCES)
