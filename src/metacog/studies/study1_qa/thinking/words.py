"""Sentences about thinking on and off, each made from the numbers of the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict

#: How replies are marked without the author's last rule.
STRICTLY = "If a reply that merely contains an accepted answer counts as wrong"


def directions(table: pd.DataFrame) -> tuple[list[str], list[str], list[str]]:
    """Models in which a difference is shown to be above 0, below 0, and neither."""
    up: list[str] = []
    down: list[str] = []
    neither: list[str] = []
    for r in rows_of(table):
        (up if r.lower > 0 else down if r.upper < 0 else neither).append(str(r.model))
    return up, down, neither


def _of(result: Any, quantity: str) -> pd.DataFrame:
    rows: pd.DataFrame = result.differences[result.differences["quantity"] == quantity]
    return rows


def answer(result: Any) -> str:
    """Whether thinking makes confidence tell right from wrong better or worse."""
    up, down, _ = directions(_of(result, "auroc2"))
    n = len(_of(result, "auroc2"))
    guide = "the probability of a model's words a {} guide to being right"
    if not up and not down:
        return f"No change is shown: thinking may make {guide.format('better or a worse')}."
    if up and down:
        return f"Thinking made {guide.format('better')} in {len(up)} models and a worse one in {len(down)}."
    shown, how = (up, "better") if up else (down, "worse")
    return f"Thinking made {guide.format(how)} in {len(shown)} of {plural(n, 'model')}."


def without_trace(result: Any) -> str:
    """Whether confidence tells more once the trace is taken out of the context."""
    back, lower, below = [], [], []
    for r in rows_of(result.raw):
        if r.no_trace_lower > r.auroc2_on_upper:
            back.append(
                f"{r.model} ({r.auroc2_on:.2f} with it, {r.no_trace:.2f} without, {r.auroc2_off:.2f} not thinking)"
            )
        elif r.no_trace_upper < r.auroc2_on_lower:
            lower.append(f"{r.model} ({r.auroc2_on:.2f} with it, {r.no_trace:.2f} without)")
        if r.auroc2_on_upper < 0.5:
            below.append(f"{r.model} ({r.auroc2_on:.2f}, {r.auroc2_on_lower:.2f} to {r.auroc2_on_upper:.2f})")
    parts = []
    if back or lower:
        parts.append(
            f"Read without the trace, the same replies' probabilities tell right from wrong better in {len(back)} of "
            f"{plural(len(result.raw), 'model')} and worse in {len(lower)}."
        )
    parts += [f"Better: {listed(back)}."] * bool(back) + [f"Worse: {listed(lower)}."] * bool(lower)
    if below:
        parts.append(
            f"With thinking on, more confident replies are more often wrong, beyond chance: {listed(below)}."
        )
    return " ".join(parts) or "With and without the trace cannot be told apart."


def _fewest(row: Any) -> str:
    """The class and mode of which there are fewest replies, marked strictly."""
    kinds = ((kind, mode) for mode in ("off", "on") for kind in ("right", "wrong"))
    n, kind, mode = min((int(getattr(row, f"{kind}_{mode}")), kind, mode) for kind, mode in kinds)
    return f"{n} {kind} {'reply' if n == 1 else 'replies'} with thinking {mode}"


def _strictly(result: Any) -> str:
    """In how many models the change of AUROC2 turns if marked strictly, on how few replies, and who is left open."""
    rows = rows_of(result.marking)
    judged = [r for r in rows if r.lower == r.lower]
    few = [r for r in rows if r.lower != r.lower]
    turned = [r for r in judged if r.difference * r.usual < 0 and (r.lower > 0 or r.upper < 0)]
    of = plural(len(judged), "model") + (" that can be judged" if few else "")
    named = listed(f"{r.model}, on {_fewest(r)}" for r in turned)
    told = (
        f"the change of AUROC2 turns in {len(turned)} of {of} ({named})"
        if turned
        else f"no model's change of AUROC2 is shown to turn ({of})"
    )
    left = [f"{r.model} has {_fewest(r)}" for r in few]
    return f"{STRICTLY}, {told}" + (f"; {listed(left)}, too few for an interval" if left else "")


def note(result: Any) -> str:
    """In how many models the change turns if marked strictly, in short."""
    judged = [r for r in rows_of(result.marking) if r.lower == r.lower]
    turned = [r for r in judged if r.difference * r.usual < 0 and (r.lower > 0 or r.upper < 0)]
    return (
        f"Marked more strictly, with fewer right answers, the change turns round in {len(turned)} of "
        f"{plural(len(judged), 'model')} that can be judged."
    )


def marked_strictly(result: Any) -> str:
    """Whether the change of AUROC2 is the same if no reply is right that merely contains an answer."""
    other = [r for r in rows_of(result.marking) if r.difference * r.usual < 0]
    each = listed(f"{r.model} {r.difference:+.2f} instead of {r.usual:+.2f}" for r in other)
    return f"{_strictly(result)}.{f' With the other sign: {each}.' if other else ''}"


def raises(measure: str) -> Callable[[Verdict], str]:
    """The sentence of a verdict on whether thinking raises a measure."""

    def sentence(verdict: Verdict) -> str:
        both = (("raised", verdict.values["shown"]), ("lowered", verdict.values["refuted"]))
        parts = [f"{how} in {listed(models)}" for how, models in both if models]
        where = f" ({'; '.join(parts)})" if parts else ""
        return (
            f"That thinking raises {measure} in every model is {OUTCOME[verdict.passed]}{where}."
            f"{undecided_clause(verdict.undecided)}"
        )

    return sentence


def worth(verdict: Verdict) -> str:
    """Whether most of the change is in what a rating is worth."""
    shown = verdict.values["shown"]
    where = f": shown in {listed(shown)}" if shown else ""
    return (
        f"That most of the change of AUROC2 is a change in what a rating is worth is {OUTCOME[verdict.passed]}"
        f"{where}.{undecided_clause(verdict.undecided)}"
    )


def left_out_verdict(verdict: Verdict) -> str:
    """Whether replies left out could turn the change."""
    shown = verdict.values["shown"]
    where = f": so in {listed(shown)}" if shown else ""
    return (
        f"That no replies left out could turn the change of AUROC2 is {OUTCOME[verdict.passed]}{where}."
        f"{undecided_clause(verdict.undecided)}"
    )
