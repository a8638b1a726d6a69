"""Strict JSON: what is taken, and what is not. Oracle: the replies written out by hand."""

import pytest

from metacog.collect.strict_json import whole_numbers, without_fences

ALLOWED = {"decision": (0, 1), "confidence": (1, 2, 3, 4, 5)}
GOOD = '{"decision": 1, "confidence": 4}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}```",
        f"\n```JSON {GOOD} ```\n",
        '{\n "confidence": 4,\n "decision": 1\n}',
    ],
)
def test_the_object_alone_or_in_a_fence_is_taken(text):
    assert whole_numbers(text, ALLOWED) == {"decision": 1, "confidence": 4}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "[]",
        "null",
        "I cannot say.",
        f"Sure: {GOOD}",
        f"{GOOD}\n{GOOD}",
        f"{GOOD} Hope that helps!",
        '{"decision": 1}',
        '{"decision": 2, "confidence": 4}',
        '{"decision": 1, "confidence": 0}',
        '{"decision": 1, "confidence": 4.0}',
        '{"decision": true, "confidence": 4}',
        '{"decision": "1", "confidence": "4"}',
        '{"decision": 1, "confidence": 4, "why": "it is"}',
        '{"decision": 0, "decision": 1, "confidence": 4}',
        '{"decision": 1, "confidence": NaN}',
        '{"decision": 1, "confidence": 4',
        "{'decision': 1, 'confidence': 4}",
        f"```json\n{GOOD}",
        "[" * 100_000,
    ],
)
def test_anything_else_is_not(text):
    assert whole_numbers(text, ALLOWED) is None


def test_a_fence_is_taken_off_only_if_it_holds_everything():
    assert without_fences("```python\nx\n```") == "x"
    assert without_fences("Look: ```x```") == "Look: ```x```"
