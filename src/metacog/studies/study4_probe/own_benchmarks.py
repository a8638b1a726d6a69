"""Does the probe rank models as benchmarks do? Their scores are a reader's own file, since the book has none."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from metacog.core.files import why
from metacog.sdt.correlations import correlation

#: Where scores on benchmarks are looked for: a row a model and benchmark.
FILE = "data/benchmark_scores.csv"
NAMES = ("model", "benchmark", "score", "status")
#: What ``status`` may say of a score: found in a publication, or filled in.
VERIFIED, ESTIMATED = "verified", "estimated"
#: Models that an interval of a correlation takes.
FEWEST = 4
NO_FILE = (
    f"To hold the mean of four tasks against benchmarks, write scores into `{FILE}`, with the columns "
    f"{', '.join(NAMES)} ({VERIFIED} or {ESTIMATED})."
)


def external(composites: pd.DataFrame, path: Path) -> tuple[pd.DataFrame, str]:
    """Rank correlation of the mean of four tasks with each benchmark, or why there is none.

    ``benchmark, status, n, rho, lower, upper``: of all models with a score, or of those whose score was verified. The
    two are kept apart, since a score that was filled in from a model's relatives makes relatives agree.
    """
    if not path.is_file():
        return pd.DataFrame(), NO_FILE
    try:
        given = pd.read_csv(path, dtype=str)
    except (OSError, ValueError) as error:
        return pd.DataFrame(), f"`{FILE}` cannot be read: {why(error)}."
    if given.empty and set(NAMES) <= set(given):
        return pd.DataFrame(), NO_FILE
    if lost := [name for name in NAMES if name not in given]:
        return pd.DataFrame(), f"`{FILE}` has no column {lost[0]}; it needs {', '.join(NAMES)}."
    given["score"] = pd.to_numeric(given["score"], errors="coerce")
    if wrong := sorted(set(given["status"].fillna("nothing")) - {VERIFIED, ESTIMATED}):
        return (
            pd.DataFrame(),
            f"`{FILE}`: the status of a score is {VERIFIED} or {ESTIMATED}, not {wrong[0]}.",
        )
    both = given.drop_duplicates(["model", "benchmark"]).merge(composites[["model", "of_four"]], on="model")
    both = both.dropna(subset=["score", "of_four"])
    found = []
    for benchmark, rows in both.groupby("benchmark", sort=False):
        verified = rows[rows["status"] == VERIFIED]
        for status, own in {
            "verified scores alone": verified,
            "with scores that were filled in": rows,
        }.items():
            if len(own) >= FEWEST and (own is verified or len(verified) < len(rows)):
                rho = correlation(own["of_four"], own["score"], kind="spearman")
                found.append((benchmark, status, len(own), rho.r, rho.lower, rho.upper))
    few = (
        f"No benchmark in `{FILE}` has scores of {FEWEST} models of this run; they are named as on the page."
    )
    return pd.DataFrame(
        found, columns=["benchmark", "status", "n", "rho", "lower", "upper"]
    ), "" if found else few
