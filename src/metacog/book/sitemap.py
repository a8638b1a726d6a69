"""``sitemap.xml``, which tells search engines the pages of the book (<https://www.sitemaps.org>)."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

from metacog.core.files import replacing

#: Pages that are no part of the text.
NO_TEXT = {"index.html", "search.html", "genindex.html"}


def write_sitemap(site: Path, address: str) -> Path | None:
    """Write the addresses of all pages; nothing without the book's address, which ends in ``/``."""
    if not address:
        return None
    found = (path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    pages = sorted(name for name in found if name not in NO_TEXT and not name.startswith("_static/"))
    lines = "".join(f"<url><loc>{escape(address + name)}</loc></url>\n" for name in pages)
    path = site / "sitemap.xml"
    with replacing(path) as handle:
        handle.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}</urlset>\n'
        )
    return path
