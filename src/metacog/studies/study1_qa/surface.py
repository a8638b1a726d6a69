"""How much of confidence could be read from the surface of an answer?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.core.frames import committed_table, rows_of
from metacog.studies.study import analysis
from metacog.studies.study1_qa.answer_surface import ALL, SURFACE, TABLE, surface_controls, word_table
from metacog.studies.study1_qa.cells import REFERENCE, open_trials, primary
from metacog.trials import SCORE, scored
from metacog.verdicts.rules import Unit, beyond, judged, those
from metacog.verdicts.verdict import Kind, Verdict, drawn

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# What a run says of the surface of its answers, by fixed rules.

#: Share of the information in confidence of which it is asked whether it is left.
HALF = 0.5
#: Said where no verdict is drawn.
TOO_SMALL = "too small"
#: What each rule is about: the control, the quantity whose interval must lie above a limit, and the limit.
RULES_OF = {
    "rest": (SURFACE, "alike", 0.5),
    "most": (SURFACE, "share", HALF),
    "rest_of_all": (ALL, "alike", 0.5),
    "most_of_all": (ALL, "share", HALF),
}
_WHERE = "In every model, at the lowest temperature and at T = 1,"
RULES = {
    "rest": (
        f"{_WHERE} NLP tells right answers from wrong ones among answers that are alike in length and word rarity: the "
        "95 % interval, over questions, of its AUROC2 there lies above 0.5."
    ),
    "most": (
        f"{_WHERE} more than half of the information that NLP carries about being right is left beyond the length and "
        "the word rarity of the answer: the 95 % interval of the share, over questions, lies above one half."
    ),
    "rest_of_all": (
        f"{_WHERE} NLP tells right answers from wrong ones among answers that are alike in length, word rarity and the "
        "other models' NLP on the question: the 95 % interval, over questions, of its AUROC2 there lies above 0.5."
    ),
    "most_of_all": (
        f"{_WHERE} more than half of the information that NLP carries about being right is left beyond length, word "
        "rarity and the other models' NLP on the question: the 95 % interval of the share, over questions, lies above "
        "one half."
    ),
}


def judge(left: pd.DataFrame, temperatures: Sequence[float]) -> list[Verdict | None]:
    """All four verdicts; None where the run has nothing that a rule is about."""
    rows = left[left["temperature"].isin(temperatures)]
    return [on_rule(rows, name) for name in RULES_OF]


def on_rule(rows: pd.DataFrame, name: str) -> Verdict | None:
    """A verdict on one of :data:`RULES`."""
    control, quantity, limit = RULES_OF[name]
    units = [
        beyond(
            f"{row.model} at T = {row.temperature:g}",
            getattr(row, f"{quantity}_lower"),
            getattr(row, f"{quantity}_upper"),
            limit,
            row.flag or "no interval",
        )
        for row in rows_of(rows[rows["control"] == control])
    ]
    return _verdict(name, units)


def _verdict(name: str, units: list[Unit]) -> Verdict | None:
    if not units:
        return None
    topic = "all" if name.endswith("_of_all") else "surface"
    named: dict[str, Any] = {
        "name": name,
        "topic": topic,
        "shown": those(units, True),
        "refuted": those(units, False),
    }
    return judged(units, "Surface", Kind.EXPLORATORY, RULES[name], **named)


def outcome(found: Sequence[Verdict]) -> str:
    """What the verdicts say together, by the broadest control that the run has.

    ``most``: more than half is left everywhere; ``little``: less than half everywhere; ``mixed``: both occur; ``some``:
    something is left everywhere, and how much cannot be told; ``open``: none of these.
    """
    by_name = {v.name: v for v in found}
    most = by_name.get("most_of_all") or by_name.get("most")
    rest = by_name.get("rest_of_all") or by_name.get("rest")
    if most is None or rest is None:
        return "open"
    above, below = most.values["shown"], most.values["refuted"]
    if most.passed:
        return "most"
    if below:
        return "mixed" if above or most.undecided else "little"
    return "some" if rest.passed else "open"


# Is it only the surface? What is computed.

#: Simulated answerers of whom it is known what is left (``benchmarks/surface_controls.py``).
SIMULATED = "data/simulations/surface_controls.csv"


@dataclass(frozen=True)
class Surface:
    """What the surface of answers says, and what is left of confidence beyond it.

    ``left``, ``features`` and ``known`` as in :class:`.answer_surface.SurfaceControls`; ``verdicts`` of
    :mod:`.judging`, ``outcome`` as :func:`.judging.outcome` has it. ``lowest`` and ``highest`` are the temperatures
    that the verdicts are about: the lowest, and T = 1 or the one next below it. ``n_words`` and ``floor`` describe the
    table of words. ``proof`` is the table of :data:`SIMULATED`.
    """

    left: pd.DataFrame
    features: pd.DataFrame
    known: pd.DataFrame
    proof: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    outcome: str
    lowest: float
    highest: float
    n_others: int
    n_words: int
    floor: float


def examine(
    trials: pd.DataFrame,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
    verdicts: bool = True,
) -> Surface:
    """What the surface says of one question set's open answers, and what is left beyond it."""
    found = surface_controls(
        scored(trials), confidence=SCORE, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed
    )
    asked = sorted(float(t) for t in trials["temperature"].unique())
    highest = max((t for t in asked if t <= REFERENCE), default=asked[0])
    judged = drawn(*judge(found.left, sorted({asked[0], highest})))
    words = word_table()
    return Surface(
        found.left,
        found.features,
        found.known,
        committed_table(SIMULATED),
        judged if verdicts else (),
        outcome(judged) if verdicts else TOO_SMALL,
        asked[0],
        highest,
        int(found.left["n_others"].max()),
        len(words.zipf),
        words.floor,
    )


@analysis(needs=("open",), returns=Surface, files=(TABLE, SIMULATED))
def surface(
    inputs: Inputs,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
    verdicts: bool = True,
) -> Surface:
    """How much of confidence could be read from the surface of an answer?"""
    drawn_with = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    return examine(primary(open_trials(inputs)), verdicts=verdicts, **drawn_with)
