"""Is evidence lost in the published ratings, or would curves of other width or shape, or wrong keys, explain them?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.frames import committed_table, ended, rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.checks import FloatArray
from metacog.sdt.meta_noise import DROP
from metacog.sdt.rating_models import fit_rating_model
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.ledger.claims import with_names
from metacog.studies.study2_two_choice.posteriors import posterior_labels

#: Made by ``benchmarks/rating_rivals.py``: how often :func:`excluded` errs.
TABLE = "data/simulations/rating_rivals.csv"
#: Models of the whole table, and what is free in each besides d', c and criteria.
RIVALS = {
    **{"nothing lost": (), "unequal curves": ("spread",), "wrong keys": ("keys",)},
    **{"noise in confidence": ("noise",), "meta-d'": ("m_ratio",)},
}
#: What may be free though nothing is lost.
LOSSLESS = {"unequal curves": ("spread",), "wrong keys": ("keys",), "both": ("spread", "keys")}
SHAPES = {"bell curves": False, "heavier tails": True}
EITHER, LOSSES = "both shapes", ("m_ratio", "noise")
#: What counts of tables are called that hold with some shapes.
TOLD = {"bells": "bell curves", "shapes": EITHER}


@analysis(files=(*paper.FILES, TABLE))
def rivals(inputs: Inputs) -> dict[str, Any]:
    """Does confidence lose evidence if curves may be unequal and keys wrong?"""
    counts, labels = paper.stacked(paper.rating_cells()), posterior_labels()
    fits, rates = compared(*counts, labels)
    return {
        "ratios": with_names(ratios(*counts, labels)),
        "fits": with_names(fits),
        "rates": with_names(rates),
        "tests": tests(*counts),
        "simulated": committed_table(TABLE),
    }


def ratios(nR_S1: ArrayLike, nR_S2: ArrayLike, labels: pd.DataFrame) -> pd.DataFrame:
    """M-ratio as it stands and with all else free, whose intervals are as much wider as its fit is off; NaN where a
    table has too few ratings in use."""
    for name, null, heavy in (
        ("equal", (), False),
        *((s, LOSSLESS["both"], heavy) for s, heavy in SHAPES.items()),
    ):
        fit = fit_rating_model(nR_S1, nR_S2, (*null, "m_ratio"), heavy_tails=heavy)
        found = fit.parameters["m_ratio"], *fit.m_ratio_limits(fit.excess if null else 1.0)
        told = [np.where(fit.freedom < 0, np.nan, one) for one in found]
        labels = labels.assign(**ended(name.split()[0], *told))
    return labels


def gain(
    nR_S1: ArrayLike, nR_S2: ArrayLike, null: tuple[str, ...], loss: str, heavy: bool
) -> tuple[FloatArray, FloatArray]:
    """How much better a fit with a loss is, over what chance gives in one of twenty, and over that and the misfit."""
    without, lossy = (
        fit_rating_model(nR_S1, nR_S2, parts, heavy_tails=heavy) for parts in (null, (*null, loss))
    )
    better = (lossy.log_likelihood - without.log_likelihood) * (lossy.parameters["m_ratio"] <= 1) / DROP
    return better, better / lossy.excess


def excluded(nR_S1: ArrayLike, nR_S2: ArrayLike) -> pd.DataFrame:
    """Whether M-ratio is below 1 though curves may be unequal and keys wrong: beyond chance with ``bells``, and with
    heavier tails as well (``shapes``), and by more than what misfits, too (``misfit``)."""
    by_shape = [gain(nR_S1, nR_S2, LOSSLESS["both"], "m_ratio", heavy) for heavy in SHAPES.values()]
    chance, misfit = (np.array(one) > 1 for one in zip(*by_shape, strict=True))
    return pd.DataFrame({"bells": chance[0], "shapes": chance.all(axis=0), "misfit": misfit.all(axis=0)})


def tests(nR_S1: ArrayLike, nR_S2: ArrayLike) -> pd.DataFrame:
    """In how many tables a loss improves each model without one, with curves of each shape and of both."""
    rows = []
    for free, null in LOSSLESS.items():
        over = [[gain(nR_S1, nR_S2, null, loss, heavy) for loss in LOSSES] for heavy in SHAPES.values()]
        better = np.array(over) > 1  # by shape, loss, what it is more than, and table
        counted = [*better.sum(axis=3), better.all(axis=0).sum(axis=2)]
        rows += [(free, shape, *n.ravel()) for shape, n in zip((*SHAPES, EITHER), counted, strict=True)]
    names = [f"{loss}_{than}" for loss in LOSSES for than in ("chance", "misfit")]
    return pd.DataFrame(rows, columns=["free", "shape", *names])


def compared(nR_S1: ArrayLike, nR_S2: ArrayLike, labels: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Of each table: AIC of each model above the best, the percentage of answers it misplaces, and the rating that
    meta-d' misses by most answers. Of each rating: the observed share, and those of meta-d' and the best model."""
    fits = {name: fit_rating_model(nR_S1, nR_S2, parts) for name, parts in RIVALS.items()}
    aic = np.array([-2 * (fit.log_likelihood + fit.freedom) for fit in fits.values()])
    best, at = aic.argmin(axis=0), np.arange(len(labels))
    counts, shares = fits["meta-d'"].counts, np.array([fit.predicted for fit in fits.values()])
    of, kinds = counts.sum(axis=2, keepdims=True), ("first", "second")
    words = [
        f"{kind} called {kinds[side == 'S2']}, {level}" for kind in kinds for side, level in paper.RATINGS
    ]
    cells = pd.DataFrame(
        {
            "rating": words * len(labels),
            "n": counts.ravel(),
            "of": np.broadcast_to(of, counts.shape).ravel(),
            **{name: one.ravel() for name, one in (("meta", shares[-1]), ("best", shares[best, at]))},
        }
    ).assign(observed=lambda x: x["n"] / x["of"], off=lambda x: (x["n"] - x["of"] * x["meta"]).abs())
    rates = pd.concat([labels.loc[labels.index.repeat(len(words))].reset_index(drop=True), cells], axis=1)
    worst = rates.loc[rates.groupby(["task", "model"], sort=False)["off"].idxmax()].reset_index(drop=True)
    named = {f"aic_{i}": row for i, row in enumerate(aic - aic.min(axis=0))}
    misplaced = 100 * np.array([fit.misplaced for fit in fits.values()])
    return worst.assign(
        by=np.array(list(RIVALS))[best], misplaced=misplaced[-1], misplaced_best=misplaced[best, at], **named
    ), rates


def figures(result: Any) -> dict[str, Any]:
    """How much misfits, which model fits best, where a loss is beyond doubt, and how often that is said wrongly."""
    fits, ratios = result.fits, result.ratios
    far, counted = fits.loc[fits["off"].idxmax()], result.tests.set_index(["free", "shape"]).loc["both"]
    excluded = ratios[(ratios[["bell_upper", "heavier_upper"]] < 1).all(axis=1)]
    worlds = result.simulated.groupby(["lost", "world"])[["runs", "bells", "misfit"]].sum()
    none, lossy = worlds.loc[False], worlds.loc[True].sum()
    return {
        **{"n_tables": len(fits), "n_below": int((ratios["equal_upper"] < 1).sum())},
        "n_excluded": len(excluded),
        "excluded": listed([f"{row.name} on task {row.task}" for row in rows_of(excluded)]),
        **{f"misplaced_{end}": float(fits["misplaced"].agg(end)) for end in ("min", "max")},
        **{f"best_{name.split('-')[0].split()[0]}": int((fits["by"] == name).sum()) for name in RIVALS},
        **{"far_n": int(far["n"]), "far_of": int(far["of"]), "far_expected": float(far["of"] * far["meta"])},
        **{f"{of}_{name}": int(counted.loc[shape, name]) for of, shape in TOLD.items() for name in counted},
        **{
            "simulated": int(none["runs"].sum()),
            "wrong": float(100 * none["misfit"].sum() / none["runs"].sum()),
        },
        **{f"{name}_most": float(100 * (none[name] / none["runs"]).max()) for name in ("bells", "misfit")},
        "seen": float(100 * lossy["misfit"] / lossy["runs"]),
        "worst": int(result.simulated.loc[~result.simulated["lost"], "misfit"].max()),
        "copies": int(result.simulated["runs"].max()),
    }


VIEWS = (Views("rivals", numbers=figures),)
