"""What was confidence taken from?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.binning import is_coarse
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.cells import GROUP, REFERENCE, K, cell_names, open_trials
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

    ``n`` answers are not empty, ``n_without`` of them have no confidence. A coarse one, never NLP, has no ratings of
    about equal frequency, so that nothing is fitted to them.
    """
    chosen, rows = signals_of(trials), []
    at_reference = trials[trials["temperature"] == REFERENCE]
    for (model, dataset), own in at_reference.groupby(list(GROUP), sort=False):
        answered = own[own["answer"].str.strip() != ""]
        score = answered[SCORE].dropna().to_numpy(dtype=np.float64)
        signal = chosen[str(model)]
        coarse = bool(signal != NLP and score.size and is_coarse(score, 2 * K))
        rows.append((model, dataset, signal, len(answered), len(answered) - score.size, coarse))
    columns = ["model", "dataset", "signal", "n", "n_without", "coarse"]
    return pd.DataFrame(rows, columns=columns)


def which(result: Any) -> str:
    """What confidence is in which models, and where it is lost, or too coarse for ratings."""
    table = result.table
    kinds = table.drop_duplicates("model").groupby("signal", sort=False)["model"].agg(listed)
    if len(kinds) == 1:
        kinds[:] = "every model of this run"
    told = f"**Confidence** on this page is {'; '.join(f'{WORDS[name]} in {who}' for name, who in kinds.items())}."
    if set(kinds.index) - {NLP}:
        told += " Where the text says NLP, that signal stands in its place; published values are of NLP."
    silent = table["n_without"] == table["n"]
    remarks = {
        "It is too coarse for ratings of equal frequency, so that no M-ratio is fitted:": table["coarse"],
        "No confidence could be read in the answers of": silent,
        "Many answers without a confidence are left out:": ~silent
        & (table["signal"] != NLP)
        & (table["n_without"] > MANY_WITHOUT * table["n"]),
    }
    names = pd.Series(cell_names(table), table.index, dtype="str")
    return told + "".join(f" {words} {listed(names[rows])}." for words, rows in remarks.items() if rows.any())


VIEWS = Views("signal", names=NAMES, sentences={"which": which})
