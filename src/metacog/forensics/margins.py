"""Tables of 0 and 1 with the same margins: which items fail whom, beyond how hard and how able."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metacog.sdt.checks import InputError


def same_margins(
    table: ArrayLike, n_draws: int, *, seed: int | None = 42, trades: int | None = None
) -> Iterator[NDArray[np.bool_]]:
    """Random tables with the row sums and column sums of a table of 0 and 1.

    With people as rows and items as columns these are draws from the Rasch model given its sufficient
    statistics: whoever fails whatever beyond ability and difficulty is dealt again (Chen & Small 2005).

    Parameters
    ----------
    table : array of bool, shape ``(R, C)``
    n_draws : int
    seed : int or None
    trades : int, optional
        Pairs of rows that trade between two draws; 5 R without it, and ten times that before the first.

    Yields
    ------
    array of bool, shape ``(R, C)``

    Raises
    ------
    InputError
        Not a table of 0 and 1 with at least two rows.

    Notes
    -----
    Curveball trades (Strona et al. 2014, Nat. Commun. 5, 4114): two rows pool what only one of them has and
    deal it out again, each getting as many as before. The chain is uniform over all such tables.
    """
    values = np.asarray(table)
    if values.ndim != 2 or values.shape[0] < 2 or not np.isin(values, (0, 1)).all():
        raise InputError("a table of 0 and 1 with at least two rows is wanted")
    rng = np.random.default_rng(seed)
    state = values.astype(bool).copy()
    rows = state.shape[0]
    between = 5 * rows if trades is None else trades
    for draw in range(n_draws):
        for _ in range(between if draw else 10 * between):
            i, j = rng.choice(rows, 2, replace=False)
            _trade(state, int(i), int(j), rng)
        yield state.copy()


def _trade(state: NDArray[np.bool_], i: int, j: int, rng: np.random.Generator) -> None:
    differing = np.flatnonzero(state[i] != state[j])
    if differing.size == 0:
        return
    of_first = int(state[i, differing].sum())
    rng.shuffle(differing)
    state[i, differing], state[j, differing] = False, True
    state[i, differing[:of_first]], state[j, differing[:of_first]] = True, False
