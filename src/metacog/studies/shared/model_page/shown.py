"""What does one model answer, and how well does it know it? How it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.engines.capabilities import WORDS as CAPABILITIES
from metacog.report import measure_figures
from metacog.report import screen as screening
from metacog.report.drawing import drawing
from metacog.report.measure_verdicts import model_verdicts, part_verdicts
from metacog.report.measure_words import findings, in_short
from metacog.report.own_trials import READING, cells_shown
from metacog.report.tables import Column, Schema, Sort, columns_of, count, number, text
from metacog.report.views import Finding, Views
from metacog.trials.signals import NLP, WORDS


@drawing(
    caption=(
        "How confidence is spread over right answers and over wrong ones. If the two curves lay on each "
        "other, confidence would say nothing about being right."
    ),
    alt="Density of confidence for right and for wrong answers",
)
def confidence(result: Any) -> Figure | None:
    """Density of confidence for right and for wrong answers."""
    return measure_figures.confidence_figure(result.measured.at, "confidence") if result.measured else None


@drawing(
    caption=(
        "Share of right answers against confidence, with 95 % Wilson intervals. On the diagonal confidence "
        "comes true; below it the model is overconfident."
    ),
    alt="Reliability diagram of this model",
)
def reliability(result: Any) -> Figure | None:
    """Reliability diagram of this model."""
    if result.measured is None:
        return None
    return measure_figures.reliability_figure({result.label: result.measured.at})


@drawing(
    caption=(
        "Error rate among the answers of which the model is surest, from few (left) to all (right). The "
        "dotted line is the error rate of answering everything; confidence is of use as far as the curve "
        "lies below it."
    ),
    alt="Error rate against share of questions answered, for this model",
)
def risk_coverage(result: Any) -> Figure | None:
    """Error rate against share of questions answered."""
    if result.measured is None:
        return None
    return measure_figures.risk_coverage_figure({result.label: result.measured.at})


def obstacle(result: Any) -> str:
    """What leaves the rest of the page without a meaning, the gravest alone; empty if nothing does."""
    answers = result.answers
    if answers is None:
        return f"Open answers, on which this part of the page rests, were {result.unasked}."
    these = f"{answers.n:,} answers of **{result.label}** at temperature {answers.temperature:g}"
    right = f"{100 * answers.right / answers.n:.0f} % of them are right"
    if answers.empty == answers.n:
        return f"All {these} are empty, so nothing on this page tells anything of it."
    if answers.right in (0, answers.n):
        share = "All of the {} were right" if answers.right else "None of the {} was right"
        return (
            f"{share.format(these)}, so that whether it knows which of its answers are right cannot be asked: it takes "
            "answers of both kinds. What follows describes its answers and how sure it was of them."
        )
    if not answers.read:
        return (
            f"No confidence could be read in the {these}, so that how well it knows what it knows cannot be judged; "
            f"{right}."
        )
    if answers.levels == 1 and answers.read > 1:
        return (
            f"Its confidence is the same in all {answers.read:,} that have one of the {these}, so that it tells none "
            f"from another; {right}."
        )
    return ""


def alike(result: Any) -> str:
    """That most answers are one and the same, whatever was asked; empty if they are not."""
    answers = result.answers
    if answers is None or answers.n < 2 or 2 * answers.alike <= answers.n:
        return ""
    return (
        f"{answers.alike:,} of the {answers.n:,} answers are one and the same, whatever was asked: "
        f"“{answers.commonest}”. Before this is taken for what it knows, see how it was asked and how it is served."
    )


def part_of(result: Any, part: str) -> pd.DataFrame:
    """A table of the model's measures; empty without open answers."""
    rows: pd.DataFrame = getattr(result.measured, part) if result.measured else pd.DataFrame()
    return rows


@drawing(
    caption=(
        "AUROC2 in each domain, with 95 % intervals; the dashed line is chance. Hollow: no interval, so "
        "not judged."
    )
)
def domains(result: Any) -> Figure | None:
    """Area under the type-2 ROC by domain for this model."""
    rows = part_of(result, "domains")
    return measure_figures.interval_figure(rows, "auroc2", label="domain") if len(rows) else None


@drawing(
    caption=(
        "Accuracy and AUROC2 against sampling temperature, with 95 % intervals. Accuracy falls as sampling "
        "grows bolder; if AUROC2 stayed level, the model would keep knowing which of its answers are right. "
        "Hollow: no interval, so not judged."
    ),
)
def temperatures(result: Any) -> Figure | None:
    """Accuracy and AUROC2 of this model against temperature."""
    rows = part_of(result, "temperatures")
    return measure_figures.temperature_figure(rows) if len(rows) else None


def opening(result: Any) -> str:
    """How many answers the page rests on, in Markdown."""
    measured = result.measured
    if measured is None:
        return obstacle(result)
    left_out = f" {measured.n_empty} answers without a confidence are left out." if measured.n_empty else ""
    if measured.n_unanswered:
        left_out += (
            f" In {measured.n_unanswered} of these the model was still thinking when its tokens were used up."
        )
    return (
        f"**{result.label}** at temperature {measured.temperature:g}: {len(measured.at):,} answers.{left_out}"
    )


def confidence_is(result: Any) -> str:
    """What confidence in the model's answers is."""
    if result.signal != NLP:
        return (
            f"**Confidence** here is {WORDS[result.signal]}. In models whose confidence was taken from something "
            "else, numbers mean something else too."
        )
    return (
        "**Confidence** here is the probability that the model gave to its own answer, averaged per word (strictly, "
        "per token): the exponential of the mean log-probability."
    )


def abilities(result: Any) -> str:
    """What the model's engine cannot do, why, and what follows for each study, in Markdown; empty if nothing."""
    if not result.cannot:
        return ""
    lines = ["What serves this model cannot do all that the studies ask:", ""]
    lines += [f"- It cannot {CAPABILITIES[name]}: {why}." for name, why in result.cannot.items()]
    if len(result.effects):
        lines += ["", "What follows:", ""]
        lines += [f"- {row.study}: {row.effect}." for row in rows_of(result.effects)]
    return "\n".join(lines)


def reading(result: Any) -> str:
    """What each measure tells."""
    return READING


def answer(result: Any) -> str:
    """What would leave the rest without a meaning; else how often it is right and how well confidence ranks answers."""
    first = [obstacle(result), alike(result)]
    if not first[0]:
        first.append(in_short(result.measured.overall.head(1).assign(model=result.label)))
    return " ".join(filter(None, first))


def of_model(result: Any) -> list[Finding]:
    """What the measures tell of the model."""
    if result.measured is None:
        return [Finding(obstacle(result))]
    if not result.judged:
        return []
    return findings(model_verdicts(result.measured.overall.iloc[0]))


def of_groups(by: str) -> Callable[[Any], list[Finding]]:
    """What the measures tell of its domains or temperatures."""

    def of_parts(result: Any) -> list[Finding]:
        rows = part_of(result, f"{by}s")
        if not result.judged or not len(rows):
            return []
        return findings(part_verdicts(rows, by, result.measured.orders))

    return of_parts


def measures(by: str, part: str) -> Callable[[Any], pd.DataFrame]:
    """Measures with their intervals, as texts."""

    def shown(result: Any) -> pd.DataFrame:
        rows = part_of(result, part)
        return cells_shown(rows, by) if len(rows) else rows

    return shown


def agreement(result: Any) -> str:
    """How far an endpoint agreed with itself, and what it did not tell; empty for a model on this machine."""
    rows = result.served
    if rows.empty:
        return ""
    asked, same = rows["twice_items"].sum(), rows["twice_same"].sum()
    if asked:
        largest = rows["twice_largest"].max()
        spread = (
            f"; where probabilities were told, they differed by {largest:.3f} at most"
            if largest == largest
            else ""
        )
        text = (
            f"The model is served, and a server need not answer the same request twice in the same way: of {asked:.0f} "
            f"items that were asked twice at temperature 0 with the same seed, {same:.0f} got the same answer{spread}."
        )
    else:
        text = "The model is served; nothing was asked twice, so how far it agrees with itself is not known."
    if censored := rows["censored"].sum():
        text += (
            f" {censored:,.0f} answers hold a token whose log-probability the server did not tell (it tells the most "
            "probable ones only): they have no NLP, and are the improbable ones, so what is left is not a fair sample."
        )
    return text


def screened(result: Any) -> str:
    """Whether the model's confidence breaks a rule of the validity screen, and what a median split does to it."""
    if result.measured is None:
        return obstacle(result)
    rows = result.measured.screen
    texts = (
        screening.screen_sentence(rows),
        screening.alarms_sentence(rows),
        screening.median_sentence(rows),
    )
    return " ".join(text for text in texts if text)


def screen_reading(result: Any) -> str:
    """What each index of the screen says."""
    return screening.READING if result.measured is not None else ""


def screen_rows(result: Any) -> pd.DataFrame:
    """The screen's indices as texts."""
    return screening.screen_shown(result.measured.screen) if result.measured else pd.DataFrame()


ANSWERS = columns_of(
    text("Question", "Question"), text("Answer", "Answer"), number("Confidence", "Confidence", 2)
)
VIEWS = Views(
    "model_page",
    tables={
        "about": Schema("about", (), "About this model."),
        "served": Schema(
            "served",
            columns_of(
                text("study", "Study"),
                text("collection", "Collection"),
                text("dataset", "Set"),
                text("served", "Who answered, in the server's words", optional=True),
                count("requests", "Requests"),
                Column("minutes", "Minutes", digits=1),
                Column("in_flight", "In flight at most", Sort.COUNT, optional=True),
                count("tokens_read", "Prompt tokens"),
                count("tokens_written", "Answer tokens"),
                Column("tokens_hidden", "Hidden reasoning", Sort.COUNT, optional=True),
                Column("cost", "Cost", digits=2, optional=True),
                count("censored", "Answers with a token not told"),
                Column("twice_items", "Asked twice", Sort.COUNT, optional=True),
                Column("twice_same", "Same answer", Sort.COUNT, optional=True),
                Column("twice_largest", "Largest difference", optional=True),
            ),
            "What the server was asked. Requests and cost count tries again and lost answers.",
            empty=None,
        ),
        "sure_and_right": Schema(
            "sure_and_right", ANSWERS, "Sure and right", empty="No answer with a confidence was right."
        ),
        "sure_and_wrong": Schema(
            "sure_and_wrong", ANSWERS, "Sure and wrong", empty="No answer with a confidence was wrong."
        ),
        "unsure_and_right": Schema(
            "unsure_and_right",
            ANSWERS,
            "Unsure and right",
            empty="No more answers with a confidence were right.",
        ),
        "screen": Schema(screen_rows, (), empty=None),
        "overall": Schema(measures("model", "overall"), (), empty="Nothing is measured here."),
        "domains": Schema(measures("domain", "domains"), (), empty="There are no two domains to compare."),
        "temperatures": Schema(
            measures("temperature", "temperatures"), (), empty="There are no two temperatures to compare."
        ),
    },
    figures={
        "confidence": confidence,
        "reliability": reliability,
        "risk_coverage": risk_coverage,
        "domains": domains,
        "temperatures": temperatures,
    },
    sentences={
        "answer": answer,
        "opening": opening,
        "confidence_is": confidence_is,
        "abilities": abilities,
        "agreement": agreement,
        "reading": reading,
        "screen_reading": screen_reading,
        "screen": screened,
        "model": of_model,
        "domain": of_groups("domain"),
        "temperature": of_groups("temperature"),
    },
)
