"""Which world is a verdict's null: where *supported* would be wrong. Or why a verdict has none.

The first entry whose study, hypothesis and rule match holds. A verdict that none matches fails the test.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sweep.outcomes import Key
from sweep.responses import RASCH, UNEQUAL
from sweep.worlds import NOTHING_KNOWN, ONE_UNJUDGED

EQUAL = ("equal",)
FLAT = ("constant", "nearly constant")


@dataclass(frozen=True)
class Null:
    """A verdict's null.

    Attributes
    ----------
    study, hypothesis, rule : str
        Regular expressions; ``hypothesis`` matches the whole, ``rule`` a part.
    worlds : tuple of str
        Where supported is wrong; empty with a ``reason``.
    reason : str
        Why the sweep has no null for it, or where else it is simulated.
    """

    study: str
    hypothesis: str
    rule: str = ""
    worlds: tuple[str, ...] = ()
    reason: str = ""


PRINT = "compares with print: its inputs are fixed"
COUNT = "a count of this run, not a claim about more"
REGISTERED = "as pre-registered, with the chance that it passes on equal models stated next to it"
SAME = "equality is what the rule asks for, and holds in these worlds"
ORDER = "whether the printed order is there, by chance in one of six; the verdict on the interval judges it"
LEVEL = "its null is in data/simulations/verdict_level.csv"

NULLS = (
    Null(
        "study1", "H3", "Range and rank rules", reason="compares published values with ours; judges nothing"
    ),
    Null("study1", "Validation", "quartiles", NOTHING_KNOWN),
    Null("study1", "Validation", "at least 50", reason=COUNT),
    Null("study1", "H1", "", EQUAL),
    Null("study1", "H2", "In at least two models", reason=REGISTERED),
    Null("study1", "H2", "", EQUAL),
    Null("study1", "H3", "range of meta-d'|smaller than", reason=SAME),
    Null("study1", "H3", "90 % interval", reason=LEVEL),
    Null("study1", "H3", "type-2 criterion", EQUAL),
    Null("study1", "H4", "author's code|the text", reason=REGISTERED),
    Null("study1", "H4", "", EQUAL),
    Null("study1", "R[1-4]", reason="asks whether two analyses of the same answers agree"),
    Null("study1", "R5", reason="describes, and is never supported or refuted"),
    Null("study1", "R6", "", EQUAL),
    Null("study1", "AUROC2", "", EQUAL),
    Null("study1", "Luck", "", NOTHING_KNOWN),
    Null("study1", "Domains|Instruct and base", reason="describes, and is never supported or refuted"),
    Null("study1", "Selective prediction", "", NOTHING_KNOWN),
    Null("study1", "correction", "permutation p", NOTHING_KNOWN),
    Null("study1", "correction", "neighbours", (*NOTHING_KNOWN, *EQUAL)),
    Null("study1", "correction", "predicted M-ratio", reason=SAME),
    Null("study1", "correction", "^$", reason="describes, and is never supported or refuted"),
    Null("shared", "Measures", "AUROC2|meta-I2r", NOTHING_KNOWN),
    Null("shared", "Measures", "^$", reason="describes, and is never supported or refuted"),
    Null("study2", "signal", "", NOTHING_KNOWN),
    Null("study2", "finer", "", NOTHING_KNOWN),
    Null("study2", "warning", "", EQUAL),
    Null("study2", "models|tasks", "", (*NOTHING_KNOWN, *EQUAL)),
    Null("study3", "abstaining", "", NOTHING_KNOWN),
    Null("study3", "relation", "", (*NOTHING_KNOWN, *EQUAL)),
    Null("study3", "ways|models", "", (*NOTHING_KNOWN, *EQUAL)),
    Null("study4", "Calibration", "", (*NOTHING_KNOWN, *FLAT)),
    Null("study4", "Dissociation", "", (*NOTHING_KNOWN, *EQUAL, *FLAT)),
    Null("study4", "Steadiness|Entropy", "", (*NOTHING_KNOWN, *FLAT)),
    Null("study5", "chance", reason="no kind of item is answered at chance in these worlds"),
    Null("study5", "monitoring|graded probe", "", (*NOTHING_KNOWN, *FLAT)),
    Null("study5", "AUROC2", "", NOTHING_KNOWN),
    Null("study5", "AUROC2 and delta", "", (*NOTHING_KNOWN, *EQUAL)),
    Null("study5", "states", reason=COUNT),
    Null("study5", "H1", reason=PRINT),
    Null("study5", "H2", "", (RASCH, UNEQUAL)),
    Null("study5", "item types", reason=COUNT),
    Null("study5", "ranks by .*", "", (*NOTHING_KNOWN, *EQUAL)),
    Null("study5", "inverted ranks", "", (*NOTHING_KNOWN, *EQUAL)),
    Null("study5", "dissociation", reason=SAME),
    Null("study5", "scaling.*", "^On .*(falls|rises)", reason=ORDER),
    Null("study5", "scaling.*", "falls|rises", (*NOTHING_KNOWN, *EQUAL)),
    Null("study5", "scaling.*", "flat", reason=SAME),
    Null("study5", "thresholds|profiles", reason=PRINT),
)

#: Verdicts outside the families, and what stands for them.
ELSEWHERE = {
    ("study1_qa", "summary"): "repeats the verdicts of h1 to h4",
    ("study1_qa", "first_paper"): PRINT,
    (
        "study1_qa",
        "surface",
    ): "answerers that read the surface alone; test_surface.py and test_beyond_controls.py",
    (
        "study1_qa",
        "compared_signals",
    ): "committed replies; signals that are equally good in test_compared_signals.py",
    ("study1_qa", "thinking"): "the published counts; modes without a difference in test_study1_thinking.py",
    ("study1_qa", "instruct_base"): "describes, and is never supported or refuted",
    (
        "study1_qa",
        "correction_recovery",
    ): "known answerers; tests/studies/study1_qa/test_correction_recovery.py",
    ("study1_qa", "correction"): PRINT,
    ("shared", "recovery"): "judges the tables of data/simulations themselves",
    ("study6_frontier", "ranking"): "the published rows; equal models in test_frontier_ranking.py",
    ("study6_frontier", "keys"): "the published rows; a description, no test",
    (
        "study6_frontier",
        "self_knowledge",
    ): "the published rows; data/simulations/self_knowledge_frontier.csv and cross_prediction.csv",
}
#: Rules that speak of all units: supported is wrong while one cannot be judged.
_ALL = re.compile(r"\bevery\b|\ball\b|\beach\b|the models|models alike", re.IGNORECASE)
#: What speaks of all of something that is judged in these worlds even so.
_JUDGED = ("Every kind of item is answered", "after Holm over all", "when all pairs are judged", "on all six")


def null_of(key: Key) -> Null | None:
    """The null of a verdict; None if no entry matches."""
    for one in NULLS:
        if (
            key.study.startswith(one.study)
            and re.fullmatch(one.hypothesis, key.hypothesis)
            and re.search(one.rule, key.rule)
        ):
            return one
    return None


def speaks_of_all(key: Key) -> bool:
    """Whether a verdict that is supported says something of every unit."""
    if key.level == "unit" or key.kind == "words" or not key.rule:
        return False
    return bool(_ALL.search(key.rule)) and not any(words in key.rule for words in _JUDGED)


def must_not_pass(key: Key, world: str) -> bool:
    """Whether a verdict's *supported* is an error in a world because a unit there cannot be judged."""
    null = null_of(key)
    return world in ONE_UNJUDGED and speaks_of_all(key) and bool(null and null.worlds)
