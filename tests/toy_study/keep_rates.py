"""Who keeps what is right? What is computed: how often right and wrong answers are kept."""

from dataclasses import dataclass

import pandas as pd

from metacog.sdt.intervals import wilson
from metacog.studies.study import analysis
from metacog.verdicts.rules import judged, unit
from metacog.verdicts.verdict import Kind, Verdict

RULE = "Right answers are kept more often than wrong ones (95 % intervals apart), in every model."


@dataclass(frozen=True)
class KeepRates:
    """One row per model and kind of answer: ``model, correct, n, kept, kept_lower, kept_upper``."""

    rates: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    answers: int


@analysis(needs=("keep",), returns=KeepRates)
def keep_rates(inputs, *, verdicts: bool = True) -> KeepRates:
    """Who keeps what is right?"""
    trials = inputs.trials("keep")
    rates = trials.groupby(["model", "correct"], sort=False)["kept"].agg(["size", "mean"]).reset_index()
    rates = rates.rename(columns={"size": "n", "mean": "kept"})
    rates["kept_lower"], rates["kept_upper"] = wilson(rates["kept"], rates["n"])
    wide = rates.pivot(index="model", columns="correct", values=["kept_lower", "kept_upper"])
    apart = wide["kept_lower"][True] > wide["kept_upper"][False]
    known = wide.notna().all(axis=1)
    units = [unit(model, apart[model], known[model]) for model in wide.index]
    found = (judged(units, "Keep", Kind.PREREGISTERED, RULE, name="keep"),) if verdicts else ()
    return KeepRates(rates, found, len(trials))
