"""What belongs to no one study: recovery of known values, raters, speed, and the ledger of all studies."""

from metacog.studies.shared.analyses import ledger, raters, recovery, speed
from metacog.studies.shared.drawings import FIGURES
from metacog.studies.shared.tables import TABLES
from metacog.studies.study import Study

STUDY = Study(
    name="shared",
    title="What all studies share",
    analyses=(recovery, raters, speed, ledger),
    tables=TABLES,
    figures=FIGURES,
)
