"""What was confidence taken from?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.binning import is_coarse
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.cells import GROUP, REFERENCE, K, cell_name, open_trials
from metacog.studies.study1_qa.paper import NAMES
from metacog.trials import NLP, SCORE, WORDS, signals_of

#: Share of answers without a confidence from which the page says so.
MANY_WITHOUT = 0.05


@analysis(needs=("open",))
def signal(inputs: Inputs) -> dict[str, Any]:
    """What was confidence taken from?"""
    return {"table": signal_table(open_trials(inputs))}


def signal_table(trials: pd.DataFrame) -> pd.DataFrame:
    """One row per model and question set at T = 1: its signal, and whether that is too ``coarse`` for ratings.

    ``n`` answers are not empty, ``n_without`` of them have no confidence, and the ``commonest`` of its ``n_values`` has
    a share. A coarse one, never NLP, has no ratings of about equal frequency, so that nothing is fitted to them.
    """
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
    columns = ["model", "dataset", "signal", "n", "n_without", "n_values", "commonest", "coarse"]
    return pd.DataFrame(rows, columns=columns)


def which(result: Any) -> str:
    rows = result.table.drop_duplicates("model")
    by_signal = {signal: list(own["model"]) for signal, own in rows.groupby("signal", sort=False)}
    if len(by_signal) == 1:
        (signal,) = by_signal
        told = [f"**Confidence** on this page is {WORDS[signal]}, in every model of this run."]
    else:
        parts = [f"{WORDS[signal]} in {listed(models)}" for signal, models in by_signal.items()]
        told = [
            f"**Confidence** on this page is {'; '.join(parts)}. These are different signals: where models are "
            "ranked or compared below, their signals are compared with them."
        ]
    if set(by_signal) - {NLP}:
        told.append("Where the text says NLP, that signal stands in its place. Published values are of NLP.")
    return " ".join([*told, *_remarks(result)])


def _remarks(result: Any) -> list[str]:
    n_sets, found = result.table["dataset"].nunique(), []
    for row in rows_of(result.table):
        name = cell_name(row.model, row.dataset, n_sets)
        if row.coarse:
            found.append(
                f"In {name} it takes {row.n_values} {'value' if row.n_values == 1 else 'values'} at T = 1, "
                f"{row.commonest:.0%} of its answers having the same, too coarse for eight ratings of equal "
                "frequency: a rating is one value, or the rarest neighbours together, and no M-ratio is fitted."
            )
        if row.n_without == row.n:
            found.append(
                f"No confidence could be read in the answers of {name} at T = 1, so that nothing on this page that "
                "rests on confidence can be judged of it; how many of its answers are right is known all the same."
            )
        elif row.signal != NLP and row.n_without > MANY_WITHOUT * row.n:
            found.append(
                f"{row.n_without / row.n:.0%} of the answers of {name} have none that could be read and are "
                "left out."
            )
    return found


VIEWS = Views("signal", names=NAMES, sentences={"which": which})
