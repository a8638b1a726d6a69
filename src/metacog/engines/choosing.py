"""One of several options taken from their log-probabilities: one implementation for every engine."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from metacog.engines.base import Choice
from metacog.engines.requests import Choose, Chosen


def choice(options: Sequence[str], logprobs: Sequence[float], temperature: float, seed: int) -> Choice:
    """Renormalise over the options and take one.

    Parameters
    ----------
    options : sequence of str
    logprobs : sequence of float
        Log-probability of each option.
    temperature : float
        0 takes the most probable (the first on a tie); else a draw from
        ``softmax(logprobs / temperature)`` by inverse CDF.
    seed : int
    """
    values = np.asarray(logprobs, float)
    weights = np.exp(values - values.max())
    if temperature <= 0:
        taken = int(np.argmax(values))
    else:
        cumulated = np.cumsum(np.exp((values - values.max()) / temperature))
        uniform = np.random.Generator(np.random.Philox(key=seed & ((1 << 128) - 1))).random()
        taken = int(np.searchsorted(cumulated, uniform * cumulated[-1], side="right"))
    return Choice(
        options=tuple(options),
        logprobs=tuple(values.tolist()),
        probabilities=tuple((weights / weights.sum()).tolist()),
        chosen=min(taken, len(options) - 1),
    )


def chosen(request: Choose, logprobs: Sequence[float], form: str) -> Chosen:
    """The reply to a choice whose options were scored."""
    made = choice(request.options, logprobs, request.temperature, request.seed or 0)
    return Chosen(
        made.options,
        made.logprobs,
        made.probabilities,
        request.options[made.chosen],
        form,
        asked=request.turns,
    )


def parsed(request: Choose, text: str) -> Chosen:
    """The reply to a choice that was written out: the option named, if exactly one is."""
    unknown = (math.nan,) * len(request.options)
    return Chosen(
        request.options, unknown, unknown, named_option(text, request.options), "parsed", text, request.turns
    )


def named_option(text: str, options: Sequence[str]) -> str:
    """The one option that a text names as a word of its own; empty for none, or for several.

    A longer option hides a shorter one inside it ("not sure" before "sure"); case is ignored unless
    two options differ by it alone.
    """
    flags = 0 if len({o.casefold() for o in options}) < len(options) else re.IGNORECASE
    found, rest = [], text
    for option in sorted(options, key=len, reverse=True):
        pattern = rf"(?<!\w){re.escape(option)}(?!\w)"
        if re.search(pattern, rest, flags):
            found.append(option)
            rest = re.sub(pattern, " ", rest, flags=flags)
    return found[0] if len(found) == 1 else ""
