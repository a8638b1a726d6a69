"""Some items of a run put to the model again, and both sets of replies laid side by side.

The items are drawn by a seed. They are asked in smaller blocks than they were, so on the same processor too the
last bits of their numbers differ; how far is for ``benchmarks/reproduction.py`` to judge.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.plan import Plan
from metacog.collect.reading import stored_replies, trials_of
from metacog.core.errors import MetacogError
from metacog.engines.engine import Engine
from metacog.engines.requests import (
    Chosen,
    Conversation,
    Generate,
    Generated,
    Reply,
    Request,
    derive_seed,
    request_digest,
)

COLUMNS = ("item", "step", "index", "part", "kind", "request", "temperature", "text", "chosen", "probability")


@dataclass(frozen=True)
class Recollected:
    """Stored replies of some items, and the replies to the same requests collected again."""

    items: tuple[str, ...]
    stored: pd.DataFrame
    again: pd.DataFrame
    trials_stored: pd.DataFrame
    trials_again: pd.DataFrame
    seconds: float


def recollect(
    plan: Plan, folder: Path, engine: Engine, n_items: int, seed: int, *, packed: bool = True
) -> Recollected:
    """Ask some items of a stored run again, drawn among those whose stored replies answer what is asked today.

    ``packed``: the replies come from a pack and may be to requests of another day.
    """
    before = drawn(plan, folder, n_items, seed, packed=packed)
    started = time.perf_counter()
    after = [(number, plan.conversation(number)) for number, _ in before]
    size = plan.collection.block_items(plan.settings)
    for first in range(0, len(after), size):
        engine.serve([talk for _, talk in after[first : first + size]])
    seconds = time.perf_counter() - started
    return Recollected(
        tuple(plan.items[number].id for number, _ in before),
        reply_table(plan, before),
        reply_table(plan, after),
        trials_of(plan, before),
        trials_of(plan, after),
        seconds,
    )


def drawn(
    plan: Plan, folder: Path, n_items: int, seed: int, *, packed: bool = True
) -> list[tuple[int, Conversation]]:
    """Items drawn by a seed, with the conversations that were led about them; in the order of the plan.

    The draw depends on the seed, the study, the collection, the model, and the items that can be drawn.
    """
    known = stored_replies(plan, folder, packed=packed)
    led = []
    for number in plan.shard_numbers:
        talk, replies = plan.conversation(number), known.get(plan.items[number].id, {})
        if replies and talk.told_whole_by(replies):
            led.append((number, talk))
    if not led:
        raise MetacogError(f"{plan.title}: none of the stored replies answers what is asked today")
    rng = np.random.default_rng(derive_seed(seed, plan.study, plan.collection.name, plan.entry.name))
    picked = rng.choice(len(led), min(n_items, len(led)), replace=False)
    return [led[place] for place in np.sort(picked)]


def reply_table(plan: Plan, talks: Iterable[tuple[int, Conversation]]) -> pd.DataFrame:
    """Replies as a table of :data:`COLUMNS`: one row an option of a choice, a sample of a text, or a text that was
    scored.

    ``probability`` is an option's among its options, or the geometric mean over a text's tokens; NaN where it is not
    known.
    """
    rows = [
        (
            plan.items[number].id,
            made.step,
            made.index,
            part,
            made.request.kind,
            request_digest(made.request),
            *rest,
        )
        for number, talk in talks
        for made in talk.exchanges
        for part, rest in enumerate(_parts(made.request, made.reply))
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _parts(request: Request, reply: Reply) -> Iterator[tuple[float, str, bool, float]]:
    """Temperature, text, whether it was taken, and probability of each part of a reply."""
    if isinstance(reply, Chosen):
        temperature: Any = getattr(request, "temperature", 0.0)
        for option, probability in zip(reply.options, reply.probabilities, strict=True):
            yield temperature, option, option == reply.chosen, probability
    elif isinstance(reply, Generated) and isinstance(request, Generate):
        for temperature, made in zip(request.sample_temperatures, reply.samples, strict=True):
            yield temperature, made.text, True, math.exp(made.nlp)
    else:
        for text, score in zip(request.continuations, reply.scores, strict=True):  # type: ignore[union-attr]
            yield 0.0, text, True, math.exp(score.nlp)
