"""Replies that go on into a next question: they end where its mark begins, as if the mark were a stop text.

A model that is shown questions one below the other may answer and then write a question of its own in the same
line, ``Berlin Q: What is the largest ocean``. A stop text of a new line does not end that.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from metacog.engines.base import Generation


def characters(data: bytes, ends: Iterable[int]) -> tuple[int, ...]:
    """Whole characters that a UTF-8 text holds up to each byte of ``ends``, which rise; bytes of none count nothing."""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    found, made = [], 0
    for start, end in pairwise((0, *ends)):
        made += len(decoder.decode(data[start:end]))
        found.append(made)
    return tuple(found)


def mark_in(text: str, mark: str, keep: Iterable[str] = ()) -> int:
    """Where the mark of a next question begins in a reply; -1 if nowhere.

    Parameters
    ----------
    text : str
    mark : str
        As the prompt writes it; not behind a capital, where it ends an abbreviation.
    keep : iterable of str
        Texts that a reply may hold whole, the accepted answers, in either case: a mark within one is the answer's.
    """
    if not mark or mark not in text:
        return -1
    kept = [
        found.span()
        for whole in keep
        if mark.lower() in whole.lower()
        for found in re.finditer(re.escape(whole.strip()), text, re.IGNORECASE)
    ]
    for found in re.finditer(r"(?<![A-Z])" + re.escape(mark), text):
        if not any(start <= found.start() and found.end() <= end for start, end in kept):
            return found.start()
    return -1


def before_mark(
    made: Generation,
    mark: str,
    keep: Iterable[str] = (),
    *,
    pieces: Callable[[Sequence[int]], Sequence[bytes] | None] = lambda ids: None,
    count_mark: bool = False,
) -> Generation:
    """A reply up to the mark of a next question, as it would be had the mark been a stop text.

    Parameters
    ----------
    made : Generation
    mark, keep
        As for :func:`mark_in`.
    pieces : callable
        Bytes of each token id, or None where they are not known; asked where the reply does not tell its ``ends``.
    count_mark : bool
        Count the tokens that hold the mark, as ``count_stop_token`` does those of a stop text.

    Returns
    -------
    Generation
        The same if there is no mark. A token that reaches into the mark, as ``" Q"`` does, is the mark's and not
        the answer's. Where it cannot be told which tokens are the answer's, its length is the number of its words
        and ``sum_logprob`` is NaN.
    """
    at = mark_in(made.text, mark, keep)
    if at < 0:
        return made
    text = made.text[:at]
    ends = made.ends or _ends(made, pieces)
    if not ends:
        return replace(
            made,
            text=text,
            token_ids=(),
            token_logprobs=(),
            n_tokens=len(text.split()),
            sum_logprob=math.nan,
            stop_logprob=None,
            truncated=False,
            ran_on=made.text[at:],
        )
    first = next((i for i, end in enumerate(ends) if end > at), len(ends))
    after = next((i + 1 for i, end in enumerate(ends) if end >= at + len(mark)), None)
    closing = float(sum(made.token_logprobs[first:after]))
    if after is None:  # the token that ended the reply holds some of the mark
        closing += math.nan if made.stop_logprob is None else made.stop_logprob
    counted = (after or len(ends)) if count_mark else first
    kept = made.token_logprobs[:counted]
    return replace(
        made,
        text=text,
        token_ids=made.token_ids[:counted],
        token_logprobs=kept,
        n_tokens=counted,
        sum_logprob=float(sum(kept)),
        stop_logprob=None if math.isnan(closing) else closing,
        truncated=False,
        ends=tuple(min(end, at) for end in ends[:counted]),
        ran_on=made.text[at:],
    )


def _ends(made: Generation, pieces: Callable[[Sequence[int]], Sequence[bytes] | None]) -> tuple[int, ...]:
    """Where each token of a reply ends, from the texts of their ids; empty where these do not make the reply."""
    if not made.token_ids or len(made.token_ids) != len(made.token_logprobs):
        return ()
    told = pieces(made.token_ids)
    return () if told is None else ends_of(made.text, told, short=True)


def ends_of(text: str, pieces: Sequence[bytes], *, short: bool = False) -> tuple[int, ...]:
    """Where each token of a reply ends, in characters; empty where the tokens do not make its text.

    Parameters
    ----------
    text : str
    pieces : sequence of bytes
        Of each token; they may go on behind the text.
    short : bool
        The text may go on behind them, by what a token adds that holds the stop text and is not among them.
    """
    data = b"".join(pieces)
    made = data.decode("utf-8", "ignore")
    if not (made.startswith(text) or (short and text.startswith(made))):
        return ()
    return tuple(min(end, len(text)) for end in characters(data, accumulate(map(len, pieces))))
