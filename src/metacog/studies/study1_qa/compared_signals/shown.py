"""What is lost without log-probabilities? How it is shown."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.style import GREY, INK, MARKERS, legend_above, new_axes
from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import COVERAGE, FLAG, MODEL
from metacog.studies.study1_qa.cells.figures import forest, model_looks
from metacog.studies.study1_qa.compared_signals.judging import RULE
from metacog.trials.signals import AGREEMENT, NLP, P_TRUE, VERBAL

#: What readers call each signal.
NAMES = {NLP: "NLP", VERBAL: "verbal", P_TRUE: "P(True)", AGREEMENT: "agreement"}


def named(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows with the signals' names for readers."""
    return frame.assign(signal=frame["signal"].map(NAMES))


@drawing(
    name="fig-signals-compared",
    caption=(
        "Four signals of confidence on the same questions. Left: AUROC2 with 95 % intervals; the dashed line is "
        "chance. Right: the same against the tokens that a question takes, those of the prompts and of the answers "
        "together, on a logarithmic scale; shapes are signals, colours models. A signal whose confidence could be read "
        "from too few answers, or never varies, is in the table alone."
    ),
    alt="AUROC2 of four signals of confidence for each model, and the same against tokens per question",
)
def compared(result: Any) -> Figure | None:
    """A forest of AUROC2, and AUROC2 against tokens."""
    rows = named(result.table)
    if not rows["auroc2"].notna().any():
        return None
    style = model_looks(rows["model"])
    figure, (left, right) = new_axes(1, 2, height=3.6)
    forest(
        left, rows, "signal", "model", value="auroc2", low="auroc2_lower", high="auroc2_upper", style=style
    )
    left.axvline(0.5, color=GREY, lw=1.2, ls="--")
    left.set_xlabel("AUROC2")
    known = rows[rows["auroc2"].notna()]
    shapes = dict(zip(dict.fromkeys(known["signal"]), MARKERS, strict=False))
    for one in rows_of(known):  # open: none hides another
        colour = style[str(one.model)]["color"]
        right.plot(
            [one.tokens],
            [one.auroc2],
            ls="none",
            ms=8,
            mew=1.8,
            mfc="none",
            color=colour,
            marker=shapes[one.signal],
        )
    keys = [
        Line2D([], [], ls="none", ms=8, mew=1.8, mfc="none", color=INK, marker=shape, label=signal)
        for signal, shape in shapes.items()
    ]
    right.legend(handles=keys, loc="center", fontsize=9)
    right.axhline(0.5, color=GREY, lw=1.2, ls="--")
    right.set_xscale("log")
    right.xaxis.set_major_locator(LogLocator(subs=(1, 3)))
    right.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    right.xaxis.set_minor_locator(NullLocator())
    right.margins(x=0.3, y=0.15)
    right.set_xlabel("Tokens per question")
    right.set_ylabel("AUROC2")
    legend_above(figure, left)
    return figure


def in_short(result: Any) -> str:
    """What each signal is worth and takes, model by model."""
    table = named(result.table)
    lost = result.losses.set_index(["model", "signal"]) if len(result.losses) else None
    sentences = []
    for model, own in table.groupby("model", sort=False):
        whole = own[own["signal"] == NAMES[NLP]]
        base = float(whole["tokens"].iloc[0]) if len(whole) else float("nan")
        parts = [_worth(row, base, lost) for row in rows_of(own)]
        sentences.append(f"{model}: {'; '.join(parts)}.")
    if not sentences:
        return "None of the committed replies answers what is asked today."
    return " ".join([f"AUROC2 on the same {result.n_questions:,} questions.", *sentences])


def _worth(row: Any, base: float, lost: pd.DataFrame | None) -> str:
    if row.auroc2 != row.auroc2:
        return f"{row.signal} cannot be judged ({row.flag})"
    text = f"{row.signal} {row.auroc2:.2f}"
    key = next(name for name, title in NAMES.items() if title == row.signal)
    if key == NLP:
        return f"{text} at {row.tokens:,.0f} tokens a question"
    if lost is not None and (row.model, key) in lost.index:
        one = lost.loc[(row.model, key)]
        if one["lower"] == one["lower"]:
            how = "below" if one["lost"] >= 0 else "above"
            ends = sorted((abs(one["lower"]), abs(one["upper"])))
            same = one["lower"] > 0 or one["upper"] < 0
            within = f"{ends[0]:.2f} to {ends[1]:.2f}" if same else "the interval contains 0"
            text += f", {abs(one['lost']):.2f} {how} NLP ({within})"
    times = f", {row.tokens / base:.1f} times as many tokens" if base == base else ""
    return f"{text}{times}"


def without_luck(result: Any) -> str:
    """What is lost where NLP is read off the answer at the lowest temperature; empty where that is not known."""
    known = result.losses[result.losses["cool_lost"].notna()]
    if known.empty:
        return ""
    parts = []
    for one in rows_of(named(known)):
        ends = (
            f" ({one.cool_lower:+.2f} to {one.cool_upper:+.2f})" if one.cool_lower == one.cool_lower else ""
        )
        parts.append(
            f"{one.model} against {one.signal} {one.cool_lost:+.2f}{ends} where it was {one.lost:+.2f}"
        )
    at = f"{known['cool'].min():g}"
    return (
        "At T = 1 NLP reads the words of this draw, so that it holds the luck of the draw, and so does agreement, "
        "which counts how often the draw's answer comes again. Take instead, for the same answers, NLP of the model's "
        f"answer to the question at T = {at}, which knows nothing of the draw. What it has over each signal then is "
        f"{listed(parts)}."
    )


def missing(result: Any) -> str:
    """Which signals are missing; empty if none is."""
    parts = [f"{NAMES[signal]} is missing: {why}." for signal, why in result.left_out.items()]
    return " ".join(parts)


def _claim(signal: str) -> str:
    """What a verdict on a signal claims."""
    return f"AUROC2 of NLP is higher than that of {NAMES[signal]}"


def lost_sentence(verdict: Verdict) -> str:
    """Whether a signal does less well than NLP, and in which models."""
    v = verdict.values
    parts = [f"{how} in {listed(v[how])}" for how in ("shown", "refuted") if v[how]]
    where = f": {' and '.join(parts)}" if parts else ""
    return (
        f"That {_claim(v['signal'])} is {OUTCOME[verdict.passed]}{where}."
        f"{undecided_clause(verdict.undecided)}"
    )


SIGNAL = text("signal", "Signal")


def answer(result: Any) -> str:
    """How well each signal tells right from wrong answers, over the models."""
    rows = named(result.table)
    known = rows[rows["auroc2"].notna()]
    if known.empty:
        return "None of the committed replies answers what is asked today."
    told = []
    for signal, own in known.groupby("signal", sort=False):
        ends = list(dict.fromkeys(f"{100 * end:.0f}" for end in (own["auroc2"].min(), own["auroc2"].max())))
        alone = " (one model)" if len(own) == 1 < known["model"].nunique() else ""
        told.append(f"{signal} {' to '.join(ends)} %{alone}")
    lost = sorted(set(rows["signal"]) - set(known["signal"]))
    flat = f" {listed(lost).capitalize()} cannot be judged." if lost else ""
    return (
        f"Of up to {result.n_questions:,} questions asked once for each signal at T = 1, where NLP and agreement also "
        f"read the luck of the draw, a right answer is put above a wrong one by {listed(told)} of the time (AUROC2, "
        f"over {plural(known['model'].nunique(), 'model')}).{flat}"
    )


VIEWS = Views(
    "compared_signals",
    tables={
        "signals": Schema(
            lambda result: named(result.table),
            columns_of(
                MODEL,
                SIGNAL,
                count("n", "Answers"),
                number("known", "With confidence", 2),
                count("n_values", "Values"),
                number("accuracy", "Accuracy"),
                number("auroc2", "is", 3, "AUROC2"),
                limits("auroc2_lower", "auroc2_upper", "AUROC2"),
                number("meta_i2r", "is", 3, "meta-I2r"),
                limits("meta_i2r_lower", "meta_i2r_upper", "meta-I2r"),
                number("p_meta_i2r", "p (perm.)", 4),
                number("meta_i", "meta-I, bits"),
                FLAG,
                COVERAGE,
            ),
            "Every signal on the same questions at T = 1, with 95 % intervals over questions.",
            empty="None of the committed replies answers what is asked today.",
        ),
        "costs": Schema(
            lambda result: named(result.table),
            columns_of(
                MODEL,
                SIGNAL,
                number("requests", "Answers asked for", 0),
                number("prompt_tokens", "Prompt tokens", 0),
                number("answer_tokens", "Answer tokens", 1),
                number("tokens", "Tokens", 0),
            ),
            "What one question takes, the answer itself included. Prompts count whole each time they are sent; a "
            "server that keeps prompts in a cache charges less.",
            empty="None of the committed replies answers what is asked today.",
        ),
        "losses": Schema(
            lambda result: named(result.losses),
            columns_of(
                MODEL,
                SIGNAL,
                count("n", "Questions"),
                number("same", "Same answer", 2),
                number("auroc2_nlp", "of NLP", 3, "AUROC2"),
                number("auroc2", "of the signal", 3, "AUROC2"),
                number("lost", "is", 3, "Lost"),
                limits("lower", "upper", "Lost"),
                number("auroc2_cool", "of NLP at the lowest T", 3, "AUROC2"),
                number("cool_lost", "is", 3, "Lost, NLP at the lowest T"),
                limits("cool_lower", "cool_upper", "Lost, NLP at the lowest T"),
                text("why", "No interval because", optional=True),
            ),
            "AUROC2 of NLP less that of the signal, on the questions on which both have a confidence; and the same "
            "with NLP of the model's answer to the question at the lowest temperature. 95 % intervals over questions.",
            empty="There is nothing to compare NLP with.",
        ),
    },
    figures={"compared": compared},
    sentences={"answer": answer, "in_short": in_short, "without_luck": without_luck, "missing": missing},
    verdicts={"lost": lost_sentence},
    claims={"lost": lambda verdict: _claim(verdict.values["signal"])},
    rules={"lost": RULE},
)
