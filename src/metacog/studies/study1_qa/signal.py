"""What was confidence taken from? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.sdt.binning import is_coarse
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import GROUP, REFERENCE, K, open_trials
from metacog.trials import NLP, SCORE, signals_of

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


COLUMNS = ("model", "dataset", "signal", "n", "n_without", "n_values", "commonest", "coarse")


@dataclass(frozen=True)
class Signals:
    """One row per model and question set at T = 1.

    ``table`` has ``signal``, ``n`` answers that are not empty, ``n_without`` of them without a confidence,
    ``n_values`` that confidence takes, the share of the ``commonest`` one, and whether that is too ``coarse``
    for ratings of about equal frequency, so that nothing is fitted to them (never of NLP).
    """

    table: pd.DataFrame


def signal_table(trials: pd.DataFrame) -> pd.DataFrame:
    """The table of :class:`Signals` from open answers with the column ``score``."""
    chosen, rows = signals_of(trials), []
    at_reference = trials[trials["temperature"] == REFERENCE]
    for (model, dataset), own in at_reference.groupby(list(GROUP), sort=False):
        answered = own[own["answer"].str.strip() != ""]
        score = answered[SCORE].dropna().to_numpy(dtype=np.float64)
        held = np.unique(score, return_counts=True)[1]
        signal = chosen[str(model)]
        coarse = bool(signal != NLP and score.size and is_coarse(score, 2 * K))
        share = float(held.max() / score.size) if score.size else np.nan
        n_without = len(answered) - score.size
        rows.append((model, dataset, signal, len(answered), n_without, held.size, share, coarse))
    return pd.DataFrame(rows, columns=list(COLUMNS))


@analysis(needs=("open",), returns=Signals)
def signal(inputs: Inputs) -> Signals:
    """What was confidence taken from?"""
    return Signals(signal_table(open_trials(inputs)))
