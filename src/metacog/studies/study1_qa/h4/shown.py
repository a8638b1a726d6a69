"""H4: do models of similar d' differ in M-ratio? How it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.measures.pairs import excludes_zero
from metacog.report.drawing import drawing
from metacog.report.level_table import LEVELS
from metacog.report.style import GREY, legend_above, new_axes
from metacog.report.tables import Schema, columns_of, count, limits, number
from metacog.report.tables import answer as yes_or_no
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    D_PRIME,
    DIFFERENCE,
    FLAG,
    LIMITS,
    M_RATIO,
    MODEL,
    NAMES,
    NO_PAIR,
    P_HOLM,
    PAIR_OF_MODELS,
    comparison,
)
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED
from metacog.studies.study1_qa.cells.figures import forest, ink_looks, model_looks, source_looks
from metacog.studies.study1_qa.h4.judging import RULE_CODE, RULE_SOUND, RULE_TEXT


@drawing(
    name="fig-h4-plane",
    caption=(
        "Each model by its d' (across) and M-ratio (up), with 95 % intervals. The hypothesis needs two "
        "models above one another: close in d', apart in M-ratio."
    ),
    alt="M-ratio against d' for each model",
)
def plane(result: Any) -> Figure:
    """M-ratio against d', both with intervals: similar across, different up."""
    table = result.measures
    style = model_looks(table["model"])
    figure, axis = new_axes(height=3.8)
    for row in rows_of(table[table["m_ratio"].notna()]):
        axis.errorbar(
            row.d_prime,
            row.m_ratio,
            xerr=[[max(row.d_prime - row.d_prime_lower, 0)], [max(row.d_prime_upper - row.d_prime, 0)]],
            yerr=[[max(row.m_ratio - row.m_ratio_lower, 0)], [max(row.m_ratio_upper - row.m_ratio, 0)]],
            ls="none",
            lw=1.8,
            ms=8,
            capsize=3,
            label=row.model,
            **style[row.model],
        )
    axis.axhline(1, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("d'")
    axis.set_ylabel("M-ratio")
    if axis.get_legend_handles_labels()[0]:
        axis.legend()
    return figure


def _difference(rows: pd.DataFrame) -> pd.Series:
    """The first model minus the second, in two lines."""
    return rows["model_a"] + "\n\N{MINUS SIGN} " + rows["model_b"]


@drawing(
    name="fig-h4-pairs",
    caption=(
        "Differences of M-ratio, with the models drawn alone and over shared questions. An interval clear of "
        "the dashed zero is a difference; compare the two widths to see what pairing buys."
    ),
    alt="Differences of M-ratio between pairs of models",
)
def pairs(result: Any) -> Figure:
    """Differences of M-ratio between models: drawn alone and over shared questions."""
    rows = result.pairs if len(result.pairs) else result.comparison
    label = _difference(rows)
    ways = [("models drawn alone", ("difference", "lower", "upper"))]
    if "paired" in rows and rows["paired"].notna().any():
        ways.append(("shared questions", ("paired", "paired_lower", "paired_upper")))
    frames = [
        rows[list(columns)].set_axis(["x", "lower", "upper"], axis=1).assign(pair=label, how=how)
        for how, columns in ways
    ]
    figure, axis = new_axes(height=1.6 + 0.65 * max(len(rows), 1))
    style = ink_looks(how for how, _ in ways)
    rows = pd.concat(frames, ignore_index=True)
    forest(axis, rows, "pair", "how", value="x", low="lower", high="upper", style=style)
    axis.axvline(0, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("difference of M-ratio (95 % interval)")
    legend_above(figure, axis)
    return figure


@drawing(
    name="fig-h4-published",
    caption=(
        "Differences of M-ratio between two models at T = 1, each model resampled by itself, with 95 % intervals: of "
        "the paper's models from its counts, and of this run's. An interval clear of the dashed zero is a difference; "
        "H4 wants one between models of equal d'."
    ),
    alt="Differences of M-ratio between pairs of the paper's models and of this run's",
)
def published_pairs(result: Any) -> Figure:
    """Differences of M-ratio between the published models and between the run's."""
    rows = result.comparison
    rows = rows.assign(pair=_difference(rows))
    figure, axis = new_axes(height=1.4 + 0.55 * max(len(rows), 1))
    ends = {"low": "lower", "high": "upper"}
    forest(axis, rows, "pair", "source", value="difference", **ends, style=source_looks())
    axis.axvline(0, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("difference of M-ratio (95 % interval)")
    legend_above(figure, axis, 1)
    return figure


TOO_FEW = "H4 compares models, and this run has fewer than two to compare."


def _pairs(names: Sequence[str]) -> str:
    return listed(names) if len(names) < 4 else plural(len(names), "pair")


def code_sentence(verdict: Verdict) -> str:
    """Whose intervals do not overlap."""
    v = verdict.values
    if not v["n_pairs"]:
        return TOO_FEW
    sentence = (
        f"The intervals of {_pairs(v['apart'])} do not overlap."
        if v["apart"]
        else "No two intervals that can be judged are apart."
    )
    return sentence + undecided_clause(verdict.undecided)


def text_sentence(verdict: Verdict) -> str:
    """Which differences exclude zero, and which of these pairs are similar in d'."""
    v = verdict.values
    if not v["n_pairs"]:
        return TOO_FEW
    judged = plural(v["n_judged"], "pair")
    if v["differ"]:
        sentence = (
            f"The difference of M-ratio excludes zero for {_pairs(v['differ'])}, of {judged}. Of these, d' "
            f"is shown to be similar for {_pairs(v['similar'])}."
        )
    elif v["n_judged"]:
        sentence = f"No difference of {judged} excludes zero."
    else:
        sentence = "No pair can be judged."
    return sentence + undecided_clause(verdict.undecided)


def shared_sentence(verdict: Verdict) -> str:
    """How many pairs differ over shared questions, are similar in d', and are both."""
    v = verdict.values
    if not v["n_pairs"]:
        return TOO_FEW
    undecided = undecided_clause(verdict.undecided)
    if not v["n_judged"]:
        return f"No pair can be judged.{undecided}"
    both = f" ({_pairs(v['both'])})" if v["both"] else ""
    return (
        f"Of {plural(v['n_judged'], 'pair')}, {v['differ']} differ in M-ratio over shared questions after "
        f"Holm, {v['similar']} are shown to be similar in d', and {len(v['both'])} are both after Holm over "
        f"both tests{both}.{undecided}"
    )


def published_sentence(verdict: Verdict) -> str:
    """How many published pairs and pairs of the run differ."""
    theirs, ours = verdict.values["published"], verdict.values["run"]
    return (
        f"Pairs with intervals apart: {theirs['apart']} of {theirs['n_pairs']} published ones; with a difference whose "
        f"interval holds no zero: {theirs['differ']}; of these, shown to be similar in d': {theirs['similar']}. Of "
        f"{plural(ours['n_pairs'], 'pair')} of this run: {ours['apart']}, {ours['differ']} and {ours['similar']}."
    )


ALONE = columns_of(
    PAIR_OF_MODELS,
    yes_or_no("overlap", "Overlap"),
    DIFFERENCE,
    LIMITS,
    number("d_difference", "d' difference"),
    yes_or_no("d_similar", "d' similar"),
)


def answer(result: Any) -> str:
    """How many pairs of published models differ in M-ratio and are similar in d'."""
    theirs = result.comparison[result.comparison["source"] == RECOMPUTED]
    both = excludes_zero(theirs["lower"], theirs["upper"]) & theirs["d_similar"].astype(bool)
    if not both.any():
        return "Not shown: no two models of the paper that differ in M-ratio are shown to be of equal skill."
    return (
        f"Yes, in {int(both.sum())} of {plural(len(theirs), 'pair')} of the paper's models; but the shape of a table "
        "alone can move an M-ratio."
    )


def own(result: Any) -> str:
    """The same of this run's pairs."""
    judged = result.pairs[result.pairs["paired_p"].notna()] if len(result.pairs) else result.pairs
    if judged.empty:
        return NO_PAIR if result.pairs.empty else "No pair of this run can be judged."
    found = int((judged["p_holm"] < 0.05).sum())
    return (
        f"Pairs of this run that differ in M-ratio at equal skill: {found or 'none'} of "
        f"{len(judged)} that can be judged."
    )


VIEWS = Views(
    "h4",
    names=NAMES,
    tables={
        "measures": Schema(
            "measures",
            columns_of(
                MODEL,
                ACCURACY,
                D_PRIME,
                limits("d_prime_lower", "d_prime_upper", "d', 95 %"),
                M_RATIO,
                limits("m_ratio_lower", "m_ratio_upper", "M-ratio, 95 %"),
                FLAG,
            ),
            "Sensitivity and M-ratio at T = 1 with 95 % intervals.",
        ),
        "alone": Schema("pairs", ALONE, "The run's pairs of models, drawn independently.", empty=NO_PAIR),
        "shared": Schema(
            "pairs",
            columns_of(
                PAIR_OF_MODELS,
                count("n_shared", "Shared questions"),
                number("paired", "Difference"),
                limits("paired_lower", "paired_upper"),
                number("paired_p", "p", 4),
                limits("d_lower", "d_upper", "d' difference, 90 %"),
                number("d_p", "TOST p", 4),
                yes_or_no("d_similar", "d' similar"),
                P_HOLM.titled("p of both (Holm)"),
            ),
            "Differences over shared questions; d' limits are 90 %, as TOST wants.",
            empty=NO_PAIR,
        ),
        "levels": LEVELS,
        "comparison": comparison(ALONE),
    },
    figures={"published": published_pairs, "plane": plane, "pairs": pairs},
    sentences={"answer": answer, "own": own},
    verdicts={
        "code": code_sentence,
        "text": text_sentence,
        "shared": shared_sentence,
        "published": published_sentence,
    },
    claims={
        "code": "H4 as coded, the intervals of M-ratio of two models do not overlap",
        "text": "H4 as written, two models differ in M-ratio",
        "shared": "two models differ in M-ratio and are similar in d'",
    },
    rules={"code": RULE_CODE, "text": RULE_TEXT, "sound": RULE_SOUND},
)
