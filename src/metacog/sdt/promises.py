"""Thresholds of confidence that keep a promise: no more than a share of the answers let through is wrong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import betaincinv

from metacog.sdt.abstention import cluster_halves
from metacog.sdt.checks import FloatArray, InputError, as_correct, check_level, cluster_index
from metacog.sdt.intervals import clopper_pearson, effective_trials, wilson

#: Thresholds that a promise is tested at: the surest twentieth of the answers, the surest two twentieths ...
STEPS = 20
#: Shares of the answers at which the sequence of tests starts anew, whatever failed before.
STARTS = (0.25, 0.5, 0.75)


@dataclass(frozen=True)
class Promise:
    """A threshold for a promised share of wrong answers, and what it does to answers it was not chosen on.

    Attributes
    ----------
    most_errors : float
        The share that is promised.
    threshold : float
        Confidence at or above which an answer is let through; infinite where the promise cannot be made.
    why : str
        Why it cannot be made; empty where it can.
    chosen_on : int
        Answers of the half that the threshold was chosen on.
    n, n_through, errors : int
        Answers of the other half, those let through, and the wrong ones among them.
    coverage, coverage_lower, coverage_upper : float
        Share of the other half that is let through, with Wilson's interval.
    error_rate, error_rate_lower, error_rate_upper : float
        Share of wrong answers among those let through, with the interval of Clopper and Pearson; NaN without any.
    """

    most_errors: float
    threshold: float
    why: str
    chosen_on: int
    n: int
    n_through: int
    errors: int
    coverage: float
    coverage_lower: float
    coverage_upper: float
    error_rate: float
    error_rate_lower: float
    error_rate_upper: float


def fewest_answers(most_errors: float, *, wrong: float = 0.0, level: float = 0.95) -> int:
    """Answers that it takes to promise that no more than a share of answers is wrong.

    Parameters
    ----------
    most_errors : float
        The share, above 0 and below 1.
    wrong : float
        Share of wrong answers among them, below that: without one, all are right.
    level : float
        How often the promise is to be kept.

    Returns
    -------
    int
        The least n whose upper limit of Clopper and Pearson (1934, one-sided) is the share.

    Examples
    --------
    >>> from metacog.sdt import fewest_answers
    >>> fewest_answers(0.05), fewest_answers(0.01), fewest_answers(0.05, wrong=0.025)
    (59, 299, 223)
    """
    _check_promise(most_errors)
    check_level(level)
    if not 0 <= wrong < most_errors:
        raise InputError(
            f"the share of wrong answers lies below the {most_errors} that is promised, not at {wrong}"
        )
    n = np.log1p(-level) / np.log1p(-most_errors)
    if wrong:
        n = brentq(lambda m: betaincinv(wrong * m + 1, m * (1 - wrong), level) - most_errors, n, 1e12)
    return int(np.ceil(n))


def promised_threshold(
    correct: ArrayLike,
    confidence: ArrayLike,
    most_errors: float,
    *,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
) -> tuple[float, str]:
    """The lowest threshold that is shown to let through no more than a share of wrong answers.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        On any scale; NaN where none was given, which no threshold lets through.
    most_errors : float
        Share of wrong answers among those let through, above 0 and below 1.
    clusters : array of labels, shape ``(n,)``, optional
        The question of each answer, where questions repeat.
    level : float
        How often the promise is to be kept.

    Returns
    -------
    threshold : float
        A confidence that occurs; infinite where none is shown to.
    why : str
        Why none is; empty where there is one.

    Raises
    ------
    InputError
        Bad arrays, a share outside (0, 1).

    Notes
    -----
    Thresholds that let through the surest 1/20, 2/20 ... of the answers are tried from the surest on, starting with
    the first that so many right answers could pass (:func:`fewest_answers`); one passes where the upper limit of
    Clopper and Pearson (1934, one-sided) does not lie above the share. Half of the error that 1 - level allows is
    spent there, the other half where the sequence starts anew, at a quarter, a half and three quarters of the answers,
    so that a few wrong answers among the very surest do not end it; what a test was given goes on to the next one if
    it passes (the fallback procedure of Wiens and Dmitrienko 2005). All of that rests on confidence alone, so that all
    tests together err in no more than 1 - level (for thresholds, Angelopoulos et al. 2021, Learn then Test). Where
    questions repeat, answers count as many as they are worth (Kish 1965).

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import promised_threshold
    >>> rng = np.random.default_rng(1)
    >>> correct = rng.random(1000) < 0.8
    >>> confidence = rng.normal(2 * correct, 1)
    >>> threshold, why = promised_threshold(correct, confidence, 0.05)
    >>> through = confidence >= threshold
    >>> print(f"lets {through.mean():.0%} through, {1 - correct[through].mean():.1%} of them wrong")
    lets 55% through, 2.5% of them wrong
    """
    right, sure = _with_gaps(correct, confidence)
    _check_promise(most_errors)
    check_level(level)
    unit = cluster_index(clusters, right.size)
    known = np.isfinite(sure)
    wrong, sure, unit = ~right[known], sure[known], unit[known]
    if not wrong.size:
        return float("inf"), "no answer has a confidence"
    levels, at = np.unique(sure, return_inverse=True)
    passes = np.cumsum(np.bincount(at, minlength=levels.size)[::-1])
    shares = np.arange(1, STEPS + 1) / STEPS
    places = np.unique(np.searchsorted(passes, np.ceil(shares * sure.size - 1e-9)))
    through = [sure >= threshold for threshold in levels[::-1][places]]
    all_right = np.array([_worth(np.zeros(one.sum(), dtype=bool), unit[one]) for one in through])
    given = _error_given(all_right, passes[places] / sure.size, most_errors, level)
    best, fewest, carried = float("inf"), fewest_answers(most_errors, level=level), 0.0
    why = f"it takes {fewest:,} answers, all right; the half has {wrong.size:,} with confidence"
    tested = False
    for place, one, new in zip(places, through, given, strict=True):
        error = carried + new
        carried = 0.0
        if not error:
            continue
        worth, share = _worth(wrong[one], unit[one]), float(wrong[one].mean())
        limit = float(betaincinv(share * worth + 1, worth * (1 - share), 1 - error)) if share < 1 else 1.0
        if limit <= most_errors:
            best, carried = float(levels[::-1][place]), error
        elif not tested:
            why = f"{share:.1%} of the {one.sum():,} surest are wrong; it could be {limit:.1%} in truth"
        tested = True
    return best, why if np.isinf(best) else ""


def _error_given(all_right: FloatArray, shares: FloatArray, most_errors: float, level: float) -> FloatArray:
    """What each threshold may err by itself: half at the first that right answers could pass, the rest at starts."""
    given = np.zeros(shares.size)
    able = np.flatnonzero(all_right >= fewest_answers(most_errors, level=level))
    if not able.size:
        return given
    halved = np.flatnonzero(all_right >= fewest_answers(most_errors, level=(1 + level) / 2))
    first = halved[0] if halved.size else able[0]
    starts = {int(np.searchsorted(shares, share - 1e-9)) for share in STARTS}
    later = sorted(at for at in starts if at > first)
    given[first] = (1 - level) / 2 if later else 1 - level
    given[later] = (1 - level) / 2 / max(len(later), 1)
    return given


def promise_held_out(
    correct: ArrayLike,
    confidence: ArrayLike,
    most_errors: float,
    *,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    seed: int | None = 42,
) -> Promise:
    """Choose a threshold for a promised share of wrong answers on one half, and judge it on the other.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        On any scale; NaN where none was given, which no threshold lets through.
    most_errors : float
        Share of wrong answers among those let through, above 0 and below 1.
    clusters : array of labels, shape ``(n,)``, optional
        Answers of one cluster (a question) stay in one half.
    level : float
        How often the promise is to be kept.
    seed : int
        Of the halves.

    Returns
    -------
    Promise

    Raises
    ------
    InputError
        Bad arrays, a share outside (0, 1), or fewer than two clusters.

    Notes
    -----
    The rule is that of :func:`promised_threshold`; the other half's interval of the error rate is that of Clopper and
    Pearson (1934), that of the share let through Wilson's (1927).

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import promise_held_out
    >>> rng = np.random.default_rng(1)
    >>> correct = rng.random(2000) < 0.8
    >>> confidence = rng.normal(2 * correct, 1)
    >>> found = promise_held_out(correct, confidence, 0.05)
    >>> print(f"{found.coverage:.0%} let through, {found.error_rate:.1%} of them wrong")
    60% let through, 1.8% of them wrong
    """
    right, sure = _with_gaps(correct, confidence)
    unit, first = cluster_halves(clusters, right.size, seed=seed)
    half = first[unit]
    threshold, why = promised_threshold(
        right[half], sure[half], most_errors, clusters=unit[half], level=level
    )
    with np.errstate(invalid="ignore"):
        through = sure[~half] >= threshold
    here, wrong = unit[~half], ~right[~half][through]
    coverage, rate, ends = float(through.mean()), float("nan"), (float("nan"), float("nan"))
    low, high = wilson(coverage, _worth(through, here))
    if wrong.size:
        rate = float(wrong.mean())
        ends = clopper_pearson(rate, _worth(wrong, here[through]))
    counts = int(half.sum()), through.size, wrong.size, int(wrong.sum())
    return Promise(most_errors, threshold, why, *counts, coverage, float(low), float(high), rate, *ends)


def _worth(hits: NDArray[np.bool_], unit: NDArray[np.int64]) -> float:
    """How many independent answers those of clusters are worth."""
    return effective_trials(np.bincount(unit, weights=hits), np.bincount(unit))


def _check_promise(most_errors: float) -> None:
    if not 0 < most_errors < 1:
        raise InputError(f"a promised share of wrong answers lies between 0 and 1, not at {most_errors}")


def _with_gaps(correct: ArrayLike, confidence: ArrayLike) -> tuple[NDArray[np.bool_], FloatArray]:
    """Correctness, and confidence that may be missing."""
    right, sure = as_correct(correct), np.asarray(confidence, dtype=np.float64)
    if right.shape != sure.shape or np.isinf(sure).any():
        raise InputError("confidence must be finite, or NaN where there is none, one for each answer")
    return right, sure
