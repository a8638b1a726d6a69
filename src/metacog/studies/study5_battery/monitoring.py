"""Who stands by what is right? The leaderboards by accuracy and by delta, and which claims survive an interval.

Models are compared as if they had answered different items. They answered the same ones, and what is hard
for one is hard for most, so the true intervals of differences are, if anything, narrower than these.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.sdt.correlations import Correlation, correlation
from metacog.sdt.decisions import adjust_p, bonferroni_z
from metacog.sdt.ranking import rank_sets
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, mean_difference
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.paper import FILES, RETROSPECTIVE, printed_profiles
from metacog.studies.study5_battery.profiles import NAMES
from metacog.verdicts.outcomes import counted, of_rule, outcomes, those
from metacog.verdicts.rules import Unit, unit

#: Columns of the mean bet delta, and what they are called on the board.
BETS = {"delta": "bet_delta", "lower": "bet_delta_lower", "upper": "bet_delta_upper"}
#: A mean departs from zero below this p, adjusted for all means.
ALPHA = 0.05


@analysis(files=FILES)
def monitoring(inputs: Inputs) -> dict[str, Any]:
    """Which models withdraw what is wrong and keep what is right?"""
    rows = load()
    per_track, bets = (deltas(rows, probe=probe) for probe in ("keep", "bet"))
    means, bet_means = mean_deltas(per_track), mean_deltas(bets)
    pairs, bet_pairs = differences(per_track, means), differences(bets, bet_means)
    board = with_rank_sets(leaderboard(means), pairs)
    tells, probes = inversion(means)[1], correlation(means["delta"], bet_means["delta"], kind="spearman")
    judged = (survival("ranks", pairs), survival("bets", bet_pairs), inverted(tells))
    return {
        "board": board.assign(
            profile=board["model"].map(printed_profiles()).map(NAMES), unranked=~board["complete"]
        ).merge(bet_means[["model", *BETS]].rename(columns=BETS), on="model"),
        "accuracy_r": tells.r,
        "accuracy_lower": tells.lower,
        "accuracy_upper": tells.upper,
        "probes_r": probes.r,
        "probes_lower": probes.lower,
        "probes_upper": probes.upper,
        "outcomes": pd.concat(judged),
    }


def leaderboard(means: pd.DataFrame) -> pd.DataFrame:
    """Ranks of mean deltas, highest first.

    ``accuracy_rank`` and ``printed_rank`` rank all models, as the print does; ``rank`` only complete means.
    ``holm`` is ``p`` adjusted over the complete means, NaN for the others.
    """
    results = means.sort_values("delta", ascending=False, kind="stable").reset_index(drop=True)
    whole = results["complete"]
    adjusted = pd.Series(
        adjust_p(results.loc[whole, "p"]) if whole.any() else [], results.index[whole], float
    )
    ranked = {"accuracy_rank": results["accuracy"], "printed_rank": results["delta"]}
    ranked |= {"rank": results["delta"].where(whole)}
    ranks = {name: column.rank(ascending=False, method="first") for name, column in ranked.items()}
    return results.assign(holm=adjusted, **ranks)


def differences(per_track: pd.DataFrame, means: pd.DataFrame) -> pd.DataFrame:
    """Every pair of models with complete means, the higher one first: ``first, second, difference, together``.

    ``together``: whether the score interval of the difference, as wide as Bonferroni asks for all pairs, excludes 0.
    """
    board = leaderboard(means)
    order = list(board.loc[board["complete"], "model"])
    per_track = per_track[per_track["track"].isin(RETROSPECTIVE)]
    own = {model: per_track[per_track["model"] == model] for model in order}
    pairs = list(combinations(order, 2))
    level = float(2 * ndtr(bonferroni_z(m=len(pairs))) - 1) if pairs else 0.95
    gaps = [mean_difference(own[first], own[second], level) for first, second in pairs]
    rows = [(*pair, one.estimate, bool(one.excludes())) for pair, one in zip(pairs, gaps, strict=True)]
    columns = ["first", "second", "difference", "together"]
    return pd.DataFrame(rows, columns=columns).astype({"together": bool})


def with_rank_sets(board: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """The leaderboard with ``rank_from`` and ``rank_to``: ranks that no pair rules out, for all at once."""
    order = list(board.loc[board["complete"], "model"])
    higher = np.zeros((len(order), len(order)), dtype=bool)
    for row in rows_of(pairs[pairs["together"]]):
        higher[order.index(row.first), order.index(row.second)] = True
    low, high = rank_sets(higher)
    ends = pd.DataFrame({"model": order, "rank_from": low, "rank_to": high})
    return board.merge(ends, on="model", how="left")


def survival(rule: str, pairs: pd.DataFrame) -> pd.DataFrame:
    """Which pairs of models differ when all are judged together, and whether most do."""
    units = []
    for row in rows_of(pairs):
        none = "no difference" if np.isnan(row.difference) and not row.together else ""
        units.append(unit(f"{row.first} and {row.second}", row.together, flag=none))
    return outcomes(rule, units, len(units) // 2 + 1)


def inversion(means: pd.DataFrame) -> tuple[Correlation, Correlation]:
    """Spearman's correlation of accuracy with mean delta: all models, and those with complete means."""
    whole = means[means["complete"]]
    every, complete = (correlation(one["accuracy"], one["delta"], kind="spearman") for one in (means, whole))
    return every, complete


def inverted(found: Correlation) -> pd.DataFrame:
    """Whether ranks are inverted: refuted where the interval leaves -0.5 out, open where there may be no relation."""
    holds = True if found.r <= -0.5 and found.upper < 0 else False if found.lower > -0.5 else None
    return outcomes("inversion", [Unit("ranks", holds, "the interval is too wide")])


def figures(result: Any) -> dict[str, int]:
    """Of how many models it can be told, how many withdraw what is wrong, and how many pairs can be told apart."""
    board = result.board
    return {
        "n_complete": int(board["complete"].sum()),
        "n_withdrawing": int(((board["delta"] > 0) & (board["holm"] < ALPHA)).sum()),
        "n_alone": int((board.loc[board["complete"], "lower"] > 0).sum()),
        "n_apart": len(those(result.outcomes, "ranks", True)),
        "n_pairs": len(of_rule(result.outcomes, "ranks")),
    }


def _counted(rule: str, result: Any) -> str:
    return counted(result.outcomes, rule)


ANALYSES = (monitoring,)
VIEWS = (
    Views(
        "monitoring",
        numbers=figures,
        verdicts={rule: partial(_counted, rule) for rule in ("ranks", "bets")},
    ),
)
