"""Models compared within a task, and tasks within a model.

A cell is resampled over all sentences that its task was asked about. Models that were asked the same sentences
have the same resamples, so their differences are paired; the sentences of two tasks differ, so tasks are resampled
independently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.special import ndtri

from metacog.core.frames import rows_of
from metacog.measures.cell import Cell, Flag, FloatArray
from metacog.measures.estimates import Measured, measure
from metacog.measures.pairs import family_table, together
from metacog.measures.resamples import whole_and_resamples
from metacog.report.rules import judged, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt import fit_meta_d_batch
from metacog.studies.study2_two_choice.replication import ratings
from metacog.studies.study2_two_choice.replication.ratings import PAD, K
from metacog.studies.study2_two_choice.replication.replies import groups

#: What is compared, as readers know it.
QUANTITIES = {
    "accuracy": "accuracy",
    "d_prime": "d'",
    "m_ratio": "M-ratio",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
}
#: Those that are judged by a rule: the study's own measure, and the one that assumes nothing of the evidence.
JUDGED = ("m_ratio", "auroc2")
#: Those that are about confidence, and not about decisions alone.
OF_CONFIDENCE = ("m_ratio", "auroc2", "meta_i2r")
#: With one of these confidence is not compared: the floors of every chapter (:mod:`metacog.measures.cell`).
FLOORS = {Flag.FEW_TRIALS, Flag.ONE_CLASS, Flag.CONSTANT, Flag.FEW_OF_A_CLASS, Flag.FEW_QUESTIONS}
#: A quantity is undefined if more than this share of its resamples is.
MOST_LOST = 0.1

#: Cells by task and model.
Cells = Mapping[tuple[str, str], Measured]


def measured(trials: pd.DataFrame, n_resamples: int, seed: int) -> Cells:
    """Every cell that was asked; what cannot be judged has no value, and says why.

    Parameters
    ----------
    trials : DataFrame
        Decisions with confidence.
    n_resamples, seed : int
    """
    fitted = ratings.fitted(ratings.rating_cells(trials), 0, seed)
    known = fitted.assign(why=ratings.unjudged(fitted))
    lacking = {(r.task, r.model): r.why for r in rows_of(ratings.unfitted(trials, fitted))}
    sentences = {str(task): np.unique(ids) for task, ids in trials.groupby("task")["question_id"]}
    found = {cell: Measured({}, {}, (), {}, dict.fromkeys(QUANTITIES, why)) for cell, why in lacking.items()}
    for task, model, part in groups(trials):
        place = np.searchsorted(sentences[task], part["question_id"])
        rating, side = part["rating"].to_numpy(np.int64), part["response"].to_numpy()
        column = np.where(side == 1, K + rating - 1, K - rating) + 2 * K * part["stimulus"].to_numpy()
        size = sentences[task].size
        cell = Cell(
            part["correct"].to_numpy(bool),
            rating.astype(float),
            rating - 1,
            K,
            np.full(len(part), np.nan),
            place.astype(np.int64),
            questions=tuple((task, str(one)) for one in sentences[task]),
        )
        made = measure(cell, n_resamples=n_resamples, n_permutations=1, seed=seed)  # no p of one cell is used
        per_sentence = sparse.csr_array((np.ones(len(part)), (place, column)), shape=(size, 4 * K))
        weights = whole_and_resamples(cell, n_resamples, seed)
        rows = known[(known["task"] == task) & (known["model"] == model)]
        row = rows.iloc[0] if len(rows) else None
        fit = row is not None and not row["why"]
        made = with_ratio(made, (per_sentence.T @ weights.T).T, fit)
        found[task, model] = floored(made, row, lacking.get((task, model), ""))
    return found


def with_ratio(made: Measured, counts: FloatArray, fit: bool) -> Measured:
    """Measures of a cell with d', and M-ratio where it is to be fitted, with 1/(2K) added to every count.

    Parameters
    ----------
    made : Measured
    counts : array, shape ``(1 + n_resamples, 4 K)``
        S1's, then S2's: of the cell itself, and of each resample.
    fit : bool
        Not where the M-ratio cannot be judged: near chance fits are slow.
    """
    s1, s2 = counts[:, : 2 * K] + PAD, counts[:, 2 * K :] + PAD
    z_false, z_hit = (ndtri(side[:, K:].sum(axis=1) / side.sum(axis=1)) for side in (s1, s2))
    drawn = {"d_prime": z_hit - z_false}
    if fit:
        fits = fit_meta_d_batch(s1, s2, undefined="flag")
        drawn["m_ratio"] = np.where(fits.converged, fits.m_ratio, np.nan)
    values = {name: float(one[0]) for name, one in drawn.items()}
    draws = {name: one[1:] for name, one in drawn.items()}
    return replace(made, values={**made.values, **values}, draws={**made.draws, **draws})


def floored(made: Measured, row: pd.Series | None, lacking: str = "") -> Measured:
    """Measures without those that cannot be judged, and the reasons.

    Decisions need enough trials; confidence needs both right and wrong ones, and different ratings. A cell without
    a ``row`` of :func:`.ratings.fitted` is ``lacking`` something for which it has no table of ratings.
    """
    flags = {remark.flag: remark.text.partition(":")[0] for remark in made.remarks if remark.flag in FLOORS}
    few = next(iter(flags.values()), "")
    why = dict.fromkeys(OF_CONFIDENCE, few) if few else {}
    if row is None or Flag.FEW_TRIALS in flags:
        why |= dict.fromkeys(QUANTITIES, lacking or few)
    elif row["why"]:
        why |= {"m_ratio": row["why"]} | ({"d_prime": row["why"]} if row["padded"] else {})
    for name in set(QUANTITIES) - set(why):
        if not made.defined(name) or np.isnan(made.draws.get(name, np.full(1, np.nan))).mean() > MOST_LOST:
            why[name] = "undefined, or in too many resamples"
    return replace(made, values={k: v for k, v in made.values.items() if k not in why}, why=why)


def compared(cells: Cells, labels: Mapping[str, str]) -> pd.DataFrame:
    """Differences of every pair, first minus second, judged as one family per quantity and kind.

    Returns
    -------
    DataFrame
        ``kind`` (``models`` within a task, ``tasks`` within a model), ``within`` (the task or the model, for
        readers), ``quantity, first, second, value_first, value_second, difference``; ``lower`` and ``upper`` hold
        for all pairs of a family together, ``p_holm`` is adjusted over them, ``differs`` whether it is below .05;
        ``why`` a pair is not judged.
    """
    parts = []
    ordered = sorted(cells, key=lambda cell: (cell[0], list(labels).index(cell[1])))
    for shared, kind in enumerate(("models", "tasks")):
        pairs = [(a, b) for a, b in combinations(ordered, 2) if a[shared] == b[shared]]
        names = {cell: (f"task {cell[0]}", labels[cell[1]]) for cell in cells}
        sides = [(names[a][1 - shared], names[b][1 - shared]) for a, b in pairs]
        for quantity in QUANTITIES:
            # tasks have sentences of their own
            both = [together(cells[a], cells[b], quantity, paired=kind == "models") for a, b in pairs]
            rows = family_table(quantity, sides, both)
            parts.append(
                rows.assign(
                    kind=kind,
                    within=[names[a][shared] for a, _ in pairs],
                    value_first=[cells[a].values.get(quantity, np.nan) for a, _ in pairs],
                    value_second=[cells[b].values.get(quantity, np.nan) for _, b in pairs],
                    why=[
                        _why(
                            {
                                name: cells[cell].why.get(quantity, "")
                                for name, cell in zip(side, pair, strict=True)
                            }
                        )
                        for side, pair in zip(sides, pairs, strict=True)
                    ],
                )
            )
    return pd.concat(parts, ignore_index=True)


def _why(reasons: Mapping[str, str]) -> str:
    return "; ".join(f"{name}: {why}" for name, why in reasons.items() if why)


def verdicts(pairs: pd.DataFrame) -> tuple[Verdict, ...]:
    """Whether any two models, and any two tasks, differ in what the study measures."""
    return tuple(
        _verdict(kind, QUANTITIES[quantity], pairs[(pairs["kind"] == kind) & (pairs["quantity"] == quantity)])
        for kind in ("models", "tasks")
        for quantity in JUDGED
    )


def _verdict(kind: str, quantity: str, pairs: pd.DataFrame) -> Verdict:
    shown = ["first", "second", "within", "difference", "lower", "upper", "differs"]
    units = [
        unit(f"{r.first} and {r.second} ({r.within})", r.differs, np.isfinite(r.p_holm), r.why)
        for r in rows_of(pairs)
    ]
    return judged(
        units,
        kind,
        Kind.EXPLORATORY,
        f"At least one pair of {kind} differs in {quantity} (p below .05 after Holm over all pairs).",
        name="compared",
        k=1,
        topic=kind,
        quantity=quantity,
        pairs=pairs.loc[pairs["p_holm"].notna(), shown],
    )
