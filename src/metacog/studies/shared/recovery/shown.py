"""Recovery of known values: what its page says."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.shared.recovery.analysis import MAX_BIAS, NAMES, Recovered
from metacog.studies.shared.recovery.coverage import ASKED_VALUE, LEVEL


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


def trials_needed(result: Recovered) -> str:
    """How many trials an M-ratio's interval of each width takes."""
    reached = result.widths[result.widths["n_trials"].notna()]
    if reached.empty:
        return "No simulated number of trials makes the interval of an M-ratio narrow."
    told = listed(
        f"about {row.n_trials:,.0f} trials for a width of {row.width:g}" for row in rows_of(reached)
    )
    return f"An interval of the M-ratio takes {told}."


def levels(result: Recovered) -> str:
    """How often the tests find something where there is nothing."""
    known = [v.values for v in result.verdicts if v.name == "level"]
    told = listed(f"{v['pooled']:.1%} of simulations where {v['unit']} are permuted" for v in known)
    return f"Where ratings know nothing, the permutation test rejects in {told}; {LEVEL:.0%} is meant."


def bias_sentence(verdict: Verdict) -> str:
    """The largest bias of meta-d'."""
    v = verdict.values
    return f"The bias of meta-d' is at most {v['worst']:.4f}; target: under {MAX_BIAS}."


def coverage_sentence(verdict: Verdict) -> str:
    """How often the intervals of the core designs contain the truth."""
    v = verdict.values
    share = _span((v["lowest"], v["highest"]))
    return f"95 % intervals of {NAMES[v['quantity']]} contain the truth in {share} of simulations."


def interval_sentence(verdict: Verdict) -> str:
    """Coverage of the interval of one measure over designs."""
    v = verdict.values
    return f"95 % intervals of {v['measure']} contain the truth in {_span(v['now'])} of simulations."


def level_sentence(verdict: Verdict) -> str:
    """Level of the permutation test where ratings know nothing."""
    v = verdict.values
    return f"Where ratings know nothing, permuting {v['unit']} rejects in {v['pooled']:.1%} of simulations."


def as_test_sentence(verdict: Verdict) -> str:
    """What an interval of meta-I2r would do as a test."""
    v = verdict.values
    told = f"Used as a test, an interval of meta-I2r finds an effect in {_span(v['nothing'])} where there is none"
    if not v["small_test"]:
        return f"{told}."
    return (
        f"{told}, and in {_span(v['small_interval'])} where it is {ASKED_VALUE:g}; the permutation test in "
        f"{_span(v['small_test'])}."
    )


def chance_sentence(verdict: Verdict) -> str:
    """How often the interval of AUROC2 excludes chance where there is nothing."""
    return f"At chance the interval of AUROC2 excludes 0.5 in {verdict.values['pooled']:.1%} of simulations."


def _span(shares: tuple[float, float]) -> str:
    return f"{shares[0]:.1%} to {shares[1]:.1%}"


VIEWS = Views(
    "recovery",
    sentences={"answer": answer, "trials_needed": trials_needed, "levels": levels},
    verdicts={
        "bias": bias_sentence,
        "coverage": coverage_sentence,
        "coverage_of_intervals": interval_sentence,
        "level": level_sentence,
        "interval_as_test": as_test_sentence,
        "chance": chance_sentence,
    },
)
