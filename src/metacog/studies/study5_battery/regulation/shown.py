"""Regulation, pairs, reliability and commitment: tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.needed import R, models_for_correlation
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study5_battery.measures.commitment import FEWEST
from metacog.studies.study5_battery.regulation.analysis import (
    Commitment,
    Contrasts,
    Regulation,
    Robustness,
)
from metacog.studies.study5_battery.regulation.contrasts import CLAIMED_ON
from metacog.studies.study5_battery.regulation.half_against_half import PAIRS


def dissociation_sentence(verdict: Verdict) -> str:
    """All three correlations."""
    p, s, c = (verdict.values[name] for name in ("pearson", "spearman", "complete"))
    return (
        f"Mean withdraw delta and answering directly: Pearson's r = {p.r:.2f} over {p.n} models, 95 % "
        f"{p.lower:.2f} to {p.upper:.2f}; Spearman's {s.r:.2f} ({s.lower:.2f} to {s.upper:.2f}); r = "
        f"{c.r:.2f} ({c.lower:.2f} to {c.upper:.2f}) over the {c.n} with complete means."
    )


def thinking(result: Contrasts) -> str:
    """What each pair differs in over all tracks."""
    texts = []
    for row in rows_of(result.pairs[result.pairs["track"] == "mean"]):
        known = "is" if row.lower > 0 or row.upper < 0 else "is not"
        texts.append(
            f"{row.first} is right {row.accuracy_a:.1%} of the time and {row.second} {row.accuracy_b:.1%} (p "
            f"{_p(row.p)}); the difference of their deltas, {row.difference:+.1f}, {known} distinguished from zero."
        )
    return " ".join(texts)


def _p(value: float) -> str:
    """A p-value behind its letter; tiny ones by a bound."""
    return f"= {value:.2g}" if value >= 0.001 else "below 0.001"


def order_sentence(verdict: Verdict) -> str:
    """Deltas over size on the track of the claim."""
    v = verdict.values
    known = v["deltas"]["delta"].notna()
    values = ", ".join(
        f"{row.model} {row.delta:.1f}" if there else f"{row.model} none"
        for row, there in zip(rows_of(v["deltas"]), known, strict=True)
    )
    if not known.all():
        return f"On {CLAIMED_ON}: {values}; with a delta missing, the order cannot be told."
    order = "as printed" if v["as_printed"] else "not as printed"
    twins = f", but {v['twins']}, so that it cannot be told" if v["twins"] else ""
    return f"On {CLAIMED_ON}: {values}; {order}{twins}."


def change_sentence(verdict: Verdict) -> str:
    """From the smallest model to the largest."""
    v = verdict.values
    return (
        f"{v['largest']} minus {v['smallest']}: on {CLAIMED_ON} {points(v['claimed'])}; over the mean of T1 "
        f"to T5, about which the paper makes no claim, {points(v['mean'])}."
    )


def _untold(values: Mapping[str, Any]) -> str:
    """Of which family the order cannot be told, and why."""
    why = values["twins"] or "a delta is missing"
    return f"; in {values['family']} it cannot be told, since {why}"


def size(result: Contrasts) -> str:
    """In how many families deltas run in the printed order, and in how many the interval of the change shows it."""
    ordered, shown = ([v for v in result.verdicts if v.name == name] for name in ("order", "change"))
    runs, settled = (sum(v.passed is True for v in some) for some in (ordered, shown))
    untold = "".join(_untold(v.values) for v in ordered if v.passed is None)
    return (
        f"Over size, the deltas of {CLAIMED_ON} run as printed in {runs} of "
        f"{plural(len(ordered), 'family', 'families')}{untold}; the interval of the change "
        f"shows it in {settled or 'none'}."
    )


def halves_agree(result: Robustness) -> str:
    """How far two halves of the tracks agree, and what a test of twice the length would reach."""
    return (
        f"The halves correlate to {result.r:.2f} over {plural(result.n, 'model')} (95 % {result.lower:.2f} to "
        f"{result.upper:.2f}). A test of twice the length would reach {result.whole:.2f} (Spearman and Brown), with an "
        f"interval from {result.whole_lower:.2f} to {result.whole_upper:.2f}."
    )


def points(ends: Mapping[str, float]) -> str:
    """A change in points with its interval."""
    return f"{ends['change']:+.1f} points (95 % {ends['change_lower']:.1f} to {ends['change_upper']:.1f})"


def full_length(result: Robustness) -> str:
    """How forms of full length would agree."""
    each = listed(f"{row.measure} {row.whole:.2f}" for row in rows_of(result.items))
    lowest = result.items.sort_values("whole")["measure"].iloc[0]
    return f"Forms of full length would correlate, over models like these, to: {each}; least in {lowest}."


def different_answers(result: Commitment) -> str:
    """How two measures agree on different answers, next to how each agrees with itself."""
    rho = result.halves.set_index("pair")["rho"]
    crossed, delta, area = (float(rho[name]) for name in PAIRS)
    if not np.isfinite([crossed, delta, area]).all():
        return "Too few models have both measures in both halves of the items."
    return (
        "AUROC2 of one half of the items and the mean withdraw delta of the other correlate to "
        f"{crossed:.2f} over models (Spearman, median of the splits); the delta with itself to {delta:.2f}, "
        f"AUROC2 with itself to {area:.2f}."
    )


def above_chance_sentence(verdict: Verdict) -> str:
    """How many models' intervals lie above chance."""
    v = verdict.values
    return (
        f"For {v['above']} of {v['models']} models with at least {FEWEST} right and wrong answers the "
        f"interval of AUROC2 lies above 0.5.{undecided_clause(verdict.undecided)}"
    )


def steady_sentence(verdict: Verdict) -> str:
    """How far merging the middle states moves an AUROC2."""
    largest = verdict.values["largest"]
    text = f"Merging the middle states moves an AUROC2 by at most {largest:.3f}."
    return (text if np.isfinite(largest) else "No AUROC2 is defined.") + undecided_clause(verdict.undecided)


def page_answer(result: Regulation) -> str:
    """Whether withdrawing what is wrong goes with answering directly.

    How often a model asks for help is a habit, not how well it chooses when.
    """
    p = result.verdicts[0].values["pearson"]
    if p.excludes():
        more = "more" if p.r > 0 else "less"
        return f"Models that withdraw wrong answers rather than right ones also answer directly {more} often."
    return (
        "Whether models that withdraw wrong answers also choose otherwise beforehand cannot be told: "
        f"{p.n} models are too few."
    )


def needed(result: Regulation) -> str:
    """The correlation, and over how many models it could be told."""
    p = result.verdicts[0].values["pearson"]
    return (
        f"Withdraw delta and answering directly correlate at {p.r:.2f} ({p.lower:.2f} to {p.upper:.2f}); to tell a "
        f"correlation of {R:g} from none takes {models_for_correlation()}."
    )


VIEWS = (
    Views(
        "regulation",
        sentences={"answer": page_answer, "needed": needed},
        verdicts={"dissociation": dissociation_sentence},
        claims={"dissociation": "the withdraw delta and answering directly are nearly unrelated"},
    ),
    Views(
        "contrasts",
        sentences={"thinking": thinking, "size": size},
        verdicts={"order": order_sentence, "change": change_sentence},
        claims={
            "order": lambda v: v.rule,
            "change": lambda v: f"the interval from {v.values['smallest']} to {v.values['largest']} shows it",
        },
    ),
    Views("robustness", sentences={"halves_agree": halves_agree, "full_length": full_length}),
    Views(
        "commitment",
        sentences={"different_answers": different_answers},
        verdicts={"above_chance": above_chance_sentence, "steady": steady_sentence},
    ),
)
