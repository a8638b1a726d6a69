"""Does thinking help a model to know itself? What is said of it."""

from __future__ import annotations

from typing import Any

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.study7_mmlu_pro.thinking import (
    ALL_READINGS,
    AT_CHANCE,
    INSTRUCT,
    PRECISION,
    THINKING,
    Thinking,
)
from metacog.verdicts.verdict import Verdict


def answer(result: Thinking) -> str:
    """For how many sizes thinking helps."""
    if not result.n_thinking:
        return "No model answered both with thinking on and off."
    if not result.n_rises:
        return (
            f"It is not shown of any of {plural(result.n_thinking, 'model')} that with thinking on stated confidence "
            "tells more than unchanged confidence would, at equal accuracy."
        )
    return (
        "With thinking on, stated confidence is shown to tell more than unchanged confidence would in "
        f"{result.n_rises} of {result.n_thinking} models, at equal accuracy."
    )


def accuracy(result: Thinking) -> str:
    """What of the rise goes with accuracy, what with other answers, and how large it is without."""
    plain, equal, excess = result.mean_rise, result.mean_rise_equal, result.mean_excess
    said = (
        f"AUROC2 changes by {plain:+.3f} on average with thinking on; between answers that are right equally often, by "
        f"{equal:+.3f}; "
    )
    if equal > excess > 0:
        return said + (
            f"beyond what other makers' unchanged confidence gains, by {excess:+.3f}: {100 * (1 - excess / equal):.0f} "
            "% of the rise at equal accuracy is other answers."
        )
    return said + f"beyond what other makers' unchanged confidence gains, by {excess:+.3f}."


def alike(result: Thinking) -> str:
    """How many models' unchanged confidence has as much excess, and what is said against their mean."""
    own = result.pairs[result.pairs["kind"] == THINKING]
    half = float((own["beyond_upper"] - own["beyond_lower"]).median()) / 2
    return (
        f"In the median pair {100 * result.as_much:.0f} % of other makers' models, each maker counted alike, gain as "
        f"much with a confidence that has not changed. So the interval reaches {half:.2f} to either side: a smaller "
        f"rise is not seen. Against their mean alone, with an interval over questions, {result.n_mean} of "
        f"{result.n_thinking} rise."
    )


def missing(result: Thinking) -> str:
    """What the readings of replies without an answer change."""
    own = result.pairs[result.pairs["kind"] == THINKING]
    at = {end: own.loc[own[f"equal_accuracy{end}_lower"] > 0, "pair"] for end in ALL_READINGS.values()}
    both = own[(own["equal_accuracy_lower"] > 0) & (own["equal_accuracy_lowest_lower"] > 0)]
    still = (
        "all of these" if lost.empty else f"all but {listed(lost)}"
        for lost in (both.loc[~both["pair"].isin(at[end]), "pair"] for end in ("_median", "_highest"))
    )
    median, highest = still if len(both) else ("none", "none")
    return (
        f"Left out, and as wrong with the lowest number of their run, AUROC2 at equal accuracy rises in {len(both)} of "
        f"{len(own)} models; with the median number in {median}, with the highest in {highest}. A rise is claimed here "
        "only where the first three readings show it."
    )


def checked(result: Thinking) -> str:
    """What is said of simulated pairs whose confidence does not change, or gets better."""
    of = {(str(r.change), str(r.quantity)): r for r in rows_of(result.simulated)}
    old, mean, rule = (of["none", name] for name in ("equal_accuracy", "excess", "beyond"))
    better = of["better", "beyond"]
    return (
        "In simulated pairs whose confidence does not change, a rise is said in "
        f"{_between(rule)} of 100 runs; by the change at equal accuracy alone in {_between(old)}, against the mean of "
        f"unchanged confidences in {_between(mean)}. Where confidence gets better it is said in {_between(better)}."
    )


def _between(row: Any) -> str:
    least, most = round(row.least), round(row.most)
    return f"{least} to {most}" if least < most else f"{most}"


def at_chance(result: Thinking) -> str:
    """Which pairs cannot tell, because a run answers at chance."""
    lost = result.pairs.loc[result.pairs["flag"] == AT_CHANCE, "pair"]
    return (
        f"One of the two answers at chance, so that nothing can be told: {listed(lost)}."
        if len(lost)
        else "No run in these pairs answers at chance."
    )


def others(result: Thinking) -> str:
    """The other kinds of pairs."""
    said = []
    for r in rows_of(result.kinds[result.kinds["kind"] == INSTRUCT]):
        said.append(
            f"Instructed models tell more than their base, and than unchanged confidence would, for {r.rises} of "
            f"{r.pairs}, and less for {r.falls}."
        )
    reduced = result.pairs[result.pairs["kind"] == PRECISION]
    unlike = reduced.loc[reduced["equivalent"] == "no", "pair"].tolist()
    if result.n_precision:
        said.append(
            f"Reduced precision changes AUROC2 by less than {result.bound:g}, as far as can be shown, in "
            f"{result.n_equivalent} of {result.n_precision} pairs"
            + (f", and by more in {listed(unlike)}." if unlike else ".")
        )
    return " ".join(said)


def thought(verdict: Verdict) -> str:
    """The verdict's sentence on thinking."""
    v = verdict.values
    return f"It does in {v['rises']} of {v['of']} models, and tells less in {v['falls']}."


def reduced(verdict: Verdict) -> str:
    """The verdict's sentence on precision."""
    v = verdict.values
    return f"Shown to be so in {v['equivalent']} of {v['of']} pairs, and shown not to be in {v['unlike']}."


VIEWS = Views(
    "thinking",
    sentences={
        "answer": answer,
        "at_equal_accuracy": accuracy,
        "alike": alike,
        "missing": missing,
        "checked": checked,
        "at_chance": at_chance,
        "other_pairs": others,
    },
    verdicts={"thinking": thought, "precision": reduced},
)
