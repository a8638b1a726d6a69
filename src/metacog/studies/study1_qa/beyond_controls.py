"""What confidence says of right and wrong beyond other things that are known of an answer.

Confidence may tell right answers from wrong ones only because both go with something that anyone could see of an
answer, such as its length: a control. How well the control does by itself, and what is left of confidence among
answers that are alike in it, is measured as an area (AUROC2) and in bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.frames import ended, with_ends
from metacog.measures.model_items import CONSTANT, FEW, MIN_OF_CLASS
from metacog.measures.remainder import last_gain, share_of_gain
from metacog.sdt import InputError, auroc2_interval, permutation_p
from metacog.sdt.checks import FloatArray
from metacog.sdt.cross_fitting import cross_fitted
from metacog.sdt.ease_alone import few_levels
from metacog.sdt.information_parts import (
    FEWEST_OF_A_CLASS,
    NestedGains,
    OneStepGain,
    checked_signals,
    nested_gains,
)
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.within_strata import StratifiedAnswers

N_FOLDS = 10
#: Strata of about equally many answers by the probability of being right that a control gives them.
N_STRATA = 10
NO_SHARE = "the interval of the information contains 0, so that there is no share"
COLUMNS = (
    *("control", "n", "n_wrong"),
    *with_ends("auroc2", "alone"),
    "within",
    *with_ends("alike"),
    "p_value",
    *with_ends("information", "remaining"),
    "remaining_p",
    *with_ends("share"),
    "flag",
)


def beyond_controls(
    correct: ArrayLike,
    confidence: ArrayLike,
    signals: Mapping[str, ArrayLike],
    controls: Mapping[str, Sequence[str]],
    *,
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
) -> pd.DataFrame:
    """What is left of confidence beyond each of several controls, one answer per question.

    ``alone`` is the area of the probability of being right that a model fitted to other questions gives each answer
    from the control's signals, ``within`` that of confidence among pairs of answers of one of :data:`N_STRATA` strata
    of it, and ``alike`` the same of what the control does not predict of confidence, with its one-sided p when right
    and wrong are permuted within strata. In bits, ``remaining`` is I(right; confidence | control), with the one-sided p
    of its one-step form, and ``share`` what that is of I(right; confidence). NaN where ``flag`` says why.

    A control of many values becomes strata by its cross-fitted probability (:func:`metacog.sdt.cross_fitted`). The
    area within strata is that of a covariate-adjusted ROC curve, weighed by pairs (Janes & Pepe 2009, Biometrika 96,
    371-382). Answers of one stratum still differ in the control, and the probability is known with error, so
    confidence that reads nothing but the control keeps some order among them (``within``). So what the control
    predicts of confidence (of its normal scores, by a regression on other questions' answers) is taken off it: among
    answers that are the same in the control nothing changes, and errors of the strata and of that prediction matter
    only as their product (Robinson 1988, Econometrica 56, 931-954; Shah & Peters 2020, Annals of Statistics 48,
    1514-1538).

    Shares can exceed 1: a control can hide what confidence says, and given it there is less left to be known. A control
    that predicts badly leaves much, whether the fault is the control's or the model's; what is left is an upper bound
    of what nobody could see from it. Intervals of bits and shares rest on the spread of gains over answers.

    In simulated runs (``data/simulations/surface_controls.csv``) of answerers that read the surface alone, what they
    know alone, or both, ``alike`` is too small by up to .007 with 328 questions and .005 with 1,304; its
    intervals hold the truth in 95 to 98 %. Shares are off by up to .03 and .007, held in 91 to 100 %. Of confidence
    that reads nothing but the control p is at most .05 in 2 to 4 % of runs.
    """
    hits = np.asarray(correct, dtype=np.float64)
    names, values = checked_signals(signals, hits.size)
    known = dict(zip(names, values, strict=True))
    for control, parts in controls.items():
        if not parts:
            raise InputError(f"control {control} needs at least one signal")
        if unknown := [name for name in parts if name not in known]:
            raise InputError(f"control {control}: there is no signal {', '.join(unknown)}")
    if min(n_resamples, n_permutations) < 2:
        raise InputError("at least two resamples and permutations are wanted")
    answers = StratifiedAnswers.of(correct, confidence, np.zeros(hits.size))
    n_right, n_wrong = int(answers.hits.sum()), int((~answers.hits).sum())
    found: dict[str, Any] = {"n": hits.size, "n_wrong": n_wrong}
    if min(n_right, n_wrong) < MIN_OF_CLASS or np.ptp(answers.confidence) == 0:
        flag = FEW if min(n_right, n_wrong) < MIN_OF_CLASS else CONSTANT
        rows = [{"control": control, **found, "flag": flag} for control in controls]
        return pd.DataFrame(rows, columns=list(COLUMNS))
    area = auroc2_interval(answers.hits, answers.confidence)
    found |= ended("auroc2", area.estimate, *area.ends)
    own = None
    if min(n_right, n_wrong) >= FEWEST_OF_A_CLASS:
        own = nested_gains(answers.hits, {"own": answers.confidence}, n_folds=N_FOLDS, seed=seed)
        found |= last_gain("information", own)
    weights = np.vstack(list(weight_chunks(hits.size, n_resamples, seed, hits.size)))
    rows = []
    for control, parts in controls.items():
        left = _left(answers, own, {name: known[name] for name in parts}, weights, n_permutations, seed)
        rows.append({"control": control, **found, **left})
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _left(
    answers: StratifiedAnswers,
    own: NestedGains | None,
    signals: Mapping[str, FloatArray],
    weights: FloatArray,
    n_permutations: int,
    seed: int,
) -> dict[str, object]:
    """What is left beyond these signals; ``own`` are the gains of confidence alone, None where answers are too few."""
    hits, sure = answers.hits, answers.confidence
    made = cross_fitted(hits, signals, n_folds=N_FOLDS, seed=seed)
    area = auroc2_interval(hits, made.score)
    alike = few_levels(made.score, N_STRATA)
    strata = StratifiedAnswers.of(hits, made.unpredicted(sure), alike)
    found: dict[str, object] = ended("alone", area.estimate, *area.ends)
    if strata.n_pairs == 0:
        return found | {"flag": "no stratum holds both a right and a wrong answer"}
    dealt = strata.shuffled(n_permutations, np.random.default_rng(seed))
    left = strata.interval(strata.areas(weights))
    found |= ended("alike", left.estimate, *left.ends) | {
        "within": StratifiedAnswers.of(hits, sure, alike).area(),
        "p_value": permutation_p(left.estimate, strata.areas_of(dealt), alternative="greater").p_value,
    }
    if own is None:
        fewest = int(min(hits.sum(), (~hits).sum()))
        return found | {"flag": f"{fewest} answers of one kind: no information below {FEWEST_OF_A_CLASS}"}
    both = {**signals, "own": sure}
    given = nested_gains(hits, both, n_folds=N_FOLDS, seed=seed)
    step = OneStepGain(hits, both, n_folds=N_FOLDS, seed=seed)
    share_right = np.bincount(strata.stratum, weights=hits) / np.bincount(strata.stratum)
    null = step.bits(dealt, expected=share_right[strata.stratum])
    seen = float(step.bits(hits[None])[0])
    found |= last_gain("remaining", given)
    found["remaining_p"] = permutation_p(seen, null, alternative="greater").p_value
    if not last_gain("own", own)["own_lower"] > 0:
        return found | {"flag": NO_SHARE}
    return found | share_of_gain("share", given, own) | {"flag": ""}
