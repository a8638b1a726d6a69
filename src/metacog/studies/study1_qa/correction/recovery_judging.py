"""What simulated answerers decide about the measures, whichever way the numbers fall."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.correction.recovery import (
    ASKED,
    BOTH,
    NO_VALUE,
    ORDER,
    ORDER_ONLY,
    TURNED,
    Recovery,
)
from metacog.studies.study1_qa.correction.short_tables import explained, moves, widest_cut

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


def _range(values: Iterable[float]) -> list[float]:
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
        information=_range(rows["meta_i2r"]),
        off=off,
    )


def judge_lossless(cells: pd.DataFrame, cuts: pd.DataFrame) -> Verdict:
    """Does M-ratio move though nothing is lost, with slope, bend and cut?

    Its values: the range of M-ratio by family (``ranges``), and the answerer that moves most with the cut.
    """
    whole = cells[(cells["wanted"] == 1) & cells["m_ratio"].notna()]
    ranges = {f: _range(whole.loc[whole["family"] == f, "m_ratio"]) for f in ("unequal", "mixture")}
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
        additive=_range(lost[first]),
        others=_range(lost[~first]),
        lossless=_range(rows.loc[rows["wanted"] == 1, "meta_i2r"]),
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
        d_a=_range(recovery.of("d_a")["mean"]),
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
