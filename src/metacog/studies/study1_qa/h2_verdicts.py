"""What H2's rule says of pairs of domains, and how often it would pass by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed, plural, where
from metacog.report.rules import Unit, at_least, those, undecided
from metacog.report.verdicts import IN_WORDS
from metacog.studies.study1_qa.cell_estimates import CellDraws
from metacog.studies.study1_qa.cells import GROUP, Cells
from metacog.studies.study1_qa.contrasts import excludes_zero
from metacog.studies.study1_qa.flags import flagged
from metacog.studies.study1_qa.verdicts import PREREGISTERED, SOUND, Verdict

RULE = (
    "In at least two models, at least one pairwise difference of M-ratio between domains has a 95 % "
    "bootstrap interval without zero."
)
#: Models in which the rule wants a difference.
NEEDED_MODELS = 2
#: Measures that take no padding, and what readers call them.
UNPADDED = {
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "meta_i2r_standardised": "meta-I2r at one accuracy",
}


def judge(pairs: pd.DataFrame, chance: float) -> tuple[Verdict, ...]:
    """Verdicts of H2's pairs, as pre-registered and sound; ``chance`` as of :func:`chance_of_rule`."""
    return _judge(pairs, chance), _judge_corrected(pairs), _judge_valid(pairs)


def _usable(pairs: pd.DataFrame, measure: str) -> tuple[pd.DataFrame, int]:
    rows = pairs[pairs["measure"] == measure]
    return rows[~rows["flagged"] & rows["lo"].notna()], int(rows["flagged"].sum())


def _left_out(n: int) -> str:
    return f" {plural(n, 'pair')} with a flagged domain left out." if n else ""


def domains_apart(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs of domains with a 95 % interval of the M-ratio difference without zero, as the rule asks."""
    rows, _ = _usable(pairs, "m_ratio")
    return rows[excludes_zero(rows["lo"], rows["hi"])]


def model_units(pairs: pd.DataFrame, hits: Sequence[pd.DataFrame], measures: Sequence[str]) -> list[Unit]:
    """One unit a model: it holds if every measure has a pair that hits.

    Undecided if some measure has none and not all of its pairs can be used: those could have hit.

    Parameters
    ----------
    hits : sequence of DataFrame
        The usable pairs that differ, one frame a measure.
    """
    n_sets = pairs["dataset"].nunique()
    found = []
    for (model, dataset), own in pairs.groupby(list(GROUP), sort=False):
        states: list[bool | None] = []
        left = 0
        for measure, hit in zip(measures, hits, strict=True):
            rows = own[own["measure"] == measure]
            unused = int((rows["flagged"] | rows["lo"].isna()).sum())
            yes = bool(((hit["model"] == model) & (hit["dataset"] == dataset)).any())
            states.append(True if yes else None if unused else False)
            left = max(left, 0 if yes else unused)
        holds = False if False in states else None if None in states else True
        why = f"{left} of {plural(len(rows), 'pair')} cannot be used" if holds is None else ""
        found.append(Unit(where(str(model), str(dataset), n_sets), holds, why))
    return found


def chance_of_rule(cells: Cells, draws: CellDraws) -> float:
    """How often the pre-registered rule would pass if no model's domains differed.

    Each domain's draws are moved to a common centre; a difference counts where it leaves the 95 %
    interval of such differences. That gives each model's chance of at least one difference among its
    unflagged domains, dependence of pairs included, and models are taken as independent for the chance
    that :data:`NEEDED_MODELS` of them have one. NaN with fewer models.
    """
    sound = ~flagged(cells.frame).to_numpy()
    chances = []
    indices: dict[Any, Any] = cells.frame.groupby(list(GROUP), sort=False).indices
    for rows in indices.values():
        usable = [i for i in rows if sound[i] and np.isfinite(draws.m_ratio[i]).mean() > 0.5]
        if len(usable) < 2:
            continue
        moved = draws.m_ratio[usable] - np.nanmean(draws.m_ratio[usable], axis=1, keepdims=True)
        one, other = np.triu_indices(len(usable), k=1)
        gaps = moved[one] - moved[other]
        low, high = np.nanquantile(gaps, [0.025, 0.975], axis=1)
        whole = np.isfinite(gaps).all(axis=0)
        outside = (gaps < low[:, None]) | (gaps > high[:, None])
        chances.append(float(outside[:, whole].any(axis=0).mean()))
    if len(chances) < NEEDED_MODELS:
        return float("nan")
    number = np.array([1.0])  # distribution of how many models have a difference
    for p in chances:
        number = np.convolve(number, [1 - p, p])
    return float(number[NEEDED_MODELS:].sum())


def _judge(pairs: pd.DataFrame, chance: float) -> Verdict:
    rows, left = _usable(pairs, "m_ratio")
    hit = domains_apart(pairs)
    units = model_units(pairs, [hit], ["m_ratio"])
    passed = at_least(units, NEEDED_MODELS)
    if len(units) < NEEDED_MODELS:
        sentence = (
            f"The rule needs {NEEDED_MODELS} models with domains; this run has {len(units)}."
            f"{undecided(units)}{_left_out(left)}"
        )
        return Verdict("H2", PREREGISTERED, RULE, None, sentence)
    found = (
        f"{len(hit)} of {plural(len(rows), 'usable difference')} of M-ratio exclude zero at 95 %, in "
        f"{_models(hit)}"
        if len(rows)
        else "No difference of M-ratio can be used"
    )
    sentence = f"{found}: H2 is {IN_WORDS[passed]} by its own rule.{undecided(units)}{_left_out(left)}"
    if np.isfinite(chance):
        sentence += (
            f" If no model's domains differed, this rule would pass with probability {chance:.2f} on the "
            "pairs that can be used."
        )
    return Verdict("H2", PREREGISTERED, RULE, passed, sentence)


def _judge_corrected(pairs: pd.DataFrame) -> Verdict:
    rule = (
        f"In at least {NEEDED_MODELS} models a difference of M-ratio remains after Holm over all of the "
        "run's pairs (after Bonferroni at 0.05/18 beside it)."
    )
    rows, left = _usable(pairs, "m_ratio")
    stepwise = rows[rows["p_holm"] < 0.05]
    units = model_units(pairs, [stepwise], ["m_ratio"])
    passed = at_least(units, NEEDED_MODELS)
    if rows.empty:
        return Verdict("H2", SOUND, rule, passed, f"No pair can be compared.{_left_out(left)}")
    strict = rows[excludes_zero(rows["lo2"], rows["hi2"])]
    sentence = (
        f"After Bonferroni {_remain(strict)} and after Holm {_remain(stepwise)} of "
        f"{plural(len(rows), 'pair')} remain.{undecided(units)}{_left_out(left)}"
    )
    return Verdict("H2", SOUND, rule, passed, sentence)


def _remain(rows: pd.DataFrame) -> str:
    return f"{len(rows)} (in {listed(dict.fromkeys(rows['model']))})" if len(rows) else "none"


def _judge_valid(pairs: pd.DataFrame) -> Verdict:
    titles = listed(UNPADDED.values())
    rule = (
        f"In at least {NEEDED_MODELS} models a domain difference remains in each of {titles}, Holm-corrected "
        "within each measure."
    )
    parts, hits, left = [], [], 0
    for measure, title in UNPADDED.items():
        rows, unused = _usable(pairs, measure)
        kept = rows[rows["p_holm"] < 0.05]
        hits.append(kept)
        left = max(left, unused)
        parts.append(
            f"{len(kept)} of {plural(len(rows), 'usable difference')} of {title} (in {_models(kept)})"
        )
    units = model_units(pairs, hits, list(UNPADDED))
    passed, both = at_least(units, NEEDED_MODELS), those(units, True)
    sentence = (
        f"After Holm there remain {listed(parts)}. All three in "
        f"{listed(both) if both else 'no model'}.{undecided(units)}{_left_out(left)}"
    )
    return Verdict("H2", SOUND, rule, passed, sentence)


def _models(rows: pd.DataFrame) -> str:
    return listed(dict.fromkeys(rows["model"])) if len(rows) else "no model"
