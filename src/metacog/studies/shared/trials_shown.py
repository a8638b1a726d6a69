"""The trials themselves: one frame of all studies, to be filtered and looked up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.contributions import TRIAL_COLUMNS, ShownTrials
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class TrialsShown:
    """Trials of the run that carries each study's pages.

    Attributes
    ----------
    trials : DataFrame
        :data:`metacog.studies.contributions.TRIAL_COLUMNS`, of all studies; ``address`` names each for good.
    n, asked, n_studies : int
        Trials that are shown, and those that there are; studies that they come from.
    n_turned : int
        Those whose mark a stricter or looser marking would turn.
    """

    trials: pd.DataFrame
    n: int
    asked: int
    n_studies: int
    n_turned: int


@analysis(returns=TrialsShown, across="shown_trials")
def trials_shown(inputs: Inputs) -> TrialsShown:
    """What did the models answer, how surely, and was it right?"""
    return together(list(inputs.across().values()))


def together(found: Sequence[ShownTrials]) -> TrialsShown:
    """All studies' trials with an address each: of two that would share one, the later gets a number."""
    parts = [one.trials for one in found if len(one.trials)]
    whole = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(TRIAL_COLUMNS))
    number = whole["study"].astype(str).str.extract(r"(\d+)$", expand=False).fillna("0")
    address = number + "~" + whole["model"].astype(str) + "~" + whole["question_id"].astype(str) + "~"
    address += whole["temperature"].map("{:g}".format).astype(str) + "~" + whole["place"].astype(str)
    again = address.groupby(address).cumcount()
    address = address.where(again == 0, address + "~" + again.astype(str))
    return TrialsShown(
        whole.assign(address=address),
        len(whole),
        sum(one.asked for one in found),
        int(whole["study"].nunique()),
        int((whole["turned"] != "").sum()),
    )
