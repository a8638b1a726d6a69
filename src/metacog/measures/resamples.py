"""Resamples of the questions of a cell: the same for every cell that was asked the same questions.

So the draws of two cells on the same questions are paired, and a difference is that of their draws.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

import numpy as np

from metacog.measures.cell import Cell, FloatArray
from metacog.sdt.resampling import chunks, cluster_weights, weight_chunks


def resamples(cell: Cell, n_resamples: int, seed: int) -> Iterator[FloatArray]:
    """How often each unit of a cell is drawn in each resample, in chunks that fit in memory.

    Yields
    ------
    arrays, shape ``(b, n_units)``
    """
    if cell.questions is None:
        return weight_chunks(cell.n_units, n_resamples, seed, cell.n_units + cell.correct.size)
    return question_resamples(cell.questions, n_resamples, seed, cell.correct.size)


def question_resamples(
    questions: Sequence[tuple[str, str]], n_resamples: int, seed: int, n_trials: int = 0
) -> Iterator[FloatArray]:
    """Resamples of questions, each set by itself, since a design fixes how many questions a set has.

    Parameters
    ----------
    questions : sequence of (str, str)
        Set and name of each question. What is drawn of a set depends on the seed and on its questions alone.
    n_resamples, seed : int
    n_trials : int
        Trials that one resample needs; sets the size of a chunk, never what is drawn.

    Yields
    ------
    arrays, shape ``(b, n_questions)``
    """
    sets: dict[str, list[int]] = {}
    for column, (dataset, _) in enumerate(questions):
        sets.setdefault(dataset, []).append(column)
    parts = []
    for dataset, columns in sets.items():
        key = "\n".join((dataset, *(questions[c][1] for c in columns)))
        parts.append((columns, np.random.default_rng([seed, zlib.crc32(key.encode())])))
    for size in chunks(n_resamples, len(questions) + n_trials):
        weights = np.empty((size, len(questions)))
        for columns, rng in parts:
            weights[:, columns] = cluster_weights(len(columns), size, rng)
        yield weights
