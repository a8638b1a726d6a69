"""Would you keep your answer? A toy study of two turns: the example of how small a study's room is."""

from metacog.studies.study import Reference, Study
from toy_study.collect import KeepOrWithdraw, Settings
from toy_study.keep_rates import keep_rates
from toy_study.keep_rates_shown import VIEWS
from toy_study.ledger import LEDGER

STUDY = Study(
    name="toy_study",
    title="Would you keep your answer?",
    paper=Reference("Nobody", "Would you keep your answer?", 2026),
    settings=Settings,
    collections=(KeepOrWithdraw(),),
    analyses=(keep_rates,),
    ledger=LEDGER,
    views=(VIEWS,),
)
