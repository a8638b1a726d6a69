"""Study 1 on one page: every verdict of a run, and one sentence a model."""

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


def headline(measures: pd.DataFrame, coverage: pd.DataFrame | None = None) -> str:
    """What the run says of each model, in one sentence each.

    Parameters
    ----------
    measures : DataFrame
        ``correction.Corrected.table``.
    coverage : DataFrame, optional
        ``selective.Selective.table``: accuracy among the most confident half is taken from it.
    """
    sentences = []
    for row in measures.to_dict("records"):
        if pd.isna(row["auroc2"]):
            sentences.append(f"{row['model']} cannot be measured ({row['flag'] or 'one class only'})")
            continue
        text = (
            f"{row['model']} gets {100 * row['accuracy']:.0f} % of its answers right at T = 1, and its "
            f"confidence puts a right answer above a wrong one {100 * row['auroc2']:.0f} % of the time"
        )
        if coverage is not None:
            half = coverage[
                (coverage["model"] == row["model"])
                & (coverage["dataset"] == row["dataset"])
                & (coverage["coverage"] == 0.5)
            ]
            if len(half) == 1:
                surer = 100 * half["accuracy"].iloc[0]
                text += f"; of the surer half of its answers {surer:.0f} % are right"
        sentences.append(text)
    return " ".join(f"{sentence}." for sentence in sentences)
