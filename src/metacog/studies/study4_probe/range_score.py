"""T4-CR, calibration range: a Brier score with two penalties for confidence that hardly moves.

    brier = 100 (1 - mean((conf/100 - correct)^2))
    flat penalty = 20 max(0, 1 - sd/sigma_T), range penalty = 10 max(0, 1 - range/R_T)
    score = max(0, brier - both)

with the sample standard deviation of stated confidence (in percent) and its range. The thresholds come from a band,
sigma_T in {8, 10, 12} and R_T in {48, 50, 52}, which the paper draws for each panel and hides until the models have
answered. Here the rule is stated: SHA-256 of item version and panel name, taken as a whole number, picks one of the
nine pairs. It knows no reply. The pair goes into the configuration of a run, which its manifest holds before the
first question is asked; no prompt names it, and the chapter discloses it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError

#: Thresholds of the band: low, middle, high.
SIGMA_BAND: dict[str, float] = {"low": 8.0, "mid": 10.0, "high": 12.0}
RANGE_BAND: dict[str, float] = {"low": 48.0, "mid": 50.0, "high": 52.0}
#: The thresholds of table 1: of the deviation and of the range.
LIVE = (SIGMA_BAND["mid"], RANGE_BAND["mid"])
FLAT, NARROW = 20.0, 10.0  # largest penalties


@dataclass(frozen=True)
class RangeScore:
    """One model's T4-CR: the Brier score without penalties, 0 to 100; sample standard deviation and range of
    confidence, in percentage points; both penalties; and what is left."""

    brier: float
    sd: float
    spread: float
    flat: float
    narrow: float
    score: float
    n: int


def penalties(sd: float, spread: float, sigma_t: float, range_t: float) -> tuple[float, float]:
    """Flat and range penalty of a spread of confidence."""
    return FLAT * max(0.0, 1 - sd / sigma_t), NARROW * max(0.0, 1 - spread / range_t)


def range_score(
    correct: ArrayLike, confidence: ArrayLike, *, sigma_t: float = LIVE[0], range_t: float = LIVE[1]
) -> RangeScore:
    """Score answers (0 or 1) and their confidence in percent, each of shape (n,) (Oliveira 2026, task T4-CR)."""
    right, sure = np.asarray(correct, dtype=float), np.asarray(confidence, dtype=float)
    if right.ndim != 1 or right.shape != sure.shape or right.size < 2:
        raise MetacogError("T4-CR needs correct and confidence of the same items, at least two")
    if not np.isin(right, (0, 1)).all() or not ((sure >= 0) & (sure <= 100)).all():
        raise MetacogError("T4-CR: correct is 0 or 1 and confidence lies between 0 and 100")
    if sigma_t <= 0 or range_t <= 0:
        raise MetacogError("T4-CR: both thresholds must be positive")
    brier = 100 * (1 - float(np.mean((sure / 100 - right) ** 2)))
    sd, spread = float(np.std(sure, ddof=1)), float(np.ptp(sure))
    flat, narrow = penalties(sd, spread, sigma_t, range_t)
    return RangeScore(brier, sd, spread, flat, narrow, max(0.0, brier - flat - narrow), right.size)


def sweep(correct: ArrayLike, confidence: ArrayLike) -> pd.DataFrame:
    """Scores at the nine pairs of thresholds: ``sigma_T, range_T`` (low, mid, high) and ``score``."""
    rows = [
        {
            "sigma_T": a,
            "range_T": b,
            "score": range_score(correct, confidence, sigma_t=s, range_t=r).score,
        }
        for a, s in SIGMA_BAND.items()
        for b, r in RANGE_BAND.items()
    ]
    return pd.DataFrame(rows)


def constant_scores(n: int) -> NDArray[np.float64]:
    """Scores of a confidence that never moves, by right answers and confidence in percent, shape (n + 1, 101).

    It has both penalties whole, whatever the thresholds.
    """
    right = np.arange(n + 1)[:, None] / n
    sure = np.arange(101)[None, :] / 100
    brier = 100 * (1 - (right * (1 - sure) ** 2 + (1 - right) * sure**2))
    return np.maximum(brier - FLAT - NARROW, 0)


def sd_bounds(spread: float, n: int) -> tuple[float, float]:
    """Smallest and largest sample standard deviation that n values of a given range can have."""
    low = spread / np.sqrt(2 * (n - 1))
    half = n // 2
    high = spread * np.sqrt(half * (n - half) / (n * (n - 1)))
    return float(low), float(high)


@dataclass(frozen=True)
class Thresholds:
    """Where the penalties of T4-CR begin: standard deviation and range of confidence, in points."""

    sigma_t: float
    range_t: float


def drawn(version: str, panel: str) -> Thresholds:
    """The pair of a version of the items and a panel's name."""
    if not version or not panel:
        raise MetacogError("the thresholds of T4-CR are drawn by the items' version and the panel's name")
    pairs = [(s, r) for s in SIGMA_BAND.values() for r in RANGE_BAND.values()]
    number = int.from_bytes(hashlib.sha256(f"{version}\n{panel}".encode()).digest(), "big")
    return Thresholds(*pairs[number % len(pairs)])
