"""The error that ends a round of requests: what is under way comes to its end, and nothing more is sent."""

from __future__ import annotations

from metacog.core.errors import MetacogError


class GaveUp(MetacogError):
    """No further request can be answered now, in whatever way it is asked.

    Every try of one failed, or a rate limit asks for too long a wait (``status`` is the last HTTP status, or 0).
    """

    def __init__(self, message: str, status: int = 0) -> None:
        super().__init__(message)
        self.status = status
