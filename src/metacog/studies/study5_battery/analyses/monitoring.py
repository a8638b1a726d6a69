"""Who stands by what is right: deltas, ranks and profiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.report.rules import every, undecided, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study import analysis
from metacog.studies.study5_battery import profiles as kinds
from metacog.studies.study5_battery import ranks
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, with_bets
from metacog.studies.study5_battery.published import FILES, printed_profiles
from metacog.studies.study5_battery.reliability import path_rates
from metacog.studies.study5_battery.responses import load

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Monitoring:
    """Withdraw and bet deltas.

    ``per_track`` has both deltas of 120 cells, ``board`` the means over T1 to T5 with ranks and the
    sets of ranks that cannot be ruled out, ``bets`` the same means of the bet delta, ``pairs`` every pair of
    models with complete means.
    """

    per_track: pd.DataFrame
    board: pd.DataFrame
    bets: pd.DataFrame
    pairs: pd.DataFrame
    complete: int
    verdicts: tuple[Verdict, ...]
    bets_said: str
    flagged_said: str


@analysis(returns=Monitoring, files=FILES)
def monitoring(inputs: Inputs) -> Monitoring:
    """Which models withdraw what is wrong and keep what is right?"""
    rows = load()
    per_track = with_bets(rows)
    means = mean_deltas(per_track)
    pairs = ranks.differences(rows, means)
    board = ranks.with_rank_sets(ranks.leaderboard(means), pairs)
    board = board.assign(profile=board["model"].map(printed_profiles()).map(kinds.NAMES))
    both = ranks.probes_agree(rows)
    bet_means = mean_deltas(deltas(rows, probe="bet"))
    bet_board = ranks.leaderboard(bet_means)
    bet_pairs = ranks.differences(rows, bet_means, "bet")
    few = board[~board["complete"]]
    return Monitoring(
        per_track=per_track,
        board=board,
        bets=ranks.with_rank_sets(bet_board, bet_pairs),
        pairs=pairs,
        complete=int(board["complete"].sum()),
        verdicts=(
            ranks.survival_verdict(ranks.surviving(board, pairs)).under("ranks"),
            ranks.survival_verdict(ranks.surviving(bet_board, bet_pairs), "bet delta").under("bets"),
            ranks.inversion_verdict(means).under("inversion"),
        ),
        bets_said=(
            f"Withdraw and bet deltas order the models alike to a correlation of {both.r:.2f} (Spearman, 95 "
            f"% "
            f"{both.lower:.2f} to {both.upper:.2f})."
        ),
        flagged_said=(
            "Means over fewer than five tracks are not ranked: "
            + listed(f"{r['model']} ({r['n_defined']})" for r in few.to_dict("records"))
            + "."
        ),
    )


@dataclass(frozen=True)
class Profiles:
    """Profiles by rule.

    ``beside`` has the profile of each model by rule beside the printed one, and how often resampled items
    give the same; ``off`` those that disagree; ``by_track`` the profile on each track, ``cells`` its deltas;
    ``grid`` and ``alone`` what other thresholds change.
    """

    beside: pd.DataFrame
    off: pd.DataFrame
    by_track: pd.DataFrame
    cells: pd.DataFrame
    grid: pd.DataFrame
    alone: pd.DataFrame
    agree: int
    five_alone: int
    five_together: int
    wide: int
    steady: int
    verdicts: tuple[Verdict, ...]
    off_said: str
    fragments_said: str


@analysis(returns=Profiles, files=FILES)
def profiles(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> Profiles:
    """Are there kinds of models?"""
    rows = load()
    per_track = deltas(rows)
    means = mean_deltas(per_track)
    same = kinds.stability(rows, n_resamples, seed)
    beside = kinds.beside_printed(means)
    beside = beside.assign(stable=beside["model"].map(same)).sort_values("delta", ascending=False)
    by_track, cells = kinds.by_track(per_track, path_rates(rows)), kinds.grid(means)
    five = cells[(cells["largest"] <= 5) & (cells["moved"] > 0)]
    off = beside[~beside["same"]]
    return Profiles(
        beside=beside.reset_index(drop=True),
        off=off,
        by_track=by_track,
        cells=per_track,
        grid=cells,
        alone=kinds.one_at_a_time(cells),
        agree=int(beside["same"].sum()),
        five_alone=int(five.loc[five["moved"] == 1, "changed"].max()),
        five_together=int(five["changed"].max()),
        wide=int(cells["changed"].max()),
        steady=int((beside["stable"] >= 0.95).sum()),
        verdicts=(_plateau(five).under("plateau"), _rule(beside).under("rule")),
        off_said=_off_said(off),
        fragments_said=_fragments_said(by_track),
    )


def _rule(beside: pd.DataFrame) -> Verdict:
    off = beside[~beside["same"]]
    units = [
        unit(str(r["model"]), r["same"], known=np.isfinite([r["stood"], r["delta"]]).all())
        for r in beside.to_dict("records")
    ]
    return Verdict(
        "profiles",
        Kind.BESIDE,
        "The printed profile of every model follows from the printed rule.",
        every(units),
        (
            f"The rule gives {int(beside['same'].sum())} of {len(beside)} models their printed profile. "
            + _off_said(off)
        ).strip()
        + undecided(units),
    )


def _off_said(off: pd.DataFrame) -> str:
    return " ".join(
        f"{r['model']} is {r['rule']} by rule and {r['printed']} in print ({r['why']})."
        for r in off.to_dict("records")
    )


def _plateau(five: pd.DataFrame) -> Verdict:
    alone = five[five["moved"] == 1]
    return Verdict(
        "thresholds",
        Kind.BESIDE,
        "No shift of the thresholds by 5 points changes a profile (a plateau).",
        every(unit(str(k), n == 0, known=np.isfinite(n)) for k, n in enumerate(five["changed"])),
        f"Shifting one threshold by 5 points changes up to {int(alone['changed'].max())} of 20 profiles, "
        f"shifting all three up to {int(five['changed'].max())}. The text says both that none changes and "
        "that 9 to 10 do.",
    )


def _fragments_said(by_track: pd.DataFrame) -> str:
    one = by_track[by_track["distinct"] == 1]
    named = f": {listed(one['model'])}" if len(one) else ""
    return (
        f"{len(one)} of {len(by_track)} models have one profile on all of T1 to T5{named}. The others have "
        f"{int(by_track.loc[by_track['distinct'] > 1, 'distinct'].min())} to "
        f"{int(by_track['distinct'].max())}."
    )
