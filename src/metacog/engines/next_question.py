"""Replies that go on into a next question: they end where its mark begins, as if the mark were a stop text.

A model that is shown questions one below the other may answer and then write a question of its own in the same
line, ``Berlin Q: What is the largest ocean``. A stop text of a new line does not end that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256

import pandas as pd

from metacog.core.paths import project_root
from metacog.engines.requests import Form, Generate, Generated, Reply, Request
from metacog.engines.thinking import before_mark

#: One row a token: SHA-256 of the model's file, id, and the bytes that the token adds to a text.
TOKEN_TEXTS = "data/replies/token_texts.parquet"


def until_next(
    form: Form, keep: Iterable[str], model_sha256: str | None
) -> Callable[[Request, Reply], Reply]:
    """What a study is given of a reply: what was written before the mark of a next question, as the form has it.

    ``keep``: accepted answers, in which a mark is the answer's.
    """
    kept, pieces = tuple(keep), pieces_of(model_sha256)

    def taken(request: Request, reply: Reply) -> Reply:
        if not form.mark or not isinstance(reply, Generated) or not isinstance(request, Generate):
            return reply
        return replace(
            reply,
            samples=tuple(
                before_mark(made, form.mark, kept, pieces=pieces, count_mark=request.count_stop_token)
                for made in reply.samples
            ),
        )

    return taken


def pieces_of(model_sha256: str | None) -> Callable[[Sequence[int]], list[bytes] | None]:
    """What gives the bytes of a model's tokens; None for a reply with a token that the table lacks."""

    def pieces(ids: Sequence[int]) -> list[bytes] | None:
        table = _token_texts(model_sha256)
        return [table[one] for one in ids] if all(one in table for one in ids) else None

    return pieces


@cache
def token_texts_digest() -> str:
    """Digest of the table; empty if there is none."""
    path = project_root() / TOKEN_TEXTS
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


@cache
def _token_texts(model_sha256: str | None) -> dict[int, bytes]:
    path = project_root() / TOKEN_TEXTS
    if model_sha256 is None or not path.is_file():
        return {}
    rows = pd.read_parquet(path, filters=[("model_sha256", "==", model_sha256)])
    return dict(zip(rows["id"].tolist(), rows["piece"].tolist(), strict=True))
