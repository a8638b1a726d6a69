"""The measures on one published table: how they are shown."""

from __future__ import annotations

from typing import Any

from metacog.core.words import listed
from metacog.report import worked, worked_figures
from metacog.report.drawing import Drawing
from metacog.report.tables import Schema, columns_of, count, number, text
from metacog.report.views import Views

#: By more than this share of its value a measure moves.
MOVES = 0.05
AUROC2, META_I2R = number("auroc2", "AUROC2"), number("meta_i2r", "meta-I2r")


def moving(result: Any) -> str:
    """Which measures move with which change, as a list in Markdown."""
    changes = worked.moved(result.moves, MOVES)
    lines = [f"What moves by more than {MOVES:.0%}:", ""]
    for change, names in changes.items():
        still = [m for m in result.moves["measure"] if m not in names]
        lines.append(f"- **{change.capitalize()}** moves {listed(names)}; not {listed(still)}.")
    lines += [
        "",
        f"Move so only when half of the ratings are replaced at random: **{listed(_only(changes))}**.",
    ]
    return "\n".join(lines)


def _only(changes: dict[str, list[str]]) -> list[str]:
    """Measures that move when half of the ratings are replaced at random and under no other change."""
    others = {m for change, names in changes.items() if change != "half at random" for m in names}
    return [m for m in changes["half at random"] if m not in others]


def answer(result: Any) -> str:
    """How many measures see ratings that are made worse, and hardly anything else."""
    changes = worked.moved(result.moves, MOVES)
    only, n = len(_only(changes)), len(result.moves)
    told = f"only {only}" if only else "none"
    return (
        f"No number alone tells how well a model knows what it knows: of {n} measures {told} "
        f"{'reacts' if only < 2 else 'react'} to worse ratings and little else."
    )


VIEWS = Views(
    "measures",
    tables={
        "ratings": Schema(
            "ratings",
            columns_of(
                count("rating", "Rating"),
                count("right", "Right"),
                count("wrong", "Wrong"),
                number("share right", "Share right"),
            ),
            "Every number on this page comes from this table.",
        ),
        "spoken": Schema(
            "spoken",
            columns_of(
                text("way", "Way of speaking"),
                number("ece", "ECE"),
                number("brier", "Brier"),
                AUROC2,
                META_I2R,
            ),
            "One set of answers, three ways of speaking.",
        ),
        "gains": Schema(
            "gains",
            columns_of(
                text("model", "Model"),
                number("accuracy", "Right, all questions"),
                number("half", "Right, more confident half"),
                number("gain", "Gain (points)", 1),
                META_I2R,
            ),
            "What answering the more confident half is worth.",
        ),
        "moves": Schema("moves", (), "The measures of the worked table after one change at a time."),
    },
    figures={
        "bars": Drawing(
            lambda result: worked_figures.bars(result.answers),
            name="fig-measures-bars",
            caption=(
                "The worked table: right and wrong answers at each rating. The more the share of right "
                "answers climbs from left to right, the more confidence knows. Equal bars throughout "
                "would mean that it knows nothing."
            ),
            alt="Stacked bars of right and wrong answers at eight ratings",
        ),
        "bells": Drawing(
            lambda result: worked_figures.bells(result.answers),
            name="fig-measures-bells",
            caption=(
                "The picture behind d' and c of the worked table. d' is the distance between the peaks, c"
                " the place of the cut. The curves are an assumption: d' has looked at one cut only."
            ),
            alt="Two bell curves with the cut between them",
        ),
        "roc": Drawing(
            lambda result: worked_figures.roc_and_z_roc(result.answers),
            name="fig-measures-roc",
            caption=(
                "Left: the type-2 ROC; the shaded area is AUROC2, the dashed line chance. Right: the same"
                " points in z, with the fitted line; the dashed line is slope 1 through the origin, which"
                " is no knowledge. Points that bend away from the line would say that the bell curves are"
                " the wrong picture."
            ),
            alt="ROC curve and z-ROC line of the worked table",
        ),
        "two_choice": Drawing(
            lambda result: worked_figures.two_choice(result.pair),
            name="fig-measures-two-choice",
            caption=(
                "Two simulated deciders who are right equally often (dashed line). The confidence of one uses all of "
                "the evidence (M-ratio 1); that of the other is what half the d' would give. The steeper "
                "line is the better self-knowledge."
            ),
            alt="Share right against confidence for observers of M-ratio 1 and 0.5",
        ),
        "information": Drawing(
            lambda result: worked_figures.information(result.answers),
            name="fig-measures-information",
            caption=(
                "Left: share of right answers at each rating; the dashed line is the share overall. "
                "Right: uncertainty left once the rating is known; the dashed line is the uncertainty "
                "before. meta-I is the mean gap below that line. Ratings in the middle hardly help; the "
                "outer ones do."
            ),
            alt="Share right and remaining uncertainty in bits at eight ratings",
        ),
        "speaking": Drawing(
            lambda result: worked_figures.speaking(result.ways),
            name="fig-measures-speaking",
            caption=(
                "Stated probability against what came true, for three ways of speaking about the same "
                "answers. On the dashed line, what is stated comes true. The single point is the model "
                "that always states the average: perfectly calibrated and of no use."
            ),
            alt="Reliability diagram of an honest, a boastful and a constant speaker",
        ),
        "risk": Drawing(
            lambda result: worked_figures.risk(result.two),
            name="fig-measures-risk",
            caption=(
                "Share of wrong answers against share of questions answered, most confident first. Dashed: "
                "the risk of answering at random. The gap between a curve and its own dashed line is what "
                "confidence is worth; the height of the curve is mostly how much the model knows."
            ),
            alt="Risk-coverage curves of two published models",
        ),
    },
    sentences={"answer": answer, "moving": moving},
)
