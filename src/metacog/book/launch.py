"""Links that open a chapter where somebody else's computer runs it; only where the repository has an address."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from metacog.book.addresses import Addresses
from metacog.book.downloads import insert_after_opening
from metacog.core.paths import from_root

#: The notebook that sets the project up where it is opened; chapters are text, which Colab does not open.
COLAB_NOTEBOOK = "book/colab.ipynb"

#: Hosts of repositories, with Binder's names for them.
BINDER = {"github.com": "gh", "gitlab.com": "gl"}


def launch_links(source: Path, known: Addresses) -> dict[str, str]:
    """Where a chapter can be run, by name; nothing without a repository that these services know."""
    parts = urlsplit(known.repository)
    name = parts.path.strip("/")
    if parts.netloc not in BINDER or not name:
        return {}
    branch = quote(known.branch, safe="")
    place = quote(from_root(source))
    kind = BINDER[parts.netloc]
    path = name if kind == "gh" else quote(name, safe="")
    links = {
        "Binder": f"https://mybinder.org/v2/{kind}/{path}/{branch}?urlpath={quote(f'lab/tree/{place}', safe='')}"
    }
    if kind == "gh":
        links["Colab"] = f"https://colab.research.google.com/github/{name}/blob/{branch}/{COLAB_NOTEBOOK}"
    return links


def link_launch(notebook: Any, source: Path, known: Addresses) -> None:
    """Put the links below a page's opening, in place; nothing without an address."""
    links = launch_links(source, known)
    if links:
        badges = " ".join(
            f'<a class="launch-badge" href="{html.escape(address)}">{name}</a>'
            for name, address in links.items()
        )
        insert_after_opening(notebook, f'<p class="launch">Run this page elsewhere: {badges}</p>')
