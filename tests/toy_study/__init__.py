"""Would you keep your answer? A toy study of two turns: the example of how small a study's room is."""

import pandas as pd

from metacog.ledger.entry import StudyLedger, entries_of
from metacog.studies.study import Study
from toy_study.collect import KeepOrWithdraw, Settings
from toy_study.keep_rates import RULES, VIEWS, keep_rates

FIGURES = pd.DataFrame(
    [
        ("table 1", "right answers", "kept", "0.75", 0.7512, "three of four", ""),
        ("table 1", "wrong answers", "kept", "0.50", 0.61, "recomputed", ""),
        ("table 2", "all answers", "withdrawn", "0.31", None, "", "the author's trials"),
    ],
    columns=["table", "item", "quantity", "published", "value", "source", "needs"],
)
PRINTED = StudyLedger("toy study", lambda settings: entries_of(FIGURES, "toy study"))
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
