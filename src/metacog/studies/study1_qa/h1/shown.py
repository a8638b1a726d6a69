"""H1: is M-ratio below 1 in every model? How it is shown."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.style import GREY, legend_above, new_axes
from metacog.report.tables import Schema, columns_of, number, text
from metacog.report.tables import answer as yes_or_no
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    D_PRIME,
    DATASET,
    FLAG,
    M_RATIO,
    META_D,
    MODEL,
    NAMES,
    RATIO_LIMITS,
    N,
    comparison,
)
from metacog.studies.study1_qa.cells.comparison import RECOMPUTED
from metacog.studies.study1_qa.cells.figures import forest, ink_looks, source_looks
from metacog.studies.study1_qa.cells.sentences import in_run, solved_from
from metacog.studies.study1_qa.h1.judging import RULE

BELOW_ONE = yes_or_no("below_one", "Below 1")


@drawing(
    name="fig-h1-intervals",
    caption=(
        "M-ratio with 95 % intervals made in several ways. Compare widths within a model: where drawing "
        "questions widens the interval, trials of one question tell the same story several times. An interval "
        "to the left of the dashed line is a model for H1 and one to the right a model against it; one that "
        "crosses the line leaves the model open, though the registered rule counts it against H1."
    ),
    alt="M-ratio of each model with intervals from four ways of resampling",
)
def intervals(result: Any) -> Figure:
    """M-ratio of each model with its interval, one look for each way of resampling."""
    rows = result.intervals
    figure, axis = new_axes(height=1.6 + 0.8 * rows["model"].nunique())
    forest(axis, rows, "model", "scheme", value="m_ratio", style=ink_looks(rows["scheme"]))
    axis.axvline(1, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("M-ratio (95 % interval); dashed: 1")
    legend_above(figure, axis)
    return figure


@drawing(
    name="fig-h1-models",
    caption=(
        "M-ratio at T = 1 with 95 % intervals, of the paper's models from its counts and of this run's. H1 is "
        "about the dashed line: every interval would have to end to the left of it."
    ),
    alt="M-ratio of the paper's models and of this run's, with intervals, against 1",
)
def models(result: Any) -> Figure:
    """M-ratio of published and own models with their intervals, one line each."""
    rows = result.comparison[result.comparison["m_ratio"].notna()]
    figure, axis = new_axes(height=1.4 + 0.42 * len(rows))
    forest(axis, rows, "model", "source", value="m_ratio", style=source_looks())
    axis.axvline(1, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("M-ratio (95 % interval); dashed: 1")
    legend_above(figure, axis, 1)
    return figure


def limit_sentence(verdict: Verdict) -> str:
    """Which models have an upper limit below 1."""
    below, above = verdict.values["below"], verdict.values["above"]
    return (
        f"The upper limit is below 1 for {listed(below) if below else 'no model that can be judged'}"
        + (f", and not for {listed(above)}" if above else "")
        + f": H1 is {OUTCOME[verdict.passed]} by its own rule.{undecided_clause(verdict.undecided)}"
    )


def intervals_sentence(verdict: Verdict) -> str:
    """What resampling questions does to the intervals."""
    values = verdict.values
    undecided = undecided_clause(verdict.undecided)
    if values["wider"] is None:
        return f"No interval could be made.{undecided}"
    across = listed(values["across"]) if values["across"] else "no model"
    above = f", and at or above 1 for {listed(values['above'])}" if values["above"] else ""
    below = listed(values["below"]) if values["below"] else "no model that can be judged"
    sentence = (
        f"The interval lies below 1 for {below}{above}. At T = 1 resampling questions with new edges makes it "
        f"{values['wider']:.2f} times as wide (median) and moves the upper limit across 1 for {across}."
    )
    if values["wider_over_all"] is not None:
        sentence += (
            " Over all temperatures, where each question comes back, question-level intervals are "
            f"{values['wider_over_all']:.2f} times as wide as trial-level ones."
        )
    return sentence + undecided


def published_sentence(verdict: Verdict) -> str:
    """What the published counts reproduce, and how many limits are below 1 there and in the run."""
    v = verdict.values
    fixed = solved_from("d'", v["d_prime_agree"], v["n_published"])
    return (
        f"{v['agree']} of {2 * v['n_published']} printed meta-d' and M-ratio are reproduced from the counts. "
        f"{fixed} The upper limit is below 1 in {v['published_below']} of {v['n_published']} published "
        f"models and {in_run(v['run_below'], v['n_run'])}."
    )


def answer(result: Any) -> str:
    """In how many of the paper's models M-ratio is shown to be below 1, and in how many to be 1 or more."""
    theirs = result.comparison[result.comparison["source"] == RECOMPUTED]
    below, above = int(theirs["below_one"].astype(bool).sum()), int((theirs["m_ratio_lower"] >= 1).sum())
    if above:
        return f"No: in {above} of the paper's {plural(len(theirs), 'model')} the M-ratio is shown to be one or more."
    if below == len(theirs):
        return "Yes: in every model of the paper the M-ratio is shown to lie below one."
    if not below:
        return "No model of the paper is shown to have an M-ratio below one."
    return (
        f"Not shown for every model: the M-ratio is shown to lie below one in {below} of the paper's "
        f"{plural(len(theirs), 'model')}."
    )


def own(result: Any) -> str:
    """The same of this run's models."""
    sound = result.measures[(result.measures["flag"] == "") & result.measures["m_ratio_upper"].notna()]
    if sound.empty:
        return "Not one of this run's models can be judged, for the reasons that the table gives."
    shown, over = int((sound["m_ratio_upper"] < 1).sum()), int((sound["m_ratio_lower"] >= 1).sum())
    more = f" and shown to be one or more in {over}" if over else ""
    return f"Of this run's models that can be judged, it is below one in {shown} of {len(sound)}{more}."


VIEWS = Views(
    "h1",
    names=NAMES,
    tables={
        "measures": Schema(
            "measures",
            columns_of(MODEL, DATASET, N, ACCURACY, D_PRIME, META_D, M_RATIO, RATIO_LIMITS, BELOW_ONE, FLAG),
            "H1 at T = 1, trial-level bootstrap.",
        ),
        "intervals": Schema(
            "intervals",
            columns_of(
                MODEL, DATASET, text("scheme", "Resampled"), M_RATIO, RATIO_LIMITS, number("width", "Width")
            ),
            "The same M-ratio, resampled in different ways.",
        ),
        "comparison": comparison(MODEL, ACCURACY, D_PRIME, META_D, M_RATIO, RATIO_LIMITS, BELOW_ONE, FLAG),
    },
    figures={"models": models, "intervals": intervals},
    sentences={"answer": answer, "own": own},
    verdicts={
        "limit": limit_sentence,
        "intervals": intervals_sentence,
        "published": published_sentence,
    },
    claims={
        "limit": "H1, the M-ratio of every model is below 1",
        "intervals": "H1 with whole questions resampled and new rating edges",
    },
    rules={"limit": RULE},
)
