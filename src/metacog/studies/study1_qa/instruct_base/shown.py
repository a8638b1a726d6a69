"""What does instruction tuning do to metacognition? How it is shown."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.style import GREY, legend_above, new_axes
from metacog.report.tables import Schema, columns_of, number, text
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import DIFFERENCE, LIMITS, NAMES
from metacog.studies.study1_qa.cells.figures import forest
from metacog.studies.study1_qa.instruct_base.estimates import RULE


@drawing(
    name="fig-instruct-base",
    caption=(
        "Instruct minus base on every measure, with 95 % intervals. Measures differ in scale, so compare a "
        "line with zero and with its other markers, not with other lines. A marker clear of zero on one "
        "question set and not on the other is a warning against general statements."
    ),
)
def differences(result: Any) -> Figure:
    """Differences between instruct and base model on seven measures."""
    parts = {"Llama-3-8B, TriviaQA": result.triviaqa, "Llama-3-8B, Natural Questions": result.nq}
    run = result.differences[result.differences["difference"].notna()]
    parts |= {str(pair): rows for pair, rows in run.groupby("pair", sort=False)}
    frame = pd.concat([table.assign(pair=name) for name, table in parts.items()], ignore_index=True)
    figure, axis = new_axes(height=1.4 + 0.45 * frame["measure"].nunique())
    forest(axis, frame, "measure", "pair", value="difference", low="lower", high="upper")
    axis.axvline(0, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("instruct minus base (95 % interval)")
    legend_above(figure, axis, 1)
    return figure


def pair_sentence(verdict: Verdict) -> str:
    """Where one model is higher than the other."""
    v = verdict.values
    if v["why"]:
        return f"{v['instruct']} and {v['base']} cannot be compared: {v['why']}."
    up, down = (listed(v[way]) if v[way] else "no measure" for way in ("up", "down"))
    same = f" They are not told apart in {listed(v['same'])}." if v["same"] else ""
    return f"On {v['dataset']} {v['instruct']} is higher than {v['base']} in {up}, and lower in {down}.{same}"


DIFFERENCES = columns_of(
    text("measure", "Measure"),
    number("instruct", "Instruct"),
    number("base", "Base"),
    DIFFERENCE,
    LIMITS,
    number("p", "p", 4),
)
NO_TUNED_PAIR = (
    "No two models of this run are a base model and the instruct model made from it (base_of in "
    "config/models.yaml says which are). With such a pair the table of them would appear here, with the same "
    "questions resampled for both."
)


def answer(result: Any) -> str:
    """What tuning does to accuracy, AUROC2 and the slope in the published pair, and whether the run has one."""
    of = result.triviaqa.set_index("measure")
    told = [
        f"{name} by {of.loc[row, 'difference']:+.3f} ({of.loc[row, 'lower']:+.3f} to {of.loc[row, 'upper']:+.3f})"
        for row, name in (
            ("accuracy", "accuracy"),
            ("AUROC2", "AUROC2"),
            ("z-ROC slope", "the slope of the z-ROC"),
        )
    ]
    clear = of["lower"] * of["upper"] > 0
    knows = "changes" if clear["AUROC2"] else "is not shown to change"
    text = (
        f"In the one published pair, Llama-3-8B on TriviaQA, tuning moves {listed(told)}: how well confidence tells "
        f"right from wrong {knows}."
    )
    if len(result.differences):
        known = result.differences[result.differences["difference"].notna()]
        pairs, judged = (frame["pair"].nunique() for frame in (result.differences, known))
        unjudged = f", of which {judged or 'none'} can be judged" if judged < pairs else ""
        return f"{text} This run has {plural(pairs, 'pair')} of its own{unjudged}."
    return (
        f"{text} One pair cannot speak for tuning in general, and this run has none; adding one costs the collection "
        "of a base model's answers."
    )


VIEWS = Views(
    "instruct_base",
    names=NAMES,
    tables={
        "differences": Schema(
            "differences",
            columns_of(text("pair", "Pair"), DIFFERENCES),
            "This run's pairs, the same questions drawn for both.",
            empty=NO_TUNED_PAIR,
        ),
        "triviaqa": Schema("triviaqa", DIFFERENCES, "Llama-3-8B-Instruct and Llama-3-8B (base) on TriviaQA."),
        "nq": Schema("nq", DIFFERENCES, "Llama-3-8B-Instruct and Llama-3-8B (base) on Natural Questions."),
    },
    figures={"differences": differences},
    sentences={"answer": answer},
    verdicts={"pair": pair_sentence},
    claims={"pair": ""},
    rules={"pair": RULE},
)
