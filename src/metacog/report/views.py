"""How one analysis is told: the sentences and parts of pages that are made from its stored result.

None of it is computed with the result, so a new title or a reworded sentence computes nothing again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metacog.core.errors import MetacogError
from metacog.verdicts import outcomes

if TYPE_CHECKING:
    from metacog.report.show import Markup


#: From a stored result to a sentence.
Sentence = Callable[[Any], str]


@dataclass(frozen=True)
class Views:
    """What of one analysis can be shown, each part by its name, made from the result.

    Attributes
    ----------
    sentences : mapping of str to callable
    parts : mapping of str to callable
        Parts of a page that are HTML of their own.
    verdicts : mapping of str to callable
        The sentence of what became of a rule, by the rule's name; without one it says what became of each unit.
    names : mapping of str to str
        What readers call models and question sets that the result calls as the paper's files do.
    numbers : callable, optional
        Further plain numbers of the result, by name, for sentences that chapters write by hand.
    """

    analysis: str
    sentences: Mapping[str, Sentence] = field(default_factory=dict)
    parts: Mapping[str, Callable[[Any], Markup]] = field(default_factory=dict)
    verdicts: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    numbers: Callable[[Any], Mapping[str, Any]] | None = None

    def one(self, kind: str, name: str) -> Any:
        """A sentence or part (of a ``kind``); without a name the only one there is."""
        known: Mapping[str, Any] = getattr(self, kind)
        if not name and len(known) == 1:
            return next(iter(known.values()))
        if name not in known:
            one = kind.removesuffix("s")
            raise MetacogError(f"{self.analysis} has no {one} {name!r}; it has: {', '.join(known) or 'none'}")
        return known[name]

    def outcome(self, rule: str, result: Any) -> str:
        """The sentence of what became of a rule in a result."""
        if rule in self.verdicts:
            return self.verdicts[rule](result)
        return outcomes.over_units(result.outcomes, rule)
