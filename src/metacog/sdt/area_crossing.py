"""Two models on the same questions: does confidence fit a model's own answers better than the other's?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from metacog.sdt.area_contrasts import area_contrast

#: Sign of each area in the crossing: A's confidence on A's answers, B's on A's, B's on B's, A's on B's.
SIGNS = (0.5, -0.5, 0.5, -0.5)

#: Such a model is no reader of anything, so that only one model's difference would be left.
SAME = "one of the models has the same confidence throughout"


@dataclass(frozen=True)
class Crossing:
    """How much better two models' confidence orders their own answers than each other's, on average.

    Attributes
    ----------
    value, se, lower, upper, p_value, level : float
        Of the crossing; all but ``value`` are NaN where ``why`` says something.
    a_by_a, a_by_b : float
        AUROC2 of A's and of B's confidence for A's answers.
    b_by_b, b_by_a : float
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
    a_by_a: float
    a_by_b: float
    b_by_b: float
    b_by_a: float
    n: int
    level: float = 0.95
    why: str = ""

    @property
    def lead(self) -> float:
        """How much better A's confidence orders the answers of both than B's does, on average; NaN if unknown."""
        return (self.a_by_a - self.a_by_b + self.b_by_a - self.b_by_b) / 2


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
    difficulty alike. If they do not, it is not: the better reader gains more where answers depend more on the
    difficulty. With noise of .4 and 1.4, where difficulty has 1, log-odds that fall three times as fast in the
    better reader give a crossing of +.036, and its 95 % interval lies above 0 in nearly all runs of 1,304
    questions. What such a pair may reach is in `data/simulations/crossing_bound.csv`.

    The interval is that of `area_contrast`.

    References
    ----------
    The interval is that of DeLong, DeLong & Clarke-Pearson (1988), of a weighted sum of areas.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import crossing
    >>> rng = np.random.default_rng(1)
    >>> difficulty = rng.normal(size=600)
    >>> luck_a, luck_b = rng.normal(size=(2, 600))  # what each model alone knows
    >>> correct_a, correct_b = difficulty + luck_a > 0, difficulty + luck_b > 0
    >>> confidence_a, confidence_b = difficulty + 0.5 * luck_a, difficulty + 0.5 * luck_b
    >>> found = crossing(correct_a, confidence_a, correct_b, confidence_b)
    >>> print(f"{found.value:.2f} [{found.lower:.2f}, {found.upper:.2f}]")
    0.20 [0.17, 0.23]
    """
    found = area_contrast(
        [correct_a, correct_a, correct_b, correct_b],
        [confidence_a, confidence_b, confidence_b, confidence_a],
        SIGNS,
        level=level,
    )
    why = found.why or (SAME if min(np.ptp(c) for c in (confidence_a, confidence_b)) == 0 else "")
    if why:
        found = replace(found, se=np.nan, lower=np.nan, upper=np.nan, why=why)
    p_value = float(2 * stdtr(found.df, -abs(found.value) / found.se))
    a_by_a, a_by_b, b_by_b, b_by_a = found.areas
    return Crossing(
        found.value,
        found.se,
        found.lower,
        found.upper,
        p_value,
        a_by_a,
        a_by_b,
        b_by_b,
        b_by_a,
        found.n,
        level,
        found.why,
    )
