"""Models of the run compared within a task, and tasks within a model.

A cell is resampled over all sentences that its task was asked about. Models that were asked the same sentences have
the same resamples, so their differences are paired; the sentences of two tasks differ, so tasks are resampled
independently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from metacog.collect.models import labels_of
from metacog.core.frames import rows_of
from metacog.measures.cell import Cell, Flag, FloatArray, whole_and_resamples
from metacog.measures.estimates import Measured, measure
from metacog.measures.pairs import family_table, together
from metacog.report.views import Views
from metacog.sdt import fit_meta_d_batch
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice.replication_ratings import (
    K,
    fitted,
    groups,
    levels_of,
    pad_of,
    rating_cells,
    unfitted,
    unjudged,
)
from metacog.verdicts.outcomes import Rule, counted, outcomes
from metacog.verdicts.rules import shown

#: What is compared, as readers know it: the study's own measure, and the one that assumes nothing of the evidence.
QUANTITIES = {"m_ratio": "M-ratio", "auroc2": "AUROC2"}
#: With one of these confidence is not compared: the floors of every chapter (:mod:`metacog.measures.cell`).
FLOORS = {Flag.FEW_TRIALS, Flag.ONE_CLASS, Flag.CONSTANT, Flag.FEW_OF_A_CLASS, Flag.FEW_QUESTIONS}
#: A quantity is undefined if more than this share of its resamples is.
MOST_LOST = 0.1

#: Cells by task and model.
Cells = Mapping[tuple[str, str], Measured]
#: By kind of pair and quantity.
RULES = {
    f"{kind}_{quantity}": Rule(
        f"At least one pair of {kind} differs in {QUANTITIES[quantity]} (p below .05 after Holm over all pairs); a "
        "pair that is not shown to differ stays open.",
        kind,
        topic=kind,
        null=("no knowledge", "no knowledge, accuracy 0.02", "no knowledge, accuracy 0.98", "equal"),
    )
    for kind, quantity in product(("models", "tasks"), QUANTITIES)
}


@analysis(needs=("confidence",))
def replication_compared(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> dict[str, Any]:
    """Do the models of this run differ from one another, and do the tasks?"""
    trials = inputs.trials("confidence")
    n_sentences = trials.groupby("task")["question_id"].nunique().min()
    pairs = compared(
        measured(trials, n_resamples, seed, levels_of(inputs)), labels_of(trials["model"]), n_sentences
    )
    return {"pairs": pairs, "outcomes": judge(pairs) if verdicts else judge(pairs).head(0)}


def measured(trials: pd.DataFrame, n_resamples: int, seed: int, levels: int = K) -> Cells:
    """Every cell that was asked; what cannot be judged has no value, and says why."""
    tables = fitted(rating_cells(trials, levels), 0, seed)
    unknown = dict(zip(zip(tables["task"], tables["model"], strict=True), unjudged(tables), strict=True))
    lacking = {(r.task, r.model): r.why for r in rows_of(unfitted(trials, tables))}
    sentences = {str(task): np.unique(ids) for task, ids in trials.groupby("task")["question_id"]}
    found = {cell: Measured({}, {}, (), {}, dict.fromkeys(QUANTITIES, why)) for cell, why in lacking.items()}
    for task, model, part in groups(trials):
        place = np.searchsorted(sentences[task], part["question_id"])
        rating, side = part["rating"].to_numpy(np.int64), part["response"].to_numpy()
        column = np.where(side == 1, levels + rating - 1, levels - rating)
        column = column + 2 * levels * part["stimulus"].to_numpy()
        size = sentences[task].size
        cell = Cell(
            part["correct"].to_numpy(bool),
            rating.astype(float),
            rating - 1,
            levels,
            np.full(len(part), np.nan),
            place.astype(np.int64),
            questions=tuple((task, str(one)) for one in sentences[task]),
        )
        made = measure(cell, n_resamples=n_resamples, n_permutations=1, seed=seed)  # no p of one cell is used
        why = unknown.get((task, model))
        if why == "":  # near chance fits are slow
            per_sentence = sparse.csr_array((np.ones(len(part)), (place, column)), shape=(size, 4 * levels))
            weights = whole_and_resamples(cell, n_resamples, seed)
            made = with_ratio(made, (per_sentence.T @ weights.T).T)
        found[task, model] = floored(made, why or "", lacking.get((task, model), ""))
    return found


def with_ratio(made: Measured, counts: FloatArray) -> Measured:
    """Measures of a cell with M-ratio, with 1/(2K) added to every count.

    ``counts`` of S1, then of S2, are those of the cell itself and of each resample.
    """
    half = counts.shape[1] // 2
    s1, s2 = (side + pad_of(half // 2) for side in (counts[:, :half], counts[:, half:]))
    fits = fit_meta_d_batch(s1, s2, undefined="flag")
    value, *draws = np.where(fits.converged, fits.m_ratio, np.nan)
    values, drawn = {"m_ratio": float(value)}, {"m_ratio": np.array(draws)}
    return replace(made, values={**made.values, **values}, draws={**made.draws, **drawn})


def floored(made: Measured, no_ratio: str, lacking: str) -> Measured:
    """Measures without those that cannot be judged, and the reasons.

    Confidence needs both right and wrong answers, and different ratings. A cell may be ``lacking`` something for which
    it has no table of ratings, or have one whose M-ratio cannot be judged (``no_ratio``).
    """
    flags = {remark.flag: remark.text.partition(":")[0] for remark in made.remarks if remark.flag in FLOORS}
    few = lacking or next(iter(flags.values()), "")
    why = dict.fromkeys(QUANTITIES, few) if few else {}
    if no_ratio and Flag.FEW_TRIALS not in flags:
        why["m_ratio"] = no_ratio
    for name in set(QUANTITIES) - set(why):
        if not made.defined(name) or np.isnan(made.draws.get(name, np.full(1, np.nan))).mean() > MOST_LOST:
            why[name] = "undefined, or in too many resamples"
    return replace(made, values={k: v for k, v in made.values.items() if k not in why}, why=why)


def compared(cells: Cells, labels: Mapping[str, str], n_sentences: float = np.inf) -> pd.DataFrame:
    """Differences of every pair, first minus second, judged as one family per quantity and kind.

    ``kind`` is ``models`` within a task, or ``tasks`` within a model; ``within`` is that task or model. Limits hold for
    all pairs of a family together, and ``p_holm`` is adjusted over them; ``n_sentences`` is the fewest of a task.
    """
    parts = []
    ordered = sorted(cells, key=lambda cell: (cell[0], list(labels).index(cell[1])))
    names = {cell: (f"task {cell[0]}", labels[cell[1]]) for cell in cells}
    for shared, kind in enumerate(("models", "tasks")):
        pairs = [(a, b) for a, b in combinations(ordered, 2) if a[shared] == b[shared]]
        sides = [(names[a][1 - shared], names[b][1 - shared]) for a, b in pairs]
        within = [names[a][shared] for a, _ in pairs]
        for quantity in QUANTITIES:
            # tasks have sentences of their own
            both = [together(cells[a], cells[b], quantity, paired=kind == "models") for a, b in pairs]
            rows = family_table(quantity, sides, both, n_units=n_sentences)
            why = []
            for side, pair in zip(sides, pairs, strict=True):
                reasons = [cells[cell].why.get(quantity, "") for cell in pair]
                why.append(
                    "; ".join(f"{name}: {one}" for name, one in zip(side, reasons, strict=True) if one)
                )
            parts.append(rows.assign(kind=kind, within=within, why=why))
    return pd.concat(parts, ignore_index=True)


def judge(pairs: pd.DataFrame) -> pd.DataFrame:
    """Whether any two models, and any two tasks, differ in what the study measures."""
    parts = []
    for kind, quantity in product(("models", "tasks"), QUANTITIES):
        own = pairs[(pairs["kind"] == kind) & (pairs["quantity"] == quantity)]
        units = [
            shown(f"{r.first} and {r.second} ({r.within})", r.differs, np.isfinite(r.p_holm), r.why)
            for r in rows_of(own)
        ]
        parts.append(outcomes(f"{kind}_{quantity}", units, k=1))
    return pd.concat(parts, ignore_index=True)


def _counted(rule: str, result: Any) -> str:
    return counted(result.outcomes, rule)


def figures(result: Any) -> dict[str, Any]:
    """Of how many pairs of models and of tasks AUROC2 can be compared, and how many differ."""
    rows = result.pairs[(result.pairs["quantity"] == "auroc2") & result.pairs["p_holm"].notna()]
    found: dict[str, Any] = {}
    for kind, pairs in rows.groupby(pd.Categorical(rows["kind"], ["models", "tasks"]), observed=False):
        found |= {
            f"{kind}_of": len(pairs) or float("nan"),
            f"{kind}_apart": int(pairs["differs"].astype(bool).sum()),
        }
    return found


VIEWS = (
    Views(
        "replication_compared",
        numbers=figures,
        verdicts={rule: partial(_counted, rule) for rule in RULES},
    ),
)
