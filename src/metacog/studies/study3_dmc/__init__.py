"""Study 3: DMC, failure prediction decoupled from ability, compared with meta-d' on the same counts."""

from metacog.studies.study import Reference, Study
from metacog.studies.study3_dmc.asking.collections import COLLECTIONS
from metacog.studies.study3_dmc.asking.shown_trials import shown_trials
from metacog.studies.study3_dmc.dmc.analysis import ANALYSES as DMC
from metacog.studies.study3_dmc.dmc.shown import VIEWS as DMC_VIEWS
from metacog.studies.study3_dmc.headline.analysis import headline
from metacog.studies.study3_dmc.ledger.entries import LEDGER
from metacog.studies.study3_dmc.published.analysis import ANALYSES as PUBLISHED
from metacog.studies.study3_dmc.published.shown import VIEWS as PUBLISHED_VIEWS
from metacog.studies.study3_dmc.replication.analysis import ANALYSES as REPLICATION
from metacog.studies.study3_dmc.replication.shown import VIEWS as REPLICATION_VIEWS
from metacog.studies.study3_dmc.settings import Settings
from metacog.studies.study3_dmc.signals.analysis import ANALYSES as SIGNALS
from metacog.studies.study3_dmc.signals.areas import signal_areas
from metacog.studies.study3_dmc.signals.shown import VIEWS as SIGNALS_VIEWS
from metacog.studies.study3_dmc.ways_asked.analysis import ways_asked

STUDY = Study(
    name="study3_dmc",
    title="Study 3: decoupling metacognition from cognition",
    paper=Reference("Wang and others", "Decoupling metacognition from cognition", 2025, key="wang2025dmc"),
    collections=COLLECTIONS,
    settings=Settings,
    ledger=LEDGER,
    analyses=(*DMC, *PUBLISHED, *SIGNALS, *REPLICATION, signal_areas, shown_trials, ways_asked, headline),
    views=(*DMC_VIEWS, *PUBLISHED_VIEWS, *SIGNALS_VIEWS, *REPLICATION_VIEWS),
)
