"""An observed value among the values of its permutation null."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from .checks import InputError
from .tables import FloatArray


@dataclass(frozen=True)
class PermutationTest:
    """An observed value against its permutation null.

    Attributes
    ----------
    observed, p_value : float
    alternative : str
        ``two-sided`` compares absolute distances from the mean of the null.
    null : array
        Null values in use; ``n_dropped`` were not finite.
    n_dropped : int
    """

    observed: float
    p_value: float
    alternative: str
    n_dropped: int
    null: FloatArray = field(repr=False)


def permutation_p(
    observed: float, null: ArrayLike, *, alternative: str = "two-sided", centre: float | None = None
) -> PermutationTest:
    """p-value of ``observed`` among null values.

    Parameters
    ----------
    observed : float
    null : array
    alternative : {'two-sided', 'greater', 'less'}
    centre : float, optional
        Of the two-sided distance; the mean of the null when left out. Differences take 0.
    """
    values = np.asarray(null, dtype=np.float64).ravel()
    keep = np.isfinite(values)
    used = values[keep]
    if used.size == 0 or not np.isfinite(observed):
        raise InputError("the statistic is undefined on the data or on every permutation")
    middle = float(used.mean()) if centre is None else centre
    # Equal tables must tie whatever order they were summed in.
    slack = 1e-12 * max(1.0, float(np.abs(used).max()))
    if alternative == "greater":
        extreme = used >= observed - slack
    elif alternative == "less":
        extreme = used <= observed + slack
    elif alternative == "two-sided":
        extreme = np.abs(used - middle) >= abs(observed - middle) - slack
    else:
        raise InputError(f'alternative must be "two-sided", "greater" or "less", got {alternative!r}')
    p = (1 + int(extreme.sum())) / (1 + used.size)
    return PermutationTest(float(observed), p, alternative, int((~keep).sum()), used)
