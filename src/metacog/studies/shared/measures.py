"""The measures on one published table, for the chapter that introduces them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.sdt import fit_meta_d, meta_information_from_counts
from metacog.sdt.information import binary_entropy
from metacog.sdt.selective import risk_coverage_from_counts
from metacog.studies.shared import worked
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.contributions import WorkedTables
    from metacog.studies.results import Inputs


#: By more than this share of its distance from chance a measure moves.
MOVES = 0.05
#: The change that makes ratings worse.
WORSE = "half at random"


@dataclass(frozen=True)
class Measured:
    """Every measure of one table, and what becomes of them when one thing is changed.

    ``answers`` is the table, ``ways`` what three speakers state about it, ``two`` the tables of two models,
    ``pair`` two simulated deciders; ``numbers`` are those that the text names. As pages show them: ``counted`` (answers
    by ``rating`` and ``mark``), ``roc`` (shares above each cut), ``left`` (``bits`` of uncertainty by rating),
    ``deciders``, ``heard`` (what comes true of what is stated, by ``way``), ``risks`` (``wrong`` among ``answered``, by
    model), ``changes`` (whether each ``measure`` ``moves`` under each ``change``, and ``why``) and ``only``, the
    measures that move when ratings get worse and under no other change.
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
    counted: pd.DataFrame
    roc: pd.DataFrame
    left: pd.DataFrame
    deciders: pd.DataFrame
    heard: pd.DataFrame
    risks: pd.DataFrame
    changes: pd.DataFrame
    only: tuple[str, ...]


@analysis(returns=Measured, across="worked_tables")
def measures(inputs: Inputs) -> Measured:
    """What does each measure see, and what does it miss?"""
    handed, *_ = inputs.across().values()
    (answers,), two = tables_of(handed, "worked").values(), tables_of(handed, "compared")
    pair = worked.two_choice_pair()
    ways = worked.ways_of_speaking(answers)
    moves, nothing = worked.what_moves(answers), worked.knowing_nothing(answers)
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
        counted_table(answers),
        roc_table(answers),
        ratings[["rating"]].assign(bits=binary_entropy(answers.share)),
        pair.assign(decider="M-ratio " + pair["m_ratio"].map("{:g}".format)),
        heard_table(ways),
        risks_table(two),
        changes_table(moves, nothing),
        only_worse(worked.moved(worked.moves_by(moves, nothing), MOVES)),
    )


def counted_table(answers: worked.Worked) -> pd.DataFrame:
    """Right and wrong answers at each rating."""
    marks = {"right": answers.right, "wrong": answers.wrong}
    parts = [
        pd.DataFrame({"rating": range(1, n.size + 1), "mark": mark, "answers": n.astype(int)})
        for mark, n in marks.items()
    ]
    return pd.concat(parts, ignore_index=True)


def roc_table(answers: worked.Worked) -> pd.DataFrame:
    """Shares of wrong and of right answers above each cut, from the highest to the lowest."""
    above = {
        name: np.concatenate([[0.0], np.cumsum(n[::-1]) / n.sum()])
        for name, n in (("f", answers.wrong), ("h", answers.right))
    }
    return pd.DataFrame(above)


def heard_table(ways: Mapping[str, worked.Worked]) -> pd.DataFrame:
    """What comes true of each probability that is stated."""
    heard = {name: worked.by_statement(way) for name, way in ways.items()}
    return pd.concat(
        [pd.DataFrame({"way": name, "stated": one.stated, "true": one.share}) for name, one in heard.items()],
        ignore_index=True,
    )


def risks_table(tables: Mapping[str, worked.Worked], parts: int = 8) -> pd.DataFrame:
    """Share of wrong answers among the surest eighth, two eighths and so on, by model."""
    rows = []
    for name, one in tables.items():
        curve = risk_coverage_from_counts(one.wrong, one.right)
        for part in range(1, parts + 1):
            at = round(part * curve.risk.size / parts) - 1
            rows.append((name, float(curve.coverage[at]), float(curve.risk[at])))
    return pd.DataFrame(rows, columns=["model", "answered", "wrong"])


def changes_table(moves: pd.DataFrame, nothing: Mapping[str, float]) -> pd.DataFrame:
    """Whether each measure moves by more than :data:`MOVES` under each change, from what to what, and ``by`` how much.

    ``nothing`` has the value of each for ratings that know nothing (:func:`metacog.studies.shared.worked.moves_by`).
    """
    moved_by = worked.moves_by(moves, nothing)
    moved = worked.moved(moved_by, MOVES)
    rows = []
    for row in moves.to_dict("records"):
        measure = row["measure"]
        for change, names in moved.items():
            by = float(moved_by.loc[measure, change])
            why = f"{row['as it is']:.3f} becomes {row[change]:.3f}"
            if measure not in worked.UNSCALED:
                share = f"{100 * abs(by):.1f} % of its distance from chance ({nothing[measure]:.3f})"
                why += f", a move by {share}"
            rows.append((measure, change, "yes" if measure in names else "no", why, by))
    return pd.DataFrame(rows, columns=["measure", "change", "moves", "why", "by"])


def only_worse(moved: Mapping[str, list[str]]) -> tuple[str, ...]:
    """Measures that move when half of the ratings are replaced at random and under no other change."""
    others = {m for change, names in moved.items() if change != WORSE for m in names}
    return tuple(m for m in moved[WORSE] if m not in others)


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
