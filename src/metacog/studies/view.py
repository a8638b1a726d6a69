"""A result as a chapter shows it: its tables, figures, rules and verdicts, each by name."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.code import Place, places_of
from metacog.core.errors import MetacogError
from metacog.core.frames import chosen_from
from metacog.report.drawing import Drawn
from metacog.report.guarded import OTHER_DATA, WHY, instead, said
from metacog.report.matrices import matrix
from metacog.report.show import Markup, Prose, first_sentence, lead, spaced
from metacog.report.tables import ShownTable
from metacog.report.views import Views
from metacog.report.vocabulary import RUN
from metacog.studies.contributions import asked_again
from metacog.studies.registry import STUDIES
from metacog.studies.study import Result, Study
from metacog.verdicts.levels import errs
from metacog.verdicts.outcomes import ALL, Rule, judged_by, together
from metacog.verdicts.rules import OPEN, answer_of

#: What readers call two runs of one page, beside each other.
REFERENCE, OWN = "reference run", "this machine"
#: Columns that name the models that a row is about.
ABOUT = ("model", "first", "second")


def views_of(study: Study, analysis: str) -> Views:
    """How one of a study's analyses is shown; nothing of it where the study declares no views."""
    return next((one for one in study.views if one.analysis == analysis), Views(analysis))


def view_places(study: Study, analysis: str) -> list[Place]:
    """Definitions that say how one of a study's analyses is shown; none for an analysis that is not shown."""
    views = next((one for one in study.views if one.analysis == analysis), None)
    return places_of(views, {package.partition(".")[0] for package in STUDIES}) if views else []


@dataclass(frozen=True)
class View:
    """What one analysis found, ready to be shown; ``second`` reads the same result of the other run that a page shows.

    ``runs`` is what readers call the two, the first one leads; it asked the models ``of_lead``, of which the
    second shows nothing beside it. ``study`` is named where how often a rule errs is to be
    told; ``judged_by`` holds its rules.
    """

    record: Any
    views: Views
    second: Callable[[], Any] | None = None
    runs: tuple[str, ...] = ()
    study: str = ""
    judged_by: Mapping[str, Rule] = field(default_factory=dict)
    of_lead: frozenset[str] = frozenset()

    def __getattr__(self, name: str) -> Any:
        """A field of the result; with a second run, its rows of models that the leading run did not ask as well.

        The column ``run`` tells the two apart.
        """
        if name.startswith("_"):
            raise AttributeError(name)
        fields = list(fields_of(self.record))
        if name not in fields:
            raise AttributeError(f"{self.views.analysis} has no {name!r}; it has: {', '.join(fields)}")
        value = getattr(self.record, name)
        if not isinstance(value, pd.DataFrame):
            return value
        if self.second is None:
            return chosen_from(value)
        both = zip(self.runs, (value, self._new(getattr(self.second(), name))), strict=True)
        parts = [frame.assign(**{RUN: run}) for run, frame in both if len(frame)]
        return chosen_from(pd.concat(parts, ignore_index=True) if parts else value)

    def _new(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Rows of the second run about models that the leading run did not ask; none of what names no model."""
        about = [column for column in ABOUT if column in frame]
        if not about:
            return frame.iloc[:0]
        return frame[~frame[about].isin(self.of_lead).all(axis=1)]

    def answer(self, name: str = "answer", note: str | Prose = "") -> Prose:
        """The sentence that answers the page's question, at the head of the page: see :meth:`sentence`.

        ``note`` names a second sentence that qualifies it, in small type, or is a text of another result. Below it
        stands how often the rule behind the answer errs where that is simulated.
        """
        told = note.source if isinstance(note, Prose) else self.sentence(note) if note else ""
        checked = errs(self.study, self.views.analysis, name) if self.study else ""
        return Prose(lead(self.sentence(name), "\n\n".join(filter(None, (told, checked)))))

    def says(
        self,
        name: str,
        text: str,
        plain: str = "",
        *,
        holds: Any = True,
        head: bool = False,
        note: str | Prose = "",
        rule: str = "",
    ) -> Prose:
        """A sentence that the chapter writes by hand, with the result's numbers in it, as long as it ``holds``.

        Where it does not, ``plain`` stands in its place and says so (:mod:`metacog.report.guarded`). Other pages read
        it as ``analysis_name``. ``head`` sets it at the head of the page, with a ``note`` in small type and how often
        the rule of that name, or the one that is named, errs.
        """
        from myst_nb import glue

        if name in self.numbers() or name in self.views.sentences:
            raise MetacogError(
                f"{self.views.analysis} has a number or sentence {name!r} already; choose another name"
            )
        told = said(text, plain, self.numbers(), holds)
        glue(f"{self.views.analysis}_{name}", spaced(told.text), display=False)
        if not head:
            return Prose(told.text if told.written else instead(name, told.text))
        small = note.source if isinstance(note, Prose) else note
        checked = errs(self.study, self.views.analysis, rule or name) if self.study else ""
        if not told.written:  # the reason once, for the head and a note alike
            small = "\n\n".join(filter(None, (f"*{WHY}*", small.replace(f"\n\n*{WHY}*", ""))))
        below = "\n\n".join(filter(None, (small, checked)))
        return Prose(lead(told.text, below, "" if told.written else f"{OTHER_DATA} {name}"))

    def again(self) -> Prose:
        """Whether models that were asked in both runs give the same headline in both; nothing of one run."""
        if self.second is None:
            return Prose("")
        both = (self.record, self.second())
        return Prose(asked_again(*(both if self.runs[0] == REFERENCE else both[::-1])))

    def matrix(self, *names: str, caption: str = "") -> Markup:
        """Rules against models: yes, no, undecided or not testable, and what all of them say together.

        Of the rules of these names; of all that the result judges by without one.
        """
        told = [(self.record, "")] + ([(self.second(), f" ({self.runs[1]})")] if self.second else [])
        rows = [
            row
            for record, whose in told
            for name, rule in judged_by(getattr(record, "outcomes", None), self.judged_by)
            if not names or name in names
            for row in _answers(name, rule, record, self.views, whose)
            if not whose or row["unit"].removesuffix(whose) not in {"together", *self.of_lead}
        ]
        frame = pd.DataFrame(rows, columns=["claim", "unit", "answer", "why"]).drop_duplicates(
            ["claim", "unit"]
        )
        named = {"claim": "Claim"}
        return matrix(
            frame, rows="claim", columns="unit", value="answer", why="why", caption=caption, titles=named
        )

    def rules(self, *names: str) -> Prose:
        """The rules of these names, quoted; all that the analysis judges by without a name."""
        names = names or tuple(name for name, _ in judged_by(self.record.outcomes, self.judged_by))
        return Prose("\n>\n".join(f"> {self.judged_by[name].text}" for name in names))

    def sentence(self, name: str) -> str:
        """The sentence that is declared under a name, or the field of that name."""
        if name in self.views.sentences:
            return str(self.views.sentences[name](self.record))
        return str(getattr(self.record, name))

    def text(self, name: str) -> Prose:
        """A text made from the result, as it is."""
        return Prose(self.sentence(name))

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

    def glue_shown(self, name: str, shown: Drawn | ShownTable | Markup) -> None:
        """Give other pages a figure, a table or a slider with its caption, as ``analysis_name``."""
        from myst_nb import glue

        if isinstance(shown, Markup):
            markup = shown.source
        else:
            markup = shown.markup(name) if isinstance(shown, ShownTable) else shown.markup()
        glue(f"{self.views.analysis}_{name}", Markup(markup), display=False)

    def sentences(self) -> dict[str, str]:
        """The sentences of the result, by name."""
        return {name: make(self.record) for name, make in self.views.sentences.items()}

    def numbers(self) -> dict[str, Any]:
        """Plain values of the result, by name; with those of its field ``numbers``."""
        found = fields_of(self.record)
        found |= found.get("numbers", {})
        if self.views.numbers is not None:
            found |= self.views.numbers(self.record)
        plain = ((k, v.item() if isinstance(v, np.generic) else v) for k, v in found.items())
        return {k: v for k, v in plain if isinstance(v, int | float | str)}


def fields_of(record: Any) -> dict[str, Any]:
    if isinstance(record, Result):
        return dict(record)
    return {f.name: getattr(record, f.name) for f in dataclasses.fields(record)}


def _answers(name: str, rule: Rule, record: Any, views: Views, whose: str) -> Iterable[dict[str, str]]:
    """What a rule says of each unit, and of all."""
    rows = record.outcomes[record.outcomes["rule"] == name]
    claim = first_sentence(rule.claim or rule.text)
    units = rows[rows["unit"] != ALL]
    for unit, holds, why in zip(units["unit"], units["holds"], units["why"], strict=True):
        answer = answer_of(None if pd.isna(holds) else bool(holds), why)
        yield {"claim": claim, "unit": f"{unit}{whose}", "answer": answer, "why": why}
    why = units.loc[units["holds"].isna(), "why"]
    holds = together(record.outcomes, name)
    undecided = holds is None and (why.empty or why.str.startswith(OPEN).any())
    said = "undecided" if undecided else answer_of(holds)
    yield {"claim": claim, "unit": f"together{whose}", "answer": said, "why": views.outcome(name, record)}
