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

from metacog.engines.conversation import Conversation, Exchange
from metacog.engines.requests import Reply, Request, from_record, request_digest, to_record

COLUMNS = ("item", "number", "step", "index", "kind", "request", "reply")

#: By step and index: digest of the request answered, and the reply once a request is put before it.
Known: TypeAlias = dict[tuple[int, int], tuple[str, Callable[[Request], Reply]]]


def to_row(item: str, number: int, made: Exchange) -> dict[str, Any]:
    """One exchange as a row; the reply is JSON, whose numbers come back to the last bit."""
    return {
        "item": item,
        "number": number,
        "step": made.step,
        "index": made.index,
        "kind": made.request.kind,
        "request": request_digest(made.request),
        "reply": json.dumps(to_record(made.reply), separators=(",", ":"), ensure_ascii=False),
    }


def to_table(block: Iterable[tuple[str, int, Conversation]]) -> pd.DataFrame:
    """All exchanges of a block's conversations, given with their item and number."""
    rows = [to_row(item, number, made) for item, number, talk in block for made in talk.exchanges]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _reply(text: str, request: Request) -> Reply:
    return from_record(request, json.loads(text))


def by_item(rows: Iterable[Mapping[Any, Any]]) -> dict[str, Known]:
    """Rows as :meth:`~metacog.engines.conversation.Conversation.replay` takes them, by item."""
    found: dict[str, Known] = {}
    for row in rows:
        place = int(row["step"]), int(row["index"])
        found.setdefault(str(row["item"]), {})[place] = (row["request"], partial(_reply, row["reply"]))
    return found


def read_part(path: Path) -> dict[str, Known]:
    """The replies of one part, by item."""
    return by_item(pd.read_parquet(path).to_dict("records"))


class Journal:
    """Replies of a block that is not finished, a line each; what a dying line leaves is passed over.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.known = by_item(self._lines())
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

    def writer(self, item: str, number: int) -> Callable[[Exchange], None]:
        """What a conversation calls with each exchange."""

        def write(made: Exchange) -> None:
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
