"""Which of the published verdicts do the counts give? In words."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study2_two_choice.ledger.claims import both_words
from metacog.studies.study2_two_choice.published_claims.analysis import PublishedClaims


def agreement(pairs: pd.DataFrame, what: str) -> str:
    """How many published verdicts are reproduced, by both intervals, and which are not.

    Parameters
    ----------
    pairs : DataFrame
        As :func:`metacog.studies.study2_two_choice.ledger.claims.with_claims` gives it, with ``pair``.
    what : str
        What the verdicts are about.
    """
    if pairs.empty:
        return f"No published verdict of {what} could be recomputed."
    narrow, wide = int(pairs["agrees"].sum()), int(pairs["agrees_wide"].sum())
    sentence = (
        f"Of {plural(len(pairs), 'published verdict')} of {what}, {narrow} are reproduced with 95 % "
        f"intervals and {wide} with the wide ones."
    )
    neither = rows_of(pairs[~pairs["agrees"] & ~pairs["agrees_wide"]])
    return " ".join(
        [sentence, *(f"With neither: {r.pair} (published *{r.printed}*, {both_words(r)})." for r in neither)]
    )


def _over_risk(result: PublishedClaims, measure: str) -> pd.DataFrame:
    return result.risk[result.risk["measure"] == measure]


VIEWS = Views(
    "published_claims",
    sentences={
        "c_agreement": lambda result: agreement(_over_risk(result, "c"), "the criterion under warnings"),
        "d_agreement": lambda result: agreement(_over_risk(result, "d_prime"), "d' under named warnings"),
        "models_agreement": lambda result: agreement(result.models, "d' between models"),
    },
)
