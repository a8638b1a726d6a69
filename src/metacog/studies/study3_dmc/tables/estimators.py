"""Tables of the estimators, of decoupling and of the print."""

from __future__ import annotations

import pandas as pd

from metacog.report.tables import Pick, Schema, answer, columns_of, count, limits, number, text

HERE, PRINTED = "Were it the value", "Printed"


def _factor(name: str) -> Pick:
    def pick(frame: pd.DataFrame) -> pd.DataFrame:
        return frame[frame["factor"] == name]

    return pick


NAME = text("name", "Estimator")
RECORD = columns_of(
    number("limit", "Endless trials"),
    number("bias", "Bias"),
    number("sd", "Standard deviation"),
    number("rmse", "Root-mean-square error"),
    number("at_bound", "Ended at a bound"),
)
N = count("n_trials", "Trials")

TABLES = {
    "estimators.counts": Schema(
        "counts",
        columns_of(
            text("row", "Row"),
            count("rating", "Rating"),
            count("count", "Trials"),
            number("share", "Share of its row, padded"),
            number("fitted", "Share as fitted"),
        ),
        "One simulated counts matrix, and the areas that DMC fits to its rows.",
    ),
    "estimators.accuracy": Schema(
        "accuracy",
        columns_of(
            text("answer", "Answer"),
            count("rating", "Rating"),
            number("plain", "of the trials", 3, "Share right"),
            number("observed", "rows normalised", 3, "Share right"),
            number("fitted", "as fitted", 3, "Share right"),
        ),
        "Share right by answer and rating: of the trials, with rows normalised (equation 21), and as fitted.",
    ),
    "estimators.fits": Schema(
        "fits",
        columns_of(
            NAME,
            number("ability", "d^ or d'"),
            number("meta", "d* or meta-d'"),
            number("ratio", "Ratio"),
            number("loss", "Loss", 4),
            answer("met", "Constraint met"),
            answer("converged", "Converged"),
        ),
        "The same counts through each estimator. The released variant's loss is of cumulative rates.",
    ),
    "estimators.trials": Schema("designs", columns_of(N, NAME, RECORD), "More trials.", _factor("n_trials")),
    "estimators.padding": Schema(
        "designs",
        columns_of(N, number("pad", "Added to each cell"), NAME, RECORD),
        "More or less padding.",
        _factor("pad"),
    ),
    "estimators.usage": Schema(
        "designs",
        columns_of(
            N, text("usage", "Ratings used"), number("empty_ratings", "Ratings empty", 2), NAME, RECORD
        ),
        "Ratings that are used evenly, or hardly.",
        _factor("usage"),
    ),
    "estimators.criterion": Schema(
        "designs",
        columns_of(number("c", "c", 1), text("holds", "What stays"), NAME, RECORD),
        "A bias to one answer, with the criterion moving with meta-d' or staying.",
        _factor("c"),
    ),
    "estimators.efficiency": Schema(
        "designs",
        columns_of(number("m_ratio", "True ratio", 1), NAME, RECORD),
        "Other efficiencies.",
        _factor("m_ratio"),
    ),
    "decoupling.variations": Schema(
        "variations",
        columns_of(
            text("kind_name", "Held fixed"),
            text("name", "Measure"),
            N,
            number("exact", "True CV"),
            number("cv", "CV as it stands"),
            limits("lower", "upper"),
            number("corrected", "Sampling taken off"),
            limits("corrected_lower", "corrected_upper"),
        ),
        "Coefficients of variation over abilities: with endlessly many trials, and as found in a sample.",
    ),
    "printed.figures": Schema(
        "figures",
        columns_of(
            text("place", "Where"),
            text("item", "Row"),
            text("quantity", "Quantity"),
            number("printed", "Printed", 4),
            number("value", "From the cells", 6),
            number("off", "Difference", 6),
            number("rounding", "Rounding allows", 6),
            number("sample", "Sample deviation", 6),
            text("status", "In the ledger"),
        ),
        "Every printed average, CV and statistic that follows from other printed figures.",
    ),
    "printed.off": Schema(
        "off",
        columns_of(
            text("place", "Where"),
            text("item", "Row"),
            text("quantity", "Quantity"),
            number("printed", "Printed", 4),
            number("value", "From the cells", 6),
            number("rounding", "Rounding allows", 6),
        ),
        "Those that do not come out.",
        empty="Every one comes out.",
    ),
    "printed.differing": Schema(
        "differing",
        columns_of(
            text("cell", "Cell"),
            text("table", "In"),
            number("printed", "Cell", 4, PRINTED),
            number("average", "Average", 5, HERE),
            number("cv", "CV", 5, HERE),
            number("printed_average", "Average", 4, PRINTED),
            number("printed_cv", "CV", 4, PRINTED),
        ),
        "Cells that tables 2 and 3 print differently, and what either value would imply.",
        empty="Both tables print their cells alike.",
    ),
}
