"""How steady profiles are: next to the published ones, track by track, and under other thresholds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.studies.study5_battery.ledger.published import (
    RETROSPECTIVE,
    UNCLASSIFIED,
    models_of,
    printed_profiles,
)
from metacog.studies.study5_battery.measures.deltas import deltas, mean_deltas, table_of
from metacog.studies.study5_battery.measures.profiles import PRINTED, Rule, by_rule

#: DECLINE at least this often on T6 is blanket withdrawal, in percent.
DECLINES = 90.0
#: Shifts of each threshold in the grid, in points.
SHIFTS = (-10.0, -5.0, 0.0, 5.0, 10.0)


def with_printed(means: pd.DataFrame) -> pd.DataFrame:
    """Profiles by rule next to the printed ones: ``rule, printed``, and ``why`` it is that of the rule."""
    printed, ours = printed_profiles(), by_rule(means)
    return pd.DataFrame(
        {
            "model": row.model,
            "stood": row.stood,
            "delta": row.delta,
            "lower": row.lower,
            "upper": row.upper,
            "rule": ours[row.model],
            "printed": printed[row.model],
            "why": f"KEEP {row.stood:.1f} %, mean delta {row.delta:.1f}",
        }
        for row in rows_of(means)
    )


def by_track(per_track: pd.DataFrame, paths: pd.DataFrame, rule: Rule = PRINTED) -> pd.DataFrame:
    """The profile of each model on each track: ``model``, one column per track, ``distinct`` (over T1 to T5).

    T6 is judged by what was chosen beforehand: B where ``DECLINES`` percent are declined, A where at least
    ``rule.high`` percent are answered directly, else unclassified.
    """
    rows = []
    direct, decline = (dict(zip(paths["model"], paths[c], strict=True)) for c in ("direct", "decline"))
    for model in models_of(per_track):
        subset = table_of(per_track[per_track["model"] == model], "track", ["stood", "delta"])
        results = {
            t: rule.profile(subset["stood"][t], subset["delta"][t])
            for t in RETROSPECTIVE
            if t in subset["stood"]
        }
        ahead = "A" if direct.get(model, np.nan) >= rule.high else UNCLASSIFIED
        ahead = "B" if decline.get(model, np.nan) >= DECLINES else ahead
        rows.append(
            {
                "model": model,
                **results,
                "T6": ahead,
                "distinct": len(set(results.values())),
                "shared": max(list(results.values()).count(p) for p in results.values()),
            }
        )
    return pd.DataFrame(rows)


def grid(means: pd.DataFrame, shifts: Iterable[float] = SHIFTS) -> pd.DataFrame:
    """How many models change their profile under other thresholds.

    Returns
    -------
    DataFrame
        One row per triple of thresholds: ``high, low, delta, largest`` (largest shift), ``moved`` (how many
        of the three were shifted), ``changed`` (models that differ from the rule as printed),
        ``as_printed`` (models whose profile is the printed one). Thresholds of a rate beyond 0 or 100 are
        kept there.
    """
    base, printed = by_rule(means), printed_profiles()
    rows = []
    for a, b, c in product(shifts, repeat=3):
        rule = replace(
            PRINTED, high=min(PRINTED.high + a, 100), low=max(PRINTED.low + b, 0), delta=PRINTED.delta + c
        )
        results = by_rule(means, rule)
        rows.append(
            {
                "high": rule.high,
                "low": rule.low,
                "delta": rule.delta,
                "largest": max(abs(v) for v in (a, b, c)),
                "moved": sum(v != 0 for v in (a, b, c)),
                "changed": sum(results[m] != base[m] for m in base),
                "as_printed": sum(results[m] == printed[m] for m in base),
            }
        )
    return pd.DataFrame(rows)


def one_at_a_time(cells: pd.DataFrame) -> pd.DataFrame:
    """Of :func:`grid`, the rows in which a single threshold was shifted, with its name, each value once."""
    alone = cells[cells["moved"] == 1]
    names = {"high": PRINTED.high, "low": PRINTED.low, "delta": PRINTED.delta}
    rows = []
    for row in rows_of(alone):
        name = next(n for n, usual in names.items() if getattr(row, n) != usual)
        rows.append(
            {
                "threshold": name,
                "value": getattr(row, name),
                "usual": names[name],
                "changed": row.changed,
                "as_printed": row.as_printed,
            }
        )
    order = {name: i for i, name in enumerate(names)}
    results = pd.DataFrame(rows).drop_duplicates()  # shifts beyond 0 and 100 end in the same place
    return results.sort_values(
        ["threshold", "value"], key=lambda s: s.map(order) if s.name == "threshold" else s
    )


def stability(responses: pd.DataFrame, n_resamples: int, seed: int, rule: Rule = PRINTED) -> dict[str, float]:
    """Share of resamples of the items in which a model gets the profile that it has.

    Within each track the four cells (right or wrong, kept or withdrawn) are drawn as a multinomial.
    """
    rng = np.random.default_rng(seed)
    subset = responses[responses["track"].isin(RETROSPECTIVE)]
    cell = subset["correct"].astype(int) * 2 + subset["keep"].astype(int)
    table = subset.assign(cell=cell).groupby(["model", "track"])["cell"].value_counts().unstack(fill_value=0)
    table = table.reindex(columns=range(4), fill_value=0)
    usual, results = by_rule(mean_deltas(deltas(subset))), {}
    for model in models_of(subset):
        stood, gaps = [], []
        for track in RETROSPECTIVE:
            cells = table.xs((model, track)).to_numpy(dtype=np.int64)
            draws = rng.multinomial(cells.sum(), cells / cells.sum(), n_resamples)
            with np.errstate(invalid="ignore"):
                kept = draws[:, 3] / draws[:, 2:].sum(1), draws[:, 1] / draws[:, :2].sum(1)
            stood.append(100 * draws[:, [1, 3]].sum(1) / cells.sum())
            gaps.append(100 * (kept[0] - kept[1]))
        defined = np.isfinite(gaps)
        mean = np.where(defined, gaps, 0).sum(0) / np.where(defined.any(0), defined.sum(0), np.nan)
        drawn = [rule.profile(s, d) for s, d in zip(np.mean(stood, axis=0), mean, strict=True)]
        results[model] = drawn.count(usual[model]) / n_resamples
    return results
