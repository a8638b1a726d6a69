"""What belongs to no one study: primer, measures, recovery, raters, speed, a model's page, and the ledger of all."""

from metacog.studies.shared.all_models import shown as all_models_views
from metacog.studies.shared.all_models.analysis import all_models
from metacog.studies.shared.ledger_page import shown as ledger_views
from metacog.studies.shared.ledger_page.analysis import ledger
from metacog.studies.shared.measures import shown as measures_views
from metacog.studies.shared.measures.analysis import measures
from metacog.studies.shared.model_page import shown as model_page_views
from metacog.studies.shared.model_page.analysis import model_page
from metacog.studies.shared.model_page.headlines import model_headlines
from metacog.studies.shared.primer.analysis import primer
from metacog.studies.shared.primer.shown import VIEWS as PRIMER
from metacog.studies.shared.raters import shown as rater_views
from metacog.studies.shared.raters.analysis import raters
from metacog.studies.shared.recovery import shown as recovery_views
from metacog.studies.shared.recovery.analysis import recovery
from metacog.studies.shared.speed import shown as speed_views
from metacog.studies.shared.speed.analysis import speed
from metacog.studies.shared.trials_shown.analysis import trials_shown
from metacog.studies.shared.trials_shown.shown import VIEWS as TRIALS_SHOWN
from metacog.studies.study import Study

STUDY = Study(
    name="shared",
    title="What all studies share",
    analyses=(
        primer,
        trials_shown,
        measures,
        recovery,
        model_page,
        model_headlines,
        all_models,
        raters,
        speed,
        ledger,
    ),
    views=(
        PRIMER,
        TRIALS_SHOWN,
        measures_views.VIEWS,
        recovery_views.VIEWS,
        model_page_views.VIEWS,
        all_models_views.VIEWS,
        rater_views.VIEWS,
        speed_views.VIEWS,
        ledger_views.VIEWS,
    ),
)
