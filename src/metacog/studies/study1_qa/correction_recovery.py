"""What simulated answerers decide about the measures, whichever way the numbers fall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.measures.fits import PAD, fitted
from metacog.sdt import auroc2_from_counts, z_roc
from metacog.sdt.information import meta_i2r
from metacog.studies.study1_qa.observers import Answerer, FloatArray, Unequal, at_efficiency, same_table
from metacog.verdicts.verdict import Kind, Verdict

# Short tables of the eight families: which share an M-ratio, and how it moves.


def same_ratio(
    grid: pd.DataFrame, ratios: tuple[float, ...] = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3)
) -> pd.DataFrame:
    """Which families give the same M-ratio, and at which efficiencies.

    Between neighbouring efficiencies of a variant at one accuracy the M-ratio is read off a straight line.

    Returns
    -------
    DataFrame
        One row per M-ratio: ``m_ratio, n_families, families, lowest, highest`` (efficiency).
    """
    rows = []
    for ratio in ratios:
        hits: dict[str, list[float]] = {}
        for (family, _, _), path in grid.dropna(subset=["m_ratio"]).groupby(
            ["family", "variant", "accuracy"], sort=False
        ):
            e, m = path["efficiency"].to_numpy(), path["m_ratio"].to_numpy()
            at = list(e[np.abs(m - ratio) <= 0.005])
            for a, b, low, high in zip(e[:-1], e[1:], m[:-1], m[1:], strict=True):
                if min(low, high) <= ratio <= max(low, high) and low != high:
                    at.append(a + (b - a) * (ratio - low) / (high - low))
            if at:
                hits.setdefault(str(family), []).extend(at)
        found = [x for v in hits.values() for x in v]
        ends = (min(found), max(found)) if found else (np.nan, np.nan)
        rows.append((ratio, len(hits), ", ".join(hits), *ends))
    return pd.DataFrame(rows, columns=["m_ratio", "n_families", "families", "lowest", "highest"])


def moves(cells: pd.DataFrame) -> pd.DataFrame:
    """How M-ratio goes from the most to the least efficient answerer: one row per variant and accuracy."""
    rows = []
    known = cells[cells["m_ratio"].notna() & cells["efficiency"].notna()]
    for (family, variant, accuracy), path in known.groupby(["family", "variant", "accuracy"], sort=False):
        ordered = path.sort_values("efficiency", ascending=False, kind="stable")
        m = ordered["m_ratio"].to_numpy()
        rows.append(
            (
                family,
                variant,
                accuracy,
                m[0],
                m[-1],
                float(ordered["efficiency"].iloc[-1]),
                bool((np.diff(m) < 0).all()),
                len(m),
            )
        )
    names = ["family", "variant", "accuracy", "first", "last", "last_efficiency", "falls_always", "n"]
    return pd.DataFrame(rows, columns=names)


def explained(cells: pd.DataFrame) -> pd.DataFrame:
    """How far the M-ratio of each family lies from 1, and from what slope and accuracy give, at most.

    Returns
    -------
    DataFrame
        ``family, from_one, from_line``; NaN where nothing is predicted.
    """
    known = cells[cells["m_ratio"].notna()]
    off = {"from_one": known["m_ratio"] - 1, "from_line": known["m_ratio"] - known["predicted"]}
    found = {name: size.abs().groupby(known["family"], sort=False).max() for name, size in off.items()}
    return pd.DataFrame(found).rename_axis("family").reset_index()


def counted(outcomes: pd.DataFrame) -> pd.DataFrame:
    """At how many accuracies each measure recovers what, of each variant.

    Returns
    -------
    DataFrame
        ``variant, measure, accuracies, order, amount, recovered`` (share of the accuracies with the order), ``why``
        (the counts in words).
    """
    groups = outcomes.groupby(["variant", "measure"], sort=False)
    found = groups.agg(
        accuracies=("accuracy", "nunique"), order=("order", "sum"), amount=("amount", "sum")
    ).reset_index()
    found["recovered"] = found["order"] / found["accuracies"]
    found["why"] = [
        f"of {r.accuracies} accuracies: order at {r.order}, amount at {r.amount}" for r in rows_of(found)
    ]
    return found


class Cut(NamedTuple):
    """One answerer whose M-ratio moves with the way its confidence is rated."""

    variant: str
    accuracy: float
    low: float
    high: float
    ways: int


def widest_cut(cuts: pd.DataFrame) -> Cut:
    """The answerer of :func:`metacog.studies.study1_qa.correction_grid.recut` that moves most."""
    found = [
        Cut(str(key[0]), float(str(key[1])), part["m_ratio"].min(), part["m_ratio"].max(), len(part))
        for key, part in cuts.groupby(["variant", "accuracy"], sort=False)
    ]
    return max(found, key=lambda c: c.high - c.low)


# What measures make of simulated answerers of known efficiency, drawn many times over.

#: Measures that are judged, by name.
ASKED = {
    "m_ratio": "M-ratio",
    "meta_i2r": "meta-I2r",
    "auroc2": "AUROC2",
    "meta_d": "meta-d'",
    "d_a": "dₐ",
}
#: True efficiencies of the simulated answerers: four-fold from first to last.
EFFICIENCIES = (1.0, 0.75, 0.5, 0.35, 0.25)
ACCURACIES = (0.1, 0.2, 0.43, 0.6, 0.8)
SLOPES = (0.65, 0.8, 1.0, 1.2, 1.4)
#: Mean rank correlation with true efficiency from which an order counts as recovered.
ORDER = 0.95


class Outcome(NamedTuple):
    """What one measure makes of a row of answerers."""

    order: bool
    amount: bool
    word: str


#: How an outcome reads, best first.
BOTH, ORDER_ONLY, NEITHER, TURNED, NO_VALUE = (
    "order and amount",
    "order",
    "neither",
    "order reversed",
    "no value",
)


@dataclass(frozen=True)
class Recovery:
    """What measures make of answerers of known efficiency.

    Attributes
    ----------
    table : DataFrame
        One row an answerer and measure: ``observer, efficiency, measure, mean, lower, upper`` (95 %
        of the repetitions), ``ratio, ratio_lower, ratio_upper`` (over the first answerer's; AUROC2
        as its distance from 1/2).
    rank_correlation : DataFrame
        One row a measure: ``measure, mean, lower, upper`` of Spearman's rho with true efficiency over
        repetitions (NaN where all efficiencies are equal, or the measure has mostly no value).
    names : tuple of str
    n_trials, n_repetitions, seed : int
    n_dropped : int
        Tables whose M-ratio could not be had.
    """

    table: pd.DataFrame
    rank_correlation: pd.DataFrame
    names: tuple[str, ...]
    n_trials: int
    n_repetitions: int
    seed: int
    n_dropped: int

    def of(self, measure: str) -> pd.DataFrame:
        """Rows of one measure, in the order of the answerers."""
        return self.table[self.table["measure"] == measure].reset_index(drop=True)

    def outcome(self, measure: str) -> Outcome:
        """Order: mean rank correlation of at least :data:`ORDER`. Amount: true ratios in the 95 % ranges."""
        rows = self.of(measure)
        rho = float(self.rank_correlation.set_index("measure")["mean"].to_dict()[measure])
        if not np.isfinite(rho):
            return Outcome(False, False, NO_VALUE)
        true = rows["efficiency"] / rows["efficiency"].iloc[0]
        covered = (rows["ratio_lower"] <= true + 1e-9) & (true - 1e-9 <= rows["ratio_upper"])
        order = rho >= ORDER
        amount = bool(order and covered.iloc[1:].all())
        word = BOTH if amount else ORDER_ONLY if order else TURNED if rho <= -ORDER else NEITHER
        return Outcome(order, amount, word)


def measures_of(s1: FloatArray, s2: FloatArray, *, pad: float = PAD) -> dict[str, FloatArray]:
    """Measures of tables of shape ``(B, 8)``; NaN where ties leave nothing to compare.

    An M-ratio needs answers on both sides of the middle cut, and two ratings in use on one of them:
    without that only the cell correction would be fitted.
    """
    used = s1 + s2 > 0
    half = used.shape[1] // 2
    below, above = used[:, :half].sum(axis=1), used[:, half:].sum(axis=1)
    fits = fitted(s1, s2, pad=pad)
    good = (np.minimum(below, above) > 0) & (np.maximum(below, above) > 1)
    slope, d_a = _lines(s1, s2, used)
    return {
        "m_ratio": np.where(good, fits["m_ratio"], np.nan),
        "meta_d": np.where(good, fits["meta_d"], np.nan),
        "meta_i2r": meta_i2r(s1, s2, correction="chi-square"),
        "auroc2": auroc2_from_counts(s1, s2),
        "z_slope": slope,
        "d_a": d_a,
    }


def _lines(s1: FloatArray, s2: FloatArray, used: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Slope and d_a of the z-ROC through the ratings in use; NaN with fewer than three."""
    slope, d_a = np.full(len(s1), np.nan), np.full(len(s1), np.nan)
    for pattern in np.unique(used, axis=0):
        rows = (used == pattern).all(axis=1)
        if pattern.sum() >= 3:
            line = z_roc(s1[rows][:, pattern], s2[rows][:, pattern])
            slope[rows], d_a[rows] = line.slope, line.d_a
    return slope, d_a


def recover(
    answerers: Mapping[str, Answerer], *, n_trials: int = 5000, n_repetitions: int = 100, seed: int = 42
) -> Recovery:
    """Measure simulated answerers many times over.

    Parameters
    ----------
    answerers : mapping of name to Answerer
        The first one is the yardstick of the ratios.
    n_trials : int
        Trials a repetition (5,000: one model on TriviaQA in study 1).
    n_repetitions : int
    seed : int
    """
    if n_repetitions < 20 or n_trials < 100:
        raise MetacogError("a recovery needs at least 20 repetitions of at least 100 trials")
    names, made = list(answerers), list(answerers.values())
    seeds = np.random.SeedSequence(seed).spawn(len(made))
    drawn = [
        measures_of(*a.tables(n_trials, n_repetitions, np.random.default_rng(s)))
        for a, s in zip(made, seeds, strict=True)
    ]
    rows, ranks = [], []
    efficiency = np.array([a.efficiency for a in made])
    for measure in (*ASKED, "z_slope"):
        values = np.stack([d[measure] for d in drawn])  # (answerers, repetitions)
        zero = 0.5 if measure == "auroc2" else 0.0
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = (values - zero) / (values[0] - zero)
        for i, name in enumerate(names):
            rows.append((name, efficiency[i], measure, *_range(values[i]), *_range(ratio[i])))
        ranks.append((measure, *_range(_spearman(efficiency, values))))
    columns = [
        "observer",
        "efficiency",
        "measure",
        "mean",
        "lower",
        "upper",
        "ratio",
        "ratio_lower",
        "ratio_upper",
    ]
    return Recovery(
        pd.DataFrame(rows, columns=columns),
        pd.DataFrame(ranks, columns=["measure", "mean", "lower", "upper"]),
        tuple(names),
        n_trials,
        n_repetitions,
        seed,
        int(sum(np.isnan(d["m_ratio"]).sum() for d in drawn)),
    )


def _range(values: FloatArray) -> tuple[float, float, float]:
    """Mean and 95 % range; NaN where half of the repetitions or more have no value."""
    known = values[np.isfinite(values)]
    if 2 * known.size <= values.size:
        return np.nan, np.nan, np.nan
    low, high = np.quantile(known, [0.025, 0.975])
    return float(known.mean()), float(low), float(high)


def _spearman(efficiency: FloatArray, values: FloatArray) -> FloatArray:
    """Rank correlation of each repetition; NaN without differences to rank or with a value missing."""
    a = rankdata(np.round(efficiency, 9))
    a = a - a.mean()
    b = rankdata(values, axis=0)
    b = b - b.mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (a @ b) / np.sqrt((a @ a) * (b * b).sum(axis=0))


def _d_a(d_a: float, slope: float) -> float:
    """Signal, in sd of right answers, that gives d_a at this slope."""
    return d_a * float(np.sqrt((1 + slope**2) / 2))


#: Designs that the chapter shows one by one.
DESIGNS = ("noise", "shape", "same table")


def design(name: str, accuracy: float = 0.43) -> dict[str, Answerer]:
    """Five answerers of the same accuracy.

    Parameters
    ----------
    name : {'noise', 'shape', 'same table'}
        ``noise``: the same strength, ever more additive noise, efficiency falls four-fold. ``shape``:
        efficiency 1 throughout, the z-ROC slope differs and d_a does not. ``same table``: efficiency
        falls, but strength rises so that the expected table stays the same.
    accuracy : float
        0.43 is that of two of the study's four models.
    """
    plain = Answerer(accuracy=accuracy)
    if name == "noise":
        return {f"efficiency {e:.2f}": at_efficiency(plain, e) for e in EFFICIENCIES}
    if name == "shape":
        return {f"slope {s:g}": Unequal(accuracy=accuracy, signal=_d_a(1.6, s), spread=s) for s in SLOPES}
    if name == "same table":
        return {f"efficiency {e:.2f}": same_table(replace(plain, signal=1.0), e) for e in EFFICIENCIES}
    raise MetacogError(f"there is no design {name!r}")


#: Measures of the figures: version 1's, and version 2's.
SHOWN = ("m_ratio", "meta_i2r", "auroc2")
#: How near a value the M-ratio counts as pinned to it, or as accounted for.
NEAR = 0.05
#: Changes of the M-ratio below this do not count as moves.
STILL = 0.01
CRITERION = (
    f"the order counts as recovered if the mean rank correlation with true efficiency is at least {ORDER}; "
    "the amount, if every answerer's true ratio to the first lies in the measure's 95 % range as well"
)


def _verdict(name: str, rule: str, passed: bool | None, **values: Any) -> Verdict:
    return Verdict("correction", Kind.EXPLORATORY, rule, passed, topic=name, name=name, values=values)


def _recovery_judging_range(values: Iterable[float]) -> list[float]:
    """Smallest and largest of those that are known; empty without any."""
    known = [float(v) for v in values if np.isfinite(v)]
    return [min(known), max(known)] if known else []


# ---------------------------------------------------------------- the eight families


def judge_level(cells: pd.DataFrame) -> Verdict:
    """Additive noise and equal spread: is M-ratio 1 however informative confidence is?"""
    rows = cells[(cells["family"] == "additive") & cells["m_ratio"].notna()]
    off = float((rows["m_ratio"] - 1).abs().max()) if len(rows) else np.nan
    return _verdict(
        "level",
        "the expected M-ratio stays within 0.005 of 1",
        off <= 0.005 if len(rows) else None,
        n=len(rows),
        information=_recovery_judging_range(rows["meta_i2r"]),
        off=off,
    )


def judge_lossless(cells: pd.DataFrame, cuts: pd.DataFrame) -> Verdict:
    """Does M-ratio move though nothing is lost, with slope, bend and cut?

    Its values: the range of M-ratio by family (``ranges``), and the answerer that moves most with the cut.
    """
    whole = cells[(cells["wanted"] == 1) & cells["m_ratio"].notna()]
    ranges = {
        f: _recovery_judging_range(whole.loc[whole["family"] == f, "m_ratio"]) for f in ("unequal", "mixture")
    }
    ranges = {family: ends for family, ends in ranges.items() if ends}
    moved = [max(abs(low - 1), abs(high - 1)) > NEAR for low, high in ranges.values()]
    cut = None
    if len(cuts):
        cut = widest_cut(cuts)._asdict()
        moved.append(cut["high"] - cut["low"] > NEAR)
    return _verdict(
        "lossless",
        f"the expected M-ratio leaves 1 by more than {NEAR}, or moves by more than that with the cut",
        all(moved) if moved else None,
        ranges=ranges,
        cut=cut,
    )


def judge_direction(
    cells: pd.DataFrame, families: tuple[str, ...] = ("lapses", "mixture", "one-sided")
) -> Verdict:
    """Does the same kind of loss move M-ratio up at some accuracies and down at others?

    Its values: ``moves``, the accuracies at which the M-ratio of each variant goes up, and down.
    """
    moved = moves(cells)
    parts, both = [], []
    for family in (f for f in families if f in set(moved["family"])):
        rows = moved[moved["family"] == family].assign(change=lambda r: r["last"] - r["first"])
        ups, downs = rows["change"] > STILL, rows["change"] < -STILL
        both.append(bool(ups.any() and downs.any()))
        for name, part in rows.groupby("variant", sort=False):
            up, down = (part.loc[way[part.index], "accuracy"].tolist() for way in (ups, downs))
            if up or down:
                parts.append({"variant": str(name), "up": up, "down": down})
    return _verdict(
        "direction",
        f"in each of these families it rises at some accuracy and falls at another, by more than {STILL}",
        all(both) if both else None,
        moves=parts,
    )


def judge_falling(cells: pd.DataFrame) -> Verdict:
    """Which losses lower M-ratio wherever they were tried?"""
    moved = moves(cells[~cells["family"].isin(["unequal"])])
    moved = moved[moved["n"] > 1]
    moved = moved.assign(falls=moved["falls_always"] & (moved["last"] - moved["first"] < -STILL))
    always = moved.groupby("variant", sort=False)["falls"].all()
    falls = list(always[always.astype(bool)].index)
    graded = always.get("graded noise")
    return _verdict(
        "falling",
        "graded noise lowers the expected M-ratio at every step and accuracy",
        None if graded is None else bool(graded),
        falls=falls,
        rows=int(moved["variant"].isin(falls).sum()),
        kinds=len(always),
    ).under("direction")


def judge_reading(same: pd.DataFrame) -> Verdict:
    """Can an M-ratio be read as an efficiency, or ascribed to a single cause?"""
    rows = same[same["n_families"] > 0]
    several = rows["n_families"] > 1
    wide = rows["highest"] - rows["lowest"] > 0.1
    return _verdict(
        "reading",
        "every M-ratio asked about occurs in several families, at efficiencies more than 0.1 apart",
        bool(several.all() and wide.all()) if len(rows) else None,
        ratios=rows[["m_ratio", "n_families", "lowest", "highest"]].to_dict("records"),
    )


def judge_claim(cells: pd.DataFrame) -> Verdict:
    """In which families is M-ratio pinned near 1, and where does unequal variance account for it?"""
    known = explained(cells).set_index("family")
    near, off = known["from_one"], known["from_line"].dropna()
    return _verdict(
        "claim",
        f"slope and accuracy give the expected M-ratio to within {NEAR} in every family",
        bool((off <= NEAR).all()) if len(known) else None,
        near={str(family): float(v) for family, v in near.items()},
        off={str(family): float(v) for family, v in off.items()},
    )


def judge_outcomes(outcomes: pd.DataFrame) -> tuple[Verdict, ...]:
    """One verdict per measure: in how many rows of answerers does it recover order and amount?"""
    drawn = []
    for measure in ASKED:
        rows = outcomes[outcomes["measure"] == measure]
        if not len(rows):
            continue
        without = rows[~rows["outcome"].isin([BOTH, ORDER_ONLY])]
        one = _verdict(
            "outcomes",
            CRITERION,
            bool(rows["order"].all()),
            measure=measure,
            n=len(rows),
            order=int(rows["order"].sum()),
            amount=int(rows["amount"].sum()),
            reversed=int((without["outcome"] == TURNED).sum()),
            no_value=int((without["outcome"] == NO_VALUE).sum()),
            recovered=list(dict.fromkeys(rows.loc[rows["order"], "variant"])),
            not_recovered=list(dict.fromkeys(without["variant"])),
        )
        drawn.append(one)
    return tuple(drawn)


def describe_definition(cells: pd.DataFrame) -> Verdict:
    """How far is meta-I2r efficiency by definition, and where does it deviate from it?"""
    rows = cells[cells["efficiency"].notna()]
    lost = rows["efficiency"] - rows["meta_i2r"] * rows["entropy"] / rows["available"]
    first = rows["family"] == "additive"
    return _verdict(
        "definition",
        "",
        None,
        additive=_recovery_judging_range(lost[first]),
        others=_recovery_judging_range(lost[~first]),
        lossless=_recovery_judging_range(rows.loc[rows["wanted"] == 1, "meta_i2r"]),
    )


# ---------------------------------------------------------------- single designs


def judge_recovery(recovery: Recovery, measures: Iterable[str] = ASKED) -> tuple[Verdict, ...]:
    """One verdict per measure: does it recover the order, and the amount, of true efficiency?"""
    drawn = []
    for measure in measures:
        rows, outcome = recovery.of(measure), recovery.outcome(measure)
        first, last = rows.iloc[0], rows.iloc[-1]
        (rank,) = rows_of(recovery.rank_correlation.query("measure == @measure"))
        one = _verdict(
            "noise",
            CRITERION,
            outcome.order,
            measure=measure,
            amount=outcome.amount,
            mean=[float(first["mean"]), float(last["mean"])],
            efficiency=[float(first["efficiency"]), float(last["efficiency"])],
            rank=[float(rank.mean), float(rank.lower), float(rank.upper)],
            ratio=float(last["ratio"]),
        )
        drawn.append(one)
    return tuple(drawn)


def judge_shape(recovery: Recovery, measures: tuple[str, ...] = SHOWN) -> Verdict:
    """Answerers that are all fully efficient: which measures distinguish them nevertheless?"""
    moved: dict[str, list[float]] = {}
    still: dict[str, list[float]] = {}
    for measure in measures:
        rows = recovery.of(measure)
        apart = rows["lower"].max() > rows["upper"].min()
        (moved if apart else still)[measure] = [float(rows["mean"].min()), float(rows["mean"].max())]
    return _verdict(
        "shape",
        "a measure tells them apart if the 95 % ranges of two of them do not overlap",
        "m_ratio" in moved,
        n=len(recovery.names),
        moved=moved,
        still=still,
        d_a=_recovery_judging_range(recovery.of("d_a")["mean"]),
    )


def judge_same_table(recovery: Recovery) -> Verdict:
    """Answerers with the same expected table: can anything computed from it see their efficiency?"""
    seen = [measure for measure in ASKED if recovery.outcome(measure).order]
    efficiency = recovery.of("meta_i2r")["efficiency"]
    return _verdict(
        "same table",
        f"rank correlation of at least {ORDER}",
        not seen,
        seen=seen,
        efficiency=[float(efficiency.iloc[0]), float(efficiency.iloc[-1])],
    )
