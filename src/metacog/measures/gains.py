"""The gain of a signal in bits, and its share in another gain, with intervals over answers."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from metacog.sdt.information_parts import NestedGains, least_variance
from metacog.sdt.tables import FloatArray


def last_gain(name: str, gains: NestedGains, *, level: float = 0.95) -> dict[str, float]:
    """Mean gain of the last signal: ``name, name_lower, name_upper``.

    Intervals rest on the spread of the answers' gains, which is never taken to be less than that of a part of 0, see
    :func:`metacog.sdt.information_parts.information_parts`.
    """
    bits = gains.bits[:, -1]
    floor = float(least_variance(gains.cost[-1:], bits.size)[0])
    return _with_ends(name, float(bits.mean()), bits, floor, level)


def share_of_gain(
    name: str, part: NestedGains, whole: NestedGains, *, level: float = 0.95
) -> dict[str, float]:
    """Gain of the last signal of ``part`` as a share of that of ``whole``, on the same answers.

    The interval is by the delta method. It needs a whole that is shown to be above 0.
    """
    n = len(whole.bits)
    total = float(whole.bits[:, -1].mean())
    share = float(part.bits[:, -1].mean()) / total
    moved = (part.bits[:, -1] - share * whole.bits[:, -1]) / total
    floor = least_variance(np.array([part.cost[-1], whole.cost[-1]]), n)
    return _with_ends(name, share, moved, float(floor[0] + share**2 * floor[1]) / total**2, level)


def _with_ends(name: str, value: float, gains: FloatArray, floor: float, level: float) -> dict[str, float]:
    t = float(stdtrit(gains.size - 1, (1 + level) / 2))
    half = t * float(np.sqrt(max(gains.var(ddof=1) / gains.size, floor)))
    return {name: value, f"{name}_lower": value - half, f"{name}_upper": value + half}
