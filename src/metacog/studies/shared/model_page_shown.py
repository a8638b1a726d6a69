"""What does one model answer, and how well does it know it? What is said of it."""

from __future__ import annotations

from typing import Any

from metacog.engines.base import WORDS as CAPABILITIES
from metacog.report.views import Views
from metacog.trials import WORDS

#: What leaves the rest of the page without a meaning, the gravest first.
OBSTACLES = {
    "unasked": "Open answers, on which this page rests, were {unasked}.",
    "empty": "All {n:,} answers of {label} are empty, so nothing on this page tells anything of it.",
    "all right": "All {n:,} answers of {label} were right: whether it knows which are cannot be asked.",
    "none right": "None of the {n:,} answers of {label} was right: whether it knows which are cannot be asked.",
    "unread": "No confidence could be read in the {n:,} answers of {label}: how well it knows them cannot be judged.",
    "level": "{label} is equally sure of all {read:,} answers: its confidence tells none apart.",
}
#: How often the right one of two answers has more confidence.
TOLD = {
    True: "In {share} of 100 pairs of a right and a wrong answer, {label} is surer of the right one.",
    False: "{label} is surer of its wrong answers: of 100 pairs with a right one, only {share} are otherwise.",
    None: "Whether {label} is surer of its right answers than of its wrong ones cannot be told from {n:,} answers.",
}


def answer(result: Any) -> str:
    """What leaves the page without a meaning; else how often the right one of two answers has more confidence."""
    answers, label = result.answers, result.label
    if answers is None:
        return OBSTACLES["unasked"].format(unasked=result.unasked)
    found = {
        "empty": answers.empty == answers.n,
        "all right": answers.right == answers.n,
        "none right": answers.right == 0,
        "unread": not answers.read,
        "level": answers.levels == 1 and answers.read > 1,
    }
    if gravest := next((name for name, holds in found.items() if holds), ""):
        return OBSTACLES[gravest].format(n=answers.n, label=label, read=answers.read)
    row = result.measured.overall.iloc[0]
    above, below = row["auroc2_lower"] > 0.5, row["auroc2_upper"] < 0.5
    told = TOLD[True if above else False if below else None]
    return told.format(share=f"{100 * row['auroc2']:.0f}", label=label, n=answers.read)


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
    return f"**Confidence** here is {WORDS[result.signal]}."


def abilities(result: Any) -> str:
    """What the model's engine cannot do, and why, in Markdown; empty if nothing."""
    return "\n".join(f"- It cannot {CAPABILITIES[name]}: {why}." for name, why in result.cannot.items())


VIEWS = Views(
    "model_page",
    sentences={
        "answer": answer,
        "opening": opening,
        "confidence_is": confidence_is,
        "abilities": abilities,
    },
)
