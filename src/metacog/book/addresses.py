"""Where the rendered book and its repository can be reached; known only where somebody sets it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from urllib.parse import urlsplit

import yaml

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

#: Environment variables that override ``html.baseurl`` and ``repository.url`` of ``_config.yml``.
BOOK, REPOSITORY = "METACOG_BASE_URL", "METACOG_REPOSITORY"


@dataclass(frozen=True)
class Addresses:
    """Addresses that somebody set, each empty if it is not known.

    ``book`` is that of the folder with the rendered ``index.html``, ending in ``/``; ``repository`` has no slash there.
    """

    book: str = ""
    repository: str = ""
    branch: str = "main"


def addresses() -> Addresses:
    """What ``_config.yml`` and the environment say."""
    path = project_root() / "_config.yml"
    settings = (yaml.safe_load(path.read_text(encoding="utf-8")) or {}) if path.is_file() else {}
    repository = settings.get("repository") or {}
    book = _checked(BOOK, "html.baseurl", (settings.get("html") or {}).get("baseurl"))
    code = _checked(REPOSITORY, "repository.url", repository.get("url"))
    return Addresses(
        f"{book}/" if book else "", code.removesuffix(".git"), str(repository.get("branch") or "main")
    )


def _checked(variable: str, key: str, set_there: str | None) -> str:
    """An address without a slash at its end."""
    named = os.environ.get(variable)
    found = (named if named is not None else set_there or "").strip().rstrip("/")
    parts = urlsplit(found)
    if found and (parts.scheme not in ("http", "https") or not parts.netloc):
        where = f"the environment variable {variable}" if named else f"{key} in _config.yml"
        raise MetacogError(f"{where} is {found!r}; it has to begin with https:// and a host")
    return found
