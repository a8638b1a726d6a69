"""Draw tokens and read raw log-probabilities from rows of logits, without sorting a vocabulary.

One row of logits may serve many draws (all temperatures of a question that share the same history), so the maximum and
the normaliser of a row are computed once. The exponentials are single precision, summed in blocks of 512 in single and
over the blocks in double precision; the log-probability of the drawn token agrees with a double-precision log-softmax
of the same row to better than 1e-6. Where a row is drawn from at T = 2 or 1.5, one exponential serves it and T = 1. A
draw is an inverse-CDF look-up: the block first, then inside it.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

BLOCK = 512
# A block whose largest tempered term is below exp(-32) of the row's maximum is skipped: all such
# blocks together hold less than 262144 * exp(-32) = 3.3e-9 of the probability.
_SKIP = np.float32(-32.0)
_LOG2E = np.float32(1.4426950408889634)
_LN2_HI = np.float32(0.693359375)
_LN2_LO = np.float32(-2.12194440e-4)
_C1 = np.float32(1.0)
_C2 = np.float32(0.5)
_C3 = np.float32(1.0 / 6.0)
_C4 = np.float32(1.0 / 24.0)
_C5 = np.float32(1.0 / 120.0)
_C6 = np.float32(1.0 / 720.0)
_HALF = np.float32(0.5)
_THIRD = np.float32(1.0 / 3.0)
_TWO_THIRDS = np.float32(1.0) / np.float32(1.5)
_LOWEST = np.float32(-87.0)

_MOST_THREADS: int = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]

# numba's work-queue layer (where OpenMP is missing) must not be entered by two threads at once.
_KERNEL_LOCK = threading.Lock()


def _jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """``numba.njit`` with an on-disk cache where one can be written."""

    def wrap(function: Callable[..., Any]) -> Any:
        try:
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:  # no writable cache directory: compile in this process only
            return numba.njit(**options)(function)

    return wrap


@_jit(fastmath={"contract"}, inline="never")
def _exp(z: np.float32) -> np.float32:
    """exp(z) for z <= 0 in single precision, written so that the compiler can vectorise it."""
    c = max(z, _LOWEST)
    n = np.float32(math.floor(c * _LOG2E + _HALF))
    r = c - n * _LN2_HI - n * _LN2_LO
    p = _C1 + r * (_C1 + r * (_C2 + r * (_C3 + r * (_C4 + r * (_C5 + r * _C6)))))
    e = p * np.int32((np.int32(n) + np.int32(127)) << np.int32(23)).view(np.float32)
    return e if z > _LOWEST else np.float32(0.0)


@_jit(fastmath={"reassoc", "nsz", "contract"})
def _block_sum(row: NDArray[np.float32], start: int, stop: int, top: np.float32, k: np.float32) -> np.float32:
    total = np.float32(0.0)
    for i in range(start, stop):
        total += _exp((row[i] - top) * k)
    return total


@_jit(fastmath={"reassoc", "nsz", "contract"})
def _block_sums(
    row: NDArray[np.float32], start: int, stop: int, top: np.float32, root: np.float32, cube: bool
) -> tuple[np.float32, np.float32]:
    """Sums at temperature 1 and at the hot temperature, powers of one exponential.

    At T = 2 the exponential is exp(z/2), and its square belongs to T = 1; at T = 1.5 it is exp(z/3), its
    square belongs to T = 1.5 and its cube to T = 1.
    """
    plain, hot = np.float32(0.0), np.float32(0.0)
    if cube:
        for i in range(start, stop):
            e = _exp((row[i] - top) * root)
            hot += e * e
            plain += e * e * e
    else:
        for i in range(start, stop):
            e = _exp((row[i] - top) * root)
            hot += e
            plain += e * e
    return plain, hot


@_jit()
def _argmax(row: NDArray[np.float32], tops: NDArray[np.float32], top: np.float32) -> int:
    for b in range(tops.size):
        if tops[b] == top:
            for i in range(b * BLOCK, min((b + 1) * BLOCK, row.size)):
                if row[i] == top:
                    return i
    return -1


@_jit()
def _invert(
    row: NDArray[np.float32], sums: NDArray[np.float32], top: np.float32, k: np.float32, target: float
) -> int:
    """First index whose cumulated weight exceeds ``target``."""
    run = 0.0
    last = -1
    for b in range(sums.size):
        if sums[b] <= 0.0:
            continue
        last = b
        if run + sums[b] > target:
            break
        run += sums[b]
    chosen = -1
    for i in range(last * BLOCK, min((last + 1) * BLOCK, row.size)):
        weight = _exp((row[i] - top) * k)
        if weight > 0:  # rounding at a block's end must not pick a token without probability
            chosen = i
            run += weight
            if run > target:
                break
    return chosen


@_jit(parallel=True)
def _draw_kernel(logits, maxima, offsets, inverse_temperature, uniform, tokens, logprobs):  # type: ignore[no-untyped-def]
    n_rows, n_vocab = logits.shape
    n_blocks = maxima.shape[1]
    for r in numba.prange(n_rows):
        row = logits[r]
        tops = maxima[r]
        top = tops.max()
        sums = np.empty(n_blocks, np.float32)
        hot_sums = np.empty(n_blocks, np.float32)
        hot = np.float32(0.0)
        for d in range(offsets[r], offsets[r + 1]):
            if inverse_temperature[d] == _HALF or inverse_temperature[d] == _TWO_THIRDS:
                hot = inverse_temperature[d]
        total, hot_total = 0.0, 0.0
        for b in range(n_blocks):
            start, stop = b * BLOCK, min((b + 1) * BLOCK, n_vocab)
            if hot > 0:
                cube = hot == _TWO_THIRDS
                root = _THIRD if cube else _HALF
                sums[b], hot_sums[b] = _block_sums(row, start, stop, top, root, cube)
                hot_total += hot_sums[b]
            else:
                sums[b] = _block_sum(row, start, stop, top, np.float32(1.0))
            total += sums[b]
        log_total = math.log(total)
        work = np.empty(n_blocks, np.float32)
        for d in range(offsets[r], offsets[r + 1]):
            k = inverse_temperature[d]
            if k == np.float32(0.0):
                token = _argmax(row, tops, top)
            elif k == np.float32(1.0):
                token = _invert(row, sums, top, k, uniform[d] * total)
            elif k == hot:
                token = _invert(row, hot_sums, top, k, uniform[d] * hot_total)
            else:
                mass = 0.0
                for b in range(n_blocks):
                    work[b] = np.float32(0.0)
                    if (tops[b] - top) * k > _SKIP:
                        work[b] = _block_sum(row, b * BLOCK, min((b + 1) * BLOCK, n_vocab), top, k)
                        mass += work[b]
                token = _invert(row, work, top, k, uniform[d] * mass)
            tokens[d] = token
            logprobs[d] = (np.float64(row[token]) - np.float64(top)) - log_total if token >= 0 else np.nan


@_jit(parallel=True)
def _logsumexp_kernel(logits, maxima, out):  # type: ignore[no-untyped-def]
    n_rows, n_vocab = logits.shape
    for r in numba.prange(n_rows):
        row = logits[r]
        top = maxima[r].max()
        total = 0.0
        for start in range(0, n_vocab, BLOCK):
            total += _block_sum(row, start, min(start + BLOCK, n_vocab), top, np.float32(1.0))
        out[r] = np.float64(top) + math.log(total)


def _block_maxima(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    # NumPy's reduceat is vectorised where numba's maximum is not (5 times faster here).
    return np.maximum.reduceat(logits, np.arange(0, logits.shape[1], BLOCK), axis=1)


def uniforms(seed: int, n: int) -> NDArray[np.float64]:
    """The ``n`` uniform numbers in [0, 1) that one sample draws with, one a step.

    A counter-based generator (Philox, Salmon et al. 2011) keyed by the sample's seed: number ``t`` depends on the
    seed and on ``t`` alone, not on what else is in the batch.
    """
    return np.random.Generator(np.random.Philox(key=seed & ((1 << 128) - 1))).random(n)


def draw(
    logits: NDArray[np.float32],
    offsets: NDArray[np.int64],
    temperature: NDArray[np.float32],
    uniform: NDArray[np.float64],
    *,
    n_threads: int = 1,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sample tokens at several temperatures from each row and read their raw log-probability, at temperature 1.

    Draws ``offsets[r]`` to ``offsets[r + 1]`` belong to row ``r``; temperature 0 is greedy (lowest index on a tie).
    A drawn id is -1 where a row is not finite. The result does not depend on ``n_threads``.
    """
    cold = temperature <= 0
    inverse = np.where(cold, np.float32(0), np.float32(1) / np.where(cold, np.float32(1), temperature))
    tokens = np.empty(len(temperature), np.int64)
    logprobs = np.empty(len(temperature), np.float64)
    maxima = _block_maxima(logits)
    with _KERNEL_LOCK:
        numba.set_num_threads(max(1, min(n_threads, _MOST_THREADS)))
        _draw_kernel(logits, maxima, offsets, inverse.astype(np.float32), uniform, tokens, logprobs)
    bad = np.repeat(~np.isfinite(maxima.max(axis=1)), np.diff(offsets))  # a maximum passes NaN on
    tokens[bad], logprobs[bad] = -1, np.nan
    return tokens, logprobs


def logsumexp_rows(logits: NDArray[np.float32], *, n_threads: int = 1) -> NDArray[np.float64]:
    """Log of the summed exponentials of each row, which makes a logit a log-probability."""
    out = np.empty(logits.shape[0], np.float64)
    with _KERNEL_LOCK:
        numba.set_num_threads(max(1, min(n_threads, _MOST_THREADS)))
        _logsumexp_kernel(logits, _block_maxima(logits), out)
    return out
