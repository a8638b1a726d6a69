"""What belongs to no one study: recovery of known values, raters, speed, and the ledger of all studies."""

from metacog.studies.shared.ledger_page import shown as ledger_views
from metacog.studies.shared.ledger_page.analysis import ledger
from metacog.studies.shared.raters import shown as rater_views
from metacog.studies.shared.raters.analysis import raters
from metacog.studies.shared.recovery import shown as recovery_views
from metacog.studies.shared.recovery.analysis import recovery
from metacog.studies.shared.speed import shown as speed_views
from metacog.studies.shared.speed.analysis import speed
from metacog.studies.study import Study

STUDY = Study(
    name="shared",
    title="What all studies share",
    analyses=(recovery, raters, speed, ledger),
    views=(recovery_views.VIEWS, rater_views.VIEWS, speed_views.VIEWS, ledger_views.VIEWS),
)
