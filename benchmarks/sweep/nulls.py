"""Which world is a verdict's null: where *supported* would be wrong. Or why a verdict has none.

The first entry whose study, hypothesis and rule match holds; what a study's rule says of its own worlds comes before
it. A verdict that has neither fails the test.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from metacog.studies import get_study
from metacog.studies.study1_qa import h3
from metacog.verdicts.outcomes import Rule
from sweep.outcomes import Key, Nothing
from sweep.responses import odd_names
from sweep.worlds import (
    DIFFICULTY,
    EFFECTS,
    HIGHER_D,
    NOTHING_KNOWN,
    ONE_UNJUDGED,
    RATIO_OF_ONE,
    TOO_FEW,
    UNKNOWING,
    UNLIKE,
)

EQUAL = ("equal",)


@dataclass(frozen=True)
class Null:
    """A verdict's null; ``hypothesis`` is a pattern of the whole, ``rule`` of a part.

    Supported is wrong in ``worlds``; where there are none, ``reason`` says why, or where else it is simulated.
    ``edge`` is a world in which all but one of what the rule asks for is there, so that supported is wrong; ``beside``
    one in which supported is right, though nothing is in some units: these are judged apart. ``of`` says in which
    units nothing is at the edge: the ``odd`` one that the world is named after, the ``others``, or ``all``.
    ``uncorrected``: the rule counts units by intervals of their own, and at its edge any of those in which nothing is
    passes it. ``most``: nothing is in most units alone, since a model whose confidence tells difficulty more finely
    than others' truly lies above their median, without knowing anything of itself.
    """

    study: str
    hypothesis: str
    rule: str = ""
    worlds: tuple[str, ...] = ()
    reason: str = ""
    edge: str = ""
    beside: str = ""
    of: str = "odd"
    uncorrected: bool = False
    most: bool = False


#: What a rule does not say itself: most say ``null``, ``worst`` or ``no_null`` in their study's table.
NULLS = (
    Null("", "most", "", (DIFFICULTY,), edge=TOO_FEW, of="others", uncorrected=True),
    Null("", "single", "", (DIFFICULTY,), most=True),
    Null("study6", "order", "", edge=UNLIKE, of="others"),
    Null("study1", "H2", "", EQUAL, edge=UNLIKE, of="others"),
    Null("study1", "H4", "", EQUAL, edge=HIGHER_D, of="all"),
    Null("study1", "R6", "", EQUAL, beside=UNLIKE, of="others"),
    Null("shared", "Measures", "AUROC2|meta-I2r", NOTHING_KNOWN),
    Null("study2", "signal", "", NOTHING_KNOWN, edge=UNKNOWING),
    Null("study2", "finer", "", NOTHING_KNOWN, edge=UNKNOWING),
    Null("study2", "warning", "", EQUAL, edge=UNLIKE, of="others"),
    Null("study2", "models|tasks", "", (*NOTHING_KNOWN, *EQUAL), beside=UNLIKE, of="others"),
    Null("study3", "abstaining", "", NOTHING_KNOWN, edge=UNKNOWING),
    Null("study3", "relation", "", (*NOTHING_KNOWN, *EQUAL)),
    Null("study3", "ways|models", "", (*NOTHING_KNOWN, *EQUAL), edge=UNLIKE, of="others"),
)

#: Rules on which sentences of the front page and of overviews rest: family, analysis, hypothesis, how the rule begins,
#: the world in which *supported* is wrong, and one in which it is right. Both are drawn more often than others. What
#: own confidence says beyond the same answer is asked of more models than these worlds have: its worlds are in
#: data/simulations/self_knowledge_placebo.csv.
FRONT = (
    ("answers", "selective", "Selective prediction", "In every model, answering only", UNKNOWING, "equal"),
    ("hypotheses", "h1", "H1", "The same limit", RATIO_OF_ONE, EFFECTS),
    ("hypotheses", "h2", "H2", "In at least 2 models a difference of M-ratio", UNLIKE, EFFECTS),
    ("pairs of models", "h4", "H4", "At least one pair of models is further apart", HIGHER_D, EFFECTS),
    ("temperatures", "h3", "H3", h3.RULES["tost"].text, "", UNLIKE),
    ("settings", "robustness", "R6", "At least one difference of M-ratio", "equal", EFFECTS),
    (
        "two choices compared",
        "replication_compared",
        "models",
        "At least one pair of models differs in AUROC2",
        "equal",
        UNLIKE,
    ),
    (
        "battery",
        "replication_monitoring",
        "monitoring",
        "Every model of this run withdraws",
        UNKNOWING,
        "equal",
    ),
    ("frontier", "self_knowledge", "privileged", "The 95 % interval", DIFFICULTY, TOO_FEW),
    ("frontier ranks", "ranking", "order", "A count", UNLIKE, ""),
)

#: Verdicts outside the families, and what stands for them.
ELSEWHERE = {
    (
        "study1_qa",
        "surface",
    ): "answerers that read the surface alone; test_surface.py and test_beyond_controls.py",
    (
        "study1_qa",
        "compared_signals",
    ): "committed replies; signals that are equally good in test_compared_signals.py",
    ("study1_qa", "thinking"): "the published counts; modes without a difference in test_study1_thinking.py",
    ("shared", "recovery"): "judges the tables of data/simulations themselves",
    ("study6_frontier", "keys"): "the published rows; a description, no test",
    ("study6_frontier", "marks"): "marks dealt out at random in tests/studies/study6_frontier",
    ("study8_people", "beside"): "worlds without self-knowledge; data/simulations/people_and_models.csv",
    ("study7_mmlu_pro", "second_opinions"): "coins and random numbers in test_mmlu_second_opinions.py",
    ("study7_mmlu_pro", "tone"): "scores of states and of doubt alone; data/simulations/whom_to_ask.csv",
    ("study7_mmlu_pro", "thinking"): "conditions whose confidence tells as much in test_mmlu_thinking.py",
}
#: Rules that speak of all units: supported is wrong while one cannot be judged.
_ALL = re.compile(r"\bevery\b|\ball\b|\beach\b|the models|models alike", re.IGNORECASE)
#: What speaks of all of something that is judged in these worlds even so.
_JUDGED = ("Every kind of item is answered", "after Holm over all", "when all pairs are judged", "on all six")


@cache
def rule_of(study: str, hypothesis: str, kind: str, text: str) -> Rule | None:
    """The rule of a study's table that a verdict is drawn by; None where it has none."""
    same = (hypothesis, kind, text)
    rules = get_study(study).rules.values()
    return next((rule for rule in rules if (rule.hypothesis, rule.kind.value, rule.text) == same), None)


def null_of(key: Key) -> Null | None:
    """The null of a verdict: as its rule says, else as the entry does; None if there is neither."""
    entry = next(
        (
            one
            for one in NULLS
            if key.study.startswith(one.study)
            and re.fullmatch(one.hypothesis, key.hypothesis)
            and re.search(one.rule, key.rule)
        ),
        None,
    )
    rule = rule_of(key.study, key.hypothesis, key.kind, key.rule)
    if rule is None or not (rule.null or rule.worst or rule.no_null):
        return entry
    entry = entry or Null(key.study, key.hypothesis)
    return replace(entry, worlds=rule.null, edge=rule.worst, reason=rule.no_null)


def nothing_is(study: str, world: str, of: str) -> Nothing:
    """In which units or rows of a study nothing is at an edge, by what their names hold."""
    odd = odd_names(study, world)

    def inside(name: str) -> bool:
        parts = set(re.split(r" and | with | \| | on | \(|\)", name))
        is_odd = all(parts & set(one) for one in odd)
        return of == "all" or is_odd == (of == "odd")

    return inside


def edge_of(key: Key, world: str) -> tuple[Nothing, bool] | None:
    """In what nothing is for a verdict at an edge, and whether that is asked of all of it together."""
    null = null_of(key)
    if null is None or not world or world not in (null.edge, null.beside):
        return None
    return nothing_is(key.study, world, null.of), world == null.beside


def is_null(key: Key, world: str) -> bool:
    """Whether supported is wrong for a verdict, its units or their family in a world."""
    null = null_of(key)
    if null is None or (null.most and key.level == "unit"):
        return False
    at_edge = world == null.edge if key.level == "verdict" else world in (null.edge, null.beside)
    return world in null.worlds or (bool(world) and at_edge)


def speaks_of_all(key: Key) -> bool:
    """Whether a verdict that is supported says something of every unit."""
    if key.level == "unit" or key.kind == "words" or not key.rule:
        return False
    return bool(_ALL.search(key.rule)) and not any(words in key.rule for words in _JUDGED)


def must_not_pass(key: Key, world: str) -> bool:
    """Whether a verdict's *supported* is an error in a world because a unit there cannot be judged."""
    null = null_of(key)
    return world in ONE_UNJUDGED and speaks_of_all(key) and bool(null and null.worlds)
