"""Recovery of known values: what its page says."""

from __future__ import annotations

from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.shared.recovery import LEVEL, Recovered


def answer(result: Recovered) -> str:
    """Whether known truths are recovered at the study's size, by how often intervals contain them."""
    core, met = result.core, sum(v.passed is True for v in result.verdicts)
    if met < len(result.verdicts):
        return f"Not throughout: at the size of the study {met} of {plural(len(result.verdicts), 'target')} are met."
    low, high = (f"{end:.1%}" for end in (core["coverage_meta_d"].min(), core["coverage_meta_d"].max()))
    return (
        "Yes: with as many trials as the study has, the intervals of meta-d' contain the known truth in "
        f"{low} to {high} of simulations."
    )


def levels(result: Recovered) -> str:
    """How often the tests find something where there is nothing."""
    known = [v.values for v in result.verdicts if v.name == "level"]
    told = listed(f"{v['pooled']:.1%} of simulations where {v['unit']} are permuted" for v in known)
    return f"Where ratings know nothing, the permutation test rejects in {told}; {LEVEL:.0%} is meant."


VIEWS = Views("recovery", sentences={"answer": answer, "levels": levels})
