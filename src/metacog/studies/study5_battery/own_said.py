"""What the models of this run did, in computed sentences and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.rules import Unit, beyond, every, undecided, verdict_over
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study5_battery.own import FEWEST

#: Why a model that was asked is in no table of answers.
LOST = "no conversation was understood from end to end"


def asked_said(cells: pd.DataFrame) -> str:
    """Items, requests and lost conversations."""
    items, requests, usable = (int(cells[c].sum()) for c in ("asked", "requests", "usable"))
    lost = items - usable
    fate = "every reply named an option"
    if lost:
        fate = (
            f"{plural(lost, 'conversation')} ended in a reply that named none of the options, or several; "
            "such conversations count nowhere"
        )
    return f"{items:,} items were asked in {requests:,} requests; {fate}."


def cost_said(cost: pd.DataFrame) -> str:
    """Time and tokens of each model, all its forms together."""
    said = []
    for model, own in cost.groupby("model", sort=False):
        read, written = own["tokens_read"].sum(skipna=False), own["tokens_written"].sum(skipna=False)
        tokens = (
            f"{read:,.0f} tokens were read and {written:,.0f} written"
            if np.isfinite(read + written)
            else "its tokens were not counted"
        )
        said.append(
            f"{model} took {own['minutes'].sum():.1f} minutes for {own['items'].sum():,} items; {tokens}."
        )
    return " ".join(said) or "What it took is not recorded on this machine."


def alike_said(same: bool, n_forms: int) -> str:
    """Whether the forms of the items have one table of difficulties."""
    return (
        f"{n_forms} forms of the items, made by as many seeds, "
        + ("have the same" if same else "do not have the same")
        + " number of items of every track, kind, level and difficulty."
    )


def quality_said(table: pd.DataFrame) -> str:
    """Which tracks give answers away by place or length."""
    biased = list(table.loc[table["p_keys"] < 0.05, "track"])
    cued = [
        f"{r.track} ({r.longest:.0%} where {r.chance_longest:.0%} is expected)"
        for r in rows_of(table)
        if r.p_longest < 0.05
    ]
    place = (
        f"The right option stands more often at one place on {listed(biased)}."
        if biased
        else "On no track does the right option stand at one place more often than at another."
    )
    length = (
        f"It is the only longest option more, or less, often than chance on {listed(cued)}."
        if cued
        else "Nor does its length give it away on any."
    )
    return f"{place} {length}"


def _absent(asked: Sequence[str], there: Iterable[str], why: str) -> list[Unit]:
    """Models that were asked and of which a table has nothing: units as well, and undecided."""
    known = set(there)
    return [Unit(model, None, why) for model in asked if model not in known]


def above_chance(kinds: pd.DataFrame, asked: Sequence[str] = ()) -> Verdict:
    """Whether every kind of item is answered above chance by every model that was asked."""
    units = [
        beyond(f"{r.model} on {r.item_type} ({r.track})", r.lower, r.upper, r.chance) for r in rows_of(kinds)
    ]
    flat = kinds[np.array([u.holds is not True for u in units], dtype=bool)]
    missing = _absent(asked, kinds["model"], LOST)
    total = kinds.groupby("model", sort=False).size()
    counts = flat.groupby("model", sort=False).size()
    named = listed(f"{model} ({n} of {int(total.loc[str(model)])} kinds)" for model, n in counts.items())
    return Verdict(
        "chance",
        Kind.EXPLORATORY,
        "Every kind of item is answered better than by guessing.",
        every([*units, *missing]),
        (
            f"Kinds of item that are not shown to be answered better than by guessing: {named}."
            if len(flat)
            else "Every kind of item is answered better than by guessing."
            if len(kinds)
            else "Nothing was answered."
        )
        + undecided(missing),
    )


def monitors(means: pd.DataFrame, asked: Sequence[str] = ()) -> Verdict:
    """Whether each model that was asked withdraws wrong answers more often than right ones."""
    units = [beyond(r.model, r.lower, r.upper, 0.0, _why_no_mean(r)) for r in rows_of(means)]
    units += _absent(asked, means["model"], LOST)
    known = means[means["delta"].notna()]
    each = listed(f"{r.model} {r.delta:+.1f} ({r.lower:.1f} to {r.upper:.1f})" for r in rows_of(known))
    return verdict_over(
        units,
        "monitoring",
        Kind.EXPLORATORY,
        "Every model of this run withdraws wrong answers more often than right ones: its mean delta's "
        "interval lies above zero.",
        f"Mean withdraw delta over T1 to T5: {each}." if each else "No delta is defined.",
    )


def _why_no_mean(row: Any) -> str:
    return "no delta on any track" if row.n_defined == 0 else "no interval"


def grades(table: pd.DataFrame, asked: Sequence[str] = ()) -> Verdict:
    """Whether the probability of KEEP tells what the choice itself does not."""
    own = table[table["signal"] == "probability of KEEP"]
    units = [beyond(r.model, r.lower, r.upper, 0.5, _why_no_area(r)) for r in rows_of(own)]
    units += _absent(asked, own["model"], LOST)
    known = own[own["lower"].notna()]
    each = listed(f"{r.model} {r.auroc2:.2f} ({r.lower:.2f} to {r.upper:.2f})" for r in rows_of(known))
    return verdict_over(
        units,
        "graded probe",
        Kind.EXPLORATORY,
        "The probability of KEEP is higher where the answer is right: AUROC2 of every model above 0.5.",
        f"AUROC2 of the probability of KEEP: {each}."
        if each
        else "Nowhere were choices scored on enough right and wrong answers.",
    )


def _why_no_area(row: Any) -> str:
    if not row.n:
        return "its choices were not scored"
    return f"fewer than {FEWEST} right or wrong answers"


def profiles_said(means: pd.DataFrame, profiles: dict[str, str]) -> str:
    """The profile of each model by rule."""
    return " ".join(
        f"{r.model} keeps {r.stood:.0f} % of its answers and is {profiles[r.model]} by rule."
        for r in rows_of(means)
    )


def paths_said(table: pd.DataFrame) -> str:
    """What each model chose on T6, and whether another habit would have paid more."""
    said = []
    for model, own in table.groupby("model", sort=False):
        share = own.set_index("path")["share"]
        total = float(own["all"].iloc[0])
        most = str(share.idxmax())
        than = "more" if total > 0.25 else "less" if total < 0.25 else "as much"
        tail = "as declining throughout" if than == "as much" else "than declining throughout (0.25)"
        said.append(
            f"{model} chose {most} on {share.max():.0f} % of T6 and earned {total:.2f} points an item, "
            f"{than} {tail}."
        )
    return " ".join(said) or "T6 was not asked."


def forms_said(table: pd.DataFrame) -> str:
    """How many comparisons of two forms differ."""
    if table.empty:
        return "One form of the items was asked in this run; the profile `battery` asks two."
    apart = int(table["apart"].sum())
    return (
        f"Of {plural(len(table), 'comparison')} of two parallel forms {apart} "
        f"{'differs' if apart == 1 else 'differ'} by more than their intervals allow; by chance one expects "
        f"about {0.05 * len(table):.0f}."
    )
