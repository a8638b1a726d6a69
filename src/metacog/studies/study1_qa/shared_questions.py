"""Own confidence against that of the run's other models on the same questions. What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.words import listed
from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import COMMITTED, CUTS, own_and_others
from metacog.sdt.checks import InputError
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import NOTHING_READ, REFERENCE, open_trials, primary, silent_models
from metacog.trials import SCORE, scored
from metacog.verdicts.self_knowledge import SelfKnowledge, judge

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Columns of the table of models that are there without rows, too.
COLUMNS = ("model", "temperature", "own", "own_lower", "own_upper", "crowd", "single_median", "single_best")
ONE_MODEL = "This run asks one model, so that nothing stands for how hard a question is for others."


@dataclass(frozen=True)
class SharedQuestions:
    """Own confidence against the others', at two temperatures.

    Attributes
    ----------
    models : DataFrame
        Those of both temperatures, lowest first: ``temperature``, and the columns of
        :class:`metacog.measures.own_and_others.OwnAndOthers`; without rows where nothing is compared.
    at_one, at_lowest : SelfKnowledge or None
        At T = 1, where confidence holds the luck of the draw, and at the lowest temperature; None where there is
        nothing to compare, or where T = 1 is the lowest.
    why_not : str
        Why there is nothing at T = 1; empty otherwise.
    lowest : float
    """

    models: pd.DataFrame
    at_one: SelfKnowledge | None
    at_lowest: SelfKnowledge | None
    why_not: str
    lowest: float


@analysis(needs=("open",), returns=SharedQuestions, files=COMMITTED)
def shared_questions(
    inputs: Inputs, *, n_resamples: int = 1000, n_permutations: int = 200, seed: int = 42
) -> SharedQuestions:
    """Does a model's confidence say more of its answers than other models' confidence in theirs?"""
    trials = primary(open_trials(inputs))
    return examine(trials, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)


def examine(
    trials: pd.DataFrame, *, n_resamples: int = 1000, n_permutations: int = 200, seed: int = 42
) -> SharedQuestions:
    """Trials of one question set at T = 1 and at the lowest temperature, on the questions that all models answered."""
    lowest = float(trials["temperature"].min())
    drawn = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    at_one, why_not = _examined(trials[trials["temperature"] == REFERENCE], drawn)
    at_lowest = _examined(trials[trials["temperature"] == lowest], drawn)[0] if lowest != REFERENCE else None
    both = ((lowest, at_lowest), (REFERENCE, at_one))
    parts = [found.models.assign(temperature=t) for t, found in both if found is not None]
    models = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))
    return SharedQuestions(models, at_one, at_lowest, why_not, lowest)


def _examined(trials: pd.DataFrame, drawn: dict[str, int]) -> tuple[SelfKnowledge | None, str]:
    """The result, or why there is none."""
    if trials["model"].nunique() < 2:
        return None, ONE_MODEL
    silent = silent_models(trials, trials["temperature"].unique().tolist())
    heard = scored(trials[~trials["model"].isin(silent)])
    if heard["model"].nunique() < 2:
        return (
            None,
            f"The models of this run cannot be compared. {NOTHING_READ.format(models=listed(silent))}",
        )
    try:
        items = ModelItems.of(heard, confidence=SCORE).shared()
        return judge(own_and_others(items, cuts=CUTS[:1], levels=(), **drawn)), ""
    except InputError as error:
        return None, f"The models of this run cannot be compared: {error}."
