"""What belongs to no one study: primer, measures, recovery, raters, speed, a model's page, and the ledger of all."""

from metacog.studies.shared import (
    all_models,
    coverage,
    findings,
    ledger_page,
    measures,
    model_headlines,
    model_page,
    primer,
    raters,
    recovery,
    speed,
    survives,
    trials_shown,
)
from metacog.studies.study import Study

STUDY = Study(
    name="shared",
    title="What all studies share",
    analyses=(
        primer.primer,
        trials_shown.trials_shown,
        measures.measures,
        recovery.recovery,
        model_page.model_page,
        model_headlines.model_headlines,
        all_models.all_models,
        survives.survives,
        raters.raters,
        speed.speed,
        ledger_page.ledger,
        findings.findings,
        coverage.coverage,
    ),
    views=(
        primer.VIEWS,
        trials_shown.VIEWS,
        measures.VIEWS,
        recovery.VIEWS,
        model_page.VIEWS,
        all_models.VIEWS,
        survives.VIEWS,
        raters.VIEWS,
        speed.VIEWS,
        ledger_page.VIEWS,
        findings.VIEWS,
        coverage.VIEWS,
    ),
    rules=recovery.RULES,
)
