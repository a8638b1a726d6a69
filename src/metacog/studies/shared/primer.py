"""The measures built one after the other from one small table: what is computed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import norm

from metacog.core.errors import MetacogError
from metacog.report.views import Views
from metacog.sdt import (
    MetaDFit,
    MetaDObserver,
    auroc2_from_counts,
    bootstrap_meta_d,
    fit_meta_d,
    meta_information_from_counts,
    type1,
    type2_table,
    wilson,
    z_roc,
)
from metacog.sdt.area_intervals import auroc2_interval_from_counts
from metacog.sdt.ideal import ideal_cuts
from metacog.sdt.information import binary_entropy
from metacog.sdt.information_bits import plugin_meta_i2r
from metacog.sdt.intervals import Z95
from metacog.sdt.type1 import z_roc_mle
from metacog.studies.study import Inputs, analysis

FloatArray = NDArray[np.float64]

#: Of the ratings on each side, so many of the highest count as sure.
SURE = 2
#: What each measure asks.
QUESTIONS = {
    "accuracy": "How many replies are right?",
    "d'": "How well are the two kinds of sentence told apart?",
    "c": "How readily is one of them named?",
    "AUROC2": "Are right replies ranked above wrong ones?",
    "meta-d'": "Which d' would explain the confidence?",
    "M-ratio": "How much of the decision's evidence does confidence use?",
    "meta-I2r": "What share of the uncertainty does confidence remove?",
}


@analysis(across="published_tables")
def primer(
    inputs: Inputs, *, n_resamples: int = 2_000, n_permutations: int = 2_000, seed: int = 42
) -> dict[str, Any]:
    """How are the measures built from one small table?"""
    name, s1, s2 = all_counts(inputs.across().values())
    return built(name, s1, s2, n_resamples, n_permutations, seed)


def four(counts: FloatArray) -> FloatArray:
    """Replies by rating as surely and unsurely of the one kind, unsurely and surely of the other."""
    side = counts.size // 2
    return np.add.reduceat(counts, np.array([0, SURE, side, 2 * side - SURE]))


def all_counts(found: Iterable[Any]) -> tuple[str, FloatArray, FloatArray]:
    """The model of the first published table of decisions, and its replies to either kind of sentence by rating.

    Raises
    ------
    MetacogError
        If no study has published such a table.
    """
    for tables in found:
        rows = tables.counts[tables.counts["decision"]]
        if len(rows):
            name = str(rows["name"].iloc[0])
            own = rows[rows["name"] == name].sort_values("rating", kind="stable")
            s1, s2 = (own[one].to_numpy(dtype=np.float64) for one in ("nR_S1", "nR_S2"))
            return name.split(",")[0], s1, s2
    raise MetacogError("no study has a published table of decisions by rating")


def built(
    model: str, ratings1: FloatArray, ratings2: FloatArray, n_resamples: int, n_permutations: int, seed: int
) -> dict[str, Any]:
    """Every measure of a model's replies to two kinds of sentence, each by rating from one kind to the other."""
    s1, s2 = four(ratings1), four(ratings2)
    cuts, line = z_roc(ratings1, ratings2), z_roc_mle(ratings1, ratings2)
    half, ends = Z95 * line.se_slope, np.array([cuts.z_far.min(), cuts.z_far.max()])
    far, hit = np.r_[cuts.z_far, ends], np.r_[cuts.z_hr, ends + type1(s1, s2).d_prime]
    what = ["cuts between replies"] * cuts.z_far.size + ["equal bell curves"] * 2
    wrong, right = type2_table(s1, s2)
    fit, share = fit_meta_d(s1, s2), right / (right + wrong)
    names = ["sure_negative", "unsure_negative", "unsure_positive", "sure_positive"]
    replies = pd.DataFrame([s1.astype(int), s2.astype(int)], columns=names)
    confidence = {"confidence": ["unsure", "sure"], "right": right.astype(int), "wrong": wrong.astype(int)}
    return {
        "model": model,
        "z_roc": pd.DataFrame({"z_false_alarm": far, "z_hit": hit, "what": what}),
        "line": {
            "slope": line.slope,
            "slope_lower": line.slope - half,
            "slope_upper": line.slope + half,
            "p_line": line.p_fit,
        },
        "replies": replies.assign(kind=["negative", "positive"]),
        "evidence": evidence_table(whole_observer(s1, s2, fit)),
        # with the bits of uncertainty that are left at each confidence
        "confidence": pd.DataFrame({**confidence, "share_right": share, "bits": binary_entropy(share)}),
        "estimates": estimates_table(s1, s2, fit, n_resamples, seed),
        "numbers": numbers_of(s1, s2, fit, n_permutations, seed),
    }


def evidence_table(observer: MetaDObserver) -> pd.DataFrame:
    """The two bell curves that d' and c picture, the criterion, and where an observer begins to be sure."""
    half = observer.d_prime / 2
    x = np.linspace(-3.2 - half, 3.2 + half, 161)
    curves: dict[str, Any] = {
        "negative sentences": (x, norm.pdf(x, -half)),
        "positive sentences": (x, norm.pdf(x, half)),
        "criterion": _line(observer.c, 0.42),
        "surely negative below": _line(observer.t2_criteria_rS1[0], 0.2),
        "surely positive above": _line(observer.t2_criteria_rS2[0], 0.2),
    }
    parts = [
        pd.DataFrame({"curve": name, "evidence": at, "height": height})
        for name, (at, height) in curves.items()
    ]
    return pd.concat(parts, ignore_index=True)


def _line(place: float, height: float) -> FloatArray:
    return np.array([[place, place], [0.0, height]])


def whole_observer(s1: FloatArray, s2: FloatArray, fit: MetaDFit) -> MetaDObserver:
    """One whose confidence uses all of the decision's evidence, and that is sure as often as the table is.

    As often of what it calls negative, and of what it calls positive.
    """
    counts = [[side[1::-1], side[2:]] for side in (s1, s2)]
    below, above = ideal_cuts(fit.d_prime, fit.c, counts)[:, 0].tolist()
    return MetaDObserver(fit.d_prime, fit.d_prime, fit.c, (fit.c - below,), (fit.c + above,))


def _expected(observer: MetaDObserver, s1: FloatArray, s2: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Replies that an observer is expected to give to as many sentences of each kind."""
    one, two = observer.probabilities()
    return s1.sum() * one, s2.sum() * two


def estimates_table(
    s1: FloatArray, s2: FloatArray, fit: MetaDFit, n_resamples: int, seed: int
) -> pd.DataFrame:
    """Every measure with its 95 % interval; ``nothing, whole``: of confidence that knows nothing, and that uses all of
    the decision's evidence and is sure as often. Meta-I2r has none: with two ratings its interval was not tried.
    """
    drawn = bootstrap_meta_d(s1, s2, n_resamples=n_resamples, seed=seed, pad=0.0)
    wrong, right = type2_table(s1, s2)
    middle = type1(s1, s2)
    area = auroc2_interval_from_counts(wrong, right)
    information = meta_information_from_counts(wrong, right, correction="exact")
    whole = type2_table(*_expected(whole_observer(s1, s2, fit), s1, s2))
    share = float(right.sum() / (right.sum() + wrong.sum()))
    ends = map(float, wilson(share, right.sum() + wrong.sum()))
    c, c_width = middle.c, middle.half_width("c")
    none = (np.nan, np.nan)
    rows = [
        ("accuracy", share, *ends, *none),
        ("d'", fit.d_prime, *drawn.ci_d_prime, *none),
        ("c", c, c - c_width, c + c_width, *none),
        ("AUROC2", area.estimate, *area.ends, 0.5, float(auroc2_from_counts(*whole))),
        ("meta-d'", fit.meta_d, *drawn.ci_meta_d, 0.0, fit.d_prime),
        ("M-ratio", fit.m_ratio, *drawn.ci_m_ratio, 0.0, 1.0),
        ("meta-I2r", information.meta_i2r, np.nan, np.nan, 0.0, float(plugin_meta_i2r(*whole))),
    ]
    table = pd.DataFrame(rows, columns=["measure", "estimate", "lower", "upper", "nothing", "whole"])
    return table.assign(question=table["measure"].map(QUESTIONS))


def numbers_of(
    s1: FloatArray, s2: FloatArray, fit: MetaDFit, n_permutations: int, seed: int
) -> dict[str, float]:
    """Numbers that the text of the page names."""
    middle = type1(s1, s2)
    wrong, right = type2_table(s1, s2)
    whole = type2_table(*_expected(whole_observer(s1, s2, fit), s1, s2))
    tested = meta_information_from_counts(wrong, right, n_permutations=n_permutations, seed=seed)
    exact = meta_information_from_counts(wrong, right, correction="exact")
    return {
        "n": int(s1.sum() + s2.sum()),
        "n_negative": int(s1.sum()),
        "n_positive": int(s2.sum()),
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
        "ordered": int(right[1] * wrong[0]),
        "tied": int(right @ wrong),
        "auroc2": float(auroc2_from_counts(wrong, right)),
        "auroc2_whole": float(auroc2_from_counts(*whole)),
        "meta_d": fit.meta_d,
        "m_ratio": fit.m_ratio,
        "entropy": exact.entropy,
        "plugin_meta_i": exact.plugin_meta_i,
        "left": exact.entropy - exact.plugin_meta_i,
        "plugin_meta_i2r": exact.plugin_meta_i2r,
        "null": exact.null_mean_i2r,
        "p": tested.p_value,
    }


def pairs(result: Any) -> dict[str, Any]:
    """Of pairs of a right and a wrong reply: shares (percent) whose right one is surer, less sure, and that tie."""
    unsure, sure = result.confidence[["right", "wrong"]].to_dict("records")
    surer, less = sure["right"] * unsure["wrong"], unsure["right"] * sure["wrong"]
    tied = sure["right"] * sure["wrong"] + unsure["right"] * unsure["wrong"]
    share = 100 / (surer + less + tied)
    replies = sum(sure.values()) + sum(unsure.values())
    area = result.estimates.set_index("measure").loc["AUROC2"]
    return {
        "area": 100 * area["estimate"],
        "area_lower": 100 * area["lower"],
        "area_upper": 100 * area["upper"],
        **result.line,
        "surer": share * surer,
        "less_sure": share * less,
        "equally_sure": share * tied,
        "sure_right": sure["right"] / sum(sure.values()),
        "sure_share": sum(sure.values()) / replies,
    }


VIEWS = Views("primer", numbers=pairs)
