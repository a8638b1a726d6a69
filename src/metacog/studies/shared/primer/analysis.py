"""The measures built one after the other from one small table: what is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from metacog.sdt import (
    MetaDFit,
    MetaDObserver,
    auroc2_from_counts,
    auroc2_interval_from_counts,
    bootstrap_meta_d,
    fit_meta_d,
    meta_d_observer,
    meta_information_from_counts,
    plugin_meta_i2r,
    type1,
    type2_table,
    wilson,
)
from metacog.sdt.information import binary_entropy
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

FloatArray = NDArray[np.float64]

#: The table of the page, invented: a hundred negative and a hundred positive sentences, each called "negative, sure",
#: "negative, unsure", "positive, unsure" or "positive, sure".
NEGATIVE, POSITIVE = (38, 32, 19, 11), (9, 15, 34, 42)
#: How far the criterion is moved to either side, in standard deviations.
MOVED = 0.6


@dataclass(frozen=True)
class Primer:
    """One table of counts and every measure that is built from it.

    Attributes
    ----------
    replies : DataFrame
        ``kind`` of sentence and the counts ``sure_negative, unsure_negative, unsure_positive, sure_positive``.
    criteria : DataFrame
        ``who``, ``c, hit_rate, false_alarm_rate, accuracy, d_prime``: the same d' with the criterion moved.
    confidence : DataFrame
        ``confidence, right, wrong, share_right, bits``: replies by confidence, and the uncertainty left.
    observers : DataFrame
        ``who, meta_d, sure_right, sure_wrong, auroc2``: the table's own shares of sure replies among right and
        wrong ones, those of an observer whose confidence uses all of d', and those of the fitted one.
    estimates : DataFrame
        ``measure, estimate, lower, upper``: 95 % intervals, NaN for meta-I2r (see :func:`estimates_table`);
        ``nothing, whole, most``: the values of confidence that knows nothing, that uses all of the decision's evidence
        (two levels, as :func:`observers_table` has it), and that always knows whether the reply is right (infinite
        where there is no limit). NaN for measures that are not of confidence.
    numbers : mapping
        Those that the text names.
    """

    replies: pd.DataFrame
    criteria: pd.DataFrame
    confidence: pd.DataFrame
    observers: pd.DataFrame
    estimates: pd.DataFrame
    numbers: Mapping[str, float]


@analysis(returns=Primer)
def primer(
    inputs: Inputs,
    *,
    n_resamples: int = 2_000,
    n_permutations: int = 2_000,
    seed: int = 42,
) -> Primer:
    """How are the measures built from one small table?"""
    s1, s2 = np.asarray(NEGATIVE, dtype=np.float64), np.asarray(POSITIVE, dtype=np.float64)
    wrong, right = type2_table(s1, s2)
    fit = fit_meta_d(s1, s2)
    observers = observers_table(s1, s2, fit)
    return Primer(
        replies_table(),
        criteria_table(fit),
        confidence_table(wrong, right),
        observers,
        estimates_table(fit, n_resamples, seed),
        numbers_of(s1, s2, fit, observers, n_permutations, seed),
    )


def replies_table() -> pd.DataFrame:
    """The counts, one row for each kind of sentence."""
    names = ["sure_negative", "unsure_negative", "unsure_positive", "sure_positive"]
    return pd.DataFrame([NEGATIVE, POSITIVE], columns=names).assign(kind=["negative", "positive"])


def criteria_table(fit: MetaDFit) -> pd.DataFrame:
    """The rates that one d' gives with the criterion where it is and on either side of it."""
    who = ["says positive readily", "as in the table", "says positive reluctantly"]
    c = fit.c + np.array([-MOVED, 0.0, MOVED])
    hit, false_alarm = ndtr(fit.d_prime / 2 - c), ndtr(-fit.d_prime / 2 - c)
    return pd.DataFrame(
        {
            "who": who,
            "c": c,
            "hit_rate": hit,
            "false_alarm_rate": false_alarm,
            "accuracy": (hit + 1 - false_alarm) / 2,
            "d_prime": ndtri(hit) - ndtri(false_alarm),
        }
    )


def confidence_table(wrong: FloatArray, right: FloatArray) -> pd.DataFrame:
    """Right and wrong replies by confidence, and the bits of uncertainty that are left at each."""
    share = right / (right + wrong)
    return pd.DataFrame(
        {
            "confidence": ["unsure", "sure"],
            "right": right.astype(int),
            "wrong": wrong.astype(int),
            "share_right": share,
            "bits": binary_entropy(share),
        }
    )


def observers_table(s1: FloatArray, s2: FloatArray, fit: MetaDFit) -> pd.DataFrame:
    """Shares of sure replies of the table, of one whose confidence uses all of d', and of the fitted observer.

    All three are sure of half of what they call positive and of half of what they call negative, as the table is.
    """
    whole = whole_observer(fit)
    below, above = tuple(map(float, fit.t2_criteria_rS1)), tuple(map(float, fit.t2_criteria_rS2))
    fitted = MetaDObserver(fit.d_prime, fit.meta_d, fit.c, below, above)
    rows = {
        "the table": (np.nan, s1, s2),
        "confidence that uses all of d'": (whole.meta_d, *whole.probabilities()),
        "the fitted meta-d'": (fitted.meta_d, *fitted.probabilities()),
    }
    found = []
    for who, (meta_d, one, two) in rows.items():
        wrong, right = type2_table(one, two)
        area = float(auroc2_from_counts(wrong, right))
        found.append((who, meta_d, right[1] / right.sum(), wrong[1] / wrong.sum(), area))
    return pd.DataFrame(found, columns=["who", "meta_d", "sure_right", "sure_wrong", "auroc2"])


def whole_observer(fit: MetaDFit) -> MetaDObserver:
    """One whose confidence, sure of half of what it calls by either name, uses all of the decision's evidence."""
    return meta_d_observer(fit.d_prime, m_ratio=1.0, c=fit.c, n_ratings=2)


def estimates_table(fit: MetaDFit, n_resamples: int, seed: int) -> pd.DataFrame:
    """Every measure with the 95 % interval that so few trials leave, and values to compare it with.

    meta-I2r has none: what the book's interval of it covers was simulated for eight ratings, more trials and larger
    values (:mod:`metacog.studies.shared.recovery.coverage`). With two ratings and a value near 0 the standard error, by
    which each draw is divided, is nearly 0 in many draws. In 1,000 tables like this one the interval held the truth in
    97 %, but ended two to four times as far up as that of draws which are only moved, and these held it in 91 %.
    """
    drawn = bootstrap_meta_d(NEGATIVE, POSITIVE, n_resamples=n_resamples, seed=seed, pad=0.0)
    wrong, right = type2_table(NEGATIVE, POSITIVE)
    middle = type1(NEGATIVE, POSITIVE)
    area = auroc2_interval_from_counts(wrong, right)
    information = meta_information_from_counts(wrong, right, correction="exact")
    whole = type2_table(*whole_observer(fit).probabilities())
    share = float(right.sum() / (right.sum() + wrong.sum()))
    ends = map(float, wilson(share, right.sum() + wrong.sum()))
    c, c_width = middle.c, middle.half_width("c")
    none = (np.nan, np.nan, np.nan)
    rows = [
        ("accuracy", share, *ends, *none),
        ("d'", fit.d_prime, *drawn.ci_d_prime, *none),
        ("c", c, c - c_width, c + c_width, *none),
        ("AUROC2", area.estimate, *area.ends, 0.5, float(auroc2_from_counts(*whole)), 1.0),
        ("meta-d'", fit.meta_d, *drawn.ci_meta_d, 0.0, fit.d_prime, np.inf),
        ("M-ratio", fit.m_ratio, *drawn.ci_m_ratio, 0.0, 1.0, np.inf),
        ("meta-I2r", information.meta_i2r, np.nan, np.nan, 0.0, float(plugin_meta_i2r(*whole)), 1.0),
    ]
    return pd.DataFrame(rows, columns=["measure", "estimate", "lower", "upper", "nothing", "whole", "most"])


def numbers_of(
    s1: FloatArray,
    s2: FloatArray,
    fit: MetaDFit,
    observers: pd.DataFrame,
    n_permutations: int,
    seed: int,
) -> dict[str, float]:
    """Numbers that the text of the page names."""
    middle = type1(s1, s2)
    wrong, right = type2_table(s1, s2)
    pairs = right.sum() * wrong.sum()
    area = dict(zip(("table", "whole", "fitted"), observers["auroc2"], strict=True))
    tested = meta_information_from_counts(wrong, right, n_permutations=n_permutations, seed=seed)
    exact = meta_information_from_counts(wrong, right, correction="exact")
    return {
        "n": int(s1.sum() + s2.sum()),
        "each": int(s1.sum()),
        "hits": int(s2[2:].sum()),
        "false_alarms": int(s1[2:].sum()),
        "hit_rate": middle.hit_rate,
        "false_alarm_rate": middle.false_alarm_rate,
        "z_hit": float(ndtri(middle.hit_rate)),
        "z_false_alarm": float(ndtri(middle.false_alarm_rate)),
        "d_prime": middle.d_prime,
        "c": middle.c,
        "right": int(right.sum()),
        "wrong": int(wrong.sum()),
        "accuracy": exact.accuracy,
        "sure_right": int(right[1]),
        "sure_wrong": int(wrong[1]),
        "unsure_right": int(right[0]),
        "unsure_wrong": int(wrong[0]),
        "pairs": int(pairs),
        "ordered": int(right[1] * wrong[0]),
        "tied": int(right @ wrong),
        "auroc2": area["table"],
        "auroc2_whole": area["whole"],
        "meta_d": fit.meta_d,
        "m_ratio": fit.m_ratio,
        "entropy": exact.entropy,
        "plugin_meta_i": exact.plugin_meta_i,
        "left": exact.entropy - exact.plugin_meta_i,
        "plugin_meta_i2r": exact.plugin_meta_i2r,
        "null": exact.null_mean_i2r,
        "meta_i2r": exact.meta_i2r,
        "p": tested.p_value,
        "unrelated": unrelated(wrong, right),
    }


def unrelated(wrong: FloatArray, right: FloatArray) -> float:
    """meta-I2r of as many replies whose confidence has, to the nearest reply, nothing to do with being right."""
    total = wrong + right
    fair = np.round(total * right.sum() / total.sum())
    return float(meta_information_from_counts(total - fair, fair, correction="exact").meta_i2r)
