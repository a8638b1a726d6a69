"""The measures on one published table, for the chapter that introduces them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt import fit_meta_d, meta_information_from_counts
from metacog.studies.shared import worked
from metacog.studies.study import Inputs, analysis

#: By more than this share of its distance from chance a measure moves.
MOVES = 0.05
#: Measures that the text names.
NAMED = ("accuracy", "d_prime", "c", "auroc2", "z_slope", "d_a", "meta_i", "meta_i2r")
#: The change that makes ratings worse.
WORSE = "half at random"


@analysis(across="worked_tables")
def measures(inputs: Inputs) -> dict[str, Any]:
    """What does each measure see, and what does it miss?"""
    handed, *_ = inputs.across().values()
    (answers,) = tables_of(handed, "worked").values()
    moves, nothing = worked.what_moves(answers), worked.knowing_nothing(answers)
    return {
        "spoken": spoken_table(worked.ways_of_speaking(answers)),
        "numbers": numbers_of(answers),
        "roc": roc_table(answers),
        "changes": changes_table(moves, nothing),
        "only": only_worse(worked.moved(worked.moves_by(moves, nothing), MOVES)),
    }


def roc_table(answers: worked.Worked) -> pd.DataFrame:
    """Shares of wrong and of right answers above each cut, from the highest to the lowest."""
    above = {
        name: np.concatenate([[0.0], np.cumsum(n[::-1]) / n.sum()])
        for name, n in (("f", answers.wrong), ("h", answers.right))
    }
    return pd.DataFrame(above)


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


def tables_of(handed: Any, use: str) -> dict[str, worked.Worked]:
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


def numbers_of(answers: worked.Worked) -> dict[str, float]:
    """Numbers that the text of the page names."""
    measured = worked.measures_of(answers)
    corrected = meta_information_from_counts(answers.wrong, answers.right, correction="exact", guess_rate=0.0)
    small = meta_information_from_counts(
        (answers.wrong / 25).round(), (answers.right / 25).round(), correction="exact", guess_rate=0.0
    )
    return {
        **{name: measured[name] for name in NAMED},
        "n": int(answers.n.sum()),
        "right": int(answers.right.sum()),
        "m_ratio": float(fit_meta_d(answers.wrong + 0.5, answers.right + 0.5).m_ratio),
        "entropy": float(corrected.entropy),
        "corrected": float(corrected.meta_i2r),
        "null": float(corrected.null_mean_i2r),
        "small_n": int(small.n_trials),
        "small_null": float(small.null_mean_i2r),
    }


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the page's sentences: which measures see worse ratings and hardly anything else."""
    return {
        "only_names": listed(result.only),
        "n_only": len(result.only),
        "n_measures": result.changes["measure"].nunique(),
    }


VIEWS = Views("measures", numbers=figures)
