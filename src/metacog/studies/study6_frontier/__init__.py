"""Study 6: the Metacognitive Profile Atlas, stated confidence of 33 large models on the same 1,500 questions."""

from metacog.studies.study import Reference, Study
from metacog.studies.study6_frontier import (
    claims,
    effects,
    headline,
    keys,
    keys_shown,
    marks,
    marks_shown,
    ranking,
    ranking_shown,
    reading,
    reading_shown,
    self_knowledge,
    self_knowledge_shown,
)
from metacog.studies.study6_frontier.ledger import files, importer
from metacog.studies.study6_frontier.ledger.entries import LEDGER
from metacog.verdicts.self_knowledge import RULES

STUDY = Study(
    name="study6_frontier",
    title="The frontier: 33 large models on the same questions",
    paper=Reference("Cacioli", "Metacognitive Profile Atlas", 2026, key="cacioli2026atlas"),
    analyses=(
        reading.reading,
        ranking.ranking,
        keys.keys,
        marks.marks,
        self_knowledge.self_knowledge,
        effects.effects,
        claims.claims,
        headline.headline,
    ),
    ledger=LEDGER,
    rules=RULES,
    views=(
        reading_shown.VIEWS,
        ranking_shown.VIEWS,
        keys_shown.VIEWS,
        marks_shown.VIEWS,
        self_knowledge_shown.VIEWS,
    ),
    fetches={files.NAME: importer.fetch_and_check},
)
