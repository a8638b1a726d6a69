"""Some items asked twice at temperature 0 with one seed: how far an endpoint agrees with itself.

A server batches requests with those of others and may spread them over machines, so that the same request need not
get the same answer. What comes of that is measured here on a share of the items, drawn by seed, and stands in the
manifest; no trial is made of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metacog.collect.plan import Plan
from metacog.collect.replies import Journal, Known, read_part
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
    """The first request about an item, with its seed."""
    return next(iter(plan.conversation(number).pending.values()))


def n_more(plan: Plan, numbers: Sequence[int]) -> int:
    """Requests that asking these items twice takes, in addition to those of the collection."""
    return sum(_times(first_request(plan, number)) for number in numbers)


def _times(request: Request) -> int:
    """How often a request is asked more: once if its first answer is one at temperature 0 already, else twice."""
    return 1 if request == at_zero(request) else 2


def ask_twice(plan: Plan, folder: Path, engine: Engine, numbers: Sequence[int]) -> dict[str, Any]:
    """Ask some items of a finished run twice, and compare; what was asked before an interruption is not asked
    again.
    """
    stored = _stored(plan, folder, numbers)
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
        pairs.append(Pair.of(*replies))
    return spread(pairs)


def _again(request: Request, times: int) -> Asking:
    yield [request] * times


def _stored(plan: Plan, folder: Path, numbers: Sequence[int]) -> Mapping[str, Known]:
    blocks = {block for block in plan.blocks if set(numbers) & set(plan.numbers(block))}
    found: dict[str, Known] = {}
    for block in sorted(blocks):
        found |= read_part(folder / "parts" / f"block-{block:05d}.parquet")
    return found


@dataclass(frozen=True)
class Pair:
    """Two replies to one request.

    ``difference`` is between their probabilities: of a text or of what was scored, the geometric mean over its
    tokens; of options, the largest. NaN where they are not told.
    """

    same: bool
    difference: float

    @classmethod
    def of(cls, one: Reply, other: Reply) -> Pair:
        values = [list(_probabilities(reply)) for reply in (one, other)]
        differences = [abs(a - b) for a, b in zip(*values, strict=True)]
        largest = math.nan if any(map(math.isnan, differences)) else max(differences)
        return cls(_what(one) == _what(other), largest)


def _what(reply: Reply) -> str:
    if isinstance(reply, Generated):
        return reply.text
    return (reply.chosen or reply.text) if isinstance(reply, Chosen) else ""


def _probabilities(reply: Reply) -> Iterator[float]:
    if isinstance(reply, Chosen):
        yield from reply.probabilities
    else:
        for made in reply.samples if isinstance(reply, Generated) else reply.scores:
            yield math.exp(made.nlp)


def spread(pairs: Sequence[Pair]) -> dict[str, Any]:
    """How far pairs of replies agree, for the manifest; ``compared`` are those whose probabilities are told both
    times.
    """
    told = [pair.difference for pair in pairs if not math.isnan(pair.difference)]
    return {
        "items": len(pairs),
        "same": sum(pair.same for pair in pairs),
        "compared": len(told),
        **({"mean_difference": sum(told) / len(told), "largest_difference": max(told)} if told else {}),
    }
