"""All measures of counts with thinking on and off, their differences, and what these are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from metacog.measures.cell import Cell, Flag
from metacog.measures.estimates import FITTED, Measured, measure
from metacog.measures.pairs import family_table
from metacog.sdt.bootstrap import padding
from metacog.sdt.compare import Together
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.intervals import centred, percentile_limits, wilson
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.sdt.rating_margins import Statistic, parts_of_change, shares, with_margins
from metacog.sdt.tables import FloatArray
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study1_qa.ledger import published
from metacog.studies.study1_qa.ledger.thinking import PADDING, Mode

ON, OFF = "thinking", "non_thinking"
#: What is measured, in the order of the columns.
MEASURES = ("accuracy", "auroc2", "meta_i2r", "d_prime", "criterion", "meta_d", "m_ratio")
#: Measures whose change is taken apart; meta-I2r as the plug-in value.
PARTED: dict[str, Statistic] = {"auroc2": auroc2_from_counts, "meta_i2r": plugin_meta_i2r}
#: Paddings of the fits that are compared; the first is the author's.
PADDINGS = (PADDING, 0.0)

#: Share of replies below the middle cut under which the page says so; a quarter of them would be half of that
#: which quantiles put there.
THIN = 0.25
#: What is unsound about a fit.
UNSOUND = (
    "d' is not above 0: wrong replies have the higher ratings",
    "the constant in every cell decides",
    "{percent:.0f} % of replies below the middle cut",
)

Pair = tuple[Mode, Mode]


def pairs(tables: Mapping[tuple[str, str], Mode]) -> dict[str, Pair]:
    """Each model with thinking off and on, under the name that readers know."""
    models = dict.fromkeys(model for model, _ in tables)
    return {
        published.THINKING_MODELS.get(model, model): (tables[model, OFF], tables[model, ON])
        for model in models
    }


def cell_of(mode: Mode) -> Cell:
    """The trials of one table of counts, each by itself; right and wrong stand for S2 and S1 in meta-d'."""
    n = mode.wrong.size
    table = np.concatenate([mode.wrong, mode.right])
    correct = np.repeat(np.arange(2 * n) >= n, table)
    level = np.repeat(np.tile(np.arange(n), 2), table)
    return Cell(
        correct,
        level.astype(np.float64),
        level,
        n,
        np.full(mode.n, np.nan),
        np.arange(mode.n),
        choice=level + 2 * (n // 2) * correct,
        k=n // 2,
    )


@dataclass(frozen=True)
class Compared:
    """Measures of both modes of every model, and differences.

    Attributes
    ----------
    cells : DataFrame
        ``model, mode, n``, each of :data:`MEASURES` with ``_lower`` and ``_upper``, and ``flag``.
    differences : DataFrame
        Thinking on minus off: ``model, quantity, off, on, difference, lower, upper, p, p_holm``. The limits
        are those of a 95 % interval of each difference alone; p is adjusted over the models.
    measured : dict
        Everything that was measured, with draws, by (model, mode).
    """

    cells: pd.DataFrame
    differences: pd.DataFrame
    measured: dict[tuple[str, str], Measured]


def compared(found: Mapping[str, Pair], *, n_resamples: int, seed: int) -> Compared:
    """Measure both modes of every model on replies resampled apart, since counts do not pair questions."""
    rows = []
    measured: dict[tuple[str, str], Measured] = {}
    for number, (model, pair) in enumerate(found.items()):
        for which, mode in enumerate(pair):
            one = measure(
                cell_of(mode),
                n_resamples=n_resamples,
                n_permutations=n_resamples,
                seed=_seed(seed, number, which),
            )
            row = one.row()
            limits = [f"{name}_{end}" for name in MEASURES for end in ("lower", "upper")]
            kept = {name: row.get(name, np.nan) for name in (*MEASURES, *limits, "flag")}
            rows.append({"model": model, "mode": mode.mode, "n": mode.n, **kept})
            measured[model, mode.mode] = one
    sides = {model: (measured[model, OFF], measured[model, ON]) for model in found}
    return Compared(pd.DataFrame(rows), differences(sides), measured)


def _seed(seed: int, number: int, which: int) -> int:
    return seed + 2 * number + which


def differences(sides: Mapping[str, tuple[Measured, Measured]]) -> pd.DataFrame:
    """Thinking on minus off of each measure; see :class:`Compared`."""
    frames = []
    for quantity in MEASURES:
        both = [_together(quantity, off, on) for off, on in sides.values()]
        judged = family_table(quantity, [(model, model) for model in sides], both)
        limits = [_limits(one) for one in both]
        frames.append(
            pd.DataFrame(
                {
                    "model": list(sides),
                    "quantity": quantity,
                    "off": [one.value_b for one in both],
                    "on": [one.value_a for one in both],
                    "difference": [one.difference for one in both],
                    "lower": [low for low, _ in limits],
                    "upper": [high for _, high in limits],
                    "p": judged["p"],
                    "p_holm": judged["p_holm"],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _together(quantity: str, off: Measured, on: Measured) -> Together:
    values = on.values.get(quantity, np.nan), off.values.get(quantity, np.nan)
    decided = quantity in FITTED and any(Flag.PADDED in side.flags for side in (off, on))
    if quantity not in on.draws or quantity not in off.draws or decided:
        return Together(*values, np.full(2, np.nan))
    return Together(*values, on.paired(quantity) - off.paired(quantity))


def _limits(one: Together) -> tuple[float, float]:
    known = np.isfinite(one.draws)
    if known.sum() < max(2, 0.5 * known.size):
        return np.nan, np.nan
    return percentile_limits(one.draws[known])


# ---------------------------------------------------------------------------- ratings, accuracy and worth


def by_rating(found: Mapping[str, Pair]) -> pd.DataFrame:
    """Which ratings are used, and how often each is right.

    Returns
    -------
    DataFrame
        ``model, mode, rating, n, use`` (share of the mode's replies), ``right`` (share of the rating's) with
        ``_lower`` and ``_upper`` (Wilson, 95 %).
    """
    rows = []
    for model, pair in found.items():
        for mode in pair:
            _, use = shares(mode.wrong, mode.right)
            for rating, (wrong, right) in enumerate(zip(mode.wrong, mode.right, strict=True)):
                n = int(wrong + right)
                share = right / n if n else np.nan
                low, high = wilson(share, n) if n else (np.nan, np.nan)
                row = {"model": model, "mode": mode.mode, "rating": rating + 1, "n": n, "use": use[rating]}
                rows.append({**row, "right": share, "right_lower": float(low), "right_upper": float(high)})
    return pd.DataFrame(rows)


def _tables(mode: Mode, n_resamples: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """The table itself and resamples of it, shape ``(1 + n_resamples, L)`` each."""
    table = np.concatenate([mode.wrong, mode.right])
    drawn = np.random.default_rng(seed).multinomial(mode.n, table / mode.n, size=n_resamples)
    every = np.concatenate([table[None], drawn]).astype(np.float64)
    return every[:, : mode.wrong.size], every[:, mode.wrong.size :]


def parts(found: Mapping[str, Pair], *, n_resamples: int, seed: int) -> pd.DataFrame:
    """How far accuracy, the use of ratings and their worth account for each change.

    Returns
    -------
    DataFrame
        ``model, quantity`` (of :data:`PARTED`), ``part`` (of :data:`~metacog.sdt.rating_margins.PARTS`),
        ``change, lower, upper`` (95 %); ``total``, which the parts add up to, with limits; and
        ``mostly_lower, mostly_upper``, limits of twice the part minus the whole, in the direction of the whole:
        above 0 where the part is more than half of it.
    """
    rows = []
    for number, (model, pair) in enumerate(found.items()):
        off, on = (_tables(mode, n_resamples, _seed(seed, number, which)) for which, mode in enumerate(pair))
        for quantity, statistic in PARTED.items():
            changes = parts_of_change(off, on, statistic)
            whole = np.sum(list(changes.values()), axis=0)
            total = {"total": float(whole[0]), **_ends("total", whole)}
            for part, values in changes.items():
                row: dict[str, Any] = {"model": model, "quantity": quantity, "part": part}
                row["change"] = float(values[0])
                low, high = _ends("", values).values()
                mostly = _ends("mostly", np.sign(whole[0]) * (2 * values - whole))
                rows.append({**row, "lower": low, "upper": high, **total, **mostly})
    return pd.DataFrame(rows)


def _ends(name: str, values: FloatArray) -> dict[str, float]:
    """95 % limits of draws that follow their estimate, moved so that they carry its bias once."""
    low, high = percentile_limits(centred(values[1:], float(values[0])))
    return {f"{name}_lower": low, f"{name}_upper": high}


def at_equal(found: Mapping[str, Pair]) -> pd.DataFrame:
    """Measures with thinking on at the accuracy, and also at the use of ratings, that thinking off has.

    Returns
    -------
    DataFrame
        ``model, quantity, off, on, accuracy_equal, both_equal``.
    """
    rows = []
    for model, (off, on) in found.items():
        accuracy, use = shares(off.wrong, off.right)
        _, own = shares(on.wrong, on.right)
        tables: dict[str, tuple[FloatArray, FloatArray]] = {
            "off": (off.wrong.astype(float), off.right.astype(float)),
            "on": (on.wrong.astype(float), on.right.astype(float)),
            "accuracy_equal": with_margins(on.wrong, on.right, accuracy, own),
            "both_equal": with_margins(on.wrong, on.right, accuracy, use),
        }
        for quantity, statistic in PARTED.items():
            values = {name: float(statistic(w[None], r[None])[0]) for name, (w, r) in tables.items()}
            rows.append({"model": model, "quantity": quantity, **values})
    return pd.DataFrame(rows)


# ---------------------------------------------------------------------------- fits


def fits(found: Mapping[str, Pair], measured: Mapping[tuple[str, str], Measured]) -> pd.DataFrame:
    """meta-d' of every table with and without padding: whether the fit converges, and what it is worth.

    Parameters
    ----------
    found : mapping of str to Pair
    measured : mapping
        As in :class:`Compared`: its resamples have the author's padding.

    Returns
    -------
    DataFrame
        ``model, mode, padding, d_prime, meta_d, m_ratio, criterion, converged, gradient`` (norm at the
        solution); with the author's padding also ``usable`` (share of resamples that give an M-ratio below 10
        in size) and ``negative`` (share with a d' that is not above 0); ``printed`` (M-ratio; NaN where none
        is), and ``flag`` (what makes M-ratio worth little).
    """
    printed = published.as_numbers("thinking_aggregate").set_index(["model", "mode"])["m_ratio"]
    rows = []
    for model, pair in found.items():
        for mode in pair:
            draws = measured[model, mode.mode].draws
            nothing = np.full(1, np.nan)
            for pad in PADDINGS:
                fit = fit_meta_d_batch(mode.wrong[None] + pad, mode.right[None] + pad, undefined="flag")
                row: dict[str, Any] = {"model": model, "mode": mode.mode, "padding": pad}
                row |= {name: float(getattr(fit, name)[0]) for name in ("d_prime", "meta_d", "m_ratio")}
                row |= {"criterion": float(fit.c[0]), "converged": bool(fit.converged[0])}
                row |= {"gradient": float(fit.gradient_norm[0]), "usable": np.nan, "negative": np.nan}
                if pad == PADDING:
                    row["usable"] = float(np.isfinite(draws.get("m_ratio", nothing)).mean())
                    row["negative"] = float((draws.get("d_prime", nothing) <= 0).mean())
                printed_ratio = float(printed.get((mode.model, mode.mode), np.nan))
                rows.append({**row, "printed": printed_ratio, "flag": _flag(mode, row["d_prime"])})
    return pd.DataFrame(rows)


def _flag(mode: Mode, d_prime: float) -> str:
    half = mode.wrong.size // 2
    below = (mode.wrong[:half].sum() + mode.right[:half].sum()) / mode.n
    true = (d_prime <= 0, padding(mode.wrong[None], mode.right[None]).sensitive[0], below < THIN)
    found = [text.format(percent=100 * below) for text, holds in zip(UNSOUND, true, strict=True) if holds]
    return "; ".join(found)
