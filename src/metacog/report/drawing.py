"""A figure with what belongs to it: its name, its caption and its text for those who cannot see it."""

from __future__ import annotations

import html
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.report.show import carried, take_along

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Significant digits of what was drawn, in its CSV.
CSV_DIGITS = "%.7g"
#: Mime type under which a display hands over its variant for phones.
NARROW = "application/x-narrow-svg"
#: Key of a display's metadata under which the page finds a figure's caption.
MARK = "metacog-figure"


@dataclass(frozen=True)
class Drawn:
    """A figure that a notebook displays; None where there is nothing to draw.

    ``narrow`` is the same for a phone, and ``data`` what is drawn.
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
        if self.data is None or self.data.empty:
            return ""
        return self.data.to_csv(index=False, float_format=CSV_DIGITS)

    def markup(self) -> str:
        """The figure and its caption as HTML that needs no other file, for a page that did not draw it."""
        if self.figure is None:
            return ""
        image = carried("image/svg+xml", self.svg())
        small = carried("image/svg+xml", _svg(self.narrow))
        shown = f'<img alt="{html.escape(self.alt)}" src="{image}"/>'
        if small:
            shown = f'<picture><source media="(max-width: 600px)" srcset="{small}"/>{shown}</picture>'
        csv = self.csv()
        links = {"svg": image, "csv": carried("text/csv", csv)}
        return (
            f"<figure>{shown}"
            f"<figcaption><p>{html.escape(self.caption)}</p></figcaption></figure>"
            + take_along(links, self.name or "figure", "figure", csv)
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


#: Places to more than a hundredth of a point, which nobody sees; scales of letters are kept.
_PRECISE = re.compile(r"(?<!scale\()(?<![\d.])(\d+\.\d\d)\d{4}\b")


def _svg(figure: Figure | None) -> str:
    if figure is None:
        return ""
    out = io.StringIO()
    figure.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None})
    return _PRECISE.sub(r"\1", out.getvalue())
