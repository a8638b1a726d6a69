"""What does the form of asking change? The variations that the paper proposes, beside the usual form.

What was fixed before anything was asked stands in ``benchmarks/two_choice_forms.py``, which made the table read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class AskingForm:
    """A form of asking: how readers know it, what it is held against (nothing: it is the usual), and its settings."""

    name: str
    base: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


FORMS = {
    "usual": AskingForm("two prompts, digits 1 to 5"),
    "scale3": AskingForm("digits 1 to 3", "usual", {"scale": 3}),
    "scale9": AskingForm("digits 1 to 9", "usual", {"scale": 9}),
    "warm": AskingForm("temperature 1 instead of 0.5", "usual", {"temperature": 1.0}),
    "batch": AskingForm("ten sentences a conversation", "usual", {"batch": 10}),
    "bare": AskingForm("no examples", "usual", {"examples": 0}),
    "together": AskingForm("one prompt for both", "bare", {"how": "choose_both"}),
}


def differ(answers: Any, form: str, base: str, **options: Any) -> Any:
    raise NotImplementedError
