"""How accurate is a model on the answers it is most confident of? How it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.words import listed, plural
from metacog.report.drawing import Drawing
from metacog.report.style import legend_above, new_axes
from metacog.report.tables import Schema, columns_of, limits, number
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    DATASET,
    FLAG,
    MODEL,
    NAMES,
    TEMPERATURE,
    N,
    comparison,
)
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED, RUN
from metacog.studies.study1_qa.cells.counts import REFERENCE
from metacog.studies.study1_qa.cells.figures import model_looks
from metacog.studies.study1_qa.cells.sentences import nothing_read, silent_in, solved_from
from metacog.studies.study1_qa.selective.judging import RULE


def accuracy_curves(curves: Mapping[tuple[str, str], Any]) -> Figure | None:
    """Accuracy against coverage; dotted lines are accuracy without abstaining. None without any curve."""
    if not curves:
        return None
    several = len({d for _, d in curves}) > 1
    names = {key: f"{key[0]}, {key[1]}" if several else key[0] for key in curves}
    style = model_looks(names.values())
    figure, axis = new_axes(height=3.8)
    for key, curve in curves.items():
        look = style[names[key]]
        keep = curve.coverage >= min(20 / len(curve.coverage), 1.0)
        axis.plot(
            curve.coverage[keep],
            1 - curve.risk[keep],
            label=names[key],
            lw=2,
            color=look["color"],
            marker=look["marker"],
            markevery=max(int(keep.sum()) // 8, 1),
            ms=7,
        )
        axis.axhline(1 - curve.full_risk, color=look["color"], lw=0.9, ls=":")
    axis.set_xlabel("coverage: share of questions answered")
    axis.set_ylabel("accuracy on those")
    axis.set_ylim(-0.02, 1.02)
    axis.set_xlim(-0.02, 1.02)
    legend_above(figure, axis)
    return figure


def half_sentence(verdict: Verdict) -> str:
    """What answering the more confident half is worth."""
    v = verdict.values
    if not v["models"]:
        return f"No model can be judged.{undecided_clause(verdict.undecided)}"
    parts = [
        f"{model} from {before:.3f} to {after:.3f}"
        for model, before, after in zip(v["models"], v["all"], v["half"], strict=True)
    ]
    return (
        f"Answering half of the questions changes accuracy of {listed(parts)}; the gain is above zero in "
        f"{v['above']} of {len(parts)}.{undecided_clause(verdict.undecided)}"
    )


def published_sentence(verdict: Verdict) -> str:
    """What the published counts reproduce, and the range of gains there and in the run."""
    v = verdict.values
    run = f" and {v['run'][0]:.2f} to {v['run'][1]:.2f} in this run's." if v["run"] else "."
    return (
        f"{solved_from('accuracies at half coverage', v['agree'], v['of'])} Abstaining on half of the "
        f"questions gains {v['published'][0]:.2f} to {v['published'][1]:.2f} in the published models{run}"
    )


GAIN, ACCURACY_LIMITS = number("gain", "Gain"), limits("accuracy_lower", "accuracy_upper")


def answer_sentence(result: Any) -> str:
    """What answering the more confident half gains, in print and in the run."""
    theirs, ours = (result.comparison[result.comparison["source"] == one] for one in (RECOMPUTED, RUN))
    text = (
        f"It is worth {_gains(theirs)} points of accuracy to let the paper's models answer only the half of the "
        "questions of which they are most confident"
    )
    if ours.empty or ours["gain"].isna().all():
        return f"{text}. {nothing_read(silent_in(result.coverages))}".rstrip()
    half = result.coverages[result.coverages["coverage"] == 0.5]
    clear = int((half["gain_lower"] > 0).sum())
    return (
        f"{text}, and {_gains(ours)} points with this run's: the gain is shown to be above zero in {clear} of "
        f"{plural(int(half['gain'].notna().sum()), 'model')}. {_cooler(result.halves)}"
    )


def _cooler(halves: pd.DataFrame) -> str:
    """That the gain at T = 1 is luck of the draw in part, and what it is at the lowest temperature, if there is one."""
    warning = "All this is at T = 1, where part of a gain can be the luck of the draw"
    lowest = halves["temperature"].min()
    rows = halves[(halves["temperature"] == lowest) & halves["gain"].notna()]
    if rows.empty or lowest == REFERENCE:
        return f"{warning}."
    return f"{warning}; at T = {lowest:g} this run's models gain {_gains(rows)} points."


def _gains(rows: pd.DataFrame) -> str:
    low, high = (f"{100 * end:.0f}" for end in (rows["gain"].min(), rows["gain"].max()))
    return low if low == high else f"{low} to {high}"


VIEWS = Views(
    "selective",
    names=NAMES,
    tables={
        "coverages": Schema(
            "coverages",
            columns_of(MODEL, DATASET, number("coverage", "Coverage"), ACCURACY, ACCURACY_LIMITS, GAIN, FLAG),
            "Accuracy of the most confident answers; gain is over answering everything.",
        ),
        "halves": Schema(
            "halves",
            columns_of(
                MODEL,
                DATASET,
                TEMPERATURE,
                number("full", "All answers", 3, "Accuracy"),
                number("accuracy", "More confident half", 3, "Accuracy"),
                number("gain", "is", 3, "Gain"),
                limits("gain_lower", "gain_upper", "Gain"),
                FLAG,
            ),
            "What answering the more confident half gains at the lowest temperature and at T = 1.",
        ),
        "areas": Schema(
            "areas",
            columns_of(
                MODEL,
                DATASET,
                N,
                number("full_risk", "Risk without abstaining"),
                number("aurc", "AURC"),
                number("e_aurc", "E-AURC"),
                number("oracle_aurc", "Perfect AURC"),
            ),
            "Risk-coverage areas of this run at T = 1.",
        ),
        "comparison": comparison(MODEL, ACCURACY, ACCURACY_LIMITS, GAIN, number("printed", "Printed")),
    },
    figures={
        "curves": Drawing(
            lambda result: accuracy_curves(result.curves),
            name="fig-selective-curves",
            caption=(
                "Accuracy against coverage, by raw NLP. A useful confidence climbs to the left; a useless "
                "one follows its dotted line, which is accuracy without abstaining. The first twenty answers "
                "are omitted: they are too few for a share."
            ),
            alt="Accuracy against coverage for each model of the run",
        ),
        "published": Drawing(
            lambda result: accuracy_curves(result.published_curves),
            name="fig-selective-published",
            caption=(
                "The paper's models on TriviaQA, from counts by rating (straight within a rating, because "
                "the order there is not public). Compare the height of a curve at its right end, accuracy, "
                "with how far it climbs from there, which is what confidence adds."
            ),
            alt="Accuracy against coverage for the published models",
        ),
    },
    sentences={"answer": answer_sentence},
    verdicts={"half": half_sentence, "published": published_sentence},
    claims={"half": "answering only the more confident half raises accuracy in every model"},
    rules={"half": RULE},
)
