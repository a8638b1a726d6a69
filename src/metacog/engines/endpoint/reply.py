"""What is read of a server's reply."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Reply:
    """One choice of a completion or chat reply.

    Attributes
    ----------
    text : str
    pieces : tuple of bytes
        Text of each returned token, in UTF-8 (empty where the server decodes part of a character).
    logprobs : tuple of float
        Of each returned token; NaN where it is missing or censored.
    tops : tuple of dict
        Most probable tokens at each place with their log-probabilities, those that are told; may be empty.
    ids : tuple of int
        Token ids, if the server tells them.
    finish : str
        ``stop``, ``length``, or another word of the server's.
    fingerprint : str
        What the server says about its own build, or "".
    reasoning : str
        Thoughts that the server keeps in a field of their own (``reasoning_content`` or ``reasoning``).
    n_written, n_hidden : int or None
        Tokens that the server counts in all, and those of them that it counts as reasoning, if it tells.
    untold : bool
        It cannot be told which of the returned tokens are the answer's, so that none are left.
    """

    text: str
    pieces: tuple[bytes, ...]
    logprobs: tuple[float, ...]
    tops: tuple[dict[str, float], ...]
    ids: tuple[int, ...]
    finish: str
    fingerprint: str = ""
    reasoning: str = ""
    n_written: int | None = None
    n_hidden: int | None = None
    untold: bool = False

    @property
    def thought_apart(self) -> bool:
        """Whether the model thought, and the server keeps or counts its thoughts apart from the answer."""
        return bool(self.reasoning.strip() or self.n_hidden)
