"""What rules say of a run's own replies, of each model and of all.

A unit speaks against a rule only where the numbers do: an interval, or a relation with a small p, that lies wholly
on the other side. Where they lie on neither side the unit is undecided, and its numbers say why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pandas as pd

from metacog.core.frames import rows_of
from metacog.studies.study4_probe.paper import in_words, plain
from metacog.verdicts.outcomes import ALL, COLUMNS, Rule, outcomes
from metacog.verdicts.rules import Unit, answer_of

#: Differences of AUROC2 within this say that the tasks are alike.
ALIKE = 0.1
#: Largest permutation p that decides.
LEVEL = 0.05
#: Reasons that are numbers: they lie on neither side.
NUMBERS = re.compile(r"p = |-?[\d.]+ to -?[\d.]+")
#: Worlds of the sweep in which confidence knows nothing, or hardly varies.
NOTHING = (
    "no knowledge",
    "no knowledge, accuracy 0.02",
    "no knowledge, accuracy 0.98",
    "constant",
    "nearly constant",
)
RULES = {
    "calibration": Rule(
        "Confidence follows correctness on T1-CC in every model: the 95 % interval of the score, over items, "
        f"lies above 50, and the permutation p of stated confidence with correctness is at most {LEVEL}. An "
        "interval below 50 with such a p refutes it.",
        "Calibration",
        topic="calibration",
        claim="Right answers have more confidence (out of 10)",
        null=NOTHING,
        worst="one knows nothing",
    ),
    "dissociation": Rule(
        "Confidence tells right from wrong better on one of T1-CC and T4-CR than on the other, in every "
        "model: the 95 % interval of the difference of their AUROC2 excludes 0. An interval within "
        f"-{ALIKE} and {ALIKE} refutes it.",
        "Dissociation",
        topic="dissociation",
        claim="One scale shows more than the other",
        null=(*NOTHING, "equal"),
        worst="one unlike",
    ),
    "steadiness": Rule(
        "Stated confidence follows the agreement of resampled answers in every model and task: Spearman's "
        f"rho over items is above 0, with a permutation p of at most {LEVEL}. A rho below 0 with such a p "
        "refutes it.",
        "Steadiness",
        topic="steadiness",
        claim="Steadier answers have more confidence",
        null=NOTHING,
        worst="one knows nothing",
    ),
    "entropy": Rule(
        "Stated confidence falls as the decoding entropy of the answer rises in every model and task: "
        f"Spearman's rho over items is below 0, with a permutation p of at most {LEVEL}. A rho above 0 with "
        "such a p refutes it.",
        "Entropy",
        topic="entropy",
        claim="Scattered answers have less confidence",
        null=NOTHING,
        worst="one knows nothing",
    ),
}


def judge(
    profile: pd.DataFrame, tasks_compared: pd.DataFrame, steady: pd.DataFrame, models: Iterable[str] = ()
) -> pd.DataFrame:
    """What the rules on scores, both scales and agreement say; nothing of one that the run asked nothing about.

    "Every model" means those of the profile and ``models``: one without a row is undecided.
    """
    everybody = list(dict.fromkeys([*profile["model"], *models]))
    calibration = [
        _unit(
            r.model,
            r.lower > 50 and r.p <= LEVEL,
            r.upper < 50 and r.p <= LEVEL,
            r.note,
            f"{r.lower:.0f} to {r.upper:.0f}, p = {r.p:.2f}",
        )
        for r in rows_of(profile[profile["task"] == "T1-CC"])
    ]
    apart = [
        _unit(
            r.model,
            r.lower > 0 or r.upper < 0,
            -ALIKE < r.lower and r.upper < ALIKE,
            r.why,
            f"{r.lower:.2f} to {r.upper:.2f}",
        )
        for r in rows_of(tasks_compared)
    ]
    return _together(
        calibration=_whole(calibration, everybody, "T1-CC was not asked"),
        dissociation=_whole(apart, everybody, "not asked both"),
        steadiness=_related(steady, 1, everybody),
    )


def judge_entropy(table: pd.DataFrame, models: Iterable[str] = ()) -> pd.DataFrame:
    """What the rule on decoding entropy says, as :func:`judge`; nothing where no answer was drawn."""
    return _together(entropy=_related(table, -1, list(models)))


def _together(**units: list[Unit]) -> pd.DataFrame:
    told = [outcomes(rule, own) for rule, own in units.items() if own]
    return pd.concat(told, ignore_index=True) if told else pd.DataFrame(columns=list(COLUMNS))


def claims_of(table: pd.DataFrame) -> pd.DataFrame:
    """What outcomes say of each model: ``claim, model, answer, why``.

    A model whose numbers lie on neither side is undecided; one that has none is not testable.
    """
    rows = []
    for row in rows_of(table[table["unit"] != ALL]):
        model, _, task = row.unit.partition(" on ")
        open_ = row.holds is None and NUMBERS.match(row.why)
        rows.append(
            {
                "claim": RULES[row.rule].claim
                + (f" ({plain(task).removeprefix('confidence ')})" if task else ""),
                "model": model,
                "answer": "undecided" if open_ else answer_of(row.holds),
                "why": in_words(row.why),
            }
        )
    return pd.DataFrame(rows, columns=["claim", "model", "answer", "why"])


def _related(table: pd.DataFrame, sign: int, models: Sequence[str]) -> list[Unit]:
    """One unit per model and task: whether rho has the sign that a rule asks for, by its p."""
    units = [
        _unit(
            f"{r.model} on {r.task}",
            sign * r.rho > 0 and r.p <= LEVEL,
            sign * r.rho < 0 and r.p <= LEVEL,
            "" if r.p == r.p else r.why,
            f"p = {r.p:.2f}",
        )
        for r in rows_of(table)
    ]
    tasks = dict.fromkeys(r.task for r in rows_of(table))
    return _whole(units, [f"{model} on {task}" for model in models for task in tasks], "not asked again")


def _whole(units: list[Unit], names: Sequence[str], why: str) -> list[Unit]:
    """With an undecided unit for every name without one; none where there are no units at all."""
    there = {u.name for u in units}
    return units + [Unit(name, None, why) for name in names if name not in there] if units else []


def _unit(name: str, yes: object, no: object, flag: str, numbers: str) -> Unit:
    """A unit that holds, is refuted, or cannot be told."""
    if flag or not (yes or no):
        return Unit(name, None, flag or numbers)
    return Unit(name, bool(yes))
