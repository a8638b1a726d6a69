"""How one analysis is told: the sentences and parts of pages that are made from its stored result.

None of it is computed with the result, so a new title or a reworded sentence computes nothing again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from metacog.core.errors import MetacogError
from metacog.report.show import first_sentence
from metacog.verdicts import outcomes
from metacog.verdicts.words import over_units

if TYPE_CHECKING:
    from metacog.report.show import Markup
    from metacog.verdicts.verdict import Verdict


#: From a stored result to a sentence.
Sentence = Callable[[Any], str]


@dataclass(frozen=True)
class Views:
    """What of one analysis can be shown, each part by its name.

    Attributes
    ----------
    analysis : str
        Name of the analysis.
    sentences : mapping of str to callable
        From the result to a sentence.
    parts : mapping of str to callable
        From the result to a part of a page that is HTML of its own.
    verdicts : mapping of str to callable
        From a verdict to its sentence, by the verdict's ``name``; without one it says what became of each unit. Of a
        result that holds ``outcomes``, from the result, by the rule's name.
    claims : mapping of str to str or callable
        What a verdict judges, short enough for a row of a matrix, by the verdict's ``name``; without one the first
        sentence of its rule. Where it is empty, nothing is judged.
    rules : mapping of str to str
        Rules that were fixed beforehand, quoted, by topic.
    names : mapping of str to str
        What readers call models and question sets that the result calls as the paper's files do.
    """

    analysis: str
    sentences: Mapping[str, Sentence] = field(default_factory=dict)
    parts: Mapping[str, Callable[[Any], Markup]] = field(default_factory=dict)
    verdicts: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    claims: Mapping[str, str | Callable[[Verdict], str]] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def one(self, kind: str, name: str) -> Any:
        """A sentence or part; without a name the only one there is.

        Raises
        ------
        MetacogError
            If there is none of that name; lists those there are.
        """
        known: Mapping[str, Any] = getattr(self, kind)
        if not name and len(known) == 1:
            return next(iter(known.values()))
        if name not in known:
            one = kind.removesuffix("s")
            raise MetacogError(f"{self.analysis} has no {one} {name!r}; it has: {', '.join(known) or 'none'}")
        return known[name]

    def sentence(self, verdict: Verdict) -> str:
        """The sentence of a verdict."""
        return self.verdicts.get(verdict.name, over_units)(verdict)

    def outcome(self, rule: str, result: Any) -> str:
        """The sentence of what became of a rule in a result."""
        if rule in self.verdicts:
            return self.verdicts[rule](result)
        return outcomes.over_units(result.outcomes, rule)

    def claim(self, verdict: Verdict) -> str:
        """What a verdict judges, without a full stop; empty where it only describes."""
        claim = self.claims.get(verdict.name, verdict.rule)
        return first_sentence(claim if isinstance(claim, str) else claim(verdict))
