"""Convergence of chains: rank-normalised R-hat and effective sample sizes (Vehtari et al. 2021)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from metacog.sdt.checks import FloatArray


class Convergence(NamedTuple):
    """Of B quantities; NaN where a quantity does not vary or is not finite."""

    r_hat: FloatArray  # rank-normalised, the larger of bulk and folded
    ess_bulk: FloatArray
    ess_tail: FloatArray  # the smaller of the 5 % and the 95 % quantile's


def convergence(draws: FloatArray) -> Convergence:
    """Diagnostics of draws `(..., chains, draws)`, by ArviZ.

    R-hat of a single chain compares its halves.
    """
    from arviz import ess, rhat

    flat = draws.reshape(-1, *draws.shape[-2:])
    out = np.full((3, len(flat)), np.nan)
    for i, x in enumerate(flat):
        if np.isfinite(x).all() and np.ptp(x) > 0 and x.shape[1] >= 4:
            out[:, i] = rhat(_halves(x), method="rank"), ess(x, method="bulk"), ess(x, method="tail")
    return Convergence(*(v.reshape(draws.shape[:-2]) for v in out))


def _halves(x: FloatArray) -> FloatArray:
    """One chain as two; several as they are (ArviZ splits each)."""
    if len(x) > 1:
        return x
    half = x.shape[1] // 2
    return np.stack([x[0, :half], x[0, half : 2 * half]])
