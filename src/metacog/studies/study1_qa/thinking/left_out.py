"""Replies that the author left out as malformed: how many, and what they could change at most.

A reply without a letter counts as malformed, so an answer that is a number is left out, right or wrong. Had they
been kept, each would have been right or wrong and have had some confidence, and neither is published. Accuracy
is least with all of them wrong and most with all of them right. AUROC2 of the printed, raw confidence is most
where those that are right lie above all other replies and those that are wrong below them; least the other
way round; and what number of them is right is chosen for the worst.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from metacog.sdt.type2 import auroc2_from_counts, hanley_mcneil_se
from metacog.studies.study1_qa.ledger import published
from metacog.studies.study1_qa.ledger.thinking import Mode, Z
from metacog.studies.study1_qa.thinking.estimates import Pair


def accuracy_ends(right: int, n: int, left_out: int) -> tuple[float, float]:
    """Accuracy with all replies left out wrong, and with all right."""
    return right / (n + left_out), (right + left_out) / (n + left_out)


def area_ends(area: float, wrong: int, right: int, left_out: int) -> tuple[float, float]:
    """Ends of AUROC2 if so many more replies had any confidence and any correctness.

    Parameters
    ----------
    area : float
        Of the replies kept.
    wrong, right : int
        Of these.
    left_out : int

    Notes
    -----
    With r of m replies right, the m - r wrong ones below everything and the r right ones above everything win
    r W + (m - r) R + r (m - r) pairs; the other way round they win none. Both ends are taken over r.
    """
    more_right = np.arange(left_out + 1)
    more_wrong = left_out - more_right
    pairs = (right + more_right) * (wrong + more_wrong)
    won = area * right * wrong
    gained = more_right * wrong + more_wrong * right + more_right * more_wrong
    return float((won / pairs).min()), float(((won + gained) / pairs).max())


def table(found: Mapping[str, Pair]) -> pd.DataFrame:
    """What replies left out could change, by model and measure.

    Returns
    -------
    DataFrame
        ``model, quantity`` (accuracy or auroc2), ``left_out_off, left_out_on``, the value of replies kept
        (``off, on``; AUROC2 as printed), both ends (``off_lower`` ...), the ends of the difference on minus off
        (``worst, best``), and the outer 95 % limits of these (``worst_lower, best_upper``), with the modes as
        independent samples: what sampling adds.
    """
    printed = published.as_numbers("thinking_aggregate").set_index(["model", "mode"])
    rows = []
    for model, pair in found.items():
        missing = [int(printed["n_malformed"].get((m.model, m.mode), 0)) for m in pair]
        sizes = [(int(m.wrong.sum()), int(m.right.sum())) for m in pair]
        areas = [float(printed["auroc2"].get((m.model, m.mode), _area(m))) for m in pair]
        shares = [
            accuracy_ends(right, wrong + right, k) for (wrong, right), k in zip(sizes, missing, strict=True)
        ]
        ends = [area_ends(a, *size, k) for a, size, k in zip(areas, sizes, missing, strict=True)]
        sampling = [
            [np.sqrt(end * (1 - end) / (sum(size) + k)) for end in both]
            for both, size, k in zip(shares, sizes, missing, strict=True)
        ]
        rows.append(_row(model, "accuracy", missing, [m.accuracy for m in pair], shares, sampling))
        sampling = [
            [float(hanley_mcneil_se(e, *size)) for e in both] for both, size in zip(ends, sizes, strict=True)
        ]
        rows.append(_row(model, "auroc2", missing, areas, ends, sampling))
    return pd.DataFrame(rows)


def _area(mode: Mode) -> float:
    return float(auroc2_from_counts(mode.wrong, mode.right))


def _row(
    model: str,
    quantity: str,
    missing: Sequence[int],
    values: Sequence[float],
    ends: Sequence[tuple[float, float]],
    sampling: Sequence[Sequence[float]],
) -> dict[str, object]:
    """One row; everything but the name is given for thinking off, then on, and errors for lower, then upper ends."""
    (off_low, off_high), (on_low, on_high) = ends
    (off_low_se, off_high_se), (on_low_se, on_high_se) = sampling
    worst, best = on_low - off_high, on_high - off_low
    return {
        "model": model,
        "quantity": quantity,
        "left_out_off": missing[0],
        "left_out_on": missing[1],
        "off": values[0],
        "off_lower": off_low,
        "off_upper": off_high,
        "on": values[1],
        "on_lower": on_low,
        "on_upper": on_high,
        "worst": worst,
        "best": best,
        "worst_lower": worst - Z * float(np.hypot(on_low_se, off_high_se)),
        "best_upper": best + Z * float(np.hypot(on_high_se, off_low_se)),
    }
