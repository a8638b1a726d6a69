"""How much of confidence could be read from the surface of an answer?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from metacog.core.frames import committed_table, rows_of
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.answer_surface import ALL, SURFACE, surface_controls
from metacog.studies.study1_qa.cells import REFERENCE, open_trials, primary
from metacog.studies.study1_qa.word_rarity import TABLE, word_table
from metacog.trials import SCORE, scored
from metacog.verdicts.outcomes import Rule, outcomes, those, together
from metacog.verdicts.rules import beyond

#: What each rule is about: the control, the quantity whose interval must lie above a limit, and the limit.
RULES_OF = {
    "rest": (SURFACE, "alike", 0.5),
    "most": (SURFACE, "share", 0.5),
    "rest_of_all": (ALL, "alike", 0.5),
    "most_of_all": (ALL, "share", 0.5),
}
_WHERE = "In every model, at the lowest temperature and at T = 1,"
_TEXTS = {
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
RULES = {
    name: Rule(
        text,
        "Surface",
        topic="all" if name.endswith("_of_all") else "surface",
        no_null="answerers that read the surface alone; test_surface.py and test_beyond_controls.py",
    )
    for name, text in _TEXTS.items()
}
#: Simulated answerers of whom it is known what is left (``benchmarks/surface_controls.py``).
SIMULATED = "data/simulations/surface_controls.csv"


@analysis(needs=("open",), files=(TABLE, SIMULATED))
def surface(
    inputs: Inputs,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
    verdicts: bool = True,
) -> dict[str, Any]:
    """How much of confidence could be read from the surface of an answer?"""
    drawn = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    return examine(primary(open_trials(inputs)), verdicts=verdicts, **drawn)


def examine(trials: pd.DataFrame, *, verdicts: bool = True, **drawn: Any) -> dict[str, Any]:
    """What is left of one question set's confidence beyond the surface; judged at the lowest temperature and near 1."""
    left = surface_controls(scored(trials), confidence=SCORE, **drawn)
    asked = sorted(float(t) for t in trials["temperature"].unique())
    highest = max((t for t in asked if t <= REFERENCE), default=asked[0])
    words = word_table()
    return {
        "left": left,
        "proof": committed_table(SIMULATED),
        "outcomes": judge(left, sorted({asked[0], highest})) if verdicts else None,
        "lowest": asked[0],
        "highest": highest,
        "n_words": len(words.zipf),
        "floor": words.floor,
    }


def judge(left: pd.DataFrame, temperatures: Sequence[float]) -> pd.DataFrame:
    rows, found = left[left["temperature"].isin(temperatures)], []
    for name, (control, quantity, limit) in RULES_OF.items():
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
        found += [outcomes(name, units)] if units else []
    return pd.concat(found, ignore_index=True)


def standing(table: pd.DataFrame | None) -> str:
    """How confidence stands to the surface, by the broadest control that the run has.

    ``most``: more than half is left everywhere; ``little``: less than half everywhere; ``mixed``: both occur; ``some``:
    something is left everywhere, and how much cannot be told; ``open``: none of these; ``too small``: not judged.
    """
    if table is None:
        return "too small"
    of = "_of_all" if "most_of_all" in set(table["rule"]) else ""
    if together(table, f"most{of}"):
        return "most"
    if those(table, f"most{of}", False):
        return "mixed" if those(table, f"most{of}", True) or those(table, f"most{of}", None) else "little"
    return "some" if together(table, f"rest{of}") else "open"


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentence that a chapter writes by hand, over models, at the highest temperature."""
    rows = result.left[(result.left["temperature"] == result.highest) & (result.left["control"] == SURFACE)]
    rows = rows[rows["alike"].notna()]
    told = {"standing": standing(result.outcomes)}
    return told | {
        f"{name}_{end}": 100 * float(getattr(rows[name], how)())
        for name in ("alone", "alike")
        for end, how in (("least", "min"), ("most", "max"))
    }


VIEWS = Views("surface", numbers=figures)
