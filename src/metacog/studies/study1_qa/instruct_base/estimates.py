"""Instruct against base: what does instruction tuning do to metacognition?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.bootstrap import resample_counts
from metacog.sdt.decisions import bootstrap_p
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.type2 import auroc2_from_counts
from metacog.sdt.zroc import z_roc
from metacog.studies.study1_qa.cells.contrasts import (
    fit_draws,
    interval,
    question_cells,
    resampled_tables,
)
from metacog.studies.study1_qa.cells.counts import REFERENCE, Cells, FloatArray, Rated

#: The paper's pair.
PUBLISHED_PAIR = ("llama3_instruct", "llama3_base")
RULE = "Instruct minus base: which measures differ (95 % interval without zero)?"
TITLES = {
    "accuracy": "accuracy",
    "d_prime": "d'",
    "meta_d": "meta-d'",
    "m_ratio": "M-ratio",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r (plug-in)",
    "zroc_slope": "z-ROC slope",
}


@dataclass(frozen=True)
class PairComparison:
    """Instruct minus base, one pair.

    Attributes
    ----------
    table : DataFrame
        ``measure, instruct, base, difference, lower, upper, p``.
    instruct, base, dataset : str
    paired : bool
        Whether questions were resampled together (trials), or each model alone (counts).
    """

    table: pd.DataFrame
    instruct: str
    base: str
    dataset: str
    paired: bool


def find_pairs(models: Iterable[str], base_of: Mapping[str, str]) -> list[tuple[str, str]]:
    """(instruct, base) pairs among the models of a run.

    Parameters
    ----------
    models : iterable of str
    base_of : mapping
        From a base model to the instruct model made from it (``base_of`` in the registry).
    """
    present = set(models)
    return sorted(
        (instruct, base) for base, instruct in base_of.items() if {instruct, base} <= present and instruct
    )


def registry_pairs(models: Iterable[str]) -> list[tuple[str, str]]:
    """:func:`find_pairs` with the ``base_of`` entries of ``config/models.yaml``."""
    from metacog.collect.models import load_models

    return find_pairs(models, {name: entry.base_of for name, entry in load_models().items()})


def compare_trials(
    rated: Rated,
    instruct: str,
    base: str,
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
) -> PairComparison:
    """Compare on the questions both models answered at T = 1, resampling questions.

    Raises
    ------
    MetacogError
        If the two share no rated question.
    """
    one = rated.trials[
        (rated.trials["temperature"] == REFERENCE) & rated.trials["model"].isin([instruct, base])
    ]
    cells = question_cells(one, "model", rated.n_ratings)
    if set(cells.conditions) != {instruct, base} or cells.matrix.shape[0] < 2:
        raise MetacogError(f"{instruct} and {base} share no rated questions at T = {REFERENCE:g}")
    order = [cells.conditions.index(instruct), cells.conditions.index(base)]
    s1, s2 = (x[:, order] for x in cells.tables())
    tables = resampled_tables(cells, n_resamples, seed)
    b1, b2 = (np.concatenate([t[i] for t in tables])[:, order] for i in (0, 1))
    return _compare(s1[0], s2[0], b1, b2, instruct, base, str(one["dataset"].iloc[0]), True)


def compare_counts(
    cells: Cells,
    instruct: str = PUBLISHED_PAIR[0],
    base: str = PUBLISHED_PAIR[1],
    dataset: str = "triviaqa",
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
) -> PairComparison:
    """Compare from counts, each model resampled alone (pairing is lost in counts)."""
    tables = [cells.table(model=name, dataset=dataset) for name in (instruct, base)]
    seeds = np.random.SeedSequence(seed).spawn(2)
    drawn = [resample_counts(*t, n_resamples, seed=q) for t, q in zip(tables, seeds, strict=True)]
    b1, b2 = (np.stack([d[i] for d in drawn], axis=1) for i in (0, 1))
    s1, s2 = (np.stack([t[i] for t in tables]).astype(np.float64) for i in (0, 1))
    return _compare(s1, s2, b1, b2, instruct, base, dataset, False)


def measures(s1: FloatArray, s2: FloatArray) -> dict[str, FloatArray]:
    """All measures of tables of shape ``(..., L)``; meta-I2r is the plug-in value."""
    n0, n1 = s1.sum(axis=-1), s2.sum(axis=-1)
    fits = fit_draws(s1, s2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return {
            "accuracy": n1 / (n0 + n1),
            "d_prime": fits["d_prime"],
            "meta_d": fits["meta_d"],
            "m_ratio": fits["m_ratio"],
            "auroc2": auroc2_from_counts(s1, s2),
            "meta_i2r": plugin_meta_i2r(s1, s2),
            "zroc_slope": np.asarray(z_roc(s1, s2).slope, dtype=np.float64),
        }


def _compare(
    s1: FloatArray,
    s2: FloatArray,
    b1: FloatArray,
    b2: FloatArray,
    instruct: str,
    base: str,
    dataset: str,
    paired: bool,
) -> PairComparison:
    point, draws = measures(s1, s2), measures(b1, b2)
    rows = []
    for name, title in TITLES.items():
        gap = draws[name][:, 0] - draws[name][:, 1]
        low, high = interval(gap)
        rows.append(
            {
                "measure": title,
                "instruct": point[name][0],
                "base": point[name][1],
                "difference": point[name][0] - point[name][1],
                "lower": low,
                "upper": high,
                "p": bootstrap_p(gap),
            }
        )
    table = pd.DataFrame(rows)
    return PairComparison(table, instruct, base, dataset, paired)


def describe(pair: PairComparison) -> Verdict:
    """In which measures the instruct model is higher (``up``), lower (``down``) or neither (``same``)."""
    table = pair.table
    up = table.loc[table["lower"] > 0, "measure"].tolist()
    down = table.loc[table["upper"] < 0, "measure"].tolist()
    same = table.loc[~table["measure"].isin([*up, *down]), "measure"].tolist()
    values = {"instruct": pair.instruct, "base": pair.base, "up": up, "down": down, "same": same}
    return Verdict("Instruct and base", Kind.EXPLORATORY, RULE, None, name="pair", values=values)
