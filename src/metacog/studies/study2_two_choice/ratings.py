"""The nine cells with confidence: d', maximum-likelihood meta-d', M-ratio, AUROC2 and meta-information.

No cell is padded. Stimuli were given, so tables are resampled within each of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.sdt import auroc2_interval_from_counts, meta_information_from_counts, type1, type2_table
from metacog.sdt.bootstrap import MetaDBootstrap, bootstrap_meta_d_many
from metacog.sdt.decisions import bonferroni_z
from metacog.sdt.intervals import wilson
from metacog.studies.study2_two_choice import published
from metacog.studies.study2_two_choice.published import CONFIDENCE, MODELS, Ratings

#: What the Bayesian estimates of this study wait for.
NEEDS_BAYES = "the posterior of the published counts, half a minute to some minutes: run `metacog book`"
#: Standard errors beyond which a printed d' does not follow from the counts: Bonferroni over nine cells.
FAR = bonferroni_z(m=9)


@dataclass(frozen=True)
class Fitted:
    """The nine cells, fitted.

    Attributes
    ----------
    table : DataFrame
        One row a cell: ``task, model, n, accuracy``; ``d_prime, meta_d, m_ratio`` with ``_lo`` and
        ``_hi`` of the bootstrap; ``d_prime_se`` and ``c, c_lo, c_hi`` by the delta method; ``auroc2``
        with limits; ``meta_i`` in bits and ``meta_i1r, meta_i2r, rmi``; ``empty`` (ratings that no trial
        has), ``dropped`` (resamples without an M-ratio).
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
        found |= {name: getattr(boot.estimate, name), f"{name}_lo": low, f"{name}_hi": high}
    return found | {
        "d_prime_se": one.half_width("d_prime", z=1.0),
        "c": one.c,
        "c_lo": one.c - one.half_width("c"),
        "c_hi": one.c + one.half_width("c"),
        "auroc2": area.estimate,
        "auroc2_lo": area.lower,
        "auroc2_hi": area.upper,
        "meta_i": info.meta_i,
        "meta_i1r": info.meta_i1r,
        "meta_i2r": info.meta_i2r,
        "rmi": info.rmi,
        "empty": int(((cell.nR_S1 + cell.nR_S2) == 0).sum()),
        "dropped": boot.n_resamples - boot.n_valid,
    }


def beside_printed(table: pd.DataFrame) -> pd.DataFrame:
    """Ours next to the printed posterior means of table S1.

    ``off`` is the printed d' less that of the counts, in standard errors of the latter; ``follows`` whether
    it lies within :data:`FAR`; ``m_ratio_printed_inside`` whether the printed M-ratio lies in our interval.
    """
    wide = published.as_numbers("tableS1").pivot(
        index=["task", "model"], columns="measure", values="estimate"
    )
    both = table.merge(wide.add_suffix("_printed").reset_index(), on=["task", "model"], validate="one_to_one")
    both = both.rename(columns={"meta_d_printed": "meta_printed"})
    both["off"] = (both["d_prime_printed"] - both["d_prime"]) / both["d_prime_se"]
    both["follows"] = both["off"].abs() <= FAR
    both["own_ratio"] = both["meta_printed"] / both["d_prime_printed"]
    inside = (both["m_ratio_lo"] <= both["m_ratio_printed"]) & (both["m_ratio_printed"] <= both["m_ratio_hi"])
    return both.assign(m_ratio_printed_inside=inside)


def printed_d_said(both: pd.DataFrame) -> str:
    """Which printed d' do not follow from the counts, and what speaks for it."""
    odd = both[~both["follows"]]
    kept = both[both["follows"]]
    said = (
        f"In {len(kept)} of {len(both)} cells the printed d' lies within {kept['off'].abs().max():.1f} "
        "standard errors of that of the counts."
    )
    for row in rows_of(odd):
        agrees = abs(row.own_ratio - row.m_ratio_printed) <= 1e-3
        words = "agrees with itself and not" if agrees else "agrees neither with itself nor"
        words = "agrees with itself and not" if agrees else "agrees neither with itself nor"
        said += (
            f" Not so {MODELS[row.model]} on task {row.task}: the counts give {row.d_prime:.4f}, printed "
            f"is {row.d_prime_printed:.4f}, {abs(row.off):.1f} standard errors away. Its printed meta-d' "
            f"over its printed d' is {row.own_ratio:.3f}, its printed M-ratio {row.m_ratio_printed:.3f}: the "
            f"printed row {words} with the counts."
        )
    return said


def by_confidence(fewest: int, cells: Sequence[Ratings] | None = None) -> pd.DataFrame:
    """Accuracy at each level of confidence: ``task, model, confidence, n, right, lo, hi, shown``.

    Parameters
    ----------
    fewest : int
        Levels with fewer trials are not ``shown``.
    cells : sequence of Ratings, optional
        The published ones without.
    """
    rows = []
    for cell in published.rating_cells() if cells is None else cells:
        wrong, right = type2_table(cell.nR_S1, cell.nR_S2)
        n = wrong + right
        share = np.divide(right, n, out=np.full(n.shape, np.nan), where=n > 0)
        low, high = wilson(np.nan_to_num(share), np.maximum(n, 1))
        for i, level in enumerate(CONFIDENCE):
            some = n[i] > 0
            rows.append(
                {
                    "task": cell.task,
                    "model": cell.model,
                    "confidence": level,
                    "n": int(n[i]),
                    "right": share[i],
                    "lo": low[i] if some else np.nan,
                    "hi": high[i] if some else np.nan,
                    "shown": bool(n[i] >= fewest),
                }
            )
    return pd.DataFrame(rows)


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


def left_out_said(table: pd.DataFrame, fewest: int) -> str:
    """How many levels are too sparse to be drawn."""
    out = table[~table["shown"]]
    if out.empty:
        return f"No level of confidence has fewer than {fewest} trials."
    never = int((out["n"] == 0).sum())
    return (
        f"{plural(len(out), 'level')} of {len(table)} are left out, with fewer than {fewest} trials; {never} "
        f"of them {'was' if never == 1 else 'were'} never used."
    )


def falls_said(table: pd.DataFrame) -> str:
    """Where accuracy falls from one drawn level of confidence to the next, beyond both intervals."""
    odd = []
    for (task, model), own in table[table["shown"]].groupby(["task", "model"], sort=False):
        levels = own.sort_values("confidence")
        below = levels["hi"].to_numpy()[1:] < levels["lo"].to_numpy()[:-1]
        if below.any():
            odd.append(f"{MODELS.get(str(model), model)} on task {task}")
    cells = table.groupby(["task", "model"]).ngroups
    if not odd:
        return f"In all {cells} cells accuracy never falls clearly from a level to the next."
    return (
        f"In {cells - len(odd)} of {cells} cells accuracy never falls clearly (intervals apart) from a level "
        f"of confidence to the next; it does in {listed(odd)}."
    )


def optimal_said(ratios: pd.DataFrame) -> str:
    """In how many cells M-ratio is below 1, and in how many by more than the ROPE, by 95 % intervals."""
    own = ratios[ratios["kind"] == "optimality"]
    below = own[own["upper"] < 0]
    clear = below[below["said"] == "significant"]
    rest = [f"{MODELS[r.model]} on task {r.task} ({r.said})" for r in rows_of(own.drop(clear.index))]
    return (
        f"M-ratio lies below 1 in {len(below)} of {len(own)} cells, and below it by more than the ROPE in "
        f"{len(clear)}" + (f"; not so in {listed(rest)}." if rest else ".")
    )
