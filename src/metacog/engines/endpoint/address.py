"""Where a server is and the key it wants; the key is held so that nothing shows it."""

from __future__ import annotations

import ipaddress
import os
import re
from urllib.parse import urlsplit

from metacog.core.errors import MetacogError


class Secret:
    """Holds a key so that no repr, log line or traceback shows it."""

    def __init__(self, value: str | None) -> None:
        self._reveal = lambda: value

    def __repr__(self) -> str:
        return "Secret(***)"

    def headers(self) -> dict[str, str]:
        value = self._reveal()
        return {"Authorization": f"Bearer {value}"} if value else {}

    def mask(self, text: str) -> str:
        value = self._reveal()
        return text.replace(value, "***") if value else text


def read_key(key_env: str | None) -> Secret:
    """The key from the environment variable of that name; no name, no key."""
    if not key_env:
        return Secret(None)
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key_env):
        raise MetacogError(
            "key_env must be the *name* of an environment variable that holds the key, not the key itself: "
            "mend the model's file in config/models"
        )
    value = os.environ.get(key_env, "").strip()
    if not value:
        raise MetacogError(f"the endpoint needs a key: set the environment variable {key_env}")
    if not value.isascii() or not value.isprintable():
        raise MetacogError(
            f"the key in the environment variable {key_env} holds characters no header can carry"
        )
    return Secret(value)


def check_url(url: str) -> str:
    """Base address of the server, such as ``http://127.0.0.1:8000/v1``, which must hold no key."""
    parts = urlsplit(url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise MetacogError("the endpoint's url must look like http://127.0.0.1:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise MetacogError(
            "the endpoint's url must carry no user, password or query: "
            "put a key into an environment variable and name that as key_env"
        )
    path = re.sub(r"/(chat/)?completions/?$", "", parts.path).rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path or '/v1'}"


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
