"""The validity screen of a table of trials: a row per model, with what high confidence is taken to be."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.core.frames import with_ends
from metacog.sdt.alarms import screen_alarms
from metacog.sdt.screen import Screen
from metacog.sdt.screen import screen as screen_trials

Cut = float | Literal["median"]

CELLS = ("right_high", "wrong_high", "right_low", "wrong_low")
#: Indices that have limits.
INDICES = ("L", "Fp", "RBS", "TRIN", "r")
COLUMNS = (
    *("n", "left_out"),
    *CELLS,
    *("split", "cut", "at_cut"),
    *with_ends(*INDICES),
    *("broken", "invalid", "warning", "tier", "sound_invalid", "random_invalid"),
)
MEDIAN: Literal["median"] = "median"


def screen(
    trials: pd.DataFrame, *, confidence: str = "confidence", cut: Cut = MEDIAN, cluster: str | None = None
) -> pd.DataFrame:
    """The validity screen of each model.

    Parameters
    ----------
    trials : DataFrame
        One row per trial, with ``model`` and ``correct`` (1, True; 0, False). Trials without confidence are left
        out and counted.
    confidence : str
        Column of confidence, on any scale.
    cut : 'median' or float
        Confidence of this much and more is high. ``'median'``: of each row's own trials. A binary column (bool,
        nothing but 0 and 1, or two values in all) is taken as it is, the larger being high, unless a number is given.
    cluster : str, optional
        Column of what was asked several times; intervals then take its trials for dependent.

    Returns
    -------
    DataFrame
        ``model``, in the order of their first trials; ``n`` trials, ``left_out`` without confidence;
        ``right_high, wrong_high, right_low, wrong_low``; ``split``: ``binary``, ``median`` or ``value``; ``cut`` (NaN
        for a binary signal) and ``at_cut``, how many trials tie with it, all of them called high. ``L, Fp, RBS, TRIN,
        r`` with ``_lower`` and ``_upper`` (:class:`metacog.sdt.screen.Screen`); ``broken``, the rules that are broken,
        such as ``L, RBS``; ``invalid`` (boolean): whether any is, missing where none is and an index is undefined;
        ``warning``: TRIN >= .95; ``tier``: the published protocol. ``sound_invalid, random_invalid``: how often
        observers with as many right and as many high answers would break a rule
        (:func:`metacog.sdt.alarms.screen_alarms`).

    Raises
    ------
    MetacogError
        A column is missing, correctness is other than 0 and 1, confidence is no number, or an unknown cut.
    """
    wanted = ["model", "correct", confidence, *([cluster] if cluster else [])]
    if lacking := [c for c in wanted if c not in trials]:
        raise MetacogError(f"the validity screen needs the columns {', '.join(lacking)}")
    if cut != MEDIAN and not (isinstance(cut, int | float | np.number) and np.isfinite(cut)):
        raise MetacogError(f"a cut of high confidence is a number or {MEDIAN!r}, not {cut!r}")
    right, sure = _numbers(trials, "correct"), _numbers(trials, confidence)
    if not np.isin(right, (0, 1)).all():
        raise MetacogError("column 'correct' must say right (1) or wrong (0) for every trial")
    larger = _larger_of_two(sure) if cut == MEDIAN else None
    unit = trials[cluster].to_numpy() if cluster else None
    rows = []
    places = pd.Series(np.arange(len(trials))).groupby(trials["model"].to_numpy(), sort=False, dropna=False)
    for model, found in places:
        at = found.to_numpy()
        known = at[np.isfinite(sure[at])]
        edge = np.nan
        if larger is None and known.size:
            edge = float(np.median(sure[known])) if cut == MEDIAN else float(cut)
        made = screen_trials(
            right[known],
            sure[known] >= (edge if larger is None else larger),
            clusters=None if unit is None else unit[known],
        )
        rows.append(
            {
                "model": model,
                "n": known.size,
                "left_out": at.size - known.size,
                **dict(zip(CELLS, made.counts[0].astype(int).tolist(), strict=True)),
                "split": "binary" if larger is not None else "median" if cut == MEDIAN else "value",
                "cut": edge,
                "at_cut": int((sure[known] == edge).sum()),
                **_of(made),
            }
        )
    return pd.DataFrame(rows, columns=["model", *COLUMNS]).astype({"invalid": "boolean"})


def _larger_of_two(sure: NDArray[np.float64]) -> float | None:
    """What is high in a binary signal; None for a graded one."""
    values = np.unique(sure[np.isfinite(sure)])
    if np.isin(values, (0, 1)).all():
        return 1.0
    return float(values[1]) if values.size == 2 else None


def _of(made: Screen) -> dict[str, Any]:
    """Indices and judgements of one table."""
    indices = {name: float(getattr(made, name)[0]) for name in with_ends(*INDICES)}
    a, b, c, d = made.counts[0].astype(int).tolist()
    alarms = screen_alarms(a + c, b + d, a + b)
    broken = ", ".join(name for name, held in made.broken.items() if held[0])
    return {
        **indices,
        "broken": broken,
        "invalid": True if broken else pd.NA if made.undefined[0] else False,
        "warning": bool(made.warning[0]),
        "tier": str(made.tier[0]),
        "sound_invalid": alarms.sound,
        "random_invalid": alarms.random,
    }


def _numbers(trials: pd.DataFrame, column: str) -> NDArray[np.float64]:
    try:
        return trials[column].to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        raise MetacogError(f"column {column!r} must hold numbers, or true and false") from None
