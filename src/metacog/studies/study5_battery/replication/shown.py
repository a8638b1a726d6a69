"""The battery on the models of the run: sentences."""

from __future__ import annotations

import numpy as np

from metacog.core.frames import rows_of
from metacog.core.words import expected, listed, plural
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study5_battery.replication.analysis import Asked, Items, Regulation
from metacog.studies.study5_battery.replication.answer import needed, page_answer

#: What a model did on T6, by the path that it chose.
CHOSEN = {"ANSWER_DIRECTLY": "answered directly", "REQUEST_HINT": "asked for a hint", "DECLINE": "declined"}


def items_said(result: Items) -> str:
    """Whether the forms have one table of difficulties, and on which tracks place or length gives answers away."""
    have = "have the same" if result.same_difficulty else "do not have the same"
    table = result.table
    placed, long = (list(table.loc[table[p] < 0.05, "track"]) for p in ("p_keys", "p_longest"))
    place = (
        f"at one place more often on {listed(placed)}" if placed else "at no place more often than at another"
    )
    length = (
        f"on {listed(long)} not as often as chance would have it" if long else "no more often than by chance"
    )
    return (
        f"{result.forms} forms of the items, made from as many seeds, {have} number of items of every track, kind and "
        f"difficulty. The right option stands {place}, and is the longest {length}."
    )


def understood(result: Asked) -> str:
    """Items, requests and lost conversations."""
    lost = result.asked - int(result.cells["usable"].sum())
    fate = f"{plural(lost, 'conversation')} ended in a reply that named none of the options, or several"
    return (
        f"{result.asked:,} items were asked in {result.requests:,} requests; "
        f"{fate if lost else 'every reply named an option'}."
    )


def spent(result: Asked) -> str:
    """Time and tokens of each model, all its forms together."""
    texts = []
    for model, rows in result.cost.groupby("model", sort=False):
        read, written = rows["tokens_read"].sum(skipna=False), rows["tokens_written"].sum(skipna=False)
        tokens = (
            f"{read:,.0f} tokens were read and {written:,.0f} written"
            if np.isfinite(read + written)
            else "its tokens were not counted"
        )
        minutes, items = rows["minutes"].sum(), rows["items"].sum()
        texts.append(f"{model} took {minutes:.1f} minutes for {items:,} items; {tokens}.")
    return " ".join(texts) or "What it took is not recorded on this machine."


def above_chance_sentence(verdict: Verdict) -> str:
    """Kinds of item that are not answered better than by guessing."""
    table = verdict.values["flat"]
    flat = table[table["flat"] > 0]
    if len(flat):
        names = listed(f"{r.model} ({r.flat} of {r.kinds} kinds)" for r in rows_of(flat))
        first = f"Kinds of item that are not shown to be answered better than by guessing: {names}."
    else:
        first = "Every kind of item is answered better than by guessing."
    return (first if len(table) else "Nothing was answered.") + undecided_clause(verdict.undecided)


def guessed(result: Asked) -> str:
    """Of how many kinds of item something is known."""
    return " ".join(map(above_chance_sentence, result.verdicts))


def monitors_sentence(verdict: Verdict) -> str:
    """Each model's mean delta."""
    rows = rows_of(verdict.values["deltas"])
    each = listed(f"{r.model} {r.delta:+.1f} ({r.lower:.1f} to {r.upper:.1f})" for r in rows)
    first = f"Mean withdraw delta over T1 to T5: {each}." if rows else "No delta is defined."
    return first + undecided_clause(verdict.undecided)


def grades_sentence(verdict: Verdict) -> str:
    """Each model's AUROC2 of the probability of KEEP."""
    rows = rows_of(verdict.values["areas"])
    each = listed(f"{r.model} {r.auroc2:.2f} ({r.lower:.2f} to {r.upper:.2f})" for r in rows)
    first = f"AUROC2 of the probability of KEEP: {each}."
    if not rows:
        first = "Nowhere were choices scored on enough right and wrong answers."
    return first + undecided_clause(verdict.undecided)


def chosen_paths(result: Regulation) -> str:
    """What each model chose on T6, and whether another habit would have paid more."""
    texts = []
    for model, rows in result.paths.groupby("model", sort=False):
        share, total = rows.set_index("path")["share"], float(rows["all"].iloc[0])
        than = "as much as declining throughout"
        if total != 0.25:
            than = f"{'more' if total > 0.25 else 'less'} than declining throughout (0.25)"
        texts.append(
            f"{model} {CHOSEN[str(share.idxmax())]} on {share.max():.0f} % of T6 and earned {total:.2f} points per "
            f"item, {than}."
        )
    return " ".join(texts) or "T6 was not asked, or none of its conversations was understood from end to end."


def agreement(result: Regulation) -> str:
    """How many comparisons of two forms differ, of those in which something could."""
    if result.forms.empty:
        return "One form of the items was asked in this run; the profile `battery` asks two."
    varied = result.forms[result.forms["varies"].astype(bool)]
    n, apart, rest = len(varied), int(varied["apart"].sum()), len(result.forms) - len(varied)
    constant = "both forms are the same throughout (all KEEP, for instance), so that nothing could differ"
    if not n:
        return f"In {plural(rest, 'comparison')} of two parallel forms {constant}."
    return (
        f"Of {plural(n, 'comparison')} of two parallel forms {apart} {'differs' if apart == 1 else 'differ'} "
        f"by more than their intervals allow; by chance one expects about {expected(0.05 * n)}."
        + (f" In {plural(rest, 'other')} {constant}." if rest else "")
    )


VIEWS = (
    Views("replication_items", sentences={"items_said": items_said}),
    Views(
        "replication_asked",
        sentences={"understood": understood, "spent": spent, "guessed": guessed},
        verdicts={"above_chance": above_chance_sentence},
    ),
    Views(
        "replication_monitoring",
        sentences={"answer": page_answer, "needed": needed},
        verdicts={"monitors": monitors_sentence, "grades": grades_sentence},
        claims={
            "monitors": "wrong answers are withdrawn more often than right ones",
            "grades": "the probability of KEEP is higher where the answer is right",
        },
    ),
    Views("replication_regulation", sentences={"chosen_paths": chosen_paths, "agreement": agreement}),
)
