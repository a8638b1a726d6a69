"""Who knows what it knows among 33 models, and which ranks can be told? How it is shown."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.measures.coverage import SOUND
from metacog.report.screen import alarms_sentence, median_sentence, screen_sentence, screen_shown
from metacog.report.tables import Column, Schema, columns_of, count, limits, number, text
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study6_frontier.ledger.published import DOMAINS
from metacog.studies.study6_frontier.ranking import figures
from metacog.studies.study6_frontier.ranking.analysis import PUT_IN, STATED, Ranking
from metacog.studies.study6_frontier.ranking.coverage import CONTINUOUS, TIED, summed
from metacog.studies.study6_frontier.showing.models import FAMILY, MODEL

#: Measures as readers know them.
NAMES = {"auroc2": "AUROC2", "meta_i2r": "meta-I2r", "accuracy": "accuracy"}
#: Cells that are named at most.
_NAMED = 5


def _counted(result: Ranking, quantity: str = "auroc2", rows: str = STATED) -> dict:
    table = result.counted
    return dict(table[(table["quantity"] == quantity) & (table["rows"] == rows)].iloc[0])


def headline(result: Ranking) -> str:
    """How far the order goes, in one sentence."""
    c = _counted(result)
    first = result.models.iloc[0]
    return (
        f"{first['model']} has the highest AUROC2 of {c['models']} models ({first['auroc2']:.3f}), and may be anything "
        f"from first to place {c['leader_lowest']:.0f}: of {c['pairs']} pairs of models {c['apart']} are shown to "
        f"differ when all are judged together, {plural(c['may_lead'], 'model')} may be the best, and half of the "
        f"models have at least {c['median_width']:.0f} ranks that cannot be ruled out.{at_chance(result)}"
    )


def at_chance(result: Ranking) -> str:
    """Of which models it cannot be said that confidence ranks answers."""
    low = list(result.models.loc[result.models["auroc2_lower"] <= 0.5, "model"])
    if not low:
        return ""
    named = f" ({listed(low)})" if len(low) <= _NAMED else ""
    return (
        f" Of {plural(len(low), 'model')}{named} it cannot be said that confidence separates right from wrong answers "
        "at all."
    )


def printed_order(result: Ranking) -> str:
    """What the atlas's own order becomes."""
    same = (result.models["rank"].round() == result.models["printed_rank"]).sum()
    c = _counted(result)
    return (
        f"Of the {result.n_neighbours} pairs of neighbours in the atlas's order {result.n_neighbours_apart or 'none'} "
        f"can be told apart. Of all {c['pairs']} pairs {c['apart']} can ({c['apart'] / c['pairs']:.0%}). The atlas "
        f"prints its models without ranges; computed again, {same} of {len(result.models)} estimates have the printed "
        "place."
    )


def put_in(result: Ranking) -> str:
    """What becomes of a model whose confidences were put in by the parser."""
    if result.unlike.empty:
        return ""
    texts = []
    place = result.models.set_index("model")["rank"]
    for model, own in result.unlike.groupby("model", sort=False):
        every, stated = (own[own["rows"] == name].iloc[0] for name in (PUT_IN, STATED))
        texts.append(
            f"{every['n'] - stated['n']:,} of the {every['n']:,} confidences of {model} are 50 that its replies never "
            "stated. These replies are left out, here and in every chapter on these models. On the "
            f"{stated['n']:,} replies that state one ({stated['n_wrong']} of them wrong) it has an AUROC2 of "
            f"{stated['auroc2']:.3f} ({stated['auroc2_lower']:.3f} to {stated['auroc2_upper']:.3f}) and is number "
            f"{place[str(model)]:.0f}. With the others, as the atlas counts, it has {every['auroc2']:.3f} "
            f"({every['auroc2_lower']:.3f} to {every['auroc2_upper']:.3f})."
        )
    return " ".join(texts)


def measures_agree(result: Ranking) -> str:
    """How far ranks by other measures go, and who leads in each."""
    parts = []
    sizes = result.models.set_index("model")["n"]
    for quantity, name in NAMES.items():
        c = _counted(result, quantity)
        n = sizes[c["leader"]]
        few_items = f" (on {n:,} of {sizes.max():,} items)" if n < sizes.max() else ""
        parts.append(
            f"by {name} {c['leader']} is first{few_items}, {c['apart']} of {c['pairs']} pairs are shown to differ and "
            f"{plural(c['may_lead'], 'model')} may be first"
        )
    return f"The order depends on the measure: {'; '.join(parts)}."


def few(result: Ranking) -> str:
    """How many cells have no interval."""
    worst = result.cells.iloc[int(result.cells["n_wrong"].to_numpy().argmin())]
    title = dict(DOMAINS.values())[DOMAINS[worst["domain"]][0]]
    return (
        f"{result.n_few} of {result.n_cells} cells of a model and a domain have fewer than ten wrong answers, and no "
        f"interval here; the atlas prints one for each of them. The fewest: {worst['model']} in {title}, "
        f"{plural(int(worst['n_wrong']), 'wrong answer')}."
    )


def covered(result: Ranking) -> str:
    """How often such intervals hold the truth in simulated cells."""
    table = result.coverage
    ties, smooth = (_spans(table[table["confidence"] == kind]) for kind in (TIED, CONTINUOUS))
    atlas = table[table["confidence"] == TIED]
    missed = atlas[~atlas["sound"]].sort_values("coverage", kind="stable")
    worst = listed(
        f"{r.population}, {DOMAINS[r.name][1] if r.name else r.part} ({r.coverage:.1%}, {r.n_wrong} wrong of {r.n:,})"
        for r in rows_of(missed.head(_NAMED))
    )
    lowest = f", the {_NAMED} lowest of them" if len(missed) > _NAMED else ""
    bounds = " to ".join(f"{one:.0%}" for one in SOUND)
    return (
        "Do such intervals hold the truth as often as they say? Each cell that has one, and each whole run, was "
        f"simulated {table['n_simulations'].min():,} times, with confidences drawn from those that the model has. The "
        f"share of 95 % intervals that hold the truth is {ties}. With confidence that never ties it is {smooth}. For "
        + (
            f"{len(missed)} of the {len(atlas)} cells and runs this is not within {bounds}{lowest}: {worst}."
            if len(missed)
            else f"all {len(atlas)} cells and runs this is within {bounds}."
        )
    )


def _spans(table: pd.DataFrame) -> str:
    """From the lowest to the highest coverage, by wrong answers and for all items."""
    return listed(
        f"{r.lowest:.1%} to {r.highest:.1%} "
        + (f"with {r.wrong} wrong answers" if r.part == "domain" else f"for {r.part}")
        for r in rows_of(summed(table).sort_values("part", ascending=False, kind="stable"))
    )


def screened(result: Ranking) -> str:
    """What the validity screen says."""
    texts = [f(result.screen) for f in (screen_sentence, median_sentence, alarms_sentence)]
    return " ".join(one for one in texts if one)


def order_sentence(verdict: Verdict) -> str:
    """Whether the order is settled."""
    v = verdict.values
    rest = v["pairs"] - v["apart"]
    return (
        f"That most pairs of models are shown to differ in AUROC2 is {OUTCOME[verdict.passed]}: {v['apart']} of "
        f"{v['pairs']} are."
        + (f" Whether the other {rest} do is open: none is shown to be equal." if rest else "")
        + undecided_clause(verdict.undecided)
    )


def _measure(name: str, title: str, digits: int = 3) -> tuple[Column, ...]:
    return number(name, "is", digits, title), *limits(f"{name}_lower", f"{name}_upper", title, digits)


def _cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Areas as models by domains, with intervals as text."""
    rows = []
    for model, own in frame.groupby("model", sort=False):
        cells = {DOMAINS[r.domain][0]: _interval(r) for r in rows_of(own)}
        rows.append({"model": model, **{short: cells.get(short, "") for short, _ in DOMAINS.values()}})
    return pd.DataFrame(rows)


def _interval(row: object) -> str:
    value, low, high, wrong = (getattr(row, name) for name in ("auroc2", "lower", "upper", "n_wrong"))
    if low != low:
        return f"{value:.2f} ({wrong} wrong)"
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


VIEWS = Views(
    "ranking",
    tables={
        "order": Schema(
            "models",
            columns_of(
                MODEL,
                FAMILY,
                count("n", "Items"),
                count("n_wrong", "Wrong"),
                _measure("auroc2", "AUROC2"),
                number("rank", "is", 0, "Rank"),
                limits("set_lower", "set_upper", "Rank", 0),
                count("printed_rank", "Printed"),
                text("coverage", "Simulated coverage", optional=True),
                text("flag", "Flag", optional=True),
            ),
            "Models by AUROC2, with 95 % intervals over items and the ranks that cannot be ruled out.",
        ),
        "measures": Schema(
            "models",
            columns_of(
                MODEL,
                _measure("accuracy", "Accuracy"),
                _measure("meta_i2r", "meta-I2r"),
                _measure("d_a", "dₐ", 2),
                _measure("ece_debiased", "ECE"),
                _measure("brier", "Brier"),
            ),
            "Accuracy, meta-I2r, dₐ, expected calibration error with its bias taken off, and Brier score; 95 % "
            "intervals over items.",
        ),
        "counted": Schema(
            "counted",
            columns_of(
                text("quantity", "Measure"),
                text("rows", "Rows"),
                count("models", "Models"),
                text("leader", "First"),
                number("leader_lowest", "its lowest place", 0),
                count("may_lead", "May be first"),
                count("pairs", "Pairs"),
                count("apart", "shown to differ"),
                number("median_width", "Median ranks possible", 0),
            ),
            "How far the order goes, by measure and by what rows are taken.",
            pick=lambda frame: frame.assign(quantity=frame["quantity"].map(NAMES)),
        ),
        "cells": Schema(
            lambda result: _cells(result.cells),
            columns_of(MODEL, (text(short, short) for short, _ in DOMAINS.values())),
            "AUROC2 by domain with 95 % intervals; none with fewer than ten wrong answers.",
        ),
        "coverage": Schema(
            lambda result: summed(result.coverage),
            columns_of(
                text("confidence", "Confidence"),
                text("part", "Items"),
                text("wrong", "Wrong answers"),
                count("cells", "Cells"),
                number("lowest", "lowest", 3, "Coverage"),
                number("median", "median", 3, "Coverage"),
                number("highest", "highest", 3, "Coverage"),
                count("outside", f"not within {SOUND[0]:.2f} to {SOUND[1]:.2f}"),
                number("cannot_tell", "No interval, at most", 3),
            ),
            "How often the 95 % interval of AUROC2 holds the truth in simulated cells, by whether confidence ties and "
            "by wrong answers. Tied: the atlas's cells and whole runs, with confidences drawn from those that the "
            "model has for right and for wrong answers; continuous: two normal distributions whose area is .5 to .9.",
        ),
        "screen": Schema(
            lambda result: screen_shown(result.screen),
            (),
            "The validity screen, cut at each model's median.",
        ),
    },
    figures={"forest": figures.forest},
    sentences={
        "headline": headline,
        "printed_order": printed_order,
        "put_in": put_in,
        "measures_agree": measures_agree,
        "few": few,
        "covered": covered,
        "screened": screened,
    },
    verdicts={"order": order_sentence},
    claims={"order": "most pairs of models are shown to differ in AUROC2"},
)
