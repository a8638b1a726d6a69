"""Raw replies on disk: one row a reply, part by part, and the journal of an endpoint's block."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd

from metacog.core.files import reading
from metacog.engines.base import Generation, Served
from metacog.engines.requests import (
    Conversation,
    Drawn,
    Exchange,
    Generate,
    Generated,
    Reply,
    Request,
    Stored,
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


def by_item(rows: Iterable[Mapping[Any, Any]]) -> tuple[dict[str, Known], dict[str, Samples]]:
    """Rows as :meth:`~metacog.engines.requests.Conversation.replay` takes them, by item; samples of others apart."""
    known: dict[str, Known] = {}
    drawn: dict[str, Samples] = {}
    for row in rows:
        item, step, index = str(row["item"]), int(row["step"]), int(row["index"])
        if row["kind"] != SAMPLE:
            stored = Stored(row["request"], partial(_reply, row["reply"]), _served(row))
            known.setdefault(item, {})[step, index] = stored
        else:
            record = json.loads(row["reply"])
            made = from_record(Generate((), 1), record)
            assert isinstance(made, Generated)
            sample = row["request"], made.samples[0], _served(row)
            drawn.setdefault(item, {})[step, index, int(record["sample"])] = sample
    return known, drawn


def _served(row: Mapping[Any, Any]) -> tuple[Served, ...]:
    text = row.get(SERVED)
    return tuple(Served(*one) for one in json.loads(text)) if isinstance(text, str) else ()


def read_part(path: Path) -> dict[str, Known]:
    with reading(path, "part of a run"):
        found, _ = by_item(pd.read_parquet(path).to_dict("records"))
    return found


class Journal:
    """Replies of a block that is not finished, a line each, and samples of replies that are not whole.

    What a dying process left of a line is taken out.
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
        self.known, self.drawn = by_item(lines)

    def writer(self, item: str, number: int) -> Callable[[Exchange | Drawn], None]:
        """What a conversation calls with each exchange, and with each sample of a reply that is not whole."""

        def write(made: Exchange | Drawn) -> None:
            self._handle.write(json.dumps(to_row(item, number, made), ensure_ascii=False) + "\n")
            self._handle.flush()
            os.fsync(self._handle.fileno())

        return write

    def close(self) -> None:
        self._handle.close()
