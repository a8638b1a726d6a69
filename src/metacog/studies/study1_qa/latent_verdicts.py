"""What simulated answerers show about the measures, in sentences computed whichever way the numbers fall."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.studies.study1_qa.latent_grid import TITLES
from metacog.studies.study1_qa.latent_recovery import (
    ASKED,
    BOTH,
    NO_VALUE,
    ORDER,
    ORDER_ONLY,
    TURNED,
    Recovery,
)
from metacog.studies.study1_qa.latent_summary import moves, widest_cut
from metacog.studies.study1_qa.verdicts import EXPLORATORY, Verdict

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


def _said(rule: str, passed: bool | None, sentence: str) -> Verdict:
    return Verdict("correction", EXPLORATORY, rule, passed, sentence)


def _span(values: Iterable[float], digits: int = 2) -> str:
    known = [v for v in values if np.isfinite(v)]
    if not known:
        return "no value"
    low, high = f"{min(known):.{digits}f}", f"{max(known):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def _percent(accuracies: Iterable[float]) -> str:
    return listed(f"{a:.0%}" for a in accuracies).replace("%", " %")


# ---------------------------------------------------------------- the eight families


def level_verdict(cells: pd.DataFrame) -> Verdict:
    """Additive noise and equal spread: is M-ratio 1 however much confidence tells?"""
    rows = cells[(cells["family"] == "additive") & cells["m_ratio"].notna()]
    if rows.empty:
        return _said("", None, "No answerer with additive noise and equal spread was measured.")
    off = float((rows["m_ratio"] - 1).abs().max())
    passed = off <= 0.005
    share = [f"{100 * v:.0f} %" for v in (rows["meta_i2r"].min(), rows["meta_i2r"].max())]
    sentence = (
        f"Equal spread and additive noise: confidence takes away between {share[0]} and {share[1]} of the "
        f"uncertainty, at {plural(len(rows), 'combination')} of accuracy and efficiency, and the M-ratio "
        + ("is 1 in all of them" if passed else "is not 1 in all of them")
        + f" (largest distance {off:.5f})."
    )
    return _said("the expected M-ratio stays within 0.005 of 1", passed, sentence)


def lossless_verdict(cells: pd.DataFrame, cuts: pd.DataFrame) -> Verdict:
    """Does M-ratio move though nothing is lost, with slope, bend and cut?"""
    whole = cells[(cells["wanted"] == 1) & cells["m_ratio"].notna()]
    found = {
        "slope (uneven spread)": whole.loc[whole["family"] == "unequal", "m_ratio"],
        "bend (known or guessed)": whole.loc[whole["family"] == "mixture", "m_ratio"],
    }
    parts = [f"from {_span(v)} with {name}" for name, v in found.items() if len(v)]
    moved = [bool((v - 1).abs().max() > NEAR) for v in found.values() if len(v)]
    if len(cuts):
        one = widest_cut(cuts)
        parts.append(
            f"and from {_span([one.low, one.high])} with the cut alone: one answerer ({one.variant}, "
            f"{100 * one.accuracy:.0f} % right) whose confidence is rated in {one.ways} ways"
        )
        moved.append(one.high - one.low > NEAR)
    if not parts:
        return _said("", None, "No answerer with uneven spread or mixed questions was measured.")
    passed = all(moved)
    lead = (
        "With nothing lost (efficiency 1) the M-ratio still goes "
        if passed
        else "With nothing lost, the M-ratio goes "
    )
    rule = f"the expected M-ratio leaves 1 by more than {NEAR}, or moves by more than that with the cut"
    return _said(rule, passed, lead + ", ".join(parts) + ".")


def direction_verdict(
    cells: pd.DataFrame, families: tuple[str, ...] = ("lapses", "mixture", "one-sided")
) -> Verdict:
    """Does one kind of loss move M-ratio up at some accuracies and down at others?"""
    moved = moves(cells)
    parts, both = [], []
    for family in (f for f in families if f in set(moved["family"])):
        rows = moved[moved["family"] == family]
        ways: dict[bool, list[str]] = {True: [], False: []}
        for name, part in rows.groupby("variant", sort=False):
            change = part["last"] - part["first"]
            told = []
            for up, at in ((True, part[change > STILL]), (False, part[change < -STILL])):
                if len(at):
                    ways[up].append(str(name))
                    told.append(f"{'up' if up else 'down'} at {_percent(at['accuracy'])} right")
            if told:
                parts.append(f"{name}: {', '.join(told)}")
        both.append(bool(ways[True] and ways[False]))
    if not both:
        return _said("", None, "No answerer with lapses, mixed questions or one-sided noise was measured.")
    ways_of = "either direction" if all(both) else "these directions"
    sentence = f"As efficiency falls from 1, the M-ratio moves in {ways_of}: "
    rule = f"in each of these families it rises at some accuracy and falls at another, by more than {STILL}"
    return _said(rule, all(both), sentence + "; ".join(parts) + ".")


def falling_verdict(cells: pd.DataFrame) -> Verdict:
    """Which losses lower M-ratio wherever they were tried?"""
    moved = moves(cells[~cells["family"].isin(["unequal"])])
    moved = moved[moved["n"] > 1]
    if moved.empty:
        return _said("", None, "No loss was tried at two efficiencies.")
    change = moved["last"] - moved["first"]
    moved = moved.assign(falls=moved["falls_always"] & (change < -STILL))
    always = moved.groupby("variant", sort=False)["falls"].all()
    falls = list(always[always].index)
    n = int(moved["variant"].isin(falls).sum())
    graded = always.get("graded noise")
    sentence = (
        f"These lower the M-ratio at every step and at every accuracy tried: {listed(falls)} "
        f"({plural(n, 'row')} of answerers). Of {plural(len(always), 'kind')} of loss, "
        f"{len(always) - len(falls)} do not."
    )
    return _said(
        "graded noise lowers the expected M-ratio at every step and accuracy",
        None if graded is None else bool(graded),
        sentence,
    )


def reading_verdict(same: pd.DataFrame) -> Verdict:
    """Can an M-ratio be read as an efficiency, or ascribed to one cause?"""
    rows = same[same["n_families"] > 0]
    if rows.empty:
        return _said("", None, "No M-ratio of this table was met.")
    several = rows["n_families"] > 1
    wide = rows["highest"] - rows["lowest"] > 0.1
    parts = [
        f"{r.m_ratio:.1f} in {plural(int(r.n_families), 'family', 'families')} "
        f"at efficiencies from {r.lowest:.2f} to {r.highest:.2f}"
        for r in rows_of(rows)
    ]
    passed = bool(several.all() and wide.all())
    end = (
        " So an M-ratio can neither be read as an efficiency nor ascribed to one cause."
        if passed
        else " Where one family alone gives a value, or all at like efficiency, it could be read so."
    )
    rule = "every M-ratio asked about occurs in several families, at efficiencies more than 0.1 apart"
    return _said(rule, passed, f"One and the same M-ratio: {listed(parts)}." + end)


def claim_verdict(cells: pd.DataFrame) -> Verdict:
    """In which families is M-ratio pinned near 1, and where does unequal variance account for it?"""
    known = cells[cells["m_ratio"].notna()]
    if known.empty:
        return _said("", None, "No M-ratio of these answerers exists, so nothing is said of it.")
    near = (known["m_ratio"] - 1).abs().groupby(known["family"], sort=False).max()
    judged = known[known["predicted"].notna()]
    off = (judged["m_ratio"] - judged["predicted"]).abs().groupby(judged["family"], sort=False).max()
    names = {f: TITLES[f].lower() for f in cells["family"].unique()}
    pinned = [names[f] for f, v in near.items() if v <= NEAR]
    told = [names[f] for f, v in off.items() if v <= NEAR]
    beyond = [f"{names[f]} (off by up to {v:.2f})" for f, v in off.items() if v > NEAR]
    sentence = (
        "The author of version 2 writes that the M-ratio is pinned near 1 and only reflects unequal "
        f"variance. Within {NEAR} of 1 throughout: {listed(pinned)}. Given by slope and accuracy throughout: "
        f"{listed(told)}. By neither: {listed(beyond)}."
    )
    rule = f"slope and accuracy give the expected M-ratio to within {NEAR} in every family"
    return _said(rule, not beyond, sentence)


def outcome_verdicts(outcomes: pd.DataFrame) -> tuple[Verdict, ...]:
    """One verdict a measure: in how many rows of answerers does it recover order and amount?"""
    found = []
    for measure, name in ASKED.items():
        rows = outcomes[outcomes["measure"] == measure]
        n = len(rows)
        if not n:
            continue
        sentence = (
            f"{name} recovers the order of efficiency in {int(rows['order'].sum())} of {plural(n, 'row')} of "
            f"answerers and the amount in {int(rows['amount'].sum())}"
        )
        without = rows[~rows["outcome"].isin([BOTH, ORDER_ONLY])]
        turned, none = (without["outcome"] == w for w in (TURNED, NO_VALUE))
        if turned.any():
            sentence += f"; it reverses the order in {int(turned.sum())}"
        if none.any():
            sentence += f"; it has no value in {int(none.sum())}"
        ok = list(dict.fromkeys(rows.loc[rows["order"], "variant"]))
        if 0 < len(ok) <= 3:
            sentence += f". The order: {listed(ok)}"
        elif len(without):
            sentence += f". Not the order: {listed(dict.fromkeys(without['variant']))}"
        found.append(_said(CRITERION, bool(rows["order"].all()), sentence + "."))
    return tuple(found)


def definition_verdict(cells: pd.DataFrame) -> Verdict:
    """How far is meta-I2r efficiency by definition, and where does it part from it?"""
    rows = cells[cells["efficiency"].notna()]
    lost = rows["efficiency"] - rows["meta_i2r"] * rows["entropy"] / rows["available"]
    first = rows["family"] == "additive"
    whole = rows[rows["wanted"] == 1]
    parts = [f"less {_span(lost[first], 3)} with additive noise" if first.any() else ""]
    parts.append(f"less {_span(lost[~first], 3)} in the other families" if (~first).any() else "")
    sentence = (
        "Efficiency was defined as information over what strength holds; meta-I2r is the same information "
        "over the entropy of correctness. Times entropy, over what strength holds, it is the efficiency "
        f"{listed(p for p in parts if p)}, which eight ratings lose. So where strength and accuracy are held "
        "fixed, as in a row of answerers here, it recovers the amount by definition. Between strengths and "
        "accuracies it is no efficiency: where noise takes nothing away it runs from "
        f"{_span(whole['meta_i2r'])}."
    )
    return _said("", None, sentence)


# ---------------------------------------------------------------- single designs


def recovery_verdicts(recovery: Recovery, measures: Iterable[str] = ASKED) -> tuple[Verdict, ...]:
    """One verdict a measure: does it recover the order, and the amount, of true efficiency?"""
    return tuple(_said(CRITERION, *_recovered(recovery, m)) for m in measures)


def _recovered(recovery: Recovery, measure: str) -> tuple[bool, str]:
    rows = recovery.of(measure)
    first, last = rows.iloc[0], rows.iloc[-1]
    rank = recovery.rank_correlation.set_index("measure").loc[measure]
    found = recovery.outcome(measure)
    ends = (
        f"{ASKED[measure]} goes from {first['mean']:.3f} to {last['mean']:.3f} while true efficiency goes "
        f"from {first['efficiency']:.2f} to {last['efficiency']:.2f} (rank correlation with the truth "
        f"{rank['mean']:.2f} [{rank['lower']:.2f}, {rank['upper']:.2f}])"
    )
    if found.amount:
        return True, f"{ends}: it recovers the order and the amount."
    if found.order:
        true = last["efficiency"] / first["efficiency"]
        return True, (
            f"{ends}: it recovers the order, not the amount (the last answerer's is "
            f"{last['ratio']:.2f} of the first's where the truth is {true:.2f})."
        )
    return False, f"{ends}: it does not recover the order."


def shape_verdict(recovery: Recovery, measures: tuple[str, ...] = SHOWN) -> Verdict:
    """Answerers that are all fully efficient: which measures tell them apart nevertheless?"""
    moved: dict[str, str] = {}
    still: dict[str, str] = {}
    for measure in measures:
        rows = recovery.of(measure)
        text = f"{ASKED[measure]} from {rows['mean'].min():.3f} to {rows['mean'].max():.3f}"
        apart = rows["lower"].max() > rows["upper"].min()
        (moved if apart else still)[measure] = text
    d_a = recovery.of("d_a")["mean"]
    sentence = (
        f"All {len(recovery.names)} answerers are fully efficient; only the shape of their confidence "
        f"differs. Tells them apart: {listed(moved.values())}. Does not: {listed(still.values())}."
    )
    if "auroc2" in still:
        sentence += (
            " That AUROC2 keeps its level is no merit: the design holds d_a, of which the area is a "
            f"function, at {_span(d_a)}."
        )
    rule = "a measure tells them apart if the 95 % ranges of two of them do not overlap"
    return _said(rule, "m_ratio" in moved, sentence)


def same_table_verdict(recovery: Recovery) -> Verdict:
    """Answerers with one expected table: can anything computed from it see their efficiency?"""
    seen = [name for m, name in ASKED.items() if recovery.outcome(m).order]
    span = recovery.of("meta_i2r")["efficiency"]
    sentence = (
        f"True efficiency runs from {span.iloc[0]:.2f} to {span.iloc[-1]:.2f} behind one and the same "
        f"expected table. Measures that see it: {listed(seen)}."
    )
    if not seen:
        sentence += (
            " No statistic of the table can: each says what confidence tells about correctness, not how much "
            "of the model's hidden knowledge reaches it."
        )
    return _said(f"rank correlation of at least {ORDER}", not seen, sentence)
