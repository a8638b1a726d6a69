"""Study 1 on one page: every verdict of a run, and its measures after the correction."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from metacog.studies.study1_qa.cells import primary, rate_trials
from metacog.studies.study1_qa.correction import Corrected, run_measures
from metacog.studies.study1_qa.h1 import h1
from metacog.studies.study1_qa.h2 import h2
from metacog.studies.study1_qa.h3 import h3
from metacog.studies.study1_qa.h4 import h4
from metacog.studies.study1_qa.selective import selective
from metacog.studies.study1_qa.verdicts import Verdict

#: What each hypothesis asks, in a few words, and the chapter that judges it.
QUESTIONS = {
    "H1": ("Is M-ratio below 1 in every model?", "study1-h1"),
    "H2": ("Does M-ratio differ between domains?", "study1-h2"),
    "H3": ("Does meta-d' stay put when the temperature moves?", "study1-h3"),
    "H4": ("Do models of like d' differ in M-ratio?", "study1-h4"),
}


@dataclass(frozen=True)
class Summary:
    """Study 1 in short.

    Attributes
    ----------
    verdicts : tuple of Verdict
        Of H1 to H4, pre-registered rules and sound counterparts; empty where the run draws none.
    corrected : Corrected
        Version 2's measures beside version 1's, at T = 1.
    headline : str
        One sentence a model, computed.
    """

    verdicts: tuple[Verdict, ...]
    corrected: Corrected
    headline: str

    def table(self) -> pd.DataFrame:
        """One row a verdict: hypothesis, what it asks, kind of rule, outcome."""
        words = {True: "supported", False: "not supported", None: "undecided"}
        return pd.DataFrame(
            [
                {
                    "hypothesis": v.hypothesis,
                    "question": QUESTIONS.get(v.hypothesis, ("", ""))[0],
                    "kind": v.kind,
                    "outcome": words[v.passed],
                    "what the data say": v.sentence,
                }
                for v in self.verdicts
            ]
        )


def summarise(
    trials: pd.DataFrame,
    *,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Summary:
    """Judge all hypotheses on a run's trials and measure its models after the correction."""
    rated = rate_trials(primary(trials))
    found: list[Verdict] = []
    if verdicts:
        for judge in (h1, h2, h3, h4):
            found += [v for v in judge(rated, n_resamples=n_resamples, seed=seed).verdicts if v is not None]
    corrected = run_measures(
        primary(trials), n_resamples=n_resamples, n_permutations=n_permutations, seed=seed
    )
    halves = selective(primary(trials), seed=seed, verdicts=False).table
    return Summary(tuple(found), corrected, headline(corrected.table, halves))


def headline(measures: pd.DataFrame, coverage: pd.DataFrame | None = None) -> str:
    """What the run says of each model, in one sentence each.

    Parameters
    ----------
    measures : DataFrame
        ``Corrected.table``.
    coverage : DataFrame, optional
        ``Selective.table``: accuracy among the most confident half is taken from it.
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
