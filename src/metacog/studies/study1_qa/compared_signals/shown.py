"""What is lost without log-probabilities? How it is shown."""

from __future__ import annotations

from metacog.core.words import listed
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.compared_signals.judging import RULE
from metacog.studies.study1_qa.compared_signals.names import NAMES


def _claim(signal: str) -> str:
    """What a verdict on a signal claims."""
    return f"AUROC2 of NLP is higher than that of {NAMES[signal]}"


def lost_sentence(verdict: Verdict) -> str:
    """Whether a signal does less well than NLP, and in which models."""
    v = verdict.values
    parts = [f"{how} in {listed(v[how])}" for how in ("shown", "refuted") if v[how]]
    where = f": {' and '.join(parts)}" if parts else ""
    return (
        f"That {_claim(v['signal'])} is {OUTCOME[verdict.passed]}{where}."
        f"{undecided_clause(verdict.undecided)}"
    )


VIEWS = Views(
    "compared_signals",
    verdicts={"lost": lost_sentence},
    claims={"lost": lambda verdict: _claim(verdict.values["signal"])},
    rules={"lost": RULE},
)
