"""Study 3: DMC, failure prediction decoupled from ability, compared with meta-d' on the same counts."""

from metacog.studies.study import Reference, Study
from metacog.studies.study3_dmc import (
    dmc,
    headline,
    published,
    replication,
    settings,
    signals,
    small_models,
    ways_asked,
)
from metacog.studies.study3_dmc.asking.collections import COLLECTIONS
from metacog.studies.study3_dmc.asking.shown_trials import shown_trials
from metacog.studies.study3_dmc.ledger import LEDGER

STUDY = Study(
    name="study3_dmc",
    title="Study 3: decoupling metacognition from cognition",
    paper=Reference("Wang and others", "Decoupling metacognition from cognition", 2025, key="wang2025dmc"),
    collections=COLLECTIONS,
    settings=settings.Settings,
    ledger=LEDGER,
    analyses=(
        *dmc.ANALYSES,
        *published.ANALYSES,
        signals.signals,
        *replication.ANALYSES,
        signals.signal_areas,
        shown_trials,
        ways_asked.ways_asked,
        small_models.small_models,
        headline.headline,
    ),
    views=(*dmc.VIEWS, *published.VIEWS, *signals.VIEWS, *replication.VIEWS),
)
