"""What simulated answerers of known efficiency show about the measures: in words."""

from __future__ import annotations

from typing import Any

from metacog.core.words import listed, plural
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.report.vocabulary import term
from metacog.studies.study1_qa.correction.recovery import ASKED
from metacog.studies.study1_qa.correction.recovery_judging import NEAR, SHOWN


def _judged(result: Any, name: str) -> Verdict:
    verdict: Verdict = next(v for v in result.verdicts if v.name == name)
    return verdict


def answer(result: Any) -> str:
    """Whether an M-ratio of open answers can be read as an efficiency, by the one nearest to 1."""
    verdict = _judged(result, "reading")
    ratios = verdict.values["ratios"]
    if not ratios:
        return "Whether an M-ratio of open answers can be read as an efficiency cannot be told from these simulations."
    one = min(ratios, key=lambda r: abs(r["m_ratio"] - 1))
    start = (
        "An M-ratio of open answers is no efficiency:"
        if verdict.passed
        else "Not every M-ratio is ambiguous, but"
    )
    return (
        f"{start} the same ratio, near one, comes from simulated answerers with efficiencies from {one['lowest']:.2f} "
        f"to {one['highest']:.2f}."
    )


def lossless(result: Any) -> str:
    """How far the M-ratio moves although nothing is lost."""
    v = _judged(result, "lossless").values
    ends = [end for pair in v["ranges"].values() for end in pair]
    if not ends:
        return "No answerer with uneven spread or mixed questions was simulated."
    told = f"Where nothing is lost, the M-ratio runs from {min(ends):.2f} to {max(ends):.2f}."
    if cut := v["cut"]:
        told += (
            f" Where the same answers are only cut into ratings at other places, that of one answerer runs from "
            f"{cut['low']:.2f} to {cut['high']:.2f}."
        )
    return told


def directions(result: Any) -> str:
    """Which losses always lower the M-ratio, and which raise it at one accuracy and lower it at another."""
    falls = _judged(result, "falling").values["falls"]
    both = [m["variant"] for m in _judged(result, "direction").values["moves"] if m["up"] and m["down"]]
    return (
        f"Losing information lowers the M-ratio at every accuracy with {listed(falls) if falls else 'no loss tried'}. "
        f"It raises the ratio at one accuracy and lowers it at another with {listed(both) if both else 'none'}."
    )


def compared(result: Any) -> str:
    """How often each measure puts answerers in the order of their efficiency."""
    found = [v.values for v in result.verdicts if v.name == "outcomes" and v.values["measure"] in SHOWN]
    if not found:
        return "No measure was asked for the order of simulated answerers."
    told = listed(f"{ASKED[v['measure']]} in {v['order']}" for v in found)
    return f"Of {plural(found[0]['n'], 'row')} of answerers, the order is that of their efficiency by {told}."


def hidden(result: Any) -> str:
    """Which measures see an efficiency that leaves the table as it is."""
    verdict = _judged(result, "same table")
    (first, last), seen = verdict.values["efficiency"], listed(ASKED[m] for m in verdict.values["seen"])
    who = "no measure sees" if verdict.passed else f"{seen} see"
    return f"Efficiency falls from {first:.2f} to {last:.2f}, and {who} it."


def claimed(result: Any) -> str:
    """In how many kinds of answerers the M-ratio is pinned near 1, or given by slope and accuracy."""
    v = _judged(result, "claim").values
    if not v["near"]:
        return "No M-ratio of these answerers exists, so nothing is stated about it."
    kinds = term("family").values
    pinned, given = ([kinds.get(f, f) for f, off in v[how].items() if off <= NEAR] for how in ("near", "off"))
    return (
        f"The M-ratio always lies near 1 in {len(pinned)} of {plural(len(v['near']), 'kind')} of simulated answerers "
        f"({listed(pinned)}), and slope and accuracy always give it in {len(given)} ({listed(given)})."
    )


VIEWS = Views(
    "correction_recovery",
    sentences={
        "answer": answer,
        "lossless": lossless,
        "directions": directions,
        "compared": compared,
        "hidden": hidden,
        "claimed": claimed,
    },
)
