"""What a model is told: the battery's own wording.

Requests are part of a run's key, so another wording is another run; :data:`VERSION` is recorded with every
trial.
"""

from __future__ import annotations

from metacog.engines.base import Message
from metacog.engines.requests import user
from metacog.studies.study5_battery.asking.items.item import BatteryItem

VERSION = "battery-v1"
SYSTEM = Message(role="system", content="This is a test. Each question stands for itself.")
KEEP = ("KEEP", "WITHDRAW")
BET = ("BET", "NO_BET")
PATHS = ("ANSWER_DIRECTLY", "REQUEST_HINT", "DECLINE")
FORECAST = ("YES", "NO")
#: Points of each path for a right and for a wrong answer; a declined item earns its points unanswered.
PAYOFFS = {"ANSWER_DIRECTLY": (1.0, 0.0), "REQUEST_HINT": (0.5, 0.1), "DECLINE": (0.25, 0.25)}

_ANSWER = {
    "texts": "Answer with one of these options, as it is written.",
    "letters": "Answer with the letter alone.",
}
_KEEP = (
    "You may keep this answer or withdraw it. Kept, it counts; withdrawn, it does not. Reply KEEP or "
    "WITHDRAW."
)
_BET = "Would you bet that this answer is right? Reply BET or NO_BET."
_FORECAST = (
    "You will be shown options, of which one is right. Will you choose the right one? Reply YES or NO."
)
_PATH = (
    "First choose how to go on. ANSWER_DIRECTLY: 1 point if right, 0 if wrong. REQUEST_HINT: a hint comes "
    "first, then 0.5 points if right, 0.1 if wrong. DECLINE: 0.25 points without an answer. Reply "
    "ANSWER_DIRECTLY, REQUEST_HINT or DECLINE."
)


def shown(item: BatteryItem, answers: str) -> str:
    """The item with its options, lettered or not."""
    return item.text if answers == "letters" else item.plain


def opening(item: BatteryItem, answers: str) -> tuple[Message, ...]:
    """The item with its options; an answer is asked for."""
    return SYSTEM, user(f"{shown(item, answers)}\n{_ANSWER[answers]}")


def path_choice(item: BatteryItem, answers: str) -> tuple[Message, ...]:
    """The item with its options; a path is asked for."""
    return SYSTEM, user(f"{shown(item, answers)}\n\n{_PATH}")


def forecast(item: BatteryItem) -> tuple[Message, ...]:
    """The item without its options; a forecast is asked for."""
    return SYSTEM, user(f"{item.question}\n{_FORECAST}")


def options_after(item: BatteryItem, answers: str) -> Message:
    """The item after its forecast."""
    return user(f"{shown(item, answers)}\n{_ANSWER[answers]}")


def answer_after(item: BatteryItem, path: str, answers: str) -> Message:
    """What follows the choice of a path: the hint if it was asked for."""
    asked = _ANSWER[answers]
    return user(f"Hint: {item.hint}\n{asked}" if path == "REQUEST_HINT" else asked)


def keep_probe() -> Message:
    """KEEP or WITHDRAW."""
    return user(_KEEP)


def bet_probe() -> Message:
    """BET or NO_BET."""
    return user(_BET)
