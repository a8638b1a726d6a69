"""How many raters, and how many items: simulated panels, their figure and their sentences."""

from __future__ import annotations

from dataclasses import asdict

import pandas as pd
from matplotlib.figure import Figure

from metacog.raters.precision import agreement_at, alpha_at, alpha_precision
from metacog.report.style import looks, new_axes
from metacog.report.verdicts import listed, plural, rows_of

RATERS = (3, 5, 10, 20)
ITEMS = (12, 24, 40, 80)
#: Share of the rarer of two judgements.
RARER = (0.5, 0.2, 0.1)
#: From this coverage on an interval of level 95 % is taken to keep its promise.
KEPT = 0.93


def designs(alpha: float, n_simulations: int, seed: int) -> pd.DataFrame:
    """A row a design: ``rarer, n_items, n_raters``, the fields of its precision, and ``spread``.

    The spread is 1.96 standard deviations of the estimates (:class:`metacog.raters.AlphaPrecision`).
    """
    rows = []
    for rarer in RARER:
        for n_items in ITEMS:
            for n_raters in RATERS:
                found = alpha_precision(
                    n_items, n_raters, alpha, (1 - rarer, rarer), n_simulations=n_simulations, seed=seed
                )
                rows.append(
                    {
                        "rarer": rarer,
                        "n_items": n_items,
                        "n_raters": n_raters,
                        **asdict(found),
                        "spread": 1.96 * found.sd,
                    }
                )
    return pd.DataFrame(rows)


def bars(agreement: float, alpha: float) -> pd.DataFrame:
    """What two bars ask of the same raters, by the share of the rarer judgement.

    ``rarer, chance`` (agreement of raters who know nothing), ``agreement`` of raters at the bar of alpha, and
    ``alpha`` of raters at the bar of agreement.
    """
    rows = []
    for rarer in (*RARER, 0.05):
        shares = (1 - rarer, rarer)
        rows.append(
            (rarer, agreement_at(0, shares), agreement_at(alpha, shares), alpha_at(agreement, shares))
        )
    return pd.DataFrame(rows, columns=["rarer", "chance", "agreement", "alpha"])


def needed(table: pd.DataFrame, half_width: float) -> pd.DataFrame:
    """Fewest simulated raters whose alpha spreads no further than a half-width, by items and share."""
    rows = []
    for n_items in ITEMS:
        own = table[table["n_items"] == n_items]
        row: dict[str, object] = {"n_items": n_items}
        for rarer in RARER:
            enough = own[(own["rarer"] == rarer) & (own["spread"] <= half_width)]["n_raters"]
            row[f"share_{rarer:g}"] = str(enough.min()) if len(enough) else f"over {max(RATERS)}"
        rows.append(row)
    return pd.DataFrame(rows)


def _at(table: pd.DataFrame, rarer: float, n_items: int, n_raters: int) -> float:
    rows = table[(table["rarer"] == rarer) & (table["n_items"] == n_items) & (table["n_raters"] == n_raters)]
    return float(rows["spread"].iloc[0])


def raters_or_items(table: pd.DataFrame) -> str:
    """What twice and four times as many raters buy, beside as many more items."""
    parts = []
    for rarer in (RARER[0], RARER[-1]):
        few = _at(table, rarer, ITEMS[1], RATERS[1])
        more = _at(table, rarer, ITEMS[1], RATERS[3])
        longer = _at(table, rarer, ITEMS[3], RATERS[1])
        wins = "more items buy more" if longer < more else "more raters buy more"
        parts.append(
            f"With the rarer judgement at {rarer:.0%}, {ITEMS[1]} items and {RATERS[1]} raters give a "
            f"half-width of {few:.2f}; {RATERS[3]} raters give {more:.2f}, and {ITEMS[3]} items with "
            f"{RATERS[1]} raters {longer:.2f}: {wins}."
        )
    return " ".join(parts)


def coverage_said(table: pd.DataFrame) -> str:
    """In which designs intervals hold the truth less often than they promise."""
    low = table[table["coverage"] < KEPT]
    if low.empty:
        return f"In all {plural(len(table), 'design')} the intervals hold the truth in {KEPT:.0%} or more."
    worst = rows_of(low.sort_values("coverage"))[0]
    by_share = [
        f"{(low['rarer'] == rarer).sum()} of {(table['rarer'] == rarer).sum()} at {rarer:.0%}"
        for rarer in RARER
    ]
    return (
        f"An interval of 95 % holds the truth in less than {KEPT:.0%} of simulations in "
        f"{plural(len(low), 'design')} of {len(table)}: {listed(by_share)}. The worst is "
        f"{worst.coverage:.0%}, with {worst.n_items} items, {worst.n_raters} raters and the rarer judgement "
        f"at {worst.rarer:.0%}. Where few items are of the rarer kind, these few decide, and resampling them "
        "cannot tell what others would have done."
    )


def spread_figure(table: pd.DataFrame) -> Figure:
    """Half-width of alpha against the number of raters, a line a number of items, a panel a share."""
    shares = (RARER[0], RARER[-1])
    figure, axes = new_axes(1, len(shares), sharey=True)
    style = looks(f"{n} items" for n in ITEMS)
    for axis, rarer in zip(axes, shares, strict=True):
        for n_items in ITEMS:
            rows = table[(table["rarer"] == rarer) & (table["n_items"] == n_items)]
            name = f"{n_items} items"
            axis.plot(rows["n_raters"], rows["spread"], label=name, lw=1.6, ms=6, **style[name])
        axis.set_xscale("log")
        axis.set_xticks(RATERS, [str(n) for n in RATERS])
        axis.minorticks_off()
        axis.set_xlabel("raters")
        axis.set_title(f"rarer judgement {rarer:.0%}")
        axis.set_ylim(bottom=0)
    axes[0].set_ylabel("half-width of alpha")
    axes[0].legend()
    return figure
