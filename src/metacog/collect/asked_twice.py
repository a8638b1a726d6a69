"""Some items asked twice at temperature 0 with one seed: how far an endpoint agrees with itself.

A server batches requests with those of others and may spread them over machines, so that the same request need not
get the same answer. What comes of that is measured here on a share of the items, drawn by seed, and stands in the
manifest; no trial is made of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from metacog.collect.plan import Plan
from metacog.collect.replies import Journal, read_part
from metacog.engines.engine import Engine
from metacog.engines.requests import (
    Asking,
    Choose,
    Chosen,
    Conversation,
    Generate,
    Generated,
    Reply,
    Request,
    derive_seed,
)

#: Share of the items that is asked twice where a model's entry does not say otherwise.
SHARE = 0.1

#: Answers of the second asking, in the run's folder; they stay there as the evidence.
JOURNAL = "twice.journal"


def share_of(plan: Plan) -> float:
    """Share of a plan's items to be asked twice; none of a model on this machine."""
    if not plan.entry.is_endpoint:
        return 0.0
    return SHARE if plan.entry.ask_twice is None else float(plan.entry.ask_twice)


def drawn(plan: Plan, share: float) -> list[int]:
    """Numbers of the items to be asked twice, drawn by the plan's seed, in order; at least one."""
    if share <= 0 or not plan.shard_numbers:
        return []

    def place(number: int) -> int:
        return derive_seed(*plan.config["seeds"], "twice", plan.items[number].id)

    wanted = max(1, round(share * len(plan.shard_numbers)))
    return sorted(sorted(plan.shard_numbers, key=place)[:wanted])


def at_zero(request: Request) -> Request:
    """The request at temperature 0, one sample with its own seed."""
    if isinstance(request, Generate):
        return replace(request, temperatures=(0.0,), n=1, seeds=(request.seeds or (0,))[:1])
    return replace(request, temperature=0.0) if isinstance(request, Choose) else request


def first_request(plan: Plan, number: int) -> Request:
    return next(iter(plan.conversation(number).pending.values()))


def n_more(plan: Plan, numbers: Sequence[int]) -> int:
    """Requests that asking these items twice takes, in addition to those of the collection."""
    return sum(_times(first_request(plan, number)) for number in numbers)


def _times(request: Request) -> int:
    """How often a request is asked more: once if its first answer is one at temperature 0 already, else twice."""
    return 1 if request == at_zero(request) else 2


def ask_twice(plan: Plan, folder: Path, engine: Engine, numbers: Sequence[int]) -> dict[str, Any]:
    """Ask some items of a finished run twice, and compare; goes on where it was interrupted."""
    read = [
        read_part(folder / "parts" / f"block-{block:05d}.parquet")
        for block in plan.blocks
        if set(numbers) & set(plan.numbers(block))
    ]
    stored = {item: known for part in read for item, known in part.items()}
    journal = Journal(folder / JOURNAL)
    try:
        talks = []
        for number in numbers:
            item, request = plan.items[number].id, first_request(plan, number)
            talk = Conversation(
                _again(at_zero(request), _times(request)),
                plan.prompt,
                heard=journal.writer(item, number),
                mark="twice-",
            )
            talk.replay(journal.known.get(item, {}))
            talks.append((request, stored.get(item, {}), talk))
        engine.serve([talk for _, _, talk in talks])
    finally:
        journal.close()
    pairs = []
    for request, known, talk in talks:
        replies = list(talk.replies)
        if _times(request) == 1:
            if (0, 0) not in known:
                continue  # a collection that needs others' trials may come to pick other items
            replies.insert(0, known[0, 0].reply(request))
        pairs.append(compared(*replies))
    return spread(pairs)


def _again(request: Request, times: int) -> Asking:
    yield [request] * times


def compared(one: Reply, other: Reply) -> tuple[bool, float]:
    """Whether two replies to one request are the same, and the largest difference between their probabilities.

    Of a text, or of what was scored, that is the geometric mean over its tokens. NaN where they are not told.
    """
    (what, values), (other_what, other_values) = map(_said, (one, other))
    differences = [abs(a - b) for a, b in zip(values, other_values, strict=True)]
    return what == other_what, math.nan if any(map(math.isnan, differences)) else max(differences)


def _said(reply: Reply) -> tuple[str, Sequence[float]]:
    if isinstance(reply, Chosen):
        return reply.chosen or reply.text, reply.probabilities
    if isinstance(reply, Generated):
        return reply.text, [math.exp(made.nlp) for made in reply.samples]
    return "", [math.exp(made.nlp) for made in reply.scores]


def spread(pairs: Sequence[tuple[bool, float]]) -> dict[str, Any]:
    """How far pairs of replies agree, for the manifest; of those ``compared`` both probabilities are told."""
    told = [difference for _, difference in pairs if not math.isnan(difference)]
    return {
        "items": len(pairs),
        "same": sum(same for same, _ in pairs),
        "compared": len(told),
        **({"mean_difference": sum(told) / len(told), "largest_difference": max(told)} if told else {}),
    }
