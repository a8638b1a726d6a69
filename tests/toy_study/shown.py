"""What the toy study shows: one table and one figure."""

from metacog.report.drawing import drawing
from metacog.report.style import looks, new_axes
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text

TABLES = {
    "keep_rates.rates": Schema(
        "rates",
        columns_of(
            text("model", "Model"),
            answer("correct", "Right"),
            count("n", "Answers"),
            number("kept", "Kept"),
            limits("lo", "hi"),
        ),
        "Share of answers that were kept.",
    )
}


@drawing(
    name="fig-toy-keep",
    caption="Share of answers kept, with 95 % intervals. A model that knows itself keeps what is right.",
    alt="Share of right and of wrong answers kept, by model",
)
def kept(found):
    """Share kept, by model and kind of answer."""
    figure, axis = new_axes(height=2.6)
    style = looks(found.rates["model"])
    for row in found.rates.itertuples():
        axis.errorbar(
            row.kept,
            "right" if row.correct else "wrong",
            xerr=[[row.kept - row.lo], [row.hi - row.kept]],
            label=row.model,
            **style[row.model],
        )
    axis.set_xlabel("share kept")
    return figure


FIGURES = {"keep_rates.kept": kept}
