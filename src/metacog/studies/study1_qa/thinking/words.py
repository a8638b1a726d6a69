"""Sentences about thinking on and off, each made from the numbers of the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict

MEASURES = {
    "accuracy": "Accuracy",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "d_prime": "d'",
    "criterion": "criterion",
    "meta_d": "meta-d'",
    "m_ratio": "M-ratio",
}
#: How replies are marked without the author's last rule.
STRICTLY = "If a reply that merely contains an accepted answer counts as wrong"
PARTS = {"accuracy": "accuracy", "use": "which ratings are used", "worth": "what a rating is worth"}


def _called(quantity: str) -> str:
    """A measure's name inside a sentence."""
    return "accuracy" if quantity == "accuracy" else MEASURES[quantity]


def signed(value: float) -> str:
    """A change with its sign; one that rounds to nothing without."""
    shown = f"{value:+.3f}"
    return "0.000" if float(shown) == 0 else shown


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


def _in(models: list[str], total: int) -> str:
    return f"{len(models)} of {total} models"


def _moves(result: Any, quantity: str) -> str:
    """In how many models a measure rises, falls or does neither, beyond chance."""
    table = _of(result, quantity)
    up, down, neither = directions(table)
    parts = [
        f"{verb} in {_in(models, len(table))}" for verb, models in (("rises", up), ("falls", down)) if models
    ]
    if not parts:
        return f"{_called(quantity)} is not shown to change in any of {len(table)} models"
    rest = f" and is not shown to change in the other {len(neither)}" if neither else ""
    return f"{_called(quantity)} {' and '.join(parts)}{rest}"


def in_short(result: Any) -> str:
    """The answer: whether the measures rise with thinking, and how far accuracy and confidence account for it."""
    area = _of(result, "auroc2")
    up, down, _ = directions(area)
    n = len(area)
    if len(up) == n:
        answer = "By the probabilities of its words, yes"
    elif len(down) == n:
        answer = (
            "Not by the probabilities of its words: they say less of whether an answer is right, not more"
        )
    elif up and down:
        answer = "By the probabilities of its words, it helps some models and not others"
    elif up or down:
        answer = f"By the probabilities of its words it cannot be told for all models: shown in {len(up) + len(down)}"
    else:
        answer = "It cannot be told: no change is shown"
    sizes = listed(f"{r.model} {r.off:.2f} to {r.on:.2f}" for r in rows_of(area))
    moves = "; ".join(_moves(result, quantity) for quantity in ("meta_i2r", "m_ratio", "accuracy"))
    return f"{answer}. With thinking on, {_moves(result, 'auroc2')} ({sizes}); {moves}. {_strictly(result)}."


def _changed(result: Any) -> list[tuple[str, float, pd.Series]]:
    """Models whose AUROC2 is shown to change: the change, and its parts."""
    found = []
    rows = result.parts[result.parts["quantity"] == "auroc2"]
    for model, own in rows.groupby("model", sort=False):
        first = own.iloc[0]
        if first["total_lower"] > 0 or first["total_upper"] < 0:
            found.append((str(model), float(first["total"]), own.set_index("part")["change"]))
    return found


def shares(result: Any) -> str:
    """How far accuracy, the use of ratings and their worth account for each change of AUROC2."""
    told = []
    for model, total, share in _changed(result):
        each = listed(f"{signed(share[part])} is {name}" for part, name in PARTS.items())
        told.append(f"{model}, {signed(total)} in all: {each}")
    if not told:
        return "No change of AUROC2 is shown that could be taken apart."
    return f"What the change of AUROC2 is made of. {'. '.join(told)}."


def fits_say(result: Any) -> str:
    """What our fits make of the tables for which the author prints no M-ratio."""
    rows = result.fits[result.fits["printed"].isna() & result.fits["usable"].notna()]
    if rows.empty:
        return "The author prints an M-ratio for every table."
    cells = result.cells.set_index(["model", "mode"])
    told = []
    for r in rows_of(rows):
        cell = cells.loc[(r.model, r.mode)]
        end = "converges" if r.converged else "does not converge either"
        value = f"d' {r.d_prime:.3f}, meta-d' {r.meta_d:.3f}, M-ratio {r.m_ratio:.2f}"
        interval = (
            f" with a 95 % interval from {cell['m_ratio_lower']:.1f} to {cell['m_ratio_upper']:.1f}"
            if cell["m_ratio_lower"] == cell["m_ratio_lower"]
            else " without an interval"
        )
        negative = ", a ratio of two numbers below 0" if r.d_prime < 0 and r.meta_d < 0 else ""
        told.append(f"{r.model}: ours {end}: {value}{interval}{negative}")
    same = result.fits[result.fits["model"].isin(rows["model"]) & result.fits["mode"].isin(rows["mode"])]
    move = same.groupby("model")["m_ratio"].agg(lambda v: v.max() - v.min()).max()
    fits = ". ".join(told)
    return f"Where the author prints no M-ratio. {fits}. Without padding M-ratio moves by at most {move:.3f}."


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


def marked_strictly(result: Any) -> str:
    """Whether the change of AUROC2 is the same if no reply is right that merely contains an answer."""
    other = [r for r in rows_of(result.marking) if r.difference * r.usual < 0]
    each = listed(f"{r.model} {r.difference:+.2f} instead of {r.usual:+.2f}" for r in other)
    return f"{_strictly(result)}.{f' With the other sign: {each}.' if other else ''}"


def by_domain(result: Any) -> str:
    """In how many domains printed AUROC2 falls."""
    table = result.domains
    lower = int((table["difference"] < 0).sum())
    shown = int((table["upper"] < 0).sum())
    return (
        f"AUROC2 is lower with thinking in {lower} of {len(table)} cells of model and domain; the interval lies "
        f"below 0 in {shown} and above 0 in {int((table['lower'] > 0).sum())}."
    )


def left_out(result: Any) -> str:
    """How many replies the author left out in each mode."""
    rows = result.replies[result.replies["quantity"] == "auroc2"]
    each = listed(f"{r.left_out_off} and {r.left_out_on} ({r.model})" for r in rows_of(rows))
    whole = result.whole
    return (
        f"Left out with thinking off and on: {each}. Of the printed AUROC2, {int(whole['whole'].sum())} of "
        f"{int(whole['n'].sum())} are a whole or half number of pairs of the replies kept, to twelve decimals."
    )


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
