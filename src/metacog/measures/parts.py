"""The order of a model's domains or temperatures in AUROC2, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.measures.cell import Cell, Flag
from metacog.measures.estimates import measurable, remarks_on, statistics
from metacog.measures.table import Options, make_cell
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.ranking import bootstrap_ranks
from metacog.sdt.resampling import weight_chunks

ORDER_COLUMNS = (
    "by",
    "model",
    "part",
    "estimate",
    "rank",
    "set_lower",
    "set_upper",
    "rank_lower",
    "rank_upper",
    "p_highest",
    "p_lowest",
    "order_probability",
)


def order_table(trials: pd.DataFrame, options: Options | None = None, by: str = "domain") -> pd.DataFrame:
    """Ranks of the parts of each model by AUROC2, with their uncertainty.

    Parameters
    ----------
    trials : DataFrame
        A trial table with the column ``options.score``.
    options : Options, optional
    by : str
        ``domain`` or ``temperature``.

    Returns
    -------
    DataFrame
        Columns :data:`ORDER_COLUMNS`, one row per model and part, for models with two parts or more;
        numbers are missing for a part that cannot be judged. See
        :func:`metacog.sdt.ranking.bootstrap_ranks`.

    Notes
    -----
    Whole questions are resampled. Parts that share questions (temperatures) are resampled together, parts
    of questions of their own (domains) each alone.
    """
    options = options or Options()
    rows: list[tuple[object, ...]] = []
    for model, mine in trials.groupby("model", sort=False):
        parts = [(part, rows_) for part, rows_ in mine.groupby(by, sort=True)]
        if len(parts) < 2:
            continue
        cells = [make_cell(part, part, options) for _, part in parts]
        draws = np.full((len(parts), options.n_resamples), np.nan)
        estimates = np.full(len(parts), np.nan)
        good = [i for i, cell in enumerate(cells) if _judged(cell)]
        for i in good:
            estimates[i] = statistics(cells[i], np.ones((1, cells[i].n_units)))["auroc2"][0]
        if good:
            questions = [part["question_id"].to_numpy() for _, part in parts]
            draws[good] = list(_draws([cells[i] for i in good], [questions[i] for i in good], options))
        if len(good) < 2 or np.isfinite(draws[good]).all(axis=0).sum() < 2:
            rows += [(by, model, str(part), *[np.nan] * 9) for part, _ in parts]
            continue
        made = bootstrap_ranks(estimates, draws, level=options.level)
        rows += [
            (
                by,
                model,
                f"{part:g}" if by == "temperature" else str(part),
                estimates[i],
                made.rank[i],
                made.set_lower[i],
                made.set_upper[i],
                made.lower[i],
                made.upper[i],
                made.p_highest[i],
                made.p_lowest[i],
                made.order_probability,
            )
            for i, (part, _) in enumerate(parts)
        ]
    return pd.DataFrame(rows, columns=list(ORDER_COLUMNS))


def _judged(cell: Cell) -> bool:
    return measurable(cell) and not any(r.flag is Flag.FEW_OF_A_CLASS for r in remarks_on(cell))


def _draws(
    cells: list[Cell], questions: list[NDArray[np.object_]], options: Options
) -> Iterator[NDArray[np.float64]]:
    """Draws of AUROC2 of each part."""
    known, code = np.unique(np.concatenate(questions), return_inverse=True)
    codes = np.split(code, np.cumsum([q.size for q in questions])[:-1])
    distinct = [np.unique(c) for c in codes]
    shared = sum(o.size for o in distinct) > known.size
    seeds = [np.random.SeedSequence(options.seed)] * len(cells)
    if not shared:
        seeds = spawn_seeds(options.seed, len(cells))
    for cell, mine, each, seed in zip(cells, codes, distinct, seeds, strict=True):
        picked = each if shared else np.arange(each.size)
        n = known.size if shared else each.size
        part = Cell(
            cell.correct,
            cell.score,
            cell.level,
            cell.n_levels,
            np.full(mine.size, np.nan),
            np.searchsorted(each, mine),
        )
        chunks = weight_chunks(n, options.n_resamples, seed, n + mine.size)
        yield np.concatenate([statistics(part, weights[:, picked])["auroc2"] for weights in chunks])
