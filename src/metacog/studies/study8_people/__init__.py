"""Study 8: people and language models on the same items, BrainBench, each with its confidence."""

from metacog.studies.study import Reference, Study
from metacog.studies.study8_people import areas, beside, claims, database_rows, normal, reading, which_measure

STUDY = Study(
    name="study8_people",
    title="People beside models",
    paper=Reference(
        "Luo, Rechardt, Sun and others",
        "Large language models surpass human experts in predicting neuroscience results",
        2024,
        key="luo2024",
    ),
    analyses=(
        reading.reading,
        beside.beside,
        claims.claims,
        normal.models_published,
        normal.normal,
        which_measure.which_measure,
    ),
    views=(reading.VIEWS, beside.VIEWS, normal.VIEWS, which_measure.VIEWS),
    rules=areas.RULES,
    fetches={database_rows.NAME: database_rows.fetch_and_check},
)
