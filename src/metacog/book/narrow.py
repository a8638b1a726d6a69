"""Figures for phones, as an extension of Sphinx: a page shows the narrow variant of a figure on a narrow screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from metacog.book.downloads import FOLDER, NARROW_FOLDER

_IMAGE = re.compile(r'<img [^>]*src="(?P<up>[./]*)_images/(?P<name>[\w.-]+\.svg)"[^>]*>')
#: On screens of at most so many pixels.
MOST_PIXELS = 600


def setup(app: Any) -> dict[str, bool]:
    app.connect("html-page-context", _offer_narrow)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def with_narrow(body: str, known: set[str]) -> str:
    """A page's HTML in which every figure that has a variant for phones offers it."""

    def both(found: re.Match[str]) -> str:
        if found["name"] not in known:
            return found[0]
        address = f"{found['up']}_static/{FOLDER}/{NARROW_FOLDER}/{found['name']}"
        return (
            f'<picture><source media="(max-width: {MOST_PIXELS}px)" srcset="{address}">{found[0]}</picture>'
        )

    return _IMAGE.sub(both, body)


def _offer_narrow(app: Any, name: str, template: str, context: dict[str, Any], page: Any) -> None:
    places = (Path(app.confdir) / one / FOLDER / NARROW_FOLDER for one in app.config.html_static_path)
    known = {file.name for place in places for file in place.glob("*.svg")}
    if known and "body" in context:
        context["body"] = with_narrow(context["body"], known)
