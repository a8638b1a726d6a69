"""Would you keep your answer? A toy study of two turns: the example of how small a study's room is."""

from metacog.ledger.entry import Entry, StudyLedger, Value
from metacog.studies.study import Study
from toy_study.collect import KeepOrWithdraw, Settings
from toy_study.keep_rates import RULES, VIEWS, keep_rates

PRINTED = StudyLedger(
    "toy study",
    lambda settings: [
        Entry("toy study", "table 1", "right answers", "kept", "0.75", Value(0.7512, "three of four")),
        Entry("toy study", "table 1", "wrong answers", "kept", "0.50", Value(0.61, "recomputed")),
        Entry("toy study", "table 2", "all answers", "withdrawn", "0.31", needs="the author's trials"),
    ],
)
STUDY = Study(
    "toy_study",
    "Would you keep your answer?",
    settings=Settings,
    collections=(KeepOrWithdraw(),),
    analyses=(keep_rates,),
    ledger=PRINTED,
    views=(VIEWS,),
    rules=RULES,
)
