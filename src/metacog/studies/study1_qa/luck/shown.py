"""How much of confidence is difficulty, the model's own state, and luck? How it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.measures.crossing_bound import DIFFICULTY as DIFFICULTY_ALONE
from metacog.measures.crossing_bound import SLOPE_RATIO
from metacog.measures.self_knowledge import DIFFICULTY, DRAW, STATE
from metacog.report.drawing import drawing
from metacog.report.style import GREY, PALETTE, legend_above, new_axes, panel_axes
from metacog.report.tables import Column, Schema, columns_of, count, limits, number, text
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import ACCURACY, AUROC2, MODEL, TEMPERATURE
from metacog.studies.study1_qa.cells.figures import model_looks, temperature_axis
from metacog.studies.study1_qa.cells.flags import Flag
from metacog.studies.study1_qa.cells.sentences import nothing_read
from metacog.studies.study1_qa.luck.judging import RULES
from metacog.studies.study1_qa.luck.published_shown import PUBLISHED, printed_rises

#: Rows of the first figure, top to bottom: columns of the table, and what readers call them.
KINDS = {
    "same_draw": "the draw's own confidence",
    "question": "its other answers to the question",
    "within": "within a question, own",
}
PARTS = {DIFFICULTY: "difficulty others see", STATE: "own state (at most)", DRAW: "the draw (at most)"}


@drawing(
    name="fig-luck-draws",
    caption=(
        "AUROC2 at T = 1 with a draw's own confidence, with what the model's other answers to the question say "
        "together (its confidence at the lowest temperature and the mean of the other draws'), and of right and "
        "wrong draws within one question; 95 % intervals over questions, the dashed line is chance. What the first "
        "line of a model has over the second is the luck of the draw, at most. Were confidence about the question, "
        "the first would not lie above the second, and the third would lie at 0.5."
    ),
)
def draws(result: Any) -> Figure | None:
    """AUROC2 by own confidence and by that in the question, and within questions, for each model."""
    rows = result.draws[result.draws["same_draw"].notna()]
    if rows.empty:
        return None
    style = model_looks(rows["model"])
    figure, axis = new_axes(height=1.1 + 0.42 * len(KINDS) * len(rows))
    labels: list[str] = []
    for row in rows.to_dict("records"):
        for kind, title in KINDS.items():
            place = len(labels)
            labels.append(title)
            if np.isfinite(row[f"{kind}_lower"]):
                axis.plot(
                    [row[f"{kind}_lower"], row[f"{kind}_upper"]],
                    [place, place],
                    lw=2,
                    color=style[row["model"]]["color"],
                )
            named = row["model"] if kind == "same_draw" else None
            axis.plot(row[kind], place, ls="none", ms=8, label=named, **style[row["model"]])
    axis.axvline(0.5, color=GREY, ls="--", lw=1.2)
    axis.set_yticks(range(len(labels)), labels)
    axis.margins(y=0.1)
    axis.invert_yaxis()
    axis.set_xlabel("AUROC2 at T = 1")
    legend_above(figure, axis)
    return figure


@drawing(
    name="fig-luck-parts",
    caption=(
        "Information that confidence carries about being right, by temperature: what the other models' "
        "confidence at the lowest temperature tells, what the model's own there adds, and what the "
        "confidence of the draw adds to both. Where questions were answered several times, the bar is of these "
        "answers, and the middle part is read from the other answers too. A part below 0 is drawn as 0. If the rise of "
        "the measures with temperature were the model's knowledge of itself, the middle part would grow."
    ),
)
def parts(result: Any) -> Figure | None:
    """Stacked bars of three parts of information by temperature, one panel for each model."""
    rows = result.parts[result.parts["bits"].notna()]
    if rows.empty:
        return None
    models = list(dict.fromkeys(rows["model"]))
    colours = dict(zip(PARTS, PALETTE[:3], strict=True))
    temperatures = sorted(rows["temperature"].unique())
    figure, axes = panel_axes(len(models), "Temperature", "Bits", height=3.8 if len(models) < 3 else 3.0)
    for axis, model in zip(axes, models, strict=True):
        own = rows[rows["model"] == model]
        base = np.zeros(len(temperatures))
        for part, title in PARTS.items():
            bits = own[own["part"] == part].set_index("temperature")["bits"].reindex(temperatures)
            height = bits.fillna(0).clip(lower=0).to_numpy()
            axis.bar(
                range(len(temperatures)), height, bottom=base, color=colours[part], label=title, width=0.75
            )
            base += height
        axis.set_title(model)
        axis.set_xticks(range(len(temperatures)), [f"{t:g}" for t in temperatures])
    legend_above(figure, axes[0], columns=3)
    return figure


@drawing(
    name="fig-luck-rises",
    caption=(
        "AUROC2 for the answers at each temperature. Filled: with the confidence of the draw itself, as "
        "everywhere in the study. Open: with the confidence of the model's answer to the same question at "
        "the lowest temperature, which knows nothing of the draw. Where the filled line climbs and the open "
        "one does not, the rise is the luck of the draw. A temperature at which a model gave too few right or wrong "
        "answers to be judged has no marks."
    ),
)
def rises(result: Any) -> Figure | None:
    """AUROC2 against temperature with the draw's and with the question's confidence, two lines per model."""
    rows = result.rises[result.rises["why"] == ""] if len(result.rises) else result.rises
    if rows.empty:
        return None
    style = model_looks(rows["model"])
    figure, axis = new_axes(height=3.8)
    for model, own in rows.groupby("model", sort=False):
        first = own.iloc[0]
        x = [first["reference"], *own["temperature"]]
        for column, fill in (("auroc2_draw", "full"), ("auroc2_question", "none")):
            y, dashes = [first["auroc2_reference"], *own[column]], "-" if fill == "full" else "--"
            axis.plot(
                x, y, ms=8, fillstyle=fill, ls=dashes, label=model if fill == "full" else None, **style[model]
            )
    axis.axhline(0.5, color=GREY, ls=":", lw=1.2)
    temperature_axis(axis, [*rows["reference"], *result.rises["temperature"]])
    axis.set_xlabel("Temperature")
    axis.set_ylabel("AUROC2")
    handles, models = axis.get_legend_handles_labels()
    keys = {
        "filled: the draw's confidence": Line2D([], [], color=GREY, marker="o", ms=8),
        "open: the question's confidence": Line2D(
            [], [], color=GREY, marker="o", ms=8, fillstyle="none", ls="--"
        ),
    }
    figure.legend([*handles, *keys.values()], [*models, *keys], loc="outside upper left", ncols=2)
    return figure


def judgement(what: str) -> Callable[[Verdict], str]:
    """The sentence of a verdict over models; ``what`` may name the verdict's temperature."""

    def sentence(verdict: Verdict) -> str:
        v = verdict.values
        parts = [f"{how} in {listed(v[how])}" for how in ("shown", "refuted") if v[how]]
        where = f": {' and '.join(parts)}" if parts else ""
        subject = what.format(T=f"{v['temperature']:g}") if "temperature" in v else what
        return f"{subject} is {OUTCOME[verdict.passed]}{where}.{undecided_clause(verdict.undecided)}"

    return sentence


#: What each part of the information is about.
ABOUT = {
    DIFFICULTY: "is about difficulty that the other models see too",
    STATE: "is about the model's own state (an upper bound of what is private)",
    DRAW: "is about the draw (an upper bound too)",
}


def _about(row: Any) -> str:
    """What a part is about; of the draw, whether it has more than a draw without luck can get."""
    if row.part != DRAW or pd.isna(row.no_luck):
        return ABOUT[row.part]
    most = f"the {100 * row.no_luck:.0f} % that a draw without any luck can get"
    if row.share_lower > row.no_luck:
        return f"is about the draw (an upper bound too, but more than {most})"
    return f"goes to the draw, which is not shown to be more than {most}"


def headline(result: Any) -> str:
    """How often confidence puts a right answer above a wrong one, and how much of that is luck, in short."""
    draws, answers = result.draws, result.answers
    sentences = []
    for model, own in answers.groupby("model", sort=False):
        known = own[own["auroc2"].notna()].sort_values("temperature")
        rows = known[known["temperature"].isin([own["temperature"].min(), 1.0])]
        if rows.empty:
            why = own["why"].iloc[-1]
            sentences.append(f"{model}: it cannot be told{f' ({why})' if why else ''}.")
            continue
        often = listed(f"{100 * r.auroc2:.0f} % at T = {r.temperature:g}" for r in rows_of(rows))
        luck = [r for r in rows_of(draws[draws["model"] == model]) if r.luck_lower == r.luck_lower]
        tail = (
            f"; on the questions answered several times there {100 * luck[0].same_draw:.0f} %, and "
            f"{100 * luck[0].question:.0f} % by what its other answers to the question say together: {_lucky(luck[0])}"
            if luck
            else ""
        )
        sentences.append(f"{model}: {often}{tail}.")
    return " ".join(["How often confidence puts a right answer above a wrong one.", *sentences])


def front(result: Any) -> str:
    """What one model's confidence at T = 1 is about, for the book's first page: the first that can be judged."""
    known = result.answers[(result.answers["temperature"] == 1.0) & result.answers["auroc2"].notna()]
    model = (known if len(known) else result.answers)["model"].iloc[0]
    own = result.answers[(result.answers["model"] == model) & (result.answers["temperature"] == 1.0)]
    if own.empty or pd.isna(own["auroc2"].iloc[0]):
        return f"What the confidence of {model} is about cannot be told from this run."
    often = f"{100 * own['auroc2'].iloc[0]:.0f} % of the time at T = 1"
    text = f"The confidence of {model} puts a right answer above a wrong one {often}."
    for r in rows_of(result.draws[(result.draws["model"] == model) & result.draws["luck_lower"].notna()]):
        text += (
            f" On the questions answered several times it is {100 * r.same_draw:.0f} %, and {100 * r.question:.0f} % "
            f"by what its other answers to the same question say together: {_lucky(r)}."
        )
    parts = result.parts[(result.parts["model"] == model) & (result.parts["temperature"] == 1.0)]
    return " ".join([text, *_parts_of(parts)])


def in_full(result: Any) -> str:
    """What each model's confidence tells at the lowest temperature and at T = 1, and how much is luck."""
    draws, parts, answers = result.draws, result.parts, result.answers
    sentences = ["What confidence tells, model by model."]
    for model, own in answers.groupby("model", sort=False):
        own = own.sort_values("temperature")
        lowest, at_one = own.iloc[0], own[own["temperature"] == 1.0]
        sentences.append(_answered(str(model), lowest))
        if len(at_one) and lowest["temperature"] != 1.0:
            sentences.append(_answered("it", at_one.iloc[0]))
        sentences += _luck_of(draws[draws["model"] == model])
        sentences += _parts_of(parts[(parts["model"] == model) & (parts["temperature"] == 1.0)])
    return " ".join(sentences)


def _answered(who: str, row: pd.Series) -> str:
    share = f"{100 * row['accuracy']:.0f} %"
    text = f"At T = {row['temperature']:g} {who} is right in {share} of the answers that have a confidence"
    if pd.isna(row["auroc2"]):
        return f"{text}, and its confidence cannot be judged ({row['why'] or 'one class only'})."
    share = f"{100 * row['auroc2']:.0f} %"
    return f"{text}, and its confidence puts a right answer above a wrong one {share} of the time."


def _luck_of(rows: pd.DataFrame) -> list[str]:
    return [
        f"On the questions answered several times it does so {100 * r.same_draw:.0f} % of the time, and what its other "
        f"answers to the question say together {100 * r.question:.0f} %: {_lucky(r)}. One other draw's confidence does "
        f"so {100 * r.other_draw:.0f} % of the time; it lacks this draw's luck and has its own."
        for r in rows_of(rows)
        if r.luck_lower == r.luck_lower
    ]


def _lucky(row: Any) -> str:
    """How much of AUROC2 is the luck of the draw, or that none is shown."""
    points = f"{100 * row.luck:.0f} points ({100 * row.luck_lower:.0f} to {100 * row.luck_upper:.0f})"
    if row.luck_lower > 0:
        return f"{points} are the luck of the draw, at most"
    return f"no luck of the draw is shown, with a difference of {points}"


def _parts_of(rows: pd.DataFrame) -> list[str]:
    known = rows_of(rows[rows["share"].notna()])
    shares = [
        f"{100 * r.share:.0f} % ({100 * r.share_lower:.0f} to {100 * r.share_upper:.0f}) {_about(r)}"
        for r in known
    ]
    # of one answer to each question, or of all draws of the questions that were answered several times
    return [
        f"Of what confidence at T = {r.temperature:g} says about being right, over "
        f"{'one answer each' if r.n == r.n_questions else f'{r.n:,} answers'} to {r.n_questions:,} questions, "
        f"{listed(shares)}."
        for r in known[:1]
    ]


WHY = text("why", "Not given because", optional=True)
QUESTIONS = count("n_questions", "Questions")


def _with_limits(name: str, title: str) -> tuple[Column, ...]:
    """An estimate with its interval under one header."""
    return number(name, "is", 3, title), *limits(f"{name}_lower", f"{name}_upper", title)


def in_short(result: Any) -> str:
    """How much of what confidence at T = 1 tells is the luck of the draw, over the run's models."""
    rows = result.draws[result.draws["luck_lower"].notna()] if len(result.draws) else result.draws
    if rows.empty and (silent := _silent(result.draws)):
        return f"How much of confidence is the luck of the draw cannot be told from this run. {silent}"
    if rows.empty:
        return (
            "How much of confidence is the luck of the draw cannot be told from this run: it takes questions that were "
            "answered several times, some of them both right and wrong, as the profile `default` asks."
        )
    own, question, luck = (_points(rows[name]) for name in ("same_draw", "question", "luck"))
    clear = int((rows["luck_lower"] > 0).sum())
    return (
        f"At T = 1 confidence puts a right answer above a wrong one {own} % of the time, and what the model's other "
        f"answers to the question say together {question} % of the time: the difference, {luck} points, is the luck of "
        f"the draw at most, shown to be above zero in {clear} of {plural(len(rows), 'model')}."
    )


def how_well(result: Any) -> str:
    """How far shares of simulated runs lie from the truth, and how far they must."""
    rows = result.recovery[result.recovery["quantity"].str.startswith("share")]
    far = rows[rows["mean_absolute_error"] > 0.03]
    worst = rows.loc[rows["mean_absolute_error"].idxmax()]
    text = (
        f"In simulated runs of this size a share lies .03 or less from the truth on average in {len(rows) - len(far)} "
        f"of {plural(len(rows), 'share')}; the worst is off by {worst['mean_absolute_error']:.3f} ({worst['design']})."
    )
    known = far[far["least_sd"] > 0]
    if known.empty:
        return text
    # of normal errors, the mean absolute one is sqrt(2 / pi) standard deviations
    excess = (known["mean_absolute_error"] / (np.sqrt(2 / np.pi) * known["least_sd"])).max()
    return (
        f"{text} No regular estimator can do much better with as many questions: where the least possible error is "
        f"known, these are at most {excess:.2f} times it."
    )


def rise_in_short(result: Any) -> str:
    """How far AUROC2 rises with temperature, as printed and in the run, and what is left without the luck."""
    text = printed_rises(result.published)
    rows = result.rises
    if len(rows):
        rows = rows[(rows["temperature"] == 1.0) & (rows["why"] == "")]
    if rows.empty and (silent := _silent(result.rises)):
        return f"{text} How much of a rise is luck cannot be told from this run. {silent}"
    if rows.empty:
        return f"{text} To tell how much of a rise is luck takes answers to the same questions at two temperatures."
    draw, question = _spread(rows["with_draw"]), _spread(rows["with_question"])
    mostly = int((rows["mostly_draw_lower"] > 0).sum())
    return (
        f"{text} In this run AUROC2 changes from the lowest temperature to T = 1 by {draw} with the confidence of each "
        f"draw, and by {question} with that of the answer at the lowest temperature, which knows nothing of the draw: "
        "more than half of the rise is shown to go with the draw's own confidence, and to be luck at most, in "
        f"{mostly} of {plural(len(rows), 'model')}."
    )


def unequal(result: Any) -> str:
    """What a crossing says where neither model knows itself and their answers depend on difficulty unequally."""
    alone = result.unequal["reads"] == DIFFICULTY_ALONE
    rows, known = result.unequal[alone], result.unequal[~alone]
    steeper = rows[rows["slope_ratio"] > 1]
    times, over_0, called = (
        listed(form(v) for v in steeper[name])
        for name, form in (("slope_ratio", "{:g}".format), ("above_0", _percent), ("called", _percent))
    )
    size = f"{rows['n_questions'].iloc[0]:,}"
    return (
        f"In simulated runs of {size} questions neither model knows itself, and the answers of the better reader "
        f"depend on difficulty {times} times as steeply as those of the other: the interval lies above 0 in {over_0} "
        f"of runs, above the bound in {called}. Where both know themselves it lies above the bound in "
        f"{listed(_percent(v) for v in known['called'])} (answers that depend on difficulty "
        f"{listed(f'{v:g}' for v in known['slope_ratio'])} times as steeply)."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _silent(table: pd.DataFrame) -> str:
    """That no confidence could be read, where this is the reason for every row; empty otherwise."""
    if table.empty or (table["why"] != Flag.SILENT).any():
        return ""
    return nothing_read(list(dict.fromkeys(table["model"])))


def _points(values: pd.Series) -> str:
    low, high = (f"{100 * end:.0f}" for end in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"


def _spread(values: pd.Series) -> str:
    low, high = (f"{end:+.2f}" for end in (values.min(), values.max()))
    return low if low == high else f"{low} to {high}"


VIEWS = Views(
    "luck",
    tables={
        "draws": Schema(
            "draws",
            columns_of(
                MODEL,
                QUESTIONS,
                count("n_draws", "Draws"),
                number("same_draw", "Own", 3, "Confidence"),
                number("other_draw", "Another draw's", 3, "Confidence"),
                number("question", "Other answers'", 3, "Confidence"),
                _with_limits("luck", "Luck of the draw"),
                count("n_mixed", "Mixed questions"),
                _with_limits("within", "Within a question"),
                WHY,
            ),
            "AUROC2 of several draws a question at T = 1, with the draw's own confidence, with that of one other draw "
            "of the same question, and with all of the model's other answers to it, combined; the luck of the draw is "
            "the first less the last. 95 % intervals over questions. Mixed: right and wrong draws.",
            empty="No question was answered several times.",
        ),
        "parts": Schema(
            "parts",
            columns_of(
                MODEL,
                TEMPERATURE,
                text("part", "Part"),
                number("bits", "is", 3, "Bits"),
                limits("lower", "upper", "Bits"),
                _with_limits("share", "Share"),
                number("no_luck", "without luck", 3, "Share"),
                QUESTIONS,
                count("n_readings", "Answers that own state is read from"),
                WHY,
            ),
            "Parts of the information about being right, each beyond those above it, with 95 % intervals "
            "over questions. Without luck: the most that a draw gets whose confidence says nothing of it, in simulated "
            "models and, with several answers, by another draw of the question in its place.",
        ),
        "crossings": Schema(
            "crossings",
            columns_of(
                text("first", "First"),
                text("second", "Second"),
                TEMPERATURE,
                QUESTIONS,
                number("first_by_first", "by its own", 3, "First's answers"),
                number("first_by_second", "by the other's", 3, "First's answers"),
                number("second_by_second", "by its own", 3, "Second's answers"),
                number("second_by_first", "by the other's", 3, "Second's answers"),
                number("value", "is", 3, "Crossing"),
                limits("lower", "upper", "Crossing"),
                number("bound", "bound", 3, "Crossing"),
                WHY,
            ),
            "AUROC2 of a model's own confidence and of the other's, both from the lowest temperature, for "
            "answers at each temperature; and the crossing, with its 95 % interval over questions. Bound: what two "
            f"such models may reach without self-knowledge if the answers of one depend on difficulty {SLOPE_RATIO:g} "
            "times as steeply.",
            empty="This run has one model, so there is no pair to cross.",
        ),
        "answers": Schema(
            "answers",
            columns_of(
                MODEL,
                TEMPERATURE,
                ACCURACY,
                AUROC2,
                _with_limits("known", "Wrong, but right at the lowest T"),
                number("same", "Same answer as at the lowest T"),
                number("same_auroc2", "AUROC2 of being the same"),
                number("tells_same", "AUROC2 of confidence for being the same"),
            ),
            "Answers by temperature, against the model's own answers at the lowest one.",
            empty="This run has one temperature.",
        ),
        "rises": Schema(
            "rises",
            columns_of(
                MODEL,
                TEMPERATURE,
                count("n", "Questions"),
                number("auroc2_reference", "at the lowest T", 3, "AUROC2"),
                number("auroc2_draw", "by the draw's", 3, "AUROC2"),
                number("auroc2_question", "by the question's", 3, "AUROC2"),
                _with_limits("with_draw", "Rise, draw's confidence"),
                _with_limits("with_question", "Rise, question's confidence"),
                WHY,
            ),
            "AUROC2 at each temperature and its rise from the lowest one, with the confidence of the draw "
            "and with that of the model's answer to the same question at the lowest temperature; 95 % "
            "intervals over questions.",
            empty="This run has one temperature.",
        ),
        "published": PUBLISHED,
        "recovery": Schema(
            "recovery",
            columns_of(
                text("design", "Design"),
                text("quantity", "Quantity"),
                number("truth", "Truth"),
                number("bias", "Mean error"),
                number("mean_absolute_error", "Mean absolute error"),
                number("sd", "Standard deviation"),
                number("coverage", "Coverage", 2),
                number("above_zero", "Above 0", 2),
            ),
            "Simulated runs of this size with known shares, crossings and luck: 200 to 1,000 a design.",
        ),
    },
    figures={
        "draws": draws,
        "parts": parts,
        "rises": rises,
    },
    sentences={
        "answer": in_short,
        "rise": rise_in_short,
        "how_well": how_well,
        "front": front,
        "headline": headline,
        "in_full": in_full,
        "bounded": unequal,
    },
    verdicts={
        "draw": judgement("The luck of the draw"),
        "share": judgement("More than half for the draw at T = {T}"),
        "private": judgement("A crossing that unequal readers of one difficulty do not reach"),
        "rise": judgement("More than half of the rise for the draw"),
    },
    claims={
        "draw": "a draw's own confidence beats what the model's other answers to the question say, in every model",
        "share": lambda verdict: (
            f"more than half of what confidence says at T = {verdict.values['temperature']:g} is about the draw"
        ),
        "private": (
            "the confidence of every two models crosses by more than one difficulty can bring about, even if the "
            f"answers of one model depend on it {SLOPE_RATIO:g} times as steeply"
        ),
        "rise": "more than half of the rise with temperature is the draw's, in every model",
    },
    rules=RULES,
)
