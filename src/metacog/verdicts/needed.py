"""What would settle a question that the data leave open: how many answers, or models, it takes."""

from __future__ import annotations

import math
from bisect import bisect_left

from scipy.special import ndtri

from metacog.sdt.power import closed_form_se

#: An AUROC2 that one would not want to miss: confidence is higher for the right one of three pairs in five.
AREA = 0.6
#: A correlation over models that one would not want to miss.
R = 0.3
#: Coverage of intervals, and the share of runs in which the effect is to be seen.
LEVEL, POWER = 0.95, 0.8
#: No plan goes beyond this.
MOST = 10_000_000


def answers_for_area(accuracy: float, area: float = AREA) -> int:
    """Answers after which an AUROC2, which is not 0.5, is distinguished from chance in four of five runs.

    Hanley & McNeil's (1982) standard error for continuous confidence. The same confidence in few levels has a smaller
    AUROC2, for which it takes more.
    """
    if not 0 < accuracy < 1 or area == 0.5:
        raise ValueError(
            f"an AUROC2 of {area:g} at an accuracy of {accuracy:g} cannot be distinguished from chance"
        )
    wanted = abs(area - 0.5)

    def seen(n: int) -> bool:
        return _z() * closed_form_se("auroc2", area, n, accuracy=accuracy) <= wanted

    fewest = math.ceil(2 / min(accuracy, 1 - accuracy))  # two right and two wrong answers
    return bisect_left(range(MOST), True, lo=fewest, key=seen)


def models_for_correlation(r: float = R) -> int:
    """Models over which a correlation is told from none in four of five samples, by Fisher's transformation."""
    if not 0 < abs(r) < 1:
        raise ValueError(f"a correlation of {r:g} cannot be planned for")
    return math.ceil(3 + (_z() / math.atanh(abs(r))) ** 2)


def about(n: float) -> int:
    """A number with the two digits that a plan deserves."""
    return int(float(f"{n:.2g}"))


def _z() -> float:
    """Standard errors that an effect must measure to be seen in :data:`POWER` of runs."""
    return float(ndtri(1 - (1 - LEVEL) / 2) + ndtri(POWER))
