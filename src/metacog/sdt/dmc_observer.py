"""An observer for whom DMC's own assumption holds: confidence reads d* while the criterion stays put."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from .checks import FloatArray, InputError
from .dmc_matrix import dmc_rows, tables_of_matrix
from .simulate import _Observer


@dataclass(frozen=True)
class DMCObserver(_Observer):
    """Answers follow type-1 SDT with ``d_hat`` and ``c0``; ratings, given the answer, areas with ``d_star``.

    Where :class:`~.simulate.MetaDObserver` moves the criterion in proportion to meta-d', this one leaves it
    at ``c0`` (Wang et al. 2025). With ``c0 = 0`` the two are one. S1 is truth A.

    Attributes
    ----------
    d_hat, d_star, c0 : float
    axes_A, axes_B : tuple of float
        Cuts between ratings, increasing: below ``c0`` and above it.
    base_rate : float
        P(truth B).
    """

    d_hat: float
    d_star: float
    c0: float
    axes_A: tuple[float, ...]
    axes_B: tuple[float, ...]
    base_rate: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.base_rate < 1:
            raise InputError("base_rate = P(truth B) must lie between 0 and 1.")
        if self.d_hat == 0:
            raise InputError("d_hat must not be 0: MC is a ratio to it.")

    @property
    def mc(self) -> float:
        """d*/d^."""
        return self.d_star / self.d_hat

    def probabilities(self) -> tuple[FloatArray, FloatArray]:
        """P(rating | truth A) and P(rating | truth B), shape (2K,) each."""
        answers_b = ndtr(np.array([-0.5, 0.5]) * self.d_hat - self.c0)  # of truth A, of truth B
        weight = np.array([1 - answers_b[0], 1 - answers_b[1], answers_b[1], answers_b[0]])  # TA, FA, TB, FB
        return tables_of_matrix(dmc_rows(self.d_star, self.c0, self.axes_A, self.axes_B) * weight[:, None])
