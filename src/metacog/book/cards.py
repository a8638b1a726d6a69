"""Cards of models as files, and the links to them on the pages."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from metacog.book.chapters import Page
from metacog.book.downloads import insert_after_opening, raw
from metacog.core.config import Profile
from metacog.core.files import replacing
from metacog.imports.page import markdown_html, page_html
from metacog.studies.shared.model_card import BOARD, Card, card_of, markdown, models_with_cards

#: Folder among the static files.
FOLDER = "cards"


def write_card(card: Card, folder: Path, address: str = "") -> list[Path]:
    """Write ``NAME.md`` and ``NAME.html``, which needs no other file; their paths."""
    text = markdown(card, address)
    body = (
        markdown_html(text)
        .replace("<table>", '<div class="wide"><table>')
        .replace("</table>", "</table></div>")
    )
    name = re.sub(r"[^\w.-]+", "-", card.entry.name if card.entry else card.label).strip("-")
    made = {folder / f"{name}.md": text, folder / f"{name}.html": page_html(body)}
    for path, content in made.items():
        with replacing(path) as handle:
            handle.write(content)
    return list(made)


def write_cards(profile: Profile, static: Path, address: str = "") -> dict[str, str]:
    """Write the card of every model that was asked; their labels by name, none without stored results."""
    shutil.rmtree(static / FOLDER, ignore_errors=True)
    models = models_with_cards(profile)
    for name in models:
        write_card(card_of(name, profile), static / FOLDER, address)
    return models


def link_cards(notebook: Any, page: Page, models: Mapping[str, str], every: Iterable[Page]) -> None:
    """Put links to its card on a model's page, and to all cards and models' pages on that of all models, in place."""
    model = page.parameters.get("model", "")
    if page.chapter.per_model and model in models:
        insert_after_opening(
            notebook, f"<p>The card of this model, for its README: {_links(model, 'this model')}</p>"
        )
    elif models and BOARD in page.chapter.uses():
        own = {one.parameters.get("model", ""): one.name for one in every if one.chapter.per_model}
        named = {name: html.escape(label) for name, label in models.items()}
        named |= {
            name: f'<a href="{own[name]}.html">{label}</a>' for name, label in named.items() if name in own
        }
        each = "; ".join(f"{named[name]} ({_links(name, label)})" for name, label in models.items())
        last = max((i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"), default=-1)
        notebook.cells.insert(
            last + 1, raw(f"<p>Pages of models, and in brackets their cards for READMEs: {each}.</p>")
        )


def _links(name: str, label: str) -> str:
    said = html.escape(f"card of {label}", quote=True)
    return ", ".join(
        f'<a href="../_static/{FOLDER}/{html.escape(name)}.{ending}" aria-label="{said}, {word}">{word}</a>'
        for ending, word in (("html", "HTML"), ("md", "Markdown"))
    )
