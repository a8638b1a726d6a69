"""Least squares of DMC in batches: one sensitivity and 2 (K - 1) axes a table, damped Gauss-Newton.

Coordinates. Each response is a *side*; on it, evidence is counted outwards from the type-1 criterion, so that
axes are ``0 < u_1 < ... < u_{K-1}``, written as running sums of ``exp(g)``: they stay in order without a
constraint. For stimuli of the right (0) and the wrong kind (1), the tail beyond u_j given the response is
``T_j = Phi(a0 - u_j)/Phi(a0)`` with ``a0 = alpha d + beta``; alpha and beta say where the criterion lies and
whether it moves with d. All four rows of the counts matrix enter alike, whatever trials they rest on.

The sensitivity is held between two bounds. Where a free fit lies outside, the nearer bound is taken and the
axes are fitted there.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from metacog.sdt.checks import FloatArray

TOLERANCE = 1e-8  # norm of the gradient of half the loss, in d and g; rounding begins at some 1e-9
PASSES = 200
_CHUNK = 4096
_LARGEST_G = 3.0  # exp(3) = 20 standard deviations between two axes: farther is the same tail, 0
_SMALLEST_G = -25.0  # axes that close touch
_FARTHEST = 20.0  # of d while it is free
_TINY = 1e-300
_POOR = 0.1  # of at most 8, how far four rows can be off
_RESTARTS = ((4.0, 1.0), (1.0, 0.2), (0.3, 1.0))  # d, and what the axes are stretched by
_SQRT_2PI = float(np.sqrt(2 * np.pi))


@dataclass(frozen=True, eq=False)
class Problem:
    """Data of B tables.

    ``tails`` ``(B, 2 sides, 2 kinds, K-1)`` holds the observed share of a row rated above each axis, side B
    first, right answers first. Residuals are of tails where ``cumulative``, else of cells.
    """

    tails: FloatArray
    alpha: FloatArray
    beta: FloatArray
    cumulative: bool

    def rows(self, index: NDArray[np.int64]) -> Problem:
        """Some of the tables."""
        return Problem(self.tails[index], self.alpha[index], self.beta[index], self.cumulative)


@dataclass(frozen=True, eq=False)
class Solution:
    """Fits of B tables; ``u`` has shape ``(B, 2 sides, K-1)``, the rest ``(B,)``."""

    d: FloatArray
    u: FloatArray
    loss: FloatArray
    gradient_norm: FloatArray
    iterations: NDArray[np.int64]


def solve(problem: Problem, d: FloatArray, u: FloatArray, low: FloatArray, high: FloatArray) -> Solution:
    """Fit tables from starting values, d between ``low`` and ``high``.

    Tables that the model fits well have one minimum, but for a few sparse random ones. Those it fits poorly,
    and those that end at the lower bound, start again from `_RESTARTS`, and the lowest minimum counts. The norm
    of the gradient is in the free parameters: without d where d is at a bound.
    """
    size = len(d)
    found = Solution(
        np.array(d, dtype=np.float64),
        np.array(u),
        np.full(size, np.inf),
        np.full(size, np.inf),
        np.zeros(size, dtype=np.int64),
    )
    _bounded(problem, np.arange(size), d, u, low, high, found)
    hard = np.flatnonzero((found.loss > _POOR) | (found.d <= low))
    if not hard.size:
        return found
    tables = np.tile(hard, len(_RESTARTS))
    start, stretch = np.repeat(_RESTARTS, hard.size, axis=0).T
    again = Solution(*(np.array(getattr(found, f.name)[tables]) for f in fields(found)))
    begin = start, stretch[:, None, None] * u[tables], low[tables], high[tables]
    _bounded(problem.rows(tables), np.arange(len(tables)), *begin, again)
    for tried in np.split(np.arange(len(tables)), len(_RESTARTS)):
        take = tried[again.loss[tried] < found.loss[hard] - 1e-10]
        for f in fields(found):
            getattr(found, f.name)[tables[take]] = getattr(again, f.name)[take]
    return found


def _bounded(
    problem: Problem,
    tables: NDArray[np.int64],
    d: FloatArray,
    u: FloatArray,
    low: FloatArray,
    high: FloatArray,
    found: Solution,
) -> None:
    """Fit with d free, then at the nearer bound where d left its room."""
    for start in range(0, len(tables), _CHUNK):
        rows = tables[start : start + _CHUNK]
        found.iterations[rows] = 0
        _fit(problem, rows, np.clip(d[rows], low[rows], high[rows]), u[rows], True, found)
        at = rows[(found.d[rows] < low[rows]) | (found.d[rows] > high[rows])]
        if at.size:
            _fit(problem, at, np.clip(found.d[at], low[at], high[at]), found.u[at], False, found)


def _fit(
    problem: Problem, rows: NDArray[np.int64], d: FloatArray, u: FloatArray, free: bool, out: Solution
) -> None:
    """Levenberg-Marquardt of some tables; tables leave the batch as they converge."""
    chosen_rows = problem.rows(rows)
    gaps = np.diff(u, axis=-1, prepend=0.0)
    x = np.concatenate([d[:, None], np.log(np.maximum(gaps, 1e-8)).reshape(len(d), -1)], axis=1)
    damping = np.full(len(d), 1e-3)
    best, jacobian, residual = _linear(chosen_rows, x, free)
    live = np.arange(len(d))
    norm = np.full(len(d), np.inf)
    passes = np.zeros(len(d), dtype=np.int64)
    for step in range(PASSES):
        gradient = np.matmul(residual[:, None, :], jacobian)[:, 0]
        norm[live] = np.linalg.norm(gradient, axis=1)
        passes[live] = step
        stay = norm[live] > TOLERANCE
        if not stay.all():
            live, jacobian, residual, gradient = live[stay], jacobian[stay], residual[stay], gradient[stay]
            chosen_rows = chosen_rows.rows(np.flatnonzero(stay))
        if not live.size:
            break
        normal = np.matmul(jacobian.transpose(0, 2, 1), jacobian)
        spread = np.einsum("bpp->bp", normal)
        ridge = damping[live, None] * np.maximum(spread, 1e-6)
        normal[:, np.arange(x.shape[1]), np.arange(x.shape[1])] += ridge
        move = -np.linalg.solve(normal, gradient[..., None])[..., 0]
        move = np.clip(move, -1.5, 1.5)
        tried = x[live] + move
        tried[:, 0] = np.clip(tried[:, 0], -_FARTHEST, _FARTHEST)
        tried[:, 1:] = np.clip(tried[:, 1:], _SMALLEST_G, _LARGEST_G)
        loss, new_jacobian, new_residual = _linear(chosen_rows, tried, free)
        better = loss <= best[live]
        stuck = ~better & (damping[live] > 1e12)
        x[live[better]] = tried[better]
        best[live[better]] = loss[better]
        damping[live] = np.where(better, np.maximum(damping[live] * 0.2, 1e-14), damping[live] * 5.0)
        jacobian[better], residual[better] = new_jacobian[better], new_residual[better]
        if stuck.any():
            live, jacobian, residual = live[~stuck], jacobian[~stuck], residual[~stuck]
            chosen_rows = chosen_rows.rows(np.flatnonzero(~stuck))
    out.d[rows] = x[:, 0]
    out.u[rows] = np.cumsum(np.exp(x[:, 1:].reshape(u.shape)), axis=-1)
    out.loss[rows], out.gradient_norm[rows] = best, norm
    out.iterations[rows] += passes


def _linear(problem: Problem, x: FloatArray, free: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Loss (B,), Jacobian (B, R, P) and residuals (B, R) of the model at x.

    Tables are the last axis of all that is computed on the way, along which arrays are fast.
    """
    size, k = len(x), problem.tails.shape[-1]
    alpha, beta = (y.transpose(1, 2, 0) for y in (problem.alpha, problem.beta))
    gaps = np.exp(np.ascontiguousarray(x[:, 1:].T)).reshape(2, k, size)
    u = np.cumsum(gaps, axis=1)
    a0 = np.ascontiguousarray(alpha * x[:, 0] + beta)
    a = a0[:, :, None] - u[:, None]
    total = np.maximum(ndtr(a0), _TINY)[:, :, None]
    tails = ndtr(a) / total
    density = np.exp(-0.5 * a * a) / (_SQRT_2PI * total)
    hazard = (np.exp(-0.5 * a0 * a0) / _SQRT_2PI)[:, :, None] / total
    edges = np.zeros((2, 2, k + 2, 2 + k, size))  # of tails by d and the gaps of their side, and residuals
    inner = edges[:, :, 1:-1]
    if free:
        inner[:, :, :, 0] = alpha[:, :, None] * (density - tails * hazard)
    for axis in range(k):  # moves with every gap up to its own
        inner[:, :, axis, 1 : axis + 2] = -(density[:, :, axis, None] * gaps[:, None, : axis + 1])
    inner[:, :, :, -1] = tails - problem.tails.transpose(1, 2, 3, 0)
    made = inner if problem.cumulative else edges[:, :, :-1] - edges[:, :, 1:]
    slope = np.zeros((size, 2, 2, made.shape[2], 1 + 2 * k))
    by_table = made.transpose(4, 0, 1, 2, 3)
    slope[..., 0] = by_table[..., 0]
    slope[:, 0, ..., 1 : 1 + k] = by_table[:, 0, ..., 1:-1]
    slope[:, 1, ..., 1 + k :] = by_table[:, 1, ..., 1:-1]
    flat = np.ascontiguousarray(by_table[..., -1]).reshape(size, -1)
    return np.einsum("br,br->b", flat, flat), slope.reshape(size, flat.shape[1], -1), flat
