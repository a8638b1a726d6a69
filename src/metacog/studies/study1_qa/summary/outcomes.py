"""Study 1 on one page: every verdict of a run."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from metacog.report.verdicts import IN_WORDS, Kind, Verdict

#: What each hypothesis asks, in a few words.
QUESTIONS = {
    "H1": "Is M-ratio below 1 in every model?",
    "H2": "Does M-ratio differ between domains?",
    "H3": "Does meta-d' stay put when the temperature moves?",
    "H4": "Do models of like d' differ in M-ratio?",
}


def hypotheses(found: Iterable[Iterable[Verdict]]) -> tuple[Verdict, ...]:
    """Verdicts on the run itself, without those on the published numbers beside it."""
    return tuple(v for verdicts in found for v in verdicts if v.kind is not Kind.BESIDE)


def outcomes(verdicts: Iterable[Verdict]) -> pd.DataFrame:
    """One row a verdict: hypothesis, what it asks, kind of rule, outcome, and what the data say."""
    rows = [
        {
            "hypothesis": v.hypothesis,
            "question": QUESTIONS.get(v.hypothesis, ""),
            "kind": v.kind.value,
            "outcome": IN_WORDS[v.passed],
            "sentence": v.sentence,
        }
        for v in verdicts
    ]
    return pd.DataFrame(rows, columns=["hypothesis", "question", "kind", "outcome", "sentence"])
