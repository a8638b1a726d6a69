"""The leaderboards by accuracy and by mean withdraw delta, and which of their claims survive an interval.

Models are compared as if they had answered different items. They answered the same ones, and what is hard
for one is hard for most, so the true intervals of differences are, if anything, narrower than these.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.sdt.correlations import Correlation, correlation
from metacog.sdt.decisions import adjust_p, bonferroni_z
from metacog.sdt.ranking import rank_sets
from metacog.studies.study5_battery.measures import (
    PRINTED,
    Rule,
    by_rule,
    deltas,
    mean_deltas,
    mean_difference,
    table_of,
)
from metacog.studies.study5_battery.paper import RETROSPECTIVE, UNCLASSIFIED, models_of, printed_profiles
from metacog.verdicts.rules import Unit, at_least
from metacog.verdicts.verdict import Kind, Verdict

# How steady profiles are: next to the published ones, track by track, and under other thresholds.

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


#: A mean departs from zero below this p, adjusted for all means.
ALPHA = 0.05


def leaderboard(means: pd.DataFrame) -> pd.DataFrame:
    """Ranks of :func:`.deltas.mean_deltas`, highest first.

    ``accuracy_rank`` and ``printed_rank`` rank all models, as the print does; ``rank`` only complete means.
    ``holm`` is ``p`` adjusted over the complete means, NaN for the others.
    """
    results = means.sort_values("delta", ascending=False, kind="stable").reset_index(drop=True)
    whole = results.index[results["complete"]]
    adjusted = adjust_p(results.loc[whole, "p"]) if len(whole) else np.empty(0)
    return results.assign(
        holm=pd.Series(adjusted, index=whole, dtype=float),
        accuracy_rank=results["accuracy"].rank(ascending=False, method="first"),
        printed_rank=results["delta"].rank(ascending=False, method="first"),
        rank=results["delta"].where(results["complete"]).rank(ascending=False, method="first"),
    )


def differences(responses: pd.DataFrame, means: pd.DataFrame, probe: str = "keep") -> pd.DataFrame:
    """Every pair of models with complete means: which is higher, and does that survive?

    Returns
    -------
    DataFrame
        ``first, second`` (the higher mean first), ``difference, lower, upper`` (score interval, 95 %),
        ``alone`` (that interval excludes 0), ``together`` (so does one as wide as Bonferroni asks for all
        pairs).
    """
    order = [row.model for row in rows_of(leaderboard(means)) if row.complete]
    n_pairs = len(order) * (len(order) - 1) // 2
    per_track = deltas(responses, probe=probe)
    per_track = per_track[per_track["track"].isin(RETROSPECTIVE)]
    subset = {model: per_track[per_track["model"] == model] for model in order}
    levels = (0.95, _level(n_pairs)) if n_pairs else ()
    rows = []
    for first, second in combinations(order, 2):
        one, all_ = (mean_difference(subset[first], subset[second], level) for level in levels)
        rows.append(
            {
                "first": first,
                "second": second,
                "difference": one.estimate,
                "lower": one.lower,
                "upper": one.upper,
                "alone": one.excludes(),
                "together": all_.excludes(),
            }
        )
    return pd.DataFrame(rows)


def _level(n_pairs: int) -> float:
    from scipy.special import ndtr

    return float(2 * ndtr(bonferroni_z(m=n_pairs)) - 1)


def with_rank_sets(board: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """The leaderboard with ``rank_from`` and ``rank_to``: ranks that no pair rules out, for all at once."""
    order = list(board.loc[board["complete"], "model"])
    low, high = rank_sets(_higher(order, pairs))
    ends = pd.DataFrame({"model": order, "rank_from": low, "rank_to": high})
    return board.merge(ends, on="model", how="left")


def _higher(order: list[str], pairs: pd.DataFrame) -> NDArray[np.bool_]:
    table = np.zeros((len(order), len(order)), dtype=bool)
    for row in rows_of(pairs[pairs["together"]]):
        table[order.index(row.first), order.index(row.second)] = True
    return table


def surviving(board: pd.DataFrame, pairs: pd.DataFrame) -> dict[str, int]:
    """How many rank claims there are, and how many keep their order when the uncertainty is counted."""
    complete = list(board.loc[board["complete"], "model"])
    neighbours = set(pairwise(complete))
    adjacent = pairs[[(r.first, r.second) in neighbours for r in rows_of(pairs)]]
    return {
        "models": len(board),
        "complete": len(complete),
        "pairs": len(pairs),
        "pairs_alone": int(pairs["alone"].sum()),
        "pairs_together": int(pairs["together"].sum()),
        "undefined": int(pairs["difference"].isna().sum()),
        "neighbours": len(adjacent),
        "neighbours_alone": int(adjacent["alone"].sum()),
        "neighbours_together": int(adjacent["together"].sum()),
        "above": int(((board["delta"] > 0) & (board["holm"] < ALPHA)).sum()),
    }


def survival_verdict(counted: dict[str, int], what: str = "withdraw delta", topic: str = "") -> Verdict:
    """Whether the data settle the order of the leaderboard by one of the deltas."""
    return Verdict(
        f"ranks by {what}",
        Kind.EXPLORATORY,
        f"A count: of the pairs of models ranked by {what}, more than half differ significantly when all pairs "
        "are judged together.",
        _most_differ(counted),
        topic=topic,
        name="survival",
        values={**counted, "what": what},
    )


def _most_differ(c: dict[str, int]) -> bool | None:
    """More than half of the pairs, whatever those without a difference would be."""
    apart, unknown = c["pairs_together"], c["undefined"]
    units = [
        Unit(f"pair {k + 1}", True if k < apart else None if k < apart + unknown else False, "no difference")
        for k in range(c["pairs"])
    ]
    return at_least(units, c["pairs"] // 2 + 1)


def inversion(means: pd.DataFrame) -> tuple[Correlation, Correlation]:
    """Spearman's correlation of accuracy with mean delta: all models, and those with complete means."""
    whole = means[means["complete"]]
    return (
        correlation(means["accuracy"], means["delta"], kind="spearman"),
        correlation(whole["accuracy"], whole["delta"], kind="spearman"),
    )


def inversion_verdict(means: pd.DataFrame) -> Verdict:
    """Whether the ranks are "largely inverted": a strong negative correlation, by its entire interval."""
    every, complete = inversion(means)
    return Verdict(
        "inverted ranks",
        Kind.EXPLORATORY,
        "Ranks by accuracy and by mean withdraw delta correlate at -0.5 or below; no correlation is ruled "
        "out.",
        _inverted(complete),
        topic="inversion",
        name="inversion",
        values={"every": every, "complete": complete},
    )


def _inverted(whole: Correlation) -> bool | None:
    """Refuted only where the interval leaves -0.5 out; undecided where a weaker correlation may be none."""
    if whole.r <= -0.5 and whole.upper < 0:
        return True
    return False if whole.lower > -0.5 else None


def probes_agree(responses: pd.DataFrame) -> Correlation:
    """Spearman's correlation over models of mean withdraw delta with mean bet delta."""
    one, other = (mean_deltas(deltas(responses, probe=p)) for p in ("keep", "bet"))
    return correlation(one["delta"], other["delta"], kind="spearman")
