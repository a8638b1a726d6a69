"""Own confidence against that of the run's other models on the same questions."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.words import listed
from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import CUTS, DIAGONAL, own_and_others
from metacog.sdt.checks import InputError
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.cells import NOTHING_READ, REFERENCE, open_trials, primary, silent_models
from metacog.trials import SCORE, scored

#: Columns of the table of models that are there without rows, too.
COLUMNS = ("model", "temperature", "own", "own_lower", "own_upper", "crowd", "single_median", "single_best")
ONE_MODEL = "This run asks one model, so that nothing stands for how hard a question is for others."


@analysis(needs=("open",), files=(DIAGONAL,))
def shared_questions(
    inputs: Inputs, *, n_resamples: int = 1000, n_permutations: int = 200, seed: int = 42
) -> dict[str, Any]:
    """Does a model's confidence say more of its answers than other models' confidence in theirs?"""
    trials = primary(open_trials(inputs))
    models, why_not = examine(trials, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
    return {"models": models, "why_not": why_not}


def examine(trials: pd.DataFrame, **drawn: int) -> tuple[pd.DataFrame, str]:
    """Models on the questions that all answered, at the lowest temperature and at T = 1, and why there are none."""
    parts, why_not = [], ""
    for temperature in dict.fromkeys((float(trials["temperature"].min()), REFERENCE)):
        models, why_not = _examined(trials[trials["temperature"] == temperature], drawn)
        if len(models):
            parts.append(models.assign(temperature=temperature))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS)), why_not


def _examined(trials: pd.DataFrame, drawn: dict[str, int]) -> tuple[pd.DataFrame, str]:
    nothing = pd.DataFrame()
    if trials["model"].nunique() < 2:
        return nothing, ONE_MODEL
    silent = silent_models(trials, trials["temperature"].unique().tolist())
    heard = scored(trials[~trials["model"].isin(silent)])
    if heard["model"].nunique() < 2:
        silent_only = NOTHING_READ.format(models=listed(silent))
        return nothing, f"The models of this run cannot be compared. {silent_only}"
    try:
        items = ModelItems.of(heard, confidence=SCORE).shared()
        return own_and_others(items, cuts=CUTS[:1], **drawn).models, ""
    except InputError as error:
        return nothing, f"The models of this run cannot be compared: {error}."
