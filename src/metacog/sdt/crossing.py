"""Two models on the same questions: does confidence fit a model's own answers better than the other's?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr, stdtrit

from ._area import placement_values
from ._checks import InputError
from ._tables import FloatArray, as_correct, as_scores

FEWEST_OF_A_CLASS = 2
#: Sign of each area in the crossing: A's confidence on A's answers, B's on A's, B's on B's, A's on B's.
_SIGNS = np.array([1.0, -1.0, 1.0, -1.0]) / 2


@dataclass(frozen=True)
class Crossing:
    """How much better two models' confidence orders their own answers than each other's, on average.

    Attributes
    ----------
    value, se, lower, upper, p_value, level : float
        Of the crossing; all but ``value`` are NaN where ``why`` says something.
    own_a, other_a : float
        AUROC2 of A's and of B's confidence for A's answers.
    own_b, other_b : float
        AUROC2 of B's and of A's confidence for B's answers.
    n : int
        Questions.
    why : str
        Why there is no value or no interval; empty otherwise.
    """

    value: float
    se: float
    lower: float
    upper: float
    p_value: float
    own_a: float
    other_a: float
    own_b: float
    other_b: float
    n: int
    level: float = 0.95
    why: str = ""


def crossing(
    correct_a: ArrayLike,
    confidence_a: ArrayLike,
    correct_b: ArrayLike,
    confidence_b: ArrayLike,
    *,
    level: float = 0.95,
) -> Crossing:
    """Half of [AUROC2(A on A) - AUROC2(B on A)] + [AUROC2(B on B) - AUROC2(A on B)], on the same questions.

    Parameters
    ----------
    correct_a, correct_b : arrays of 0/1, shape ``(n,)``
        Of the same questions in the same order.
    confidence_a, confidence_b : arrays, shape ``(n,)``
        Only the order matters; ties count one half.
    level : float

    Returns
    -------
    Crossing

    Raises
    ------
    InputError
        Arrays of different length, values that are missing.

    Notes
    -----
    One model's difference also holds how well the other reads a difficulty that both see: of two readers
    with unequal noise the better one is ahead on its own answers without knowing itself. It is ahead on
    the other's answers by as much, so that the crossing is 0 if both models' answers depend on the
    difficulty alike. If they do not, it is only nearly 0: the better reader gains more where answers depend
    more on the difficulty. With noise that differs by a factor of three, log-odds that fall with the
    difficulty twice as fast in one model as in the other give a crossing of +.019 if that is the better
    reader and of -.020 if not, a third faster one of +.008 (``data/simulations/self_knowledge.csv``); both
    models' differences alone are some .1 in size there.

    The variance comes from placement values, added up over the four areas in each question, so that what
    the areas share is taken off (DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44, 837-845; here with
    classes that differ between areas). t quantiles have Satterthwaite's degrees of freedom.
    """
    right = [as_correct(correct_a, "correct_a"), as_correct(correct_b, "correct_b")]
    n = right[0].size
    if right[1].size != n:
        raise InputError(f"correct_b has {right[1].size} questions where correct_a has {n}")
    sure = [as_scores(confidence_a, n, "confidence_a"), as_scores(confidence_b, n, "confidence_b")]
    if not 0 < level < 1:
        raise InputError(f"level must be between 0 and 1, got {level}")
    fewest = min(int(side.sum()) for hits in right for side in (hits, ~hits))
    if fewest < FEWEST_OF_A_CLASS:
        why = f"one of the models has fewer than {FEWEST_OF_A_CLASS} right or wrong answers"
        return Crossing(*(float("nan"),) * 9, n, level, why)
    cells = [(right[0], sure[0]), (right[0], sure[1]), (right[1], sure[1]), (right[1], sure[0])]
    placed = [placement_values(hits, scores) for hits, scores in cells]
    areas = np.array([p[hits].mean() for p, (hits, _) in zip(placed, cells, strict=True)])
    value = float(_SIGNS @ areas)
    own_a, other_a, own_b, other_b = (float(area) for area in areas)
    of_answers = [
        (_SIGNS[2 * m] * (placed[2 * m] - areas[2 * m]))
        + (_SIGNS[2 * m + 1] * (placed[2 * m + 1] - areas[2 * m + 1]))
        for m in range(2)
    ]
    variance, df = _variance(right, of_answers)
    if not variance > 1e-20:
        why = "the two models' confidence orders the answers alike"
        nan = float("nan")
        return Crossing(value, nan, nan, nan, nan, own_a, other_a, own_b, other_b, n, level, why)
    se = float(np.sqrt(variance))
    room = float(stdtrit(df, (1 + level) / 2)) * se
    p_value = float(2 * stdtr(df, -abs(value) / se))
    limits = value - room, value + room
    return Crossing(value, se, *limits, p_value, own_a, other_a, own_b, other_b, n, level)


def _variance(right: list[NDArray[np.bool_]], gaps: list[FloatArray]) -> tuple[float, float]:
    """Variance of the sum over classes of the mean gap, and its degrees of freedom.

    Each model's right and each model's wrong answers are a class; a question is in one class of either
    model, and what it adds to both is added before it is squared.
    """
    total = np.zeros(right[0].size)
    own, freedom = [], []
    for hits, gap in zip(right, gaps, strict=True):
        for side in (hits, ~hits):
            size = int(side.sum())
            part = np.where(side, gap - gap[side].mean(), 0.0) / size * np.sqrt(size / (size - 1))
            total += part
            own.append(float(part @ part))
            freedom.append(size - 1)
    spread = sum(v**2 / f for v, f in zip(own, freedom, strict=True))
    df = sum(own) ** 2 / spread if spread > 0 else float("nan")
    return float(total @ total), df
