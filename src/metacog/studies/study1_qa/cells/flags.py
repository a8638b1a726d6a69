"""What is unsound about a cell: no confidence, too few of a class, ties, empty ratings, padding that decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.measures.fits import PAD
from metacog.measures.panel import SILENT
from metacog.sdt.bootstrap import padding

#: Fewest correct and incorrect trials the pre-registration asks of a cell. (Where the measures of any
#: trials stop giving intervals is another matter: :data:`metacog.measures.estimates.MIN_FOR_INTERVALS`.)
MIN_CLASS = 50
#: Fewest right and wrong answers on either side of the middle cut, on which d' rests.
MIN_SIDE = 5


class Flag(StrEnum):
    """What is unsound about a cell; the column ``flag`` joins them, and is ``Flag.NONE`` for a sound cell.

    The last four concern what is fitted to padded counts (d', meta-d', M-ratio, criteria): a rating
    without a trial, under :data:`MIN_SIDE` right or wrong answers on one side of the middle cut, and d'
    or M-ratio moving by more than its own standard error as the constant in every cell goes from 0.1 to
    1 (:mod:`metacog.sdt.bootstrap`); and confidence with fewer than eight values, or too many trials at one, to
    which nothing is fitted. AUROC2 and meta-I2r take no padding. A cell none of whose answers has a confidence,
    as of a model that never writes a percentage, has one flag alone, ``SILENT``: nothing can be measured in it.
    """

    NONE = ""
    SILENT = SILENT
    FEW_CORRECT = f"under {MIN_CLASS} correct"
    FEW_INCORRECT = f"under {MIN_CLASS} incorrect"
    FEW_OF_A_CLASS = f"under {MIN_CLASS} of a class"
    TIED = "ties merge ratings"
    EMPTY = "empty ratings"
    STARVED = "starved middle cut"
    PADDED = "padding decides"
    COARSE = "coarse signal"

    @property
    def of_fit(self) -> bool:
        """Whether it concerns fits of padded counts alone."""
        return self in (Flag.EMPTY, Flag.STARVED, Flag.PADDED, Flag.COARSE)


#: That nothing can be said of models because no confidence could be read.
NOTHING_READ = "No confidence could be read in the answers of {models}."
_JOIN = "; "


def joined(flags: Iterable[Flag]) -> str:
    """Flags as the column ``flag`` holds them."""
    return _JOIN.join(flag.value for flag in flags)


def flags_in(text: str) -> tuple[Flag, ...]:
    """The flags that a cell of the column ``flag`` holds."""
    return tuple(Flag(part) for part in text.split(_JOIN) if part)


def flagged(frame: pd.DataFrame, *, padded: bool = True) -> pd.Series:
    """Which rows of a table carry a flag.

    Parameters
    ----------
    padded : bool
        Whether the measure in question is fitted to padded counts; if not, flags of fits are no matter.
    """
    if padded:
        return frame["flag"] != Flag.NONE
    return frame["flag"].map(lambda text: any(not flag.of_fit for flag in flags_in(text))).astype(bool)


def table_flags(
    nR_S1: NDArray[np.int64],
    nR_S2: NDArray[np.int64],
    tied: Sequence[bool] = (),
    coarse: Sequence[bool] = (),
) -> list[str]:
    """What is unsound about each table, as the column ``flag`` holds it.

    Parameters
    ----------
    nR_S1, nR_S2 : int arrays, shape ``(G, 2K)``
    tied, coarse : sequence of bool
        Where ties merge ratings, and where each rating is one value of a coarse signal.
    """
    wrong, right = nR_S1.sum(axis=1), nR_S2.sum(axis=1)
    found: list[list[Flag]] = [[] for _ in wrong]
    for i, flags in enumerate(found):
        if not wrong[i] + right[i]:
            flags.append(Flag.SILENT)
            continue
        if min(wrong[i], right[i]) < MIN_CLASS:
            flags.append(Flag.FEW_CORRECT if right[i] < wrong[i] else Flag.FEW_INCORRECT)
        if i < len(tied) and tied[i]:
            flags.append(Flag.TIED)
    if len(found):
        made = padding(nR_S1, nR_S2, pad=PAD)
        for i, (flags, empty, thinnest, sensitive) in enumerate(
            zip(found, made.empty, made.thinnest, made.sensitive, strict=True)
        ):
            if Flag.SILENT in flags:
                continue
            if i < len(coarse) and coarse[i]:
                flags.append(Flag.COARSE)
                continue
            flags += [Flag.EMPTY] * bool(empty)
            flags += [Flag.STARVED] * bool(thinnest < MIN_SIDE)
            flags += [Flag.PADDED] * bool(sensitive)
    return [joined(flags) for flags in found]
