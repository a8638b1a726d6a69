"""Do the models know when they are right? The published decisions with confidence, in nine cells.

No cell is padded. Stimuli were given, so tables are resampled within each of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.sdt import meta_information_from_counts, type2_table
from metacog.sdt.area_intervals import auroc2_interval_from_counts
from metacog.sdt.bootstrap import MetaDBootstrap, bootstrap_meta_d_many
from metacog.sdt.checks import FloatArray
from metacog.sdt.decisions import Practical
from metacog.sdt.information_bits import normal_meta_information, plugin_meta_i, rated_meta_information
from metacog.sdt.meta_d import MetaDFit
from metacog.sdt.simulate import MetaDObserver
from metacog.sdt.type1 import type1
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.cells import by_confidence, m_ratio_contrasts
from metacog.studies.study2_two_choice.ledger.claims import with_names
from metacog.studies.study2_two_choice.paper import CONFIDENCE, Ratings

#: M-ratio and meta-I1r lie far apart from this distance on.
FAR = 0.4


@analysis(files=paper.FILES)
def two_choice(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, fewest: int = 20
) -> dict[str, Any]:
    """Do the models know when they are right?"""
    table, draws = fitted_ratings(n_resamples, seed)
    estimates = {(r.task, r.model): float(r.m_ratio) for r in rows_of(table)}
    return {
        "cells": with_names(with_published(table)),
        "ratios": with_names(m_ratio_contrasts(draws, estimates)),
        "accuracy": with_names(by_confidence(paper.rating_cells(), fewest)),
        "given": with_names(confidence_given()),
        "resamples": n_resamples,
        "trials": int(table["n"].sum()),
    }


def fitted_ratings(n_resamples: int, seed: int) -> tuple[pd.DataFrame, dict[tuple[str, str], FloatArray]]:
    """Measures of the nine cells with limits, and bootstrap draws of M-ratio by task and model.

    ``i1r_levels`` is what meta-I1r would be of an ideal observer who gives each level as often, ``i1r_fitted`` of the
    fitted model of the M-ratio.
    """
    cells = paper.rating_cells()
    many = bootstrap_meta_d_many(
        *paper.stacked(cells),
        n_resamples=n_resamples,
        seed=seed,
        pad=0.0,
        scheme="stratified",
    )
    both = list(zip(cells, many, strict=True))
    draws = {(cell.task, cell.model): boot.m_ratio for cell, boot in both}
    return pd.DataFrame([_row(cell, boot) for cell, boot in both]), draws


def _row(cell: Ratings, boot: MetaDBootstrap) -> dict[str, object]:
    one = type1(cell.nR_S1, cell.nR_S2)
    wrong, right = type2_table(cell.nR_S1, cell.nR_S2)
    area = auroc2_interval_from_counts(wrong, right)
    info = meta_information_from_counts(wrong, right, correction="exact", d_prime=one.d_prime)
    ideal = float(normal_meta_information(one.d_prime))
    ends = {"d_prime": boot.ci_d_prime, "meta_d": boot.ci_meta_d, "m_ratio": boot.ci_m_ratio}
    found: dict[str, object] = {
        "task": cell.task,
        "model": cell.model,
        "n": int(one.n_S1 + one.n_S2),
        "accuracy": info.accuracy,
    }
    for name, (low, high) in ends.items():
        found |= {name: getattr(boot.estimate, name), f"{name}_lower": low, f"{name}_upper": high}
    return found | {
        "d_prime_se": one.half_width("d_prime", z=1.0),
        "auroc2": area.estimate,
        "auroc2_lower": area.lower,
        "auroc2_upper": area.upper,
        "meta_i1r": info.meta_i1r,
        "i1r_levels": rated_meta_information(one.d_prime, wrong + right) / ideal,
        "i1r_fitted": _bits_of_fit(boot.estimate, one.n_S2 / (one.n_S1 + one.n_S2)) / ideal,
    }


def _bits_of_fit(fit: MetaDFit, base_rate: float) -> float:
    """meta-I in bits of the ratings that a fitted model of meta-d' makes; cuts of unused levels are told apart."""
    apart = 1e-9 * np.arange(1, len(fit.t2_criteria_rS1) + 1)
    low, high = np.array(fit.t2_criteria_rS1) - apart[::-1], np.array(fit.t2_criteria_rS2) + apart
    made = MetaDObserver(fit.d_prime, fit.meta_d, fit.c, tuple(low), tuple(high))
    s1, s2 = made.probabilities()
    return float(plugin_meta_i(*type2_table((1 - base_rate) * s1, base_rate * s2)))


def with_published(table: pd.DataFrame) -> pd.DataFrame:
    """Our estimates and the published posterior means of table S1, with the ends of their intervals."""
    ends = {"estimate": "", "lower": "_lower", "upper": "_upper"}
    wide = paper.as_numbers("tableS1").pivot(index=["task", "model"], columns="measure", values=list(ends))
    columns: Any = wide.columns
    wide.columns = pd.Index([f"{measure}_published{ends[end]}" for end, measure in columns])
    return table.merge(wide.reset_index(), on=["task", "model"], validate="one_to_one")


def confidence_given() -> pd.DataFrame:
    """Share of each confidence among right and among wrong answers (the paper's figure S1)."""
    rows = []
    for cell in paper.rating_cells():
        for correct, counts in zip((False, True), type2_table(cell.nR_S1, cell.nR_S2), strict=True):
            for level, n in zip(CONFIDENCE, counts, strict=True):
                answers = f"task {cell.task}, {'right' if correct else 'wrong'} answers"
                rows.append((cell.task, cell.model, correct, answers, level, int(n), float(n / counts.sum())))
    return pd.DataFrame(rows, columns=["task", "model", "correct", "answers", "confidence", "n", "share"])


def figures(result: Any) -> dict[str, Any]:
    """How many M-ratios lie below one, how many pairs of models differ, and the bits that few levels cost."""
    ratios, cells = result.ratios, result.cells
    below, pairs = ratios[ratios["kind"] == "optimality"], ratios[ratios["kind"] == "models"]
    clear = pairs[pairs["decision"] == Practical.SIGNIFICANT]
    gap = cells["m_ratio"] - cells["meta_i1r"]
    return {
        "n_below": int((below["upper"] < 0).sum()),
        "n_cells": len(below),
        **doubted(result.accuracy),
        "lowest_ratio": float(cells["m_ratio"].min()),
        "highest_ratio": float(cells["m_ratio"].max()),
        "n_pairs": len(pairs),
        "n_differ": len(clear),
        "largest_factor": float(np.exp(clear["difference"].abs().max())),
        "n_far": int((gap.abs() > FAR).sum()),
        "least_bits": float(cells["meta_i1r"].min()),
        "most_kept": 100 * float(cells.loc[gap.abs() > FAR, "i1r_levels"].max()),
        "off_bits": float((cells["i1r_fitted"] - cells["meta_i1r"])[gap.abs() > FAR].abs().max()),
    }


def doubted(accuracy: pd.DataFrame) -> dict[str, Any]:
    """Of answers at the lowest confidence, where enough are given: in how many tables most are wrong beyond chance."""
    rows = accuracy[(accuracy["confidence"] == accuracy["confidence"].min()) & accuracy["shown"]]
    wrong = rows[rows["upper"] < 0.5]
    return {
        "n_doubted": len(rows),
        "n_wrong": len(wrong),
        "doubted_least": 100 * float(wrong["right"].min()),
        "doubted_most": 100 * float(wrong["right"].max()),
    }


VIEWS = (Views("two_choice", numbers=figures),)
