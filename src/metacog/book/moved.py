"""Old addresses of pages: each leads to the page that says now what the old one said."""

from __future__ import annotations

import html
from pathlib import Path

import yaml

from metacog.core.errors import MetacogError

#: What became of which page, below the project's root.
LISTING = Path("book") / "moved.yaml"

_LEADS = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>This page has moved</title>
<meta http-equiv="refresh" content="0; url={page}"><link rel="canonical" href="{page}"></head>
<body><main><p>This page has moved: <a href="{page}">go to where it is now</a>.</p></main></body></html>
"""


def moved(root: Path) -> dict[str, str]:
    """New page, with a place on it if one is named, by old page; both as in the table of contents."""
    listing = root / LISTING
    return (yaml.safe_load(listing.read_text(encoding="utf-8")) or {}) if listing.is_file() else {}


def write_moved(root: Path, site: Path) -> None:
    for old, new in moved(root).items():
        page, _, place = new.partition("#")
        if not (site / f"{page}.html").is_file():
            raise MetacogError(f"{LISTING}: {old} has moved to {page}, which is no page of the book")
        target = site / f"{old}.html"
        if target.is_file():
            raise MetacogError(f"{LISTING}: {old} has moved to {page}, and is still a page of the book")
        target.parent.mkdir(parents=True, exist_ok=True)
        address = "../" * old.count("/") + f"{page}.html" + (f"#{place}" if place else "")
        target.write_text(_LEADS.format(page=html.escape(address)), encoding="utf-8")
