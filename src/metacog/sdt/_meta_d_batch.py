"""From count tables to the solver and back: starts, unused ratings, chunks and threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from metacog.sdt.checks import FloatArray

TOLERANCE = 1e-10  # gradient norm of the mean log-likelihood, in unconstrained parameters
_PASSES = (14, 60, 400)  # tables that have not converged start again, together, with more
_CHUNK = 2048  # tables in one call: its arrays stay in the processor's cache
_RESTARTS = (-1.0, 1.0, -0.3, 0.3, -3.0, 3.0, 0.1, -0.1)  # of meta_d1 in the direction of d1
_BUCKETS = (8, 128, 512, _CHUNK)  # a call is filled up to one of these sizes, so few programs are compiled


@dataclass(frozen=True, eq=False)
class RawFits:
    """Solver output for B tables, in units of sd(S1) with the type-1 criterion at zero."""

    meta_d1: FloatArray
    criteria: FloatArray  # (2 sides: rS2 then rS1, K-1, B), outwards from the type-1 criterion
    log_likelihood: FloatArray
    gradient_norm: FloatArray
    iterations: NDArray[np.int64]
    converged: NDArray[np.bool_]
    at_limit: NDArray[np.bool_]  # |meta_d1| has reached its limit of 10 and would go on
    multimodal: NDArray[np.bool_]  # several maxima were found; this is the highest

    @classmethod
    def empty(cls, size: int, k: int) -> RawFits:
        """Space for `size` fits, none of them converged."""
        numbers = [np.full(size, np.nan) for _ in range(3)]
        flags = [np.zeros(size, dtype=bool) for _ in range(3)]
        criteria = np.full((2, k - 1, size), np.nan)
        return cls(numbers[0], criteria, numbers[1], numbers[2], np.zeros(size, dtype=np.int64), *flags)


def type1_rates(nR_S1: FloatArray, nR_S2: FloatArray) -> tuple[FloatArray, FloatArray]:
    """z-scored (hit, false-alarm) rates at the 2K-1 cut points of each table, `(B, 2K-1)` each."""
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = [
            np.cumsum(x[:, ::-1], axis=1)[:, -2::-1] / x.sum(axis=1, keepdims=True) for x in (nR_S2, nR_S1)
        ]
        return ndtri(rates[0]), ndtri(rates[1])


def solve(
    nR_S1: FloatArray, nR_S2: FloatArray, s: FloatArray, d1: FloatArray, c1: FloatArray, *, side: int | None
) -> RawFits:
    """Fit tables whose d1 is finite and not zero; `side` 0 uses rS2 only, 1 rS1 only, None both.

    Every table starts at M-ratio 1. With |c'| = |c1/d1| <= 1/2 no second maximum was ever found (64,000
    random tables, 18 starts each); beyond it the likelihood can have maxima of both signs of meta-d', so
    such tables (and all one-sided fits) start again from the values of `_RESTARTS` and the highest
    maximum is kept.
    """
    size, cells = nR_S1.shape
    out = RawFits.empty(size, cells // 2)

    def run(rows: NDArray[np.int64], start: float | None, target: RawFits, passes: int) -> None:
        def work(piece: NDArray[np.int64]) -> None:
            begin = d1[piece] if start is None else start * np.sign(d1[piece])
            table = (nR_S1[piece], nR_S2[piece], s[piece], d1[piece], c1[piece])
            _solve_chunk(*table, np.clip(begin, -9.9, 9.9), side, passes, target, piece)

        _in_parallel(work, rows)

    def run_to_the_end(rows: NDArray[np.int64], start: float | None, target: RawFits) -> None:
        for passes in _PASSES:  # the few stubborn tables do not hold up their chunk
            run(rows, start, target, passes)
            rows = rows[~(target.converged | target.at_limit)[rows]]

    run_to_the_end(np.arange(size), None, out)
    prime = np.abs(c1 / d1)
    reruns = [(v, prime > (0.5 if abs(v) == 1 else 2.0)) for v in _RESTARTS]
    for value, hard in reruns:
        rows = np.flatnonzero(hard | (side is not None))
        if len(rows):
            again = RawFits.empty(size, cells // 2)
            run_to_the_end(rows, value, again)
            _keep_better(out, again, rows)
    return out


def _keep_better(out: RawFits, again: RawFits, rows: NDArray[np.int64]) -> None:
    old, new = out.log_likelihood[rows], again.log_likelihood[rows]
    margin = 1e-9 * (1.0 + np.abs(old))
    tie = (np.abs(new - old) <= margin) & again.converged[rows] & ~out.converged[rows]
    apart = (np.abs(new - old) > 1e3 * margin) & again.converged[rows] & out.converged[rows]
    out.multimodal[rows] |= apart
    take = rows[(new > old + margin) | tie]
    for name in ("meta_d1", "log_likelihood", "gradient_norm", "iterations", "converged", "at_limit"):
        getattr(out, name)[take] = getattr(again, name)[take]
    out.criteria[:, :, take] = again.criteria[:, :, take]


def _in_parallel(work: Callable[[NDArray[np.int64]], None], rows: NDArray[np.int64]) -> None:
    pieces = [rows[i : i + _CHUNK] for i in range(0, len(rows), _CHUNK)]
    if len(pieces) < 2:
        for piece in pieces:
            work(piece)
        return
    with ThreadPoolExecutor(max_workers=min(len(pieces), os.cpu_count() or 1)) as pool:
        list(pool.map(work, pieces))


def _fold(x: FloatArray) -> FloatArray:
    """`(B, 2K)` to `(2 sides, K, B)`, innermost cell first: rS2, then rS1 mirrored."""
    k = x.shape[1] // 2
    return np.stack([x[:, k:].T, x[:, k - 1 :: -1].T])


def _solve_chunk(
    nR_S1: FloatArray,
    nR_S2: FloatArray,
    s: FloatArray,
    d1: FloatArray,
    c1: FloatArray,
    begin: FloatArray,
    side: int | None,
    passes: int,
    out: RawFits,
    rows: NDArray[np.int64],
) -> None:
    import jax  # here, so that importing the package stays quick

    from metacog.sdt import _meta_d_kernel as kernel

    size = len(rows)
    filled = next(b for b in _BUCKETS if b >= size)
    take = np.concatenate([np.arange(size), np.zeros(filled - size, dtype=int)])
    nR_S1, nR_S2, s, d1, c1, begin = (x[take] for x in (nR_S1, nR_S2, s, d1, c1, begin))
    counts = np.stack([_fold(nR_S1), _fold(nR_S2)])
    if side is not None:
        counts[:, 1 - side] = 0.0
    start = _start(nR_S1, nR_S2, s)
    used = counts.sum(axis=0) > 0  # (2, K, B)
    if not used.all():  # move unused ratings outwards, past infinity
        order = np.argsort(~used, axis=1, kind="stable")
        counts = np.take_along_axis(counts, order[None], axis=2)
    active = np.arange(1, used.shape[1])[None, :, None] < used.sum(axis=1)[:, None]
    trials = counts.sum(axis=(0, 1, 2))
    ratio = c1 / d1
    a = np.stack([-0.5 - ratio, 0.5 - ratio])
    sd = np.stack([np.ones_like(s), 1.0 / s])
    with _float64():
        problem = kernel.Problem(*(jax.numpy.asarray(x) for x in (counts / trials, active, a, sd)))
        first = (jax.numpy.asarray(begin), jax.numpy.asarray(start))
        fit = kernel.maximise(*first, problem, TOLERANCE, passes)
        result = {name: np.asarray(value)[..., :size] for name, value in fit._asdict().items()}
    out.meta_d1[rows] = result["meta_d1"]
    out.criteria[:, :, rows] = _unfold(result["u"], used[..., :size])
    out.log_likelihood[rows] = result["f"] * trials[:size]
    out.gradient_norm[rows] = result["gradient_norm"]
    out.iterations[rows] = result["iterations"]
    out.at_limit[rows] = result["at_limit"]
    small = result["gradient_norm"] < TOLERANCE
    out.converged[rows] = small & (result["curvature"] > 0) & ~result["at_limit"]


def _float64() -> AbstractContextManager[Any]:
    """Float64 for this block and thread alone: the caller's own JAX settings stay as they are."""
    import jax

    if hasattr(jax, "enable_x64"):
        return jax.enable_x64(True)
    from jax import experimental  # where older releases keep it

    return vars(experimental)["enable_x64"](True)


def _start(nR_S1: FloatArray, nR_S2: FloatArray, s: FloatArray) -> FloatArray:
    """Type-1 positions of all criteria (after 1/2 in every cell), as distances from the criterion."""
    z_hit, z_fa = type1_rates(nR_S1 + 0.5, nR_S2 + 0.5)
    position = (-1.0 / (1.0 + s))[:, None] * (z_hit + z_fa)
    k = nR_S1.shape[1] // 2
    centre = position[:, k - 1 : k]
    right = position[:, k:] - centre
    left = (centre - position[:, : k - 1])[:, ::-1]
    u = np.stack([right.T, left.T])
    gaps = np.diff(u, axis=1, prepend=0.0)
    return np.cumsum(np.maximum(gaps, 1e-3), axis=1)


def _unfold(u: FloatArray, used: NDArray[np.bool_]) -> FloatArray:
    """Give each original border its criterion: equal to its neighbour, or infinite, next to unused ratings."""
    if used.all():
        return u
    rank = np.cumsum(used, axis=1, dtype=np.int64)[:, :-1]  # used ratings inside border 1 ... K-1
    ladder = np.concatenate([np.zeros_like(u[:, :1]), u], axis=1)
    value = np.take_along_axis(ladder, rank, axis=1)
    return np.where(rank == used.sum(axis=1, keepdims=True), np.inf, value)
