"""Scores of the six tracks: H1, H2 and what kinds of item tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report.verdicts import Verdict
from metacog.studies.study import analysis
from metacog.studies.study5_battery.ledger.published import FILES
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures.integrity import variants, without_declined
from metacog.studies.study5_battery.measures.scores import track_scores
from metacog.studies.study5_battery.tracks import scores
from metacog.studies.study5_battery.tracks.error_profiles import error_profiles
from metacog.studies.study5_battery.tracks.item_types import by_item_type, discrimination_verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Tracks:
    """Scores and errors.

    ``scores`` has each model's score on each track, ``payoffs`` what each state earns, ``rule`` how many
    scores follow from that alone, ``leaders`` who leads, ``errors`` how each model's errors are spread,
    ``item_types`` what each kind of item tells.
    """

    scores: pd.DataFrame
    payoffs: pd.DataFrame
    rule: pd.DataFrame
    leaders: pd.DataFrame
    errors: pd.DataFrame
    item_types: pd.DataFrame
    permutations: int
    verdicts: tuple[Verdict, ...]


@analysis(returns=Tracks, files=FILES)
def tracks(
    inputs: Inputs, *, n_resamples: int = 10_000, n_permutations: int = 2_000, seed: int = 42
) -> Tracks:
    """Does one model lead everywhere, and do all fail in the same places?"""
    rows = load()
    leaders, on_all = scores.leaders(rows, n_resamples, seed)
    distinct = variants(rows)["without copied files"]
    errors, h2 = error_profiles(distinct, n_permutations, seed)
    _, h2_all = error_profiles(rows, n_permutations, seed)
    types = by_item_type(rows, without_declined(distinct))
    return Tracks(
        scores=track_scores(rows).sort_values("mean", ascending=False).reset_index(drop=True),
        payoffs=scores.payoffs(rows),
        rule=scores.reproduced(rows),
        leaders=leaders,
        errors=errors,
        item_types=types,
        permutations=n_permutations,
        verdicts=(
            scores.h1(leaders, on_all),
            h2.under("h2"),
            h2_all.under("h2 all"),
            discrimination_verdict(types),
        ),
    )


ANALYSES = (tracks,)
