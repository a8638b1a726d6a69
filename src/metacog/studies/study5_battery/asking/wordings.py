"""What a model is told: the battery's own wording.

Requests are part of a run's key, so another wording is another run; :data:`VERSION` is recorded with every
trial.
"""

from __future__ import annotations

from metacog.engines.base import Message
from metacog.studies.study5_battery.asking.items.item import BatteryItem

VERSION = "battery-v1"
SYSTEM = Message(role="system", content="This is a test. Each question stands for itself.")
KEEP = ("KEEP", "WITHDRAW")
BET = ("BET", "NO_BET")
PATHS = ("ANSWER_DIRECTLY", "REQUEST_HINT", "DECLINE")
FORECAST = ("YES", "NO")
#: Points of each path for a right and for a wrong answer; a declined item earns its points unanswered.
PAYOFFS = {"ANSWER_DIRECTLY": (1.0, 0.0), "REQUEST_HINT": (0.5, 0.1), "DECLINE": (0.25, 0.25)}

ASK_ANSWER = {
    "texts": "Answer with one of these options, as it is written.",
    "letters": "Answer with the letter alone.",
}
ASK_KEEP = (
    "You may keep this answer or withdraw it. Kept, it counts; withdrawn, it does not. Reply KEEP or "
    "WITHDRAW."
)
ASK_BET = "Would you bet that this answer is right? Reply BET or NO_BET."
ASK_FORECAST = (
    "You will be shown options, of which one is right. Will you choose the right one? Reply YES or NO."
)
ASK_PATH = (
    "First choose how to go on. ANSWER_DIRECTLY: 1 point if right, 0 if wrong. REQUEST_HINT: a hint comes "
    "first, then 0.5 points if right, 0.1 if wrong. DECLINE: 0.25 points without an answer. Reply "
    "ANSWER_DIRECTLY, REQUEST_HINT or DECLINE."
)


def shown(item: BatteryItem, answers: str) -> str:
    """Question and options, an option a line, lettered or not."""
    marks = [f"{letter})" for letter in item.letters] if answers == "letters" else ["-"] * len(item.options)
    lines = (f"{mark} {option}" for mark, option in zip(marks, item.options, strict=True))
    return "\n".join((item.question, *lines))
