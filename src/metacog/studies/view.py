"""A result as a chapter shows it: its tables, figures, rules and verdicts, each by name."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metacog.core.code import imported
from metacog.report.drawing import Drawn
from metacog.report.show import Markup, Prose, finding, headed, judgement, lead, spaced
from metacog.report.tables import ShownTable
from metacog.report.verdicts import Kind, Verdict
from metacog.report.views import Finding, Views
from metacog.studies.registry import STUDIES
from metacog.studies.study import Study

TOO_SMALL = (
    "No verdict: this run is too small for one, or holds nothing to compare. The numbers show the path only."
)


def verdict_box(verdict: Verdict, views: Views) -> str:
    """One verdict's box, headed by what it claims and how that was judged.

    A comparison with published values that judges nothing is headed by what was found.
    """
    kind = verdict.kind.value
    mark, sentence = f"**{kind[0].upper()}{kind[1:]}.**", views.sentence(verdict)
    described = verdict.passed is None and verdict.kind in (Kind.PUBLISHED, Kind.FINDING)
    claim = "" if described and verdict.name not in views.claims else views.claim(verdict)
    if not claim and not headed(sentence)[1]:  # the title says it all: a mark would stand alone below it
        return finding(f"{kind[0].upper()}{kind[1:]}: {sentence}", verdict.passed)
    if not claim:
        return finding(sentence, verdict.passed, mark)
    return judgement(claim, verdict.passed, f"{mark} {sentence}")


def finding_boxes(findings: Iterable[Finding]) -> Prose:
    """Findings in one box each; those that answer a question are coloured by their outcome."""
    return boxes([finding(one.sentence, one.passed) for one in findings])


def views_of(study: Study, analysis: str) -> Views:
    """How one of a study's analyses is shown; nothing of it where the study declares no views."""
    return next((one for one in study.views if one.analysis == analysis), Views(analysis))


def view_files(study: Study, analysis: str) -> list[Path]:
    """Files of the modules that say how one of a study's analyses is shown.

    Those hold its views, alone or among others, and take them from no other module; there is none for an analysis
    that is not shown.
    """
    views = next((one for one in study.views if one.analysis == analysis), None)
    if views is None:
        return []
    tops = frozenset(package.partition(".")[0] for package in STUDIES)
    ours = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] in tops]
    holding = [m for m in ours if any(_holds(value, views) for value in vars(m).values())]
    files = {m.__name__: Path(str(m.__file__)) for m in holding}
    return [file for file in files.values() if not imported(file, tops) & set(files)]


def _holds(value: Any, views: Views) -> bool:
    return value is views or (isinstance(value, tuple) and any(one is views for one in value))


@dataclass(frozen=True)
class View:
    """What one analysis found, ready to be shown.

    Attributes
    ----------
    record : Any
        The result itself.
    views : Views
        How it is shown.
    """

    record: Any
    views: Views

    def answer(self, name: str = "answer") -> Prose:
        """The sentence that answers the page's question, at the head of the page: see :meth:`sentence`."""
        return Prose(lead(str(self.sentence(name))))

    def table(self, name: str = "", *, folded: bool | None = None) -> ShownTable:
        """A table; without a name the only one of the analysis.

        Parameters
        ----------
        name : str
        folded : bool or None
            Whether it is closed until its caption is clicked; without a say, its schema decides.

        Raises
        ------
        MetacogError
            If there is none of that name; lists those there are.
        """
        schema = self.views.one("tables", name)
        if folded is not None:
            schema = dataclasses.replace(schema, folded=folded)
        return ShownTable(schema, schema.data(self.record))

    def figure(self, name: str = "", *, again: bool = False) -> Drawn | Prose:
        """A figure, drawn from the result; nothing where there is nothing to draw.

        Parameters
        ----------
        name : str
        again : bool
            It stands on another page already, and that page has the label under which others refer to it.
        """
        drawn = self.views.one("figures", name)(self.record)
        if again:
            drawn = dataclasses.replace(drawn, name="")
        return drawn if drawn.figure is not None else Prose("")

    def rules(self, *topics: str) -> Prose:
        """The rules that were fixed beforehand, quoted; all of them without a topic."""
        rules = self.views.rules or self.record.rules
        return Prose("\n>\n".join(f"> {rules[topic]}" for topic in topics or rules))

    def verdicts(self, kind: Kind | None = None, topic: str = "") -> Prose:
        """Verdicts in boxes, of one kind or topic; says so where the run draws none."""
        chosen = [
            verdict_box(v, self.views)
            for v in self.record.verdicts
            if (kind is None or v.kind is kind) and (not topic or v.topic == topic)
        ]
        return boxes(chosen)

    def sentence(self, name: str) -> Any:
        """What is declared under a name: a sentence, or findings."""
        if name in self.views.sentences:
            return self.views.sentences[name](self.record)
        return str(getattr(self.record, name))

    def box(self, name: str) -> Prose:
        """A sentence made from the result, in a box; several findings in one box each."""
        made = self.sentence(name)
        if isinstance(made, str):
            return Prose(finding(made))
        return finding_boxes(made)

    def text(self, name: str) -> Prose:
        """A text made from the result, as it is."""
        return Prose(str(self.sentence(name)))

    def html(self, name: str) -> Markup:
        """A part of the result that is HTML."""
        made: Markup = self.views.one("parts", name)(self.record)
        return made

    def glue(self) -> None:
        """Give text and other pages every plain number and sentence of the result, as ``analysis_name``."""
        from myst_nb import glue

        for name, value in {**self.numbers(), **self.sentences()}.items():
            shown = spaced(value) if isinstance(value, str) else value
            glue(f"{self.views.analysis}_{name}", shown, display=False)

    def glue_figure(self, name: str) -> None:
        """Give other pages a figure with its caption, as ``analysis_figure_name``."""
        from myst_nb import glue

        drawn = self.views.one("figures", name)(self.record)
        glue(f"{self.views.analysis}_figure_{name}", Markup(drawn.markup()), display=False)

    def sentences(self) -> dict[str, str]:
        """The sentences of the result, by name, without its findings."""
        made = {name: make(self.record) for name, make in self.views.sentences.items()}
        return {name: text for name, text in made.items() if isinstance(text, str)}

    def numbers(self) -> dict[str, Any]:
        """Plain values of the result, by name; with those of its field ``numbers``."""
        found = {f.name: getattr(self.record, f.name) for f in dataclasses.fields(self.record)}
        found |= found.get("numbers", {})
        return {k: v for k, v in found.items() if isinstance(v, int | float | str)}


def boxes(texts: Sequence[str]) -> Prose:
    """Boxes one below the other; a line in place of none."""
    return Prose("\n".join(texts) if texts else f"*{TOO_SMALL}*")
