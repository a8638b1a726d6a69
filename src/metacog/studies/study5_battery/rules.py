"""What the results of study 5 are judged by."""

from metacog.studies.study5_battery.commitment import MOVED
from metacog.studies.study5_battery.contrasts import CLAIMED_ON, CLAIMS
from metacog.verdicts.outcomes import Rule
from metacog.verdicts.verdict import Kind

NOTHING_KNOWN = ("no knowledge", "no knowledge, accuracy 0.02", "no knowledge, accuracy 0.98")
#: Worlds in which models do not differ.
ALIKE = (*NOTHING_KNOWN, "equal")
FLAT = ("constant", "nearly constant")
UNKNOWING = "one knows nothing"
PRINT = "compares with print: its inputs are fixed"
COUNT = "a count of this run, not a claim about more"
SAME = "equality is what the rule asks for, and holds in these worlds"
ORDER = "whether the printed order is there, by chance in one of six; the verdict on the interval judges it"
RANKS = (
    "A count: of the pairs of models ranked by {}, more than half differ significantly when all pairs are judged "
    "together."
)
H2 = Rule(
    "Errors over kinds of item depart from equal discrimination: from one ability for each model and one difficulty "
    "for each item.",
    "H2",
    topic="h2",
    null=("one dimension", "one dimension, unequal discrimination"),
)

RULES = {
    "ranks": Rule(RANKS.format("withdraw delta"), "ranks by withdraw delta", topic="ranks", null=ALIKE),
    "bets": Rule(RANKS.format("bet delta"), "ranks by bet delta", topic="bets", null=ALIKE),
    "inversion": Rule(
        "Ranks by accuracy and by mean withdraw delta correlate at -0.5 or below; no correlation is ruled out.",
        "inverted ranks",
        topic="inversion",
        null=ALIKE,
    ),
    "plateau": Rule(
        "No shift of the thresholds by 5 points changes a profile (a plateau).",
        "thresholds",
        Kind.PUBLISHED,
        "plateau",
        no_null=PRINT,
    ),
    "profiles": Rule(
        "The printed profile of every model follows from the printed rule.",
        "profiles",
        Kind.PUBLISHED,
        "rule",
        no_null=PRINT,
    ),
    "h1": Rule(
        "No single model has the highest score on all six tracks.", "H1", Kind.PUBLISHED, "h1", no_null=PRINT
    ),
    "h2": H2,
    "h2, all files": Rule(H2.text, "H2", topic="h2 all", null=H2.null),
    "item_types": Rule(
        "On every kind of item more than half of the models make an error.",
        "item types",
        topic="items",
        no_null=COUNT,
    ),
    "dissociation": Rule(
        "The withdraw delta and answering directly are nearly unrelated: the correlation's interval lies within -0.3 "
        "and 0.3.",
        "dissociation",
        no_null=SAME,
    ),
    "above_chance": Rule(
        "Every model's commitment tells right from wrong: AUROC2 above 0.5.",
        "AUROC2",
        null=NOTHING_KNOWN,
        worst=UNKNOWING,
    ),
    "steady": Rule(
        f"Merging the middle states moves no model's AUROC2 by more than {MOVED}.", "states", no_null=COUNT
    ),
    "chance": Rule(
        "Every kind of item is answered better than by guessing.",
        "chance",
        no_null="no kind of item is answered at chance in these worlds",
    ),
    "monitors": Rule(
        "Every model of this run withdraws wrong answers more often than right ones: its mean delta's interval lies "
        "above zero.",
        "monitoring",
        topic="delta",
        claim="wrong answers are withdrawn more often than right ones",
        null=(*NOTHING_KNOWN, *FLAT),
        worst=UNKNOWING,
    ),
    "grades": Rule(
        "The probability of KEEP is higher where the answer is right: AUROC2 of every model above 0.5.",
        "graded probe",
        topic="graded",
        claim="the probability of KEEP is higher where the answer is right",
        null=(*NOTHING_KNOWN, *FLAT),
        worst=UNKNOWING,
    ),
}
for _family, _claim in CLAIMS.items():
    _flat = _claim == "flat"
    _verb = "is flat" if _flat else _claim
    RULES[f"order, {_family}"] = Rule(
        f"On {CLAIMED_ON} the withdraw delta {_verb} with size in {_family}.",
        f"scaling, {_family}",
        Kind.PUBLISHED,
        no_null=SAME if _flat else ORDER,
    )
    RULES[f"change, {_family}"] = Rule(
        f"And the interval of the largest minus the smallest model says so: {_verb}.",
        f"scaling, {_family}",
        Kind.SOUND,
        null=() if _flat else ALIKE,
        no_null=SAME if _flat else "",
    )
