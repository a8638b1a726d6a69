"""Reading of ``Retry-After`` and rate-limit headers."""

from __future__ import annotations

import datetime
import email.utils
import re
import time
from collections.abc import Mapping
from contextlib import suppress


def parse_wait(value: str | None, *, now: float | None = None) -> float | None:
    """Seconds to wait, from a ``Retry-After`` or ``x-ratelimit-reset-*`` header.

    Understands seconds (``7``, ``0.5``), durations (``6m0s``, ``120ms``), an epoch time and an HTTP or
    ISO date; None if there is no header or it says nothing readable.
    """
    if not value or not (value := value.strip()):
        return None
    now = time.time() if now is None else now
    with suppress(ValueError):
        seconds = float(value)
        return max(0.0, seconds - now if seconds > 1e9 else seconds)
    if re.fullmatch(r"(\d+(\.\d+)?(ms|h|m|s|d))+", value):
        unit = {"ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
        return sum(float(n) * unit[u] for n, _, u in re.findall(r"(\d+(\.\d+)?)(ms|h|m|s|d)", value))
    for read in (email.utils.parsedate_to_datetime, datetime.datetime.fromisoformat):
        with suppress(ValueError, OverflowError):
            return max(0.0, read(value).timestamp() - now)
    return None


def limit_wait(headers: Mapping[str, str], *, refused: bool) -> float | None:
    """How long the rate-limit headers ask to wait, or None.

    On a refusal ``Retry-After`` comes first. Otherwise a limit counts if nothing remains of it, or,
    on a refusal that names no remainder at all, if it says when it is renewed.
    """
    if refused:
        for name, scale in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
            if (wait := parse_wait(headers.get(name))) is not None:
                return wait * scale
    waits: list[float] = []
    for prefix in ("x-ratelimit", "ratelimit"):
        for suffix in ("", "-requests", "-tokens"):
            remaining = headers.get(f"{prefix}-remaining{suffix}")
            wait = parse_wait(headers.get(f"{prefix}-reset{suffix}"))
            spent = remaining is not None and remaining.strip() in ("0", "0.0")
            if wait is not None and (spent or (refused and remaining is None)):
                waits.append(wait)
    return max(waits, default=None)
