"""A figure with what belongs to it: its name, its caption and its text for those who cannot see it."""

from __future__ import annotations

import html
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.report.figure_data import figure_data
from metacog.report.show import carried, take_along
from metacog.report.style import use_style

#: Significant digits of what was drawn, in its CSV.
CSV_DIGITS = "%.7g"
#: Mime type under which a display hands over its variant for phones.
NARROW = "application/x-narrow-svg"
#: Key of a display's metadata under which the page finds a figure's caption.
MARK = "metacog-figure"


@dataclass(frozen=True)
class Drawing:
    """How a figure is made from a result, and its caption and description.

    Attributes
    ----------
    draw : callable
        From a result (and, for some, further arguments) to a figure; None if there is nothing to draw.
    name : str
        Label that pages refer to; empty for figures of pages that exist once for each model.
    caption, alt : str
        What stands below it, and what it shows, in words, for those who cannot see it.
    more : callable or None
        From the same result to what the caption says beyond; empty where there is nothing to add.
    """

    draw: Callable[..., Figure | None]
    name: str
    caption: str
    alt: str
    more: Callable[..., str] | None = None

    def __call__(self, *arguments: Any, **options: Any) -> Drawn:
        """Draw it."""
        use_style()
        drawn = self.draw(*arguments, **options)
        more = self.more(*arguments) if self.more and drawn is not None else ""
        return Drawn(drawn, self.name, f"{self.caption} {more}".strip(), self.alt)


def drawing(
    *, caption: str, alt: str = "", name: str = "", more: Callable[..., str] | None = None
) -> Callable[[Callable[..., Figure | None]], Drawing]:
    """Give a function that draws a figure its name, caption and alternative text.

    Without ``alt``, the function's docstring says in words what the figure shows.
    """

    def wrap(draw: Callable[..., Figure | None]) -> Drawing:
        shows = alt or " ".join((draw.__doc__ or "").split()).removesuffix(".")
        return Drawing(draw, name, caption, shows, more)

    return wrap


@dataclass(frozen=True)
class Drawn:
    """A figure that a notebook displays.

    Attributes
    ----------
    figure : Figure or None
    name, caption, alt : str
    narrow : Figure or None
        The same for a phone.
    data : DataFrame or None
        What is drawn; without it, it is read back from the figure.
    """

    figure: Figure | None
    name: str
    caption: str
    alt: str
    narrow: Figure | None = None
    data: pd.DataFrame | None = None

    def svg(self) -> str:
        """The figure as SVG; empty where there is nothing to draw."""
        return _svg(self.figure)

    def csv(self) -> str:
        """The numbers that the figure shows; empty where there are none."""
        data = self.data
        if data is None and self.figure is not None:
            data = figure_data(self.figure)
        return "" if data is None or data.empty else data.to_csv(index=False, float_format=CSV_DIGITS)

    def markup(self) -> str:
        """The figure and its caption as HTML that needs no other file, for a page that did not draw it."""
        if self.figure is None:
            return ""
        image = carried("image/svg+xml", self.svg())
        small = carried("image/svg+xml", _svg(self.narrow))
        shown = f'<img alt="{html.escape(self.alt)}" src="{image}"/>'
        if small:
            shown = f'<picture><source media="(max-width: 600px)" srcset="{small}"/>{shown}</picture>'
        links = {"svg": image, "csv": carried("text/csv", self.csv())}
        return (
            f"<figure>{shown}"
            f"<figcaption><p>{html.escape(self.caption)}</p></figcaption></figure>"
            + take_along(links, self.name or "figure", "figure")
        )

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        if self.figure is None:
            return {"text/plain": ""}, {}
        data = {"image/svg+xml": self.svg(), "text/plain": self.alt}
        if csv := self.csv():
            data["text/csv"] = csv
        if self.narrow is not None:
            data[NARROW] = _svg(self.narrow)
        return data, {MARK: {"name": self.name, "caption": self.caption, "alt": self.alt}}


def _svg(figure: Figure | None) -> str:
    if figure is None:
        return ""
    out = io.StringIO()
    figure.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None})
    return out.getvalue()
