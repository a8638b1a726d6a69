"""What the toy study computes: how often answers that are right, and answers that are wrong, are kept."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.intervals import wilson
from metacog.studies.study import analysis

RULE = "Right answers are kept more often than wrong ones (95 % intervals apart), in every model."


@dataclass(frozen=True)
class KeepRates:
    """One row a model and kind of answer: ``model, correct, n, kept, lo, hi``."""

    rates: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    rules: Mapping[str, str]
    answers: int


@analysis(needs=("keep",), returns=KeepRates)
def keep_rates(inputs, *, verdicts: bool = True) -> KeepRates:
    """Who keeps what is right?"""
    trials = inputs.trials("keep")
    rates = trials.groupby(["model", "correct"], sort=False)["kept"].agg(["size", "mean"]).reset_index()
    rates = rates.rename(columns={"size": "n", "mean": "kept"})
    rates["lo"], rates["hi"] = wilson(rates["kept"], rates["n"])
    wide = rates.pivot(index="model", columns="correct", values=["lo", "hi"])
    both = wide.dropna()
    apart = bool((both["lo"][True] > both["hi"][False]).all()) if len(both) else None
    said = f"Right answers are kept more often in {'every model' if apart else 'not every model'}."
    found = (Verdict("Keep", Kind.PREREGISTERED, RULE, apart, said),) if verdicts else ()
    return KeepRates(rates, found, {"keep": RULE}, len(trials))
