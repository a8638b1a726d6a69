"""Does the model of meta-d' make ratings like those of people? Too few of one person's, so over the people of a set.

Run: python benchmarks/misfit_of_people.py    (two minutes of a core)
For each set of the page "What is normal?", G squared between its people's counts and those of their fits, summed over
people, beside the same of counts that are drawn of these fits and fitted again: the mean and the standard deviation of
the sum. Beside it the median slope of people's z-ROC (their confidence in both answers on one scale), which unequal
spreads move. World ``people`` is the database; in ``the model`` counts drawn of the fits stand in its place, so each
set that misfits there is a false alarm. Writes data/simulations/misfit_of_people.csv and .json next to it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed
from scipy.special import xlogy

from metacog.measures.tables_of_people import by_width
from metacog.sdt.checks import FloatArray
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.sdt.meta_d_errors import cell_probabilities
from metacog.sdt.type1 import z_roc
from metacog.studies.study8_people.database import tables
from metacog.studies.study8_people.normal import FEW, OF_MODEL, OF_PEOPLE, people_of


def expected(a: FloatArray, b: FloatArray) -> FloatArray:
    """P(rating | stimulus) of the fit of each table ``(B, 2K)``, padded as the page pads; NaN where there is none."""
    pad = 1 / a.shape[1]
    fit = fit_meta_d_batch(a + pad, b + pad, undefined="flag")
    cuts = np.concatenate([fit.t2_criteria_rS1, fit.t2_criteria_rS2], axis=1)
    cells = np.maximum(cell_probabilities(fit.d_prime, fit.c, fit.meta_d, cuts), 1e-12)
    cells[~fit.converged] = np.nan
    return cells / cells.sum(axis=-1, keepdims=True)


def told_of(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """G squared of each table from its fit, its z-ROC's slope, and the fit's probabilities."""
    cells, counts = expected(a, b), np.stack([a, b], axis=1)
    fitted = counts.sum(axis=-1, keepdims=True) * cells
    pad = 1 / a.shape[1]
    slope = np.asarray(z_roc(a + pad, b + pad).slope)
    return 2 * (xlogy(counts, counts) - xlogy(counts, fitted)).sum(axis=(1, 2)), slope, cells


def drawn(cells: FloatArray, n: FloatArray, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Counts of so many trials of each stimulus ``n``, ``(B, 2)``."""
    one, other = (rng.multinomial(n[:, i].astype(np.int64), cells[:, i]).astype(np.float64) for i in (0, 1))
    return one, other


def tested(a: FloatArray, b: FloatArray, of: FloatArray, runs: int, rng: np.random.Generator) -> pd.DataFrame:
    """By person: G squared and slope, and those of counts drawn of the fit, ``runs`` times."""
    g2, slope, cells = told_of(a, b)
    known = np.isfinite(cells).all(axis=(1, 2))
    cells, n = cells[known], np.column_stack([a.sum(axis=1), b.sum(axis=1)])[known]
    again = [told_of(*drawn(cells, n, rng))[:2] for _ in range(runs)]
    null, slopes = (np.stack([one[i] for one in again]) for i in (0, 1))
    return pd.DataFrame(
        {
            "of": of[known],
            "g2": g2[known],
            "g2_null": np.nanmean(null, axis=0),
            "g2_variance": np.nanvar(null, axis=0, ddof=1),
            "slope": slope[known],
            "slope_null": np.nanmedian(slopes, axis=0),
        }
    )


def by_set(found: pd.DataFrame) -> pd.DataFrame:
    """Sums of G squared and medians of slopes over the people of each set of :data:`FEW` or more."""
    groups = found.groupby("of")
    made = groups[["g2", "g2_null", "g2_variance"]].sum().join(groups[["slope", "slope_null"]].median())
    made = made.assign(g2_sd=np.sqrt(made.pop("g2_variance")), people=groups.size())
    return made[made["people"] >= FEW]


def main() -> None:
    """Test every set, and sets that are drawn of the model."""
    given = parsed(__file__, out=SIMULATIONS / "misfit_of_people.csv", runs=20, seed=42)
    people, rng = people_of(tables()), np.random.default_rng(given.seed)
    names = people.groupby("of")[["set", "part", "domain", "form"]].first()
    parts: dict[str, list[pd.DataFrame]] = {OF_PEOPLE: [], OF_MODEL: []}
    for at, a, b in by_width(people["nR_S1"].tolist(), people["nR_S2"].tolist()):
        of = people["of"].to_numpy()[at]
        parts[OF_PEOPLE].append(tested(a, b, of, given.runs, rng))
        cells = expected(a, b)
        known = np.isfinite(cells).all(axis=(1, 2))
        n = np.column_stack([a.sum(axis=1), b.sum(axis=1)])[known]
        parts[OF_MODEL].append(tested(*drawn(cells[known], n, rng), of[known], given.runs, rng))
        given.tell(f"{a.shape[1]} ratings, {len(a)} people")
    made = [names.join(by_set(pd.concat(found)), how="inner").assign(world=w) for w, found in parts.items()]
    given.write(pd.concat(made), seed=given.seed)


if __name__ == "__main__":
    main()
