"""Which claims survive in open data: what every set of answers says of each, by the rule fixed before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from metacog.core.frames import committed_table, with_ends
from metacog.core.words import plural
from metacog.measures.claims import ASKED_HERE, COLUMNS, OF_PEOPLE, SetClaims
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.verdicts.claims import CANNOT_TELL, CLAIMS, FAILS, HOLDS, RULE, UNTESTED, judged_claim

#: What the rule says in worlds with known answers, by ``benchmarks/claims_simulated.py``.
SIMULATED = "data/simulations/claims_simulated.csv"
#: Outcomes as a matrix shows them.
ANSWERS = {HOLDS: "yes", FAILS: "no", CANNOT_TELL: "undecided", UNTESTED: "not testable"}
#: Columns in which they are counted.
COUNTED = {"holds": HOLDS, "fails": FAILS, "open": CANNOT_TELL, "untested": UNTESTED}
#: Claims whose effect is a change of AUROC2, or a spread of it, as a figure calls them; and the others.
IN_PAIRS = {
    "confidence": "The right answer ahead",
    "domains": "Spread over domains (SD)",
    "tokens": "Token probability, not words",
    "thinking": "With thinking on",
    "size": "Per doubling of a model's size",
    "size_equal": "The same, at equal accuracy",
}
ALONE = {"accuracy": "Accuracy with AUROC2", "saturated": "Share at two numbers"}
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
    counts = [
        {name: getattr(claim, name) for name in ("called", "effect", "reference", "bound", "over")}
        | {"claim": claim.name}
        | {
            name: int(((cells["claim"] == claim.name) & (cells["outcome"] == outcome)).sum())
            for name, outcome in COUNTED.items()
        }
        for claim in CLAIMS
    ]
    return {
        "cells": cells,
        "claims": pd.DataFrame(counts),
        "drawn": drawn(cells),
        "n_claims": len(CLAIMS),
    }


def drawn(cells: pd.DataFrame) -> pd.DataFrame:
    """Every effect that has a value: those on AUROC2 (``pairs``) in pairs of 100; ``open`` where it does not tell."""
    order = {claim: i for i, claim in enumerate(IN_PAIRS | ALONE)}
    own = cells[cells["value"].notna()].sort_values(
        "claim", key=lambda claim: claim.map(order), kind="stable"
    )
    own["pairs"] = own["claim"].isin(list(IN_PAIRS))
    own["short"] = own["claim"].map(IN_PAIRS | ALONE)
    for end, name in zip(("value", "lower", "upper"), with_ends("size"), strict=True):
        own[name] = own[end].astype(float) * own["pairs"].map({True: 100, False: 1})
    own["open"] = ~own["outcome"].isin([HOLDS, FAILS])
    return own[["claim", "short", "set", "pairs", "open", *with_ends("size")]].reset_index(drop=True)


@analysis(across="claims", files=(SIMULATED,))
def survives(inputs: Inputs) -> dict[str, Any]:
    """Which claims about self-knowledge survive in open data?"""
    return {**judge(inputs.across()), "simulated": committed_table(SIMULATED)}


# What is said of it.


#: What simulated intervals are over where each pair, series or model counts for itself.
EACH = "each"


def numbers(result: Any) -> dict[str, Any]:
    """What the page's sentences need of each claim, and of the rule in simulated worlds.

    That is the ends of its effects and of their intervals, how far an interval reaches, and in how many sets of models'
    answers that others published it can be tested, holds, fails or is open. ``_replies``: several signals of
    the same replies count once. ``here_``: pairs of the set that this book
    asked; ``human_``: of sets in which people answered.
    """
    left_out = (ASKED_HERE, OF_PEOPLE)
    cells, of_sets = (t[~t["set"].str.endswith(left_out)] for t in (result.cells, result.drawn))
    made: dict[str, Any] = {"n_sets": int(cells["set"].nunique())}
    pairs = result.drawn[result.drawn["claim"] == "confidence"]
    for name, ending in (("here", ASKED_HERE), ("human", OF_PEOPLE)):
        one = pairs[pairs["set"].str.endswith(ending)]
        made |= {f"{name}_{end}": (50 + one[end]).clip(upper=100).max() for end in with_ends("size")}
    for claim in result.claims["claim"]:
        own, said = of_sets[of_sets["claim"] == claim], cells.loc[cells["claim"] == claim, "outcome"]
        ends = {"least": own["size"].min(), "most": own["size"].max()}
        ends |= {"lower": own["size_lower"].min(), "upper": own["size_upper"].max()}
        ends["reach"] = ((own["size_upper"] - own["size_lower"]) / 2).median()
        made |= {f"{claim}_{name}": float(end) for name, end in ends.items()}
        made |= {f"{claim}_{name}": int((said == outcome).sum()) for name, outcome in COUNTED.items()}
        known = own.loc[own["size_lower"].notna(), "set"]
        made |= {f"{claim}_sets": len(known), f"{claim}_replies": known.str.split(",").str[0].nunique()}
    made |= {f"{end}_pairs": 50 + made[f"confidence_{end}"] for end in ("least", "most", "lower", "upper")}
    return made | of_worlds(result.simulated)


def of_worlds(rows: pd.DataFrame) -> dict[str, Any]:
    """How often the rule finds what is not so in simulated worlds, and how often intervals hold the truth, in %."""
    each = rows["over"].eq(EACH)
    nought = rows[rows["nought"].astype(bool) & ~each]
    said = 100 * nought["holds"].where(nought["claim"] != "accuracy", nought["beyond"]) / nought["runs"]
    covers = 100 * rows.loc[~each, "covers"] / rows.loc[~each, "runs"]
    pairs = rows[each & rows["claim"].eq("thinking") & rows["world"].str.startswith("one maker")]
    alone = 100 * pairs["holds"] / pairs["runs"]
    made = {"false": said, "covers": covers, "alone": alone}
    ends = {f"{name}_{end}": float(getattr(of, end)()) for name, of in made.items() for end in ("min", "max")}
    return ends | {"n_runs": int(rows["runs"].min()), "n_worlds": int(rows["world"].nunique())}


VIEWS = Views("survives", numbers=numbers, sentences={"rule": lambda _: RULE})
