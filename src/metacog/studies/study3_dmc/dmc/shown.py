"""How the estimators and the simulated observers are shown."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import Pick, Schema, answer, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.studies.study3_dmc.dmc import figures
from metacog.studies.study3_dmc.dmc.analysis import Decoupling, Estimators
from metacog.studies.study3_dmc.dmc.estimators import of_factor
from metacog.studies.study3_dmc.measures.dmc import D_HAT
from metacog.studies.study3_dmc.observers.fixed_efficiency import KINDS, MEASURES

#: Fewest trials from which an error is taken to fall with the root of their number.
LARGE = 400
#: A measure with a smaller CV than this, were there infinitely many trials, is called flat.
FLAT = 0.05


def _factor(name: str) -> Pick:
    def pick(frame: pd.DataFrame) -> pd.DataFrame:
        return frame[frame["factor"] == name]

    return pick


NAME = text("name", "Estimator")
RECORD = columns_of(
    number("limit", "Infinitely many trials"),
    number("bias", "Bias"),
    number("sd", "Standard deviation"),
    number("rmse", "Root-mean-square error"),
    number("at_bound", "Ended at a bound"),
)
N = count("n_trials", "Trials")

VARIATIONS = Schema(
    "variations",
    columns_of(
        text("kind_name", "Held fixed"),
        text("name", "Measure"),
        N,
        number("exact", "True CV"),
        number("cv", "CV, unadjusted"),
        limits("lower", "upper"),
        number("corrected", "Sampling variance subtracted"),
        limits("corrected_lower", "corrected_upper"),
    ),
    "Coefficients of variation over abilities: with infinitely many trials, and as observed in a sample.",
)
ESTIMATOR_TABLES = {
    "counts": Schema(
        "counts",
        columns_of(
            text("row", "Row"),
            count("rating", "Rating"),
            count("count", "Trials"),
            number("share", "Share of its row, padded"),
            number("fitted", "Share as fitted"),
        ),
        "One simulated counts matrix, and the areas that DMC fits to its rows.",
    ),
    "accuracy": Schema(
        "accuracy",
        columns_of(
            text("answer", "Answer"),
            count("rating", "Rating"),
            number("plain", "of the trials", 3, "Share right"),
            number("observed", "rows normalised", 3, "Share right"),
            number("fitted", "as fitted", 3, "Share right"),
        ),
        "Share right by answer and rating: of the trials, with rows normalised (equation 21), and as fitted.",
    ),
    "fits": Schema(
        "fits",
        columns_of(
            NAME,
            number("ability", f"{D_HAT} or d'"),
            number("meta", "d* or meta-d'"),
            number("ratio", "Ratio"),
            number("loss", "Loss", 4),
            answer("met", "Constraint met"),
            answer("converged", "Converged"),
        ),
        "The same counts through each estimator. The released variant's loss is of cumulative rates.",
    ),
    "trials": Schema("designs", columns_of(N, NAME, RECORD), "More trials.", _factor("n_trials")),
    "padding": Schema(
        "designs",
        columns_of(N, number("pad", "Added to each cell"), NAME, RECORD),
        "More or less padding.",
        _factor("pad"),
    ),
    "usage": Schema(
        "designs",
        columns_of(
            N, text("usage", "Ratings used"), number("empty_ratings", "Ratings empty", 2), NAME, RECORD
        ),
        "Ratings that are used evenly, or hardly.",
        _factor("usage"),
    ),
    "criterion": Schema(
        "designs",
        columns_of(number("c", "c", 1), text("holds", "What stays"), NAME, RECORD),
        "A bias to one answer, with the criterion moving with meta-d' or staying.",
        _factor("c"),
    ),
    "efficiency": Schema(
        "designs",
        columns_of(number("m_ratio", "True ratio", 1), NAME, RECORD),
        "Other efficiencies.",
        _factor("m_ratio"),
    ),
}


def moved(result: Estimators) -> str:
    """What one wrong answer with the highest rating in place of the lowest does to either estimate."""
    one = result.moved_answer
    return (
        f"Had one of the {one.of} wrong answers of row {one.row} been given the highest rating in place of "
        f"the lowest, d* would go from {one.d_star[0]:.3f} to {one.d_star[1]:.3f} and meta-d' from "
        f"{one.meta_d[0]:.3f} to {one.meta_d[1]:.3f}."
    )


def trials(result: Estimators) -> str:
    """Bias and spread from the fewest trials to the most."""
    parts = []
    for name, rows in of_factor(result.designs, "n_trials").groupby("name", sort=False):
        few, many = rows.nsmallest(1, "n_trials").iloc[0], rows.nlargest(1, "n_trials").iloc[0]
        parts.append(
            f"**{name}**: bias {few['bias']:+.3f} and standard deviation {few['sd']:.2f} at "
            f"{few['n_trials']:,} trials, {many['bias']:+.3f} and {many['sd']:.3f} at {many['n_trials']:,}"
        )
    return "; ".join(parts) + "."


def padding(result: Estimators) -> str:
    """How far the mean estimate moves over the constants added to each cell."""
    rows = of_factor(result.designs, "pad")
    parts = []
    for n, part in rows.groupby("n_trials"):
        moves = part.groupby("name", sort=False)["bias"].agg(lambda x: x.max() - x.min())
        parts.append(f"at {n:,} trials by " + listed(f"{v:.3f} ({name})" for name, v in moves.items()))
    low, high = rows["pad"].min(), rows["pad"].max()
    return f"Adding {high:g} in place of {low:g} to each cell moves the mean estimate {'; '.join(parts)}."


def usage(result: Estimators) -> str:
    """The use of ratings that DMC copes with worst, with the bias and spread of each estimator there."""
    rows = of_factor(result.designs, "usage")
    few = rows[rows["n_trials"] == rows["n_trials"].min()]
    worst = few[few["estimator"] == "dmc"].set_index("usage")["bias"].abs().idxmax()
    parts = []
    for n, part in rows[rows["usage"] == worst].groupby("n_trials"):
        each = (f"{r.bias:+.3f} with standard deviation {r.sd:.2f} ({r.name})" for r in rows_of(part))
        parts.append(f"at {n:,} trials {listed(each)}")
    return f"DMC copes worst with the use of ratings called *{worst}*. Bias there: {'; '.join(parts)}."


def criterion(result: Estimators) -> str:
    """What either estimate tends to, with infinitely many trials, where the other's assumption holds."""
    rows = of_factor(result.designs, "c")
    far = rows[rows["c"] == rows["c"].max()]
    truth, c = float(far["m_ratio"].iloc[0]), float(far["c"].iloc[0])
    dmc, ml = (
        float(far.loc[(far["holds"] == holds) & (far["estimator"] == name), "limit"].iloc[0])
        for holds, name in (("c/d'", "dmc"), ("c0", "ml"))
    )
    return (
        f"At c = {c:g} and a true ratio of {truth:g}, with infinitely many trials, DMC gives {dmc:.3f} to an "
        f"observer whose criterion moves with meta-d', and maximum likelihood {ml:.3f} to one whose "
        "criterion stays. Without a bias towards one answer the two agree."
    )


def needed(result: Estimators) -> str:
    """How many independent trials would make the sampling CV of MC as small as the published CVs."""
    table, low, high = result.designs, result.lowest_cv, result.highest_cv
    rows = table[(table["estimator"] == "dmc") & (table["n_trials"] >= LARGE)]
    once = (rows["sd"] / (rows["m_ratio"] + rows["bias"])) * np.sqrt(rows["n_trials"])
    best = rows.loc[once.idxmin()]
    size = [float(f"{(once.min() / cv) ** 2:.2g}") for cv in (high, low)]
    return (
        f"For chance alone to leave the published CVs of {low:g} to {high:g}, a data set would need about "
        f"{size[0]:,.0f} to {size[1]:,.0f} independent trials. In the simulated design that is kindest to MC (d' = "
        f"{best['d_prime']:g}, true ratio {best['m_ratio']:g}), {best['n_trials']:,} independent trials per data set "
        f"give it a CV of {once.min() / np.sqrt(best['n_trials']):.3f} by sampling alone; trials that repeat a "
        "question count for less. Without the counts it cannot be determined what made the published values lie as "
        "close together as they do."
    )


def released(result: Estimators) -> str:
    """How often the released variant stops at a bound, and what that does to its mean, by the true ratio."""
    rows = of_factor(result.designs, "m_ratio")
    rows = rows[rows["estimator"] == "dmc_released"].sort_values("m_ratio")
    each = (f"{r.at_bound:.0%} (bias {r.bias:+.3f}) at a true ratio of {r.m_ratio:g}" for r in rows_of(rows))
    n = int(rows["n_trials"].iloc[0])
    return f"Of simulated tables of {n:,} trials the released variant stops at a bound in {listed(each)}."


def few_and_many(result: Estimators) -> str:
    """How far DMC and maximum likelihood are off on average from the fewest trials and from the most."""
    rows = of_factor(result.designs, "n_trials")
    few, many = (rows[rows["n_trials"] == n].set_index("estimator")["bias"] for n in _ends(rows["n_trials"]))
    n_few, n_many = _ends(rows["n_trials"])
    furthest = max(abs(many[name]) for name in ("dmc", "ml"))
    return (
        f"With {n_few:,} trials DMC is off by {few['dmc']:+.2f} on average, maximum likelihood by {few['ml']:+.2f}. "
        f"With {n_many:,} neither is off by more than {furthest:.3f}."
    )


def _ends(column: pd.Series) -> tuple[int, int]:
    return int(column.min()), int(column.max())


def page_answer(result: Decoupling) -> str:
    """Which measures stay flat for every kind of observer whose ability alone changes, and how far the rest vary."""
    rows = _fewest(result.variations)
    kinds = plural(rows["kind"].nunique(), "kind")
    flat_for = rows["exact"].lt(FLAT).groupby(rows["measure"], sort=False).agg(["sum", "size"])
    whole = [str(m) for m, r in flat_for.iterrows() if r["sum"] == r["size"]]
    rest = rows[~rows["measure"].isin(whole)]["exact"]
    names = listed(MEASURES[m] for m in whole)
    first = (
        f"When only ability changes, {names} {'stays' if len(whole) == 1 else 'stay'} flat (a coefficient of variation "
        f"under {FLAT:g}) for all {kinds} of simulated observers"
        if whole
        else f"When only ability changes, no measure stays flat (a coefficient of variation under {FLAT:g}) for all "
        f"{kinds} of simulated observers"
    )
    if rest.empty:
        return f"{first}."
    both = ". So DMC does what it sets out to do, and so does the older M-ratio from the same counts"
    kept = both if {"mc", "m_ratio"} <= set(whole) else ""
    return f"{first}{kept}. The other measures' coefficients are {rest.min():.2f} to {rest.max():.2f}."


def flat(result: Decoupling) -> str:
    """Which measures are flat with infinitely many trials, and which vary most, for each kind of observer."""
    parts = [f"Flat means a CV under {FLAT:g} over abilities with infinitely many trials."]
    for kind, rows in _fewest(result.variations).groupby("kind", sort=False):
        still = rows[rows["exact"] < FLAT]
        most = rows.nlargest(1, "exact").iloc[0]
        names = listed(f"{MEASURES[r.measure]} ({r.exact:.3f})" for r in rows_of(still))
        which = f"{names} {'are' if len(still) > 1 else 'is'} flat" if len(still) else "no measure is flat"
        name = MEASURES[str(most["measure"])]
        parts.append(
            f"With {KINDS[str(kind)]} held fixed, {which}, and {name} varies most ({most['exact']:.2f})."
        )
    return " ".join(parts)


def zero(result: Decoupling) -> str:
    """What the place of zero does to a CV: AUROC2 counted from 0 and from one half."""
    by = _fewest(result.variations).pivot(index="kind", columns="measure", values="exact")
    low, high = by["auroc2"].agg(["min", "max"])
    low_above, high_above = by["auroc2_above"].agg(["min", "max"])
    return (
        f"The CV of AUROC2 is {low:.2f} to {high:.2f}, that of AUROC2 minus 1/2, which orders observers in "
        f"the same way, {low_above:.2f} to {high_above:.2f}: a CV depends on where a scale has its zero, so "
        "CVs of different measures are not on one scale."
    )


def sampled(result: Decoupling) -> str:
    """How much of the variation observed is sampling, and whether the corrected CV recovers the true one."""
    parts = []
    for n, rows in result.variations.groupby("n_trials", sort=True):
        covered = rows["corrected_lower"].le(rows["exact"]) & rows["corrected_upper"].ge(rows["exact"])
        mc = rows[rows["measure"] == "mc"]
        parts.append(
            f"With {n:,} trials per observer, the unadjusted CV of MC is {mc['cv'].min():.3f} to "
            f"{mc['cv'].max():.3f} where the true one is {mc['exact'].min():.3f} to {mc['exact'].max():.3f}; "
            f"the corrected interval contains the true CV in {int(covered.sum())} of {len(rows)} rows."
        )
    return " ".join(parts)


def _fewest(variations: pd.DataFrame) -> pd.DataFrame:
    """One row per kind and measure: what is exact does not depend on the number of trials."""
    return variations[variations["n_trials"] == variations["n_trials"].min()]


VIEWS = (
    Views(
        "estimators",
        tables=ESTIMATOR_TABLES,
        figures={"estimators": figures.estimators},
        sentences={
            "few_and_many": few_and_many,
            "moved": moved,
            "trials_bias": trials,
            "padding": padding,
            "usage": usage,
            "criterion": criterion,
            "released": released,
            "needed": needed,
        },
    ),
    Views(
        "decoupling",
        tables={"variations": VARIATIONS},
        figures={"decoupling": figures.decoupling, "variations": figures.variations},
        sentences={"answer": page_answer, "flat": flat, "zero": zero, "sampled": sampled},
    ),
)
