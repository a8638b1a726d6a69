"""The measures on one published table: what is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.report import worked
from metacog.sdt import fit_meta_d, meta_information_from_counts
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.contributions import WorkedTables
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Measured:
    """Every measure of one table, and what becomes of them when one thing is changed.

    ``answers`` is the table, ``ways`` what three speakers state about it, ``two`` the tables of two models,
    ``pair`` two simulated deciders; ``numbers`` are those that the text names.
    """

    answers: worked.Worked
    ratings: pd.DataFrame
    pair: pd.DataFrame
    ways: Mapping[str, worked.Worked]
    spoken: pd.DataFrame
    two: Mapping[str, worked.Worked]
    gains: pd.DataFrame
    moves: pd.DataFrame
    numbers: Mapping[str, float]


@analysis(returns=Measured, across="worked_tables")
def measures(inputs: Inputs) -> Measured:
    """What does each measure see, and what does it miss?"""
    handed, *_ = inputs.across().values()
    (answers,), two = tables_of(handed, "worked").values(), tables_of(handed, "compared")
    pair = worked.two_choice_pair()
    ways = worked.ways_of_speaking(answers)
    moves = worked.what_moves(answers)
    ratings = pd.DataFrame(
        {
            "rating": range(1, 9),
            "right": answers.right.astype(int),
            "wrong": answers.wrong.astype(int),
            "share right": answers.share,
        }
    )
    return Measured(
        answers,
        ratings,
        pair,
        ways,
        spoken_table(ways),
        two,
        gains_table(two),
        moves,
        numbers_of(answers, pair),
    )


def tables_of(handed: WorkedTables, use: str) -> dict[str, worked.Worked]:
    """The tables of one use, by model; their stated probabilities are honest."""
    rows = handed.counts[handed.counts["use"] == use]
    return {
        str(model): worked.spoken_honestly(part["wrong"].to_numpy(), part["right"].to_numpy())
        for model, part in rows.groupby("model", sort=False)
    }


def spoken_table(ways: Mapping[str, worked.Worked]) -> pd.DataFrame:
    """Measures of several ways of speaking of the same answers."""
    found = {name: worked.measures_of(worked.by_statement(way)) for name, way in ways.items()}
    kept = pd.DataFrame(found).T[["ece", "brier", "auroc2", "meta_i2r"]]
    return kept.rename_axis("way").reset_index()


def gains_table(tables: Mapping[str, worked.Worked]) -> pd.DataFrame:
    """What answering the surest half is worth."""
    rows = []
    for name, one in tables.items():
        found = worked.measures_of(one)
        gain = 100 * (found["half"] - found["accuracy"])
        rows.append((name, found["accuracy"], found["half"], gain, found["meta_i2r"]))
    return pd.DataFrame(rows, columns=["model", "accuracy", "half", "gain", "meta_i2r"])


def numbers_of(answers: worked.Worked, pair: pd.DataFrame) -> dict[str, float]:
    """Numbers that the text of the page names."""
    corrected = meta_information_from_counts(answers.wrong, answers.right, correction="exact", guess_rate=0.0)
    small = meta_information_from_counts(
        (answers.wrong / 25).round(), (answers.right / 25).round(), correction="exact", guess_rate=0.0
    )
    return {
        **worked.measures_of(answers),
        "n": int(answers.n.sum()),
        "right": int(answers.right.sum()),
        "pair_d": float(pair["fit_d_prime"].iloc[0]),
        "m_ratio": float(fit_meta_d(answers.wrong + 0.5, answers.right + 0.5).m_ratio),
        "entropy": float(corrected.entropy),
        "corrected": float(corrected.meta_i2r),
        "null": float(corrected.null_mean_i2r),
        "small_n": int(small.n_trials),
        "small_null": float(small.null_mean_i2r),
    }
