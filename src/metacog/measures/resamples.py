"""Resamples of the questions of a cell: the same for every cell that was asked the same questions.

So the draws of two cells on the same questions are paired, and a difference is that of their draws.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from metacog.measures.cell import Cell, FloatArray
from metacog.sdt.resampling import chunks, cluster_weights, weight_chunks

Seed = int | np.random.SeedSequence


def resamples(cell: Cell, n_resamples: int, seed: Seed) -> Iterator[FloatArray]:
    """How often each unit of a cell is drawn in each resample, in chunks that fit in memory.

    The trials of a table of counts are resampled with their ratings: the edges of ratings stay.

    Yields
    ------
    arrays, shape ``(b, n_units)``
    """
    if cell.times is not None:
        return table_resamples(cell.times, n_resamples, seed)
    if cell.questions is None:
        return weight_chunks(cell.n_units, n_resamples, seed, cell.n_units + cell.correct.size)
    return question_resamples(cell.questions, n_resamples, seed, cell.correct.size)


def whole_and_resamples(cell: Cell, n_resamples: int, seed: Seed) -> FloatArray:
    """Weights of the cell itself, then those of its resamples: shape ``(1 + n_resamples, n_units)``."""
    weights = np.empty((1 + n_resamples, cell.n_units))
    weights[:1], done = cell.whole, 1
    for part in resamples(cell, n_resamples, seed):
        weights[done : done + len(part)] = part
        done += len(part)
    return weights


def table_resamples(times: NDArray[np.int64], n_resamples: int, seed: Seed) -> Iterator[FloatArray]:
    """Tables of as many trials, drawn with replacement: one multinomial draw over the counts each.

    Parameters
    ----------
    times : int array, shape ``(m,)``
        Trials in each place of the table.
    n_resamples : int
    seed : int or SeedSequence

    Yields
    ------
    one array, shape ``(n_resamples, m)``
    """
    n = int(times.sum())
    yield np.random.default_rng(seed).multinomial(n, times / n, size=n_resamples).astype(np.float64)


def question_resamples(
    questions: Sequence[tuple[str, str]], n_resamples: int, seed: Seed, n_trials: int = 0
) -> Iterator[FloatArray]:
    """Resamples of questions, each set by itself, since a design fixes how many questions a set has.

    Parameters
    ----------
    questions : sequence of (str, str)
        Set and name of each question. What is drawn of a set depends on the seed and on its questions alone.
    n_resamples : int
    seed : int or SeedSequence
    n_trials : int
        Trials that one resample needs; sets the size of a chunk, never what is drawn.

    Yields
    ------
    arrays, shape ``(b, n_questions)``
    """
    sets: dict[str, list[int]] = {}
    for column, (dataset, _) in enumerate(questions):
        sets.setdefault(dataset, []).append(column)
    words = [seed.entropy, *seed.spawn_key] if isinstance(seed, np.random.SeedSequence) else [seed]
    parts = []
    for dataset, columns in sets.items():
        key = "\n".join((dataset, *(questions[c][1] for c in columns)))
        parts.append((columns, np.random.default_rng([*words, zlib.crc32(key.encode())])))
    for size in chunks(n_resamples, len(questions) + n_trials):
        weights = np.empty((size, len(questions)))
        for columns, rng in parts:
            weights[:, columns] = cluster_weights(len(columns), size, rng)
        yield weights
