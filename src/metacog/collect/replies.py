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

from metacog.engines.base import Generation, Served
from metacog.engines.conversation import Conversation, Drawn, Exchange, Stored
from metacog.engines.requests import (
    Generate,
    Generated,
    Reply,
    Request,
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


def _reply(text: str, request: Request) -> Reply:
    return from_record(request, json.loads(text))


def by_item(rows: Iterable[Mapping[Any, Any]]) -> dict[str, Known]:
    """Rows as :meth:`~metacog.engines.conversation.Conversation.replay` takes them, by item."""
    found: dict[str, Known] = {}
    for row in rows:
        if row["kind"] != SAMPLE:
            place = int(row["step"]), int(row["index"])
            stored = Stored(row["request"], partial(_reply, row["reply"]), _served(row))
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
    return by_item(pd.read_parquet(path).to_dict("records"))


class Journal:
    """Replies of a block that is not finished, a line each, and samples of replies that are not whole.

    What a dying line leaves is passed over.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = self._lines()
        self.known, self.drawn = by_item(lines), samples_by_item(lines)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._handle = open(path, "a", encoding="utf-8")  # held open for the block
        if path.stat().st_size and not self._whole():
            self._handle.write("\n")

    def _whole(self) -> bool:
        return self.path.read_bytes()[-1:] == b"\n"

    def _lines(self) -> list[dict[str, Any]]:
        rows = []
        with contextlib.suppress(FileNotFoundError):
            for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
                with contextlib.suppress(json.JSONDecodeError):
                    rows.append(json.loads(line))
        return [row for row in rows if isinstance(row, dict) and set(COLUMNS) <= set(row)]

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

    def remove(self) -> None:
        """Throw it away: the part holds its replies."""
        self.close()
        self.path.unlink(missing_ok=True)
