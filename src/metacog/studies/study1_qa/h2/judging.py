"""What H2's rule says of pairs of domains, and how often it would pass by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.measures.measured import Measured
from metacog.measures.pairs import excludes_zero
from metacog.report.rules import Unit, at_least, judged, open_units, those
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.comparison import PUBLISHED, RUN
from metacog.studies.study1_qa.cells.counts import GROUP, Cells, cell_name
from metacog.studies.study1_qa.cells.flags import flagged

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
RULE_HOLM = (
    f"In at least {NEEDED_MODELS} models a difference of M-ratio remains after Holm over all of the run's "
    "pairs (after Bonferroni at 0.05/18 beside it)."
)
RULE_UNPADDED = (
    f"In at least {NEEDED_MODELS} models a domain difference remains in each of AUROC2, meta-I2r and "
    "meta-I2r at one accuracy, Holm-corrected within each measure."
)
RULE_PUBLISHED = "Lowest domain by model."


def judge(pairs: pd.DataFrame, chance: float) -> tuple[Verdict, ...]:
    """Verdicts of H2's pairs, as pre-registered and sound; ``chance`` as of :func:`chance_of_rule`."""
    return judge_differences(pairs, chance), judge_holm(pairs), judge_unpadded(pairs)


def _usable(pairs: pd.DataFrame, measure: str) -> tuple[pd.DataFrame, int]:
    rows = pairs[pairs["measure"] == measure]
    return rows[~rows["flagged"] & rows["lower"].notna()], int(rows["flagged"].sum())


def domains_apart(pairs: pd.DataFrame) -> pd.DataFrame:
    """Pairs of domains with a 95 % interval of the M-ratio difference without zero, as the rule asks."""
    rows, _ = _usable(pairs, "m_ratio")
    return rows[excludes_zero(rows["lower"], rows["upper"])]


def model_units(pairs: pd.DataFrame, hits: Sequence[pd.DataFrame], measures: Sequence[str]) -> list[Unit]:
    """One unit per model: it holds if every measure has a pair that hits.

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
            unused = int((rows["flagged"] | rows["lower"].isna()).sum())
            yes = bool(((hit["model"] == model) & (hit["dataset"] == dataset)).any())
            states.append(True if yes else None if unused else False)
            left = max(left, 0 if yes else unused)
        holds = False if False in states else None if None in states else True
        why = f"{left} of {len(rows)} pairs cannot be used" if holds is None else ""
        found.append(Unit(cell_name(model, dataset, n_sets), holds, why))
    return found


def chance_of_rule(cells: Cells, made: Sequence[Measured]) -> float:
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
        drawn = [made[i].draws["m_ratio"] for i in rows if sound[i] and made[i].defined("m_ratio")]
        usable = np.array([one for one in drawn if np.isfinite(one).mean() > 0.5])
        if len(usable) < 2:
            continue
        moved = usable - np.nanmean(usable, axis=1, keepdims=True)
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


def _models(rows: pd.DataFrame) -> list[str]:
    return [str(model) for model in rows["model"].unique()]


def judge_differences(pairs: pd.DataFrame, chance: float) -> Verdict:
    """The pre-registered rule; undecided with fewer than :data:`NEEDED_MODELS` models."""
    rows, left = _usable(pairs, "m_ratio")
    hit = domains_apart(pairs)
    units = model_units(pairs, [hit], ["m_ratio"])
    return judged(
        units,
        "H2",
        Kind.PREREGISTERED,
        RULE,
        name="difference",
        k=NEEDED_MODELS,
        n_models=len(units),
        differ=len(hit),
        usable=len(rows),
        models=_models(hit),
        flagged=left,
        chance=chance,
    )


def judge_holm(pairs: pd.DataFrame) -> Verdict:
    """The same differences, corrected for their number."""
    rows, left = _usable(pairs, "m_ratio")
    holm = rows[rows["p_holm"] < 0.05]
    bonferroni = rows[excludes_zero(rows["lower2"], rows["upper2"])]
    return judged(
        model_units(pairs, [holm], ["m_ratio"]),
        "H2",
        Kind.SOUND,
        RULE_HOLM,
        name="holm",
        k=NEEDED_MODELS,
        usable=len(rows),
        flagged=left,
        holm=len(holm),
        holm_models=_models(holm),
        bonferroni=len(bonferroni),
        bonferroni_models=_models(bonferroni),
    )


def judge_unpadded(pairs: pd.DataFrame) -> Verdict:
    """The same question of measures without padding, in ``measures``: one entry per measure."""
    measures, hits, left = [], [], 0
    for measure in UNPADDED:
        rows, unused = _usable(pairs, measure)
        kept = rows[rows["p_holm"] < 0.05]
        hits.append(kept)
        left = max(left, unused)
        measures.append(
            {"measure": measure, "differ": len(kept), "usable": len(rows), "models": _models(kept)}
        )
    units = model_units(pairs, hits, list(UNPADDED))
    passed, in_all = at_least(units, NEEDED_MODELS), those(units, True)
    values = {"measures": measures, "in_all": in_all, "flagged": left}
    undecided = open_units(units)
    return Verdict(
        "H2", Kind.SOUND, RULE_UNPADDED, passed, name="unpadded", values=values, undecided=undecided
    )


def compare(theirs: pd.DataFrame, ours: pd.DataFrame) -> Verdict:
    """Which domain has the lowest M-ratio and the lowest meta-I2r in each model, published and in the run.

    Its values: ``lowest``, for each source and measure the domain by model (:func:`_lowest`).

    Parameters
    ----------
    theirs, ours : DataFrame
        ``model, domain, m_ratio, meta_i2r``, and ``flag`` of the run's.
    """
    measures = ("m_ratio", "meta_i2r")
    sound = {measure: ours[~flagged(ours, padded=measure not in UNPADDED)] for measure in measures}
    lowest = [
        {"source": source, **{measure: _lowest(rows[measure], measure) for measure in measures}}
        for source, rows in ((PUBLISHED, dict.fromkeys(measures, theirs)), (RUN, sound))
    ]
    values = {"lowest": lowest}
    return Verdict("H2", Kind.PUBLISHED, RULE_PUBLISHED, None, name="published", values=values)


def _lowest(rows: pd.DataFrame, measure: str) -> dict[str, str]:
    """The domain with the lowest value, for each model in which two can be compared: one alone is not the lowest."""
    wide = rows.pivot(index="model", columns="domain", values=measure)
    return {str(model): str(row.idxmin()) for model, row in wide.iterrows() if row.notna().sum() > 1}
