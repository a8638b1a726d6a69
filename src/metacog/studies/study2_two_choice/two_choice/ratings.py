"""The nine cells with confidence: d', maximum-likelihood meta-d', M-ratio, AUROC2 and meta-information.

No cell is padded. Stimuli were given, so tables are resampled within each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.sdt import auroc2_interval_from_counts, meta_information_from_counts, type1, type2_table
from metacog.sdt.bootstrap import MetaDBootstrap, bootstrap_meta_d_many
from metacog.studies.study2_two_choice.ledger import published
from metacog.studies.study2_two_choice.ledger.published import CONFIDENCE, Ratings


@dataclass(frozen=True)
class Fitted:
    """The nine cells, fitted.

    Attributes
    ----------
    table : DataFrame
        One row per cell: ``task, model, n, accuracy``; ``d_prime, meta_d, m_ratio`` with ``_lower`` and
        ``_upper`` of the bootstrap; ``d_prime_se`` and ``c, c_lower, c_upper`` by the delta method;
        ``auroc2`` with limits; ``meta_i`` in bits and ``meta_i1r, meta_i2r, rmi``; ``empty`` (ratings that no
        trial has), ``dropped`` (resamples without an M-ratio).
    draws : mapping of (task, model) to array
        Bootstrap draws of M-ratio.
    """

    table: pd.DataFrame
    draws: Mapping[tuple[str, str], NDArray[np.float64]]

    @property
    def estimates(self) -> dict[tuple[str, str], float]:
        """M-ratio of each cell."""
        return {(r.task, r.model): float(r.m_ratio) for r in rows_of(self.table)}


def fitted(n_resamples: int, seed: int) -> Fitted:
    """Fit the published tables and bootstrap them."""
    cells = published.rating_cells()
    many = bootstrap_meta_d_many(
        np.stack([c.nR_S1 for c in cells]),
        np.stack([c.nR_S2 for c in cells]),
        n_resamples=n_resamples,
        seed=seed,
        pad=0.0,
        scheme="stratified",
    )
    rows = [_row(cell, boot) for cell, boot in zip(cells, many, strict=True)]
    draws = {(cell.task, cell.model): boot.m_ratio for cell, boot in zip(cells, many, strict=True)}
    return Fitted(pd.DataFrame(rows), draws)


def _row(cell: Ratings, boot: MetaDBootstrap) -> dict[str, object]:
    one = type1(cell.nR_S1, cell.nR_S2)
    wrong, right = type2_table(cell.nR_S1, cell.nR_S2)
    area = auroc2_interval_from_counts(wrong, right)
    info = meta_information_from_counts(wrong, right, correction="exact", d_prime=one.d_prime)
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
        "c": one.c,
        "c_lower": one.c - one.half_width("c"),
        "c_upper": one.c + one.half_width("c"),
        "auroc2": area.estimate,
        "auroc2_lower": area.lower,
        "auroc2_upper": area.upper,
        "meta_i": info.meta_i,
        "meta_i1r": info.meta_i1r,
        "meta_i2r": info.meta_i2r,
        "rmi": info.rmi,
        "empty": int(((cell.nR_S1 + cell.nR_S2) == 0).sum()),
        "dropped": boot.n_resamples - boot.n_valid,
    }


def with_published(table: pd.DataFrame) -> pd.DataFrame:
    """Our estimates and the published posterior means of table S1.

    ``off`` is the published d' minus that of the counts, in standard errors of the latter;
    ``ratio_published`` is the published meta-d' over the published d'.
    """
    wide = published.as_numbers("tableS1").pivot(
        index=["task", "model"], columns="measure", values="estimate"
    )
    wide = wide.add_suffix("_published").reset_index()
    both = table.merge(wide, on=["task", "model"], validate="one_to_one")
    return both.assign(
        off=(both["d_prime_published"] - both["d_prime"]) / both["d_prime_se"],
        ratio_published=both["meta_d_published"] / both["d_prime_published"],
    )


def confidence_given() -> pd.DataFrame:
    """Share of each confidence among right and among wrong answers (the paper's figure S1)."""
    rows = []
    for cell in published.rating_cells():
        for correct, counts in zip((False, True), type2_table(cell.nR_S1, cell.nR_S2), strict=True):
            for level, n in zip(CONFIDENCE, counts, strict=True):
                share = float(n / counts.sum())
                rows.append(
                    {
                        "task": cell.task,
                        "model": cell.model,
                        "correct": correct,
                        "confidence": level,
                        "n": int(n),
                        "share": share,
                    }
                )
    return pd.DataFrame(rows)
