"""The trials themselves: one frame of all studies, to be filtered and looked up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from metacog.studies.contributions import TRIAL_COLUMNS
from metacog.studies.study import Inputs, analysis


@analysis(across="shown_trials")
def trials_shown(inputs: Inputs) -> dict[str, Any]:
    """What did the models answer, how surely, and was it right?"""
    return together(list(inputs.across().values()))


def together(found: Sequence[Any]) -> dict[str, Any]:
    """All studies' trials with an address each: of two that would share one, the later gets a number."""
    parts = [one.trials for one in found if len(one.trials)]
    whole = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(TRIAL_COLUMNS))
    number = whole["study"].astype(str).str.extract(r"(\d+)$", expand=False).fillna("0")
    address = number + "~" + whole["model"].astype(str) + "~" + whole["question_id"].astype(str) + "~"
    address += whole["temperature"].map("{:g}".format).astype(str) + "~" + whole["place"].astype(str)
    again = address.groupby(address).cumcount()
    address = address.where(again == 0, address + "~" + again.astype(str))
    return {
        "trials": whole.assign(address=address),
        "n": len(whole),
        "n_studies": int(whole["study"].nunique()),
        "n_turned": int((whole["turned"] != "").sum()),
    }
