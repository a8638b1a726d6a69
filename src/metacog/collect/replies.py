"""Raw replies on disk: one row a reply, part by part, and the journal of an endpoint's block.

Some items asked twice at temperature 0 with one seed: how far an endpoint agrees with itself.

A server batches requests with those of others and may spread them over machines, so that the same request need not
get the same answer. What comes of that is measured here on a share of the items, drawn by seed, and stands in the
manifest; no trial is made of it.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from metacog.collect.plan import Plan
from metacog.core.files import reading
from metacog.engines.base import Generation, Served
from metacog.engines.engine import Engine
from metacog.engines.requests import (
    Asking,
    Choose,
    Chosen,
    Conversation,
    Drawn,
    Exchange,
    Generate,
    Generated,
    Reply,
    Request,
    Stored,
    derive_seed,
    from_record,
    request_digest,
    to_record,
)

COLUMNS = ("item", "number", "step", "index", "kind", "request", "reply")
#: Column of who answered, a list of :class:`~metacog.engines.base.Served` as JSON; servers' replies have it.
SERVED = "served"
#: Kind of a journal's line that holds one sample of several, not a whole reply.
SAMPLE = "sample"

#: By step and index: replies that are known, each to be put behind its request.
Known: TypeAlias = dict[tuple[int, int], Stored]
#: By step, index and sample: digest of the request, the sample, and who drew it.
Samples: TypeAlias = dict[tuple[int, int, int], tuple[str, Generation, tuple[Served, ...]]]


def to_row(item: str, number: int, made: Exchange | Drawn) -> dict[str, Any]:
    """One exchange, or one sample, as a row; the reply is JSON, whose numbers come back to the last bit."""
    if isinstance(made, Drawn):
        kind, reply = SAMPLE, to_record(Generated((made.made,))) | {"sample": made.sample}
    else:
        kind, reply = made.request.kind, to_record(made.reply)
    return {
        "item": item,
        "number": number,
        "step": made.step,
        "index": made.index,
        "kind": kind,
        "request": request_digest(made.request),
        "reply": json.dumps(reply, separators=(",", ":"), ensure_ascii=False),
        **({SERVED: json.dumps(made.served, separators=(",", ":"))} if made.served else {}),
    }


def to_table(block: Iterable[tuple[str, int, Conversation]]) -> pd.DataFrame:
    """All exchanges of a block's conversations, given with their item and number."""
    rows = [to_row(item, number, made) for item, number, talk in block for made in talk.exchanges]
    served = any(SERVED in row for row in rows)
    return pd.DataFrame(rows, columns=[*COLUMNS, *([SERVED] if served else [])])


def n_answers(talks: Iterable[Conversation]) -> int:
    """Answers of conversations, one to each sample that was asked for."""
    replies = (made.reply for talk in talks for made in talk.exchanges)
    return sum(len(one.samples) if isinstance(one, Generated) else 1 for one in replies)


def _reply(text: str, request: Request) -> Reply:
    with reading("a stored reply", "answer to its request"):
        found = from_record(request, json.loads(text))
    return found


def by_item(rows: Iterable[Mapping[Any, Any]]) -> dict[str, Known]:
    """Rows as :meth:`~metacog.engines.requests.Conversation.replay` takes them, by item."""
    found: dict[str, Known] = {}
    for row in rows:
        if row["kind"] != SAMPLE:
            place = int(row["step"]), int(row["index"])
            stored = Stored(
                row["request"],
                partial(_reply, row["reply"]),
                _served(row),
            )
            found.setdefault(str(row["item"]), {})[place] = stored
    return found


def samples_by_item(rows: Iterable[Mapping[Any, Any]]) -> dict[str, Samples]:
    """Samples of replies that were not whole, by item."""
    found: dict[str, Samples] = {}
    for row in rows:
        if row["kind"] == SAMPLE:
            record = json.loads(row["reply"])
            place = int(row["step"]), int(row["index"]), int(record["sample"])
            made = from_record(Generate((), 1), record)
            assert isinstance(made, Generated)
            found.setdefault(str(row["item"]), {})[place] = (row["request"], made.samples[0], _served(row))
    return found


def _served(row: Mapping[Any, Any]) -> tuple[Served, ...]:
    text = row.get(SERVED)
    return tuple(Served(*one) for one in json.loads(text)) if isinstance(text, str) else ()


def read_part(path: Path) -> dict[str, Known]:
    """The replies of one part, by item."""
    with reading(path, "part of a run"):
        found = by_item(pd.read_parquet(path).to_dict("records"))
    return found


class Journal:
    """Replies of a block that is not finished, a line each, and samples of replies that are not whole.

    What a dying process left of a line is taken out.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._handle = open(path, "a", encoding="utf-8")  # held open for the block
        whole = self.path.read_bytes()
        self._handle.truncate(whole.rfind(b"\n") + 1)
        rows = []
        for line in whole.split(b"\n")[:-1]:  # some of what splitlines() splits at may stand in a reply
            with contextlib.suppress(ValueError):
                rows.append(json.loads(line))
        lines = [row for row in rows if isinstance(row, dict) and set(COLUMNS) <= set(row)]
        self.known, self.drawn = by_item(lines), samples_by_item(lines)

    def writer(self, item: str, number: int) -> Callable[[Exchange | Drawn], None]:
        """What a conversation calls with each exchange, and with each sample of a reply that is not whole."""

        def write(made: Exchange | Drawn) -> None:
            self._handle.write(json.dumps(to_row(item, number, made), ensure_ascii=False) + "\n")
            self._handle.flush()
            os.fsync(self._handle.fileno())

        return write

    def close(self) -> None:
        """Let go of the file."""
        self._handle.close()


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
    """Ask some items of a finished run twice, and compare.

    What was asked before an interruption is not asked again.

    Returns
    -------
    dict
        As :func:`spread` gives it.
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

    Attributes
    ----------
    same : bool
        The same text, or the same option.
    difference : float
        Between their probabilities: of a text or of what was scored, the geometric mean over its tokens; of options,
        the largest. NaN where they are not told.
    """

    same: bool
    difference: float

    @classmethod
    def of(cls, one: Reply, other: Reply) -> Pair:
        """Compare two replies."""
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
    """How far pairs of replies agree, for the manifest.

    Returns
    -------
    dict
        ``items`` asked twice, of which ``same`` had the same answer; ``compared``, those whose probabilities are told
        both times, with the ``mean_difference`` and ``largest_difference`` between them.
    """
    told = [pair.difference for pair in pairs if not math.isnan(pair.difference)]
    return {
        "items": len(pairs),
        "same": sum(pair.same for pair in pairs),
        "compared": len(told),
        **({"mean_difference": sum(told) / len(told), "largest_difference": max(told)} if told else {}),
    }
