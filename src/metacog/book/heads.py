"""What a page says of itself to search engines and to those who link to it, as an extension of Sphinx.

Every page gets a description, taken from what it says first, and the tags of the Open Graph protocol
(<https://ogp.me>). Where the book has an address (:mod:`metacog.book.addresses`), pages also get their own address,
Sphinx adds a canonical link, and a picture is drawn for each that carries its title and its description.
"""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from metacog.book.addresses import addresses

#: A description is cut at a sentence or a word before it gets longer.
MOST_CHARACTERS = 200
#: Class of the part of a page that gives its answer.
ANSWER = "page-answer"
#: Folder of the pictures, below the static files; their width and height in pixels.
FOLDER, SIZE = "social", (1200, 630)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("config-inited", _set_address)
    app.connect("html-page-context", _describe_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def describe(page: nodes.document) -> str:
    """What a page says first: its answer, else its first box, else its first paragraph, before any below a heading."""
    return shortened(next((text for node in _openings(page) if (text := plain(node))), ""))


def _openings(page: nodes.document) -> Iterator[nodes.Node]:
    """Paragraphs in the order in which they are fit to describe a page."""
    top = next(page.findall(nodes.section), page)
    for node in top.findall(nodes.Element):
        if ANSWER in node.get("classes", []):
            yield from node.findall(nodes.paragraph)
    yield from (p for p in _paragraphs(top) if isinstance(p.parent, nodes.Admonition))
    yield from (p for p in _paragraphs(top) if not isinstance(p.parent, nodes.Admonition))
    for part in top.findall(nodes.section):
        yield from _paragraphs(part)
    yield from top.findall(nodes.paragraph)


def _paragraphs(part: nodes.Element) -> Iterator[nodes.paragraph]:
    """Paragraphs before the first heading below a page's title; those in lists, tables and folds do not count."""
    passed_over = (nodes.section, nodes.table, nodes.figure, nodes.Sequential, nodes.block_quote)
    for child in part.children:
        if isinstance(child, nodes.section):
            return
        if isinstance(child, nodes.paragraph):
            yield child
        elif isinstance(child, nodes.Element) and not isinstance(child, passed_over):
            if not {"sd-sphinx-override", "dropdown", "toggle"} & set(child.get("classes", [])):
                yield from _paragraphs(child)


def plain(node: nodes.Node) -> str:
    """The words of a part of a page, formulas without their commands."""
    copy = node.deepcopy()
    for formula in list(copy.findall(nodes.math)):
        words = re.sub(r"\\[a-zA-Z]+|[{}$]|\\.", "", formula.astext()).replace("_", "")
        formula.replace_self(nodes.Text(words))
    return re.sub(r"\s+", " ", copy.astext()).strip()


def shortened(text: str) -> str:
    """As many whole sentences as fit; of a first sentence that does not fit, as many words."""
    if len(text) <= MOST_CHARACTERS:
        return text
    whole = text[: MOST_CHARACTERS + 1]
    ends = [found.end() for found in re.finditer(r"[.!?](?=\s)", whole)]
    if ends and ends[-1] > MOST_CHARACTERS // 3:
        return whole[: ends[-1]]
    return textwrap.shorten(text, MOST_CHARACTERS, placeholder=" …")


def meta_tags(title: str, description: str, site: str, address: str = "", picture: str = "") -> str:
    named = {"description": description}
    of_graph = {"og:type": "article", "og:site_name": site, "og:title": title, "og:description": description}
    if address:
        of_graph["og:url"] = address
    if picture:
        of_graph |= {
            "og:image": picture,
            "og:image:width": str(SIZE[0]),
            "og:image:height": str(SIZE[1]),
            "og:image:alt": f"{title}: {description}" if description else title,
        }
        named["twitter:card"] = "summary_large_image"
    tags = [("name", key, value) for key, value in named.items()]
    tags += [("property", key, value) for key, value in of_graph.items()]
    return "\n".join(
        f'<meta {kind}="{key}" content="{html.escape(value, quote=True)}" />'
        for kind, key, value in tags
        if value
    )


def described(text: str) -> str:
    """The tags of :func:`meta_tags` in a page's HTML, for another page that leads to it."""
    return "\n".join(
        re.findall(r'<meta (?:name="(?:description|twitter:card)"|property="og:[\w:]+") [^>]*>', text)
    )


def draw_picture(path: Path, title: str, description: str, site: str) -> None:
    from matplotlib.figure import Figure

    dots = 100
    figure = Figure(figsize=(SIZE[0] / dots, SIZE[1] / dots), dpi=dots, facecolor="#14293d")
    options: dict[str, Any] = {"color": "white", "va": "top", "ha": "left", "parse_math": False}
    figure.text(0.06, 0.93, site, fontsize=17, alpha=0.8, **options)
    figure.text(0.06, 0.80, textwrap.fill(title, 38), fontsize=34, weight="bold", linespacing=1.2, **options)
    figure.text(0.06, 0.44, textwrap.fill(description, 68), fontsize=19, linespacing=1.45, **options)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="png", metadata={"Software": None})


def _set_address(app: Sphinx, config: Config) -> None:
    config.html_baseurl = addresses().book


def _describe_page(
    app: Sphinx, name: str, template: str, context: dict[str, Any], page: nodes.document | None
) -> None:
    if page is None:  # a page without a text of its own, such as search
        return
    site = html.unescape(re.sub(r"<[^>]+>", "", str(app.config.html_title or app.config.project)))
    title = html.unescape(re.sub(r"<[^>]+>", "", str(context.get("title", "")))) or site
    description, base = describe(page), str(app.config.html_baseurl or "")
    address = picture = ""
    if base:
        address = f"{base}{app.builder.get_target_uri(name)}"
        file = f"_static/{FOLDER}/{name.replace('/', '-').lstrip('_')}.png"
        picture = f"{base}{file}"
        draw_picture(Path(app.outdir) / file, title, description, site)
    context["metatags"] = (
        f"{context.get('metatags', '')}\n{meta_tags(title, description, site, address, picture)}"
    )
