"""What does one model answer, and how well does it know it? What is said of it."""

from __future__ import annotations

from typing import Any

from metacog.core.frames import rows_of
from metacog.engines.capabilities import WORDS as CAPABILITIES
from metacog.report.views import Views
from metacog.trials.signals import NLP, WORDS


def obstacle(result: Any) -> str:
    """What leaves the rest of the page without a meaning, the gravest alone; empty if nothing does."""
    answers = result.answers
    if answers is None:
        return f"Open answers, on which this page rests, were {result.unasked}."
    these = f"{answers.n:,} answers of {result.label}"
    if answers.empty == answers.n:
        return f"All {these} are empty, so nothing on this page tells anything of it."
    if answers.right in (0, answers.n):
        share = "All {} were right" if answers.right else "None of the {} was right"
        return f"{share.format(these)}, so whether it knows which of them are right cannot be asked."
    if not answers.read:
        return f"No confidence could be read in the {these}, so how well it knows them cannot be judged."
    if answers.levels == 1 and answers.read > 1:
        return f"{result.label} is equally sure of all {answers.read:,} answers: its confidence tells none apart."
    return ""


def answer(result: Any) -> str:
    """What leaves the page without a meaning; else how often the right one of two answers has more confidence."""
    if why := obstacle(result):
        return why
    row = result.measured.overall.iloc[0]
    share = f"{100 * row['auroc2']:.0f}"
    if row["auroc2_lower"] > 0.5:
        return f"In {share} of 100 pairs of a right and a wrong answer, {result.label} is surer of the right one."
    if row["auroc2_upper"] < 0.5:
        pairs = f"of 100 pairs with a right one, only {share} are otherwise"
        return f"{result.label} is surer of its wrong answers: {pairs}."
    return (
        f"Whether {result.label} is surer of its right answers than of its wrong ones cannot be told from "
        f"{len(result.measured.at):,} answers."
    )


def opening(result: Any) -> str:
    """How many of how many answers are right, and what is to be known of them."""
    answers, measured = result.answers, result.measured
    if answers is None:
        return ""
    texts = [
        f"{100 * answers.right / answers.n:.0f} % of its {answers.n:,} answers at temperature "
        f"{answers.temperature:g} are right."
    ]
    if 1 < answers.n < 2 * answers.alike:
        texts.append(
            f"{answers.alike:,} of them are one and the same, whatever was asked: “{answers.commonest}”. Before this "
            "is taken for what it knows, see how it was asked and how it is served."
        )
    if measured is not None and measured.n_empty:
        texts.append(f"{measured.n_empty} without a confidence are left out.")
    if measured is not None and measured.n_unanswered:
        texts.append(
            f"In {measured.n_unanswered} of these it was still thinking when its tokens were used up."
        )
    return " ".join(texts)


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


VIEWS = Views(
    "model_page",
    sentences={
        "answer": answer,
        "opening": opening,
        "confidence_is": confidence_is,
        "abilities": abilities,
        "agreement": agreement,
    },
)
