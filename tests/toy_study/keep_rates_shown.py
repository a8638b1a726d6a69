"""Who keeps what is right? How it is shown: a table, a figure, the rule and the sentence of its verdict."""

from metacog.report.drawing import drawing
from metacog.report.style import looks, new_axes
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.report.verdict_words import undecided_clause
from metacog.report.views import Views
from toy_study.keep_rates import RULE


@drawing(
    name="fig-toy-keep",
    caption="Share of answers kept, with 95 % intervals. A model that knows itself keeps what is right.",
    alt="Share of right and of wrong answers kept, by model",
)
def kept(result):
    """Share kept, by model and kind of answer."""
    figure, axis = new_axes(height=2.6)
    style = looks(result.rates["model"])
    for row in result.rates.itertuples():
        place = "right" if row.correct else "wrong"
        ends = [[row.kept - row.lower], [row.upper - row.kept]]
        axis.errorbar(row.kept, place, xerr=ends, label=row.model, **style[row.model])
    axis.set_xlabel("share kept")
    return figure


def keep_sentence(verdict):
    """What the verdict says."""
    models = "every model" if verdict.passed else "not every model"
    return f"Right answers are kept more often in {models}.{undecided_clause(verdict.undecided)}"


def answer_sentence(result):
    """In how many models right answers are kept more often, for the head of the page."""
    kept = result.rates.pivot(index="model", columns="correct", values="kept")
    more = (kept.get(True, 0) > kept.get(False, 0)).sum()
    return f"Right answers are kept more often than wrong ones in {more} of {len(kept)} models."


RATES = Schema(
    "rates",
    columns_of(
        text("model", "Model"),
        answer("correct", "Right"),
        count("n", "Answers"),
        number("kept", "Kept"),
        limits("lower", "upper"),
    ),
    "Share of answers that were kept.",
)
VIEWS = Views(
    "keep_rates",
    tables={"rates": RATES},
    figures={"kept": kept},
    sentences={"answer": answer_sentence},
    verdicts={"keep": keep_sentence},
    claims={"keep": "right answers are kept more often, in every model"},
    rules={"keep": RULE},
)
