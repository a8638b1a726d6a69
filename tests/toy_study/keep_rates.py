"""Who keeps what is right?"""

from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.study import analysis
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import unit
from metacog.verdicts.verdict import Kind

TEXT = "Right answers are kept more often than wrong ones (95 % intervals apart), in every model."
RULES = {"keep": Rule(TEXT, "Keep", Kind.PREREGISTERED, claim="right answers are kept more often")}


@analysis(needs=("keep",))
def keep_rates(inputs, *, verdicts: bool = True):
    """Who keeps what is right?"""
    trials = inputs.trials("keep")
    rates = trials.groupby(["model", "correct"], sort=False)["kept"].agg(n="size", kept="mean").reset_index()
    rates["kept_lower"], rates["kept_upper"] = wilson(rates["kept"], rates["n"])
    wide = rates.pivot(index="model", columns="correct", values=["kept_lower", "kept_upper"])
    apart = wide["kept_lower"][True] > wide["kept_upper"][False]
    units = map(unit, wide.index, apart, wide.notna().all(axis=1))
    return {
        "rates": rates,
        "outcomes": outcomes("keep", list(units)) if verdicts else None,
        "answers": len(trials),
    }


def answer(result):
    """In how many models right answers are kept more often."""
    kept = result.rates.pivot(index="model", columns="correct", values="kept")
    more = (kept.get(True, 0) > kept.get(False, 0)).sum()
    return f"Right answers are kept more often than wrong ones in {more} of {len(kept)} models."


VIEWS = Views("keep_rates", sentences={"answer": answer})
