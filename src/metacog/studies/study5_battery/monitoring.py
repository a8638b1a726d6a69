"""Who stands by what is right: deltas, ranks and profiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study5_battery import monitoring_ranks
from metacog.studies.study5_battery.ledger.entries import judged_profiles
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import NAMES, deltas, mean_deltas, path_rates, with_bets
from metacog.studies.study5_battery.paper import FILES, printed_profiles
from metacog.verdicts.rules import every, judged, unit
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Monitoring:
    """Withdraw and bet deltas.

    ``per_track`` has both deltas of 120 cells, ``board`` the means over T1 to T5 with ranks and the sets of
    ranks that cannot be ruled out, ``bets`` the same means of the bet delta, ``pairs`` every pair of models
    with complete means; ``unranked`` marks the others on the board. ``probes_r`` is Spearman's correlation of both
    means over models.
    """

    per_track: pd.DataFrame
    board: pd.DataFrame
    bets: pd.DataFrame
    pairs: pd.DataFrame
    probes_r: float
    probes_lower: float
    probes_upper: float
    verdicts: tuple[Verdict, ...]


@analysis(returns=Monitoring, files=FILES)
def monitoring(inputs: Inputs) -> Monitoring:
    """Which models withdraw what is wrong and keep what is right?"""
    rows = load()
    per_track = with_bets(rows)
    means = mean_deltas(per_track)
    pairs = monitoring_ranks.differences(rows, means)
    board = monitoring_ranks.with_rank_sets(monitoring_ranks.leaderboard(means), pairs)
    board = board.assign(
        profile=board["model"].map(printed_profiles()).map(NAMES), unranked=~board["complete"]
    )
    probes = monitoring_ranks.probes_agree(rows)
    bet_means = mean_deltas(deltas(rows, probe="bet"))
    bet_board, bet_pairs = (
        monitoring_ranks.leaderboard(bet_means),
        monitoring_ranks.differences(rows, bet_means, "bet"),
    )
    return Monitoring(
        per_track=per_track,
        board=board,
        bets=monitoring_ranks.with_rank_sets(bet_board, bet_pairs),
        pairs=pairs,
        probes_r=probes.r,
        probes_lower=probes.lower,
        probes_upper=probes.upper,
        verdicts=(
            monitoring_ranks.survival_verdict(monitoring_ranks.surviving(board, pairs), topic="ranks"),
            monitoring_ranks.survival_verdict(
                monitoring_ranks.surviving(bet_board, bet_pairs), "bet delta", topic="bets"
            ),
            monitoring_ranks.inversion_verdict(means),
        ),
    )


@dataclass(frozen=True)
class Profiles:
    """Profiles by rule.

    ``models`` has the profile of each model by rule next to the printed one, and how often resampled items
    give the same; ``by_track`` the profile on each track, ``cells`` its deltas; ``grid`` and ``alone`` what
    other thresholds change.
    """

    models: pd.DataFrame
    by_track: pd.DataFrame
    cells: pd.DataFrame
    grid: pd.DataFrame
    alone: pd.DataFrame
    steady: int
    verdicts: tuple[Verdict, ...]


@analysis(returns=Profiles, files=FILES)
def profiles(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> Profiles:
    """Are there kinds of models?"""
    rows = load()
    per_track = deltas(rows)
    means = mean_deltas(per_track)
    stable = monitoring_ranks.stability(rows, n_resamples, seed)
    models = judged_profiles(means)
    models = models.assign(stable=models["model"].map(stable)).sort_values(
        "delta", ascending=False, kind="stable"
    )
    cells = monitoring_ranks.grid(means)
    five = cells[(cells["largest"] <= 5) & (cells["moved"] > 0)]
    return Profiles(
        models=models.reset_index(drop=True),
        by_track=monitoring_ranks.by_track(per_track, path_rates(rows)),
        cells=per_track,
        grid=cells,
        alone=monitoring_ranks.one_at_a_time(cells),
        steady=int((models["stable"] >= 0.95).sum()),
        verdicts=(plateau_verdict(five), rule_verdict(models)),
    )


def rule_verdict(models: pd.DataFrame) -> Verdict:
    """Whether every printed profile follows from the printed rule."""
    units = [
        unit(str(r["model"]), r["same"], known=np.isfinite([r["stood"], r["delta"]]).all())
        for r in models.to_dict("records")
    ]
    return judged(
        units,
        "profiles",
        Kind.PUBLISHED,
        "The printed profile of every model follows from the printed rule.",
        name="rule",
        topic="rule",
        models=len(models),
        agree=int(models["same"].sum()),
        differing=models.loc[~models["same"], ["model", "rule", "printed", "why"]].to_dict("records"),
    )


def plateau_verdict(five: pd.DataFrame) -> Verdict:
    """Whether no shift of the thresholds by five points changes a profile."""
    return Verdict(
        "thresholds",
        Kind.PUBLISHED,
        "No shift of the thresholds by 5 points changes a profile (a plateau).",
        every(unit(str(k), n == 0, known=np.isfinite(n)) for k, n in enumerate(five["changed"])),
        topic="plateau",
        name="plateau",
        values={
            "alone": float(five.loc[five["moved"] == 1, "changed"].max()),
            "together": float(five["changed"].max()),
        },
    )


ANALYSES = (monitoring, profiles)
