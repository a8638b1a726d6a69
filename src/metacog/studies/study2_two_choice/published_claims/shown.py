"""Which of the published verdicts do the counts give? How it is shown: tables and sentences."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import Schema, answer, columns_of, count, text
from metacog.report.views import Views
from metacog.studies.study2_two_choice.cells.columns import BOTH_ENDS, DECISIONS, DIFFERENCE, PAIR
from metacog.studies.study2_two_choice.ledger.claims import both_words
from metacog.studies.study2_two_choice.published_claims.analysis import PublishedClaims

VERDICTS = columns_of(
    PAIR,
    DIFFERENCE,
    BOTH_ENDS,
    text("printed", "Published"),
    DECISIONS,
    answer("agrees", "95 % agrees"),
    answer("agrees_wide", "Wide agrees"),
)


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


def counted_agreement(result: PublishedClaims) -> str:
    """Whether the counts of verdicts are reproduced, by both intervals."""
    table = result.counted

    def counts(column: str) -> str:
        return listed(
            f"{n} *{verdict}*" for verdict, n in zip(table["verdict"], table[column], strict=True) if n
        )

    def agrees(column: str) -> str:
        return "as published" if table[column].all() else "not as published"

    return (
        f"Of the other pairs of d' over risk the text counts {counts('printed')}. Intervals of 95 % give "
        f"{counts('found')}, {agrees('agrees')}; the wide ones {counts('found_wide')}, {agrees('agrees_wide')}."
    )


VIEWS = Views(
    "published_claims",
    tables={
        "tally": Schema(
            "tally",
            columns_of(
                text("group", "Verdicts of"),
                count("n", "Published"),
                count("agrees", "95 % agrees"),
                count("agrees_wide", "Wide agrees"),
            ),
            "Published verdicts and how many of them are reproduced, by both widths of interval.",
        ),
        "risk": Schema("risk", VERDICTS, "Verdicts of c and d' over risk."),
        "counted": Schema(
            "counted",
            columns_of(
                text("verdict", "Verdict"),
                count("printed", "Published"),
                count("found", "By 95 %"),
                count("found_wide", "By the wide"),
            ),
            "Verdicts of d' over risk that the text only counts.",
        ),
        "models": Schema("models", VERDICTS, "Verdicts of d' between models."),
        "ratios": Schema(
            "ratios",
            VERDICTS,
            "Verdicts of M-ratio: the published ones rest on posteriors, these on maximum likelihood and a "
            "bootstrap.",
        ),
    },
    sentences={
        "c_agreement": lambda result: agreement(_over_risk(result, "c"), "c over risk"),
        "d_agreement": lambda result: agreement(
            _over_risk(result, "d_prime"), "d' over risk that name their pair"
        ),
        "counted_agreement": counted_agreement,
        "models_agreement": lambda result: agreement(result.models, "d' between models"),
        "ratios_agreement": lambda result: agreement(
            result.ratios, "M-ratio, by maximum likelihood and bootstrap"
        ),
    },
)
