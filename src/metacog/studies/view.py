"""A result as a chapter shows it: its tables, figures, rules and verdicts, each by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from metacog.core.errors import MetacogError
from metacog.report.drawing import Drawn
from metacog.report.show import Markup, Prose, admonition, finding
from metacog.report.tables import ShownTable
from metacog.report.verdicts import Kind, Verdict

TOO_SMALL = "This run is too small for a verdict; the numbers show the path only."


def verdict_text(verdict: Verdict) -> str:
    """One verdict's box."""
    if verdict.kind is Kind.FINDING:
        if verdict.passed is None:
            return finding(verdict.sentence)
        return admonition(verdict.sentence, verdict.passed)
    kind = verdict.kind.value
    return admonition(f"**{kind[0].upper()}{kind[1:]}.** {verdict.sentence}", verdict.passed)


@dataclass(frozen=True)
class View:
    """What one analysis found, ready to be shown.

    Attributes
    ----------
    name : str
        Of the analysis.
    record : Any
        The result itself.
    tables, figures : mapping
        The study's, by ``analysis.name``.
    """

    name: str
    record: Any
    tables_of: Mapping[str, Any]
    figures_of: Mapping[str, Any]

    def table(self, name: str = "") -> ShownTable:
        """A table; without a name the only one of the analysis.

        Raises
        ------
        MetacogError
            If there is none of that name; lists those there are.
        """
        schema = self._one(self.tables_of, name, "table")
        return ShownTable(schema, getattr(self.record, schema.of))

    def figure(self, name: str = "") -> Drawn | Prose:
        """A figure, drawn from the result; nothing where there is nothing to draw."""
        drawn = self._one(self.figures_of, name, "figure")(self.record)
        return drawn if drawn.figure is not None else Prose("")

    def rules(self, *topics: str) -> Prose:
        """The rules that were fixed beforehand, quoted; all of them without a topic."""
        rules = self.record.rules
        return Prose("\n>\n".join(f"> {rules[topic]}" for topic in topics or rules))

    def verdicts(self, kind: Kind | None = None, topic: str = "") -> Prose:
        """Verdicts in boxes, of one kind or topic; says so where the run draws none."""
        chosen = [
            v
            for v in self.record.verdicts
            if (kind is None or v.kind is kind) and (not topic or v.topic == topic)
        ]
        return boxes(chosen)

    def say(self, name: str) -> Prose:
        """A computed sentence of the result, in a box."""
        return Prose(finding(str(getattr(self.record, name))))

    def text(self, name: str) -> Prose:
        """A computed text of the result, as it stands."""
        return Prose(str(getattr(self.record, name)))

    def html(self, name: str) -> Markup:
        """A part of the result that is HTML."""
        return Markup(str(getattr(self.record, name)))

    def glue(self) -> None:
        """Give text and other pages every plain number and sentence of the result, as ``analysis_name``."""
        from myst_nb import glue

        for name, value in self.numbers().items():
            glue(f"{self.name}_{name}", value, display=False)

    def numbers(self) -> dict[str, Any]:
        """Plain numbers and sentences of the result, by name; with those of its field ``numbers``."""
        found = {f.name: getattr(self.record, f.name) for f in dataclasses.fields(self.record)}
        found |= found.get("numbers", {})
        return {k: v for k, v in found.items() if isinstance(v, int | float | str)}

    def _one(self, known: Mapping[str, Any], name: str, what: str) -> Any:
        mine = {k.split(".", 1)[1]: v for k, v in known.items() if k.split(".", 1)[0] == self.name}
        if not name and len(mine) == 1:
            return next(iter(mine.values()))
        if name not in mine:
            raise MetacogError(f"{self.name} has no {what} {name!r}; it has: {', '.join(mine) or 'none'}")
        return mine[name]


def boxes(verdicts: Iterable[Verdict]) -> Prose:
    """Boxes of several verdicts, one below the other."""
    texts = [verdict_text(v) for v in verdicts]
    return Prose("\n".join(texts) if texts else f":::{{note}}\n{TOO_SMALL}\n:::")
