"""What confidence in open answers was taken from, and the number that it is measured by."""

from __future__ import annotations

import pandas as pd

NLP, VERBAL, P_TRUE, AGREEMENT = SIGNALS = ("nlp", "verbal", "p-true", "agreement")
#: Each signal in words that finish "confidence is ...".
WORDS = {
    NLP: "the mean log-probability of an answer's own words (NLP)",
    VERBAL: "the percentage that the model writes when it is asked how likely its answer is right",
    P_TRUE: "the probability that the model gives to True when its answer is proposed to it",
    AGREEMENT: "the share of further answers to the same question that are the same answer",
}
#: Column of a trial's signal; trials without it are of NLP.
SIGNAL = "signal"
#: Column of the number that orders trials by confidence.
SCORE = "score"


def scored(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials with the column ``score``: NLP where it is the signal, else the trial's confidence.

    A table that has the column keeps it.
    """
    if SCORE in trials:
        return trials
    if SIGNAL not in trials:
        return trials.assign(**{SCORE: trials["nlp"]})
    return trials.assign(**{SCORE: trials["nlp"].where(trials[SIGNAL] == NLP, trials["confidence"])})


def signals_of(trials: pd.DataFrame) -> dict[str, str]:
    """Each model's signal, in the order in which the models come."""
    if SIGNAL not in trials:
        return dict.fromkeys(trials["model"].unique(), NLP)
    first = trials.drop_duplicates("model")
    return dict(zip(first["model"], first[SIGNAL], strict=True))
