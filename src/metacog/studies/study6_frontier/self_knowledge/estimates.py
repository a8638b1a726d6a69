"""Own confidence against the others', what remains of it within difficulty, the matrix and the factors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.measures.confidence_factors import ConfidenceFactors, confidence_factors
from metacog.measures.cross_prediction import CrossPrediction, cross_prediction
from metacog.measures.model_items import ModelItems
from metacog.measures.remainder import remainder
from metacog.measures.rivals import rivals
from metacog.measures.suspected_keys import without_suspected
from metacog.sdt import InputError

#: Ways of taking the items: every one, and without those whose key nine tenths of the others contradict.
WITH, WITHOUT = "all items", "without suspected keys"
#: Share of the others from which a key is suspected here.
SUSPECTED = 0.9
#: Levels at which own confidence and the others' mean are compared on equal terms.
LEVELS = 5
#: Ways of cutting difficulty into strata: the exact number of others that are right, fewer classes, and subjects.
EXACT = "exact number"


@dataclass(frozen=True)
class Cut:
    """One way of cutting difficulty.

    Attributes
    ----------
    name : str
    n_strata : int or None
        None for the exact number of others that are right.
    subject : bool
        Strata are also those of the items' subjects.
    """

    name: str
    n_strata: int | None = None
    subject: bool = False


#: The main way first.
CUTS = (
    Cut(EXACT),
    Cut("20 classes", 20),
    Cut("10 classes", 10),
    Cut("5 classes", 5),
    Cut("5 classes by subject", 5, True),
)


def unsuspected(items: ModelItems) -> ModelItems:
    """Each model without the items whose key its others put in doubt; all of them without answers or a key."""
    return items if items.answer is None or items.key is None else without_suspected(items, SUSPECTED)


def n_lost(items: ModelItems, fewer: ModelItems) -> int:
    """Items that some model answered and has lost."""
    return int((items.answered & ~fewer.answered).any(axis=0).sum())


def ways(items: ModelItems) -> Iterator[tuple[str, ModelItems]]:
    """The items in each way of taking them; the second only where it leaves some out."""
    yield WITH, items
    fewer = unsuspected(items)
    if n_lost(items, fewer):
        yield WITHOUT, fewer


def rival_tables(items: ModelItems, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """Own against others' in each way of taking the items, and at equal levels: with ``rows`` and ``levels``."""
    parts = []
    for name, part in ways(items):
        for levels in (None, LEVELS) if name == WITH else (None,):
            made = rivals(part, n_levels=levels, n_resamples=n_resamples, seed=seed)
            parts.append(
                made.table.assign(rows=name, levels=0 if levels is None else levels, n_panel=made.n_items)
            )
    return pd.concat(parts, ignore_index=True)


def remainders(
    items: ModelItems, *, n_resamples: int, n_permutations: int, seed: int, cuts: Sequence[Cut] = CUTS
) -> pd.DataFrame:
    """What remains within difficulty, for each way of taking the items and cutting difficulty: ``rows``, ``cut``.

    Without suspected keys difficulty is cut in the main way alone.
    """
    parts = []
    for name, part in ways(items):
        for cut in cuts if name == WITH else cuts[:1]:
            made = remainder(
                part,
                n_strata=cut.n_strata,
                use_strata=cut.subject,
                n_resamples=n_resamples,
                n_permutations=n_permutations,
                seed=seed,
            )
            parts.append(made.table.assign(rows=name, cut=cut.name))
    return pd.concat(parts, ignore_index=True)


def matrices(
    items: ModelItems, *, n_resamples: int, n_permutations: int, seed: int
) -> dict[str, CrossPrediction]:
    """The matrix of confidences against correctness, in each way of taking the items."""
    return {
        name: cross_prediction(part, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
        for name, part in ways(items)
    }


def matrix_table(made: CrossPrediction) -> pd.DataFrame:
    """The matrix as rows ``confidence_of, correctness_of, area``."""
    m = len(made.models)
    return pd.DataFrame(
        {
            "confidence_of": np.repeat(made.models, m),
            "correctness_of": np.tile(made.models, m),
            "area": made.areas.ravel(),
        }
    )


def mean_table(matrix: dict[str, CrossPrediction]) -> pd.DataFrame:
    """What the diagonal has beyond row and column, on average: ``rows, quantity, mean, lower, upper, n_models, p``."""
    parts = []
    for name, made in matrix.items():
        table = made.means.assign(rows=name, p=np.nan)
        table.loc[table["quantity"] == "advantage", "p"] = made.p_value
        parts.append(table)
    return pd.concat(parts, ignore_index=True)


def factor_table(
    items: ModelItems, *, n_permutations: int, seed: int
) -> tuple[pd.DataFrame, ConfidenceFactors]:
    """Eigenvalues of the models' confidences and what chance would give: ``factor, eigenvalue, parallel, share``."""
    made = confidence_factors(items, n_permutations=n_permutations, seed=seed)
    table = pd.DataFrame(
        {
            "factor": np.arange(1, len(made.eigenvalues) + 1),
            "eigenvalue": made.eigenvalues,
            "parallel": made.parallel,
            "share": made.eigenvalues / made.eigenvalues.sum(),
        }
    )
    return table, made


def merged(
    items: ModelItems, rival: pd.DataFrame, rest: pd.DataFrame, matrix: CrossPrediction
) -> pd.DataFrame:
    """One row per model: its accuracy, own and others' areas, what remains, and its advantage on the diagonal.

    Raises
    ------
    InputError
        If a table lacks a model.
    """
    accuracy = pd.DataFrame({"model": items.models, "accuracy": np.nanmean(items.right, axis=1)})
    kept = [c for c in rest if c not in ("family", "flag", "rows", "cut")]
    gain = matrix.advantage[["model", "advantage", "advantage_lower", "advantage_upper", "p_value"]]
    table = accuracy.merge(rival.drop(columns=["rows", "levels"]), on="model").merge(
        rest[[*kept, "flag"]].rename(columns={"flag": "why"}), on="model", suffixes=("", "_within")
    )
    table = table.merge(gain.rename(columns={"p_value": "advantage_p"}), on="model")
    if len(table) != len(items.models):
        raise InputError(f"{len(items.models) - len(table)} models are missing from a table of results")
    return table.sort_values("own", ascending=False, kind="stable").reset_index(drop=True)
