"""Study 6: the Metacognitive Profile Atlas, stated confidence of 33 large models on the same 1,500 questions."""

from metacog.studies.study import Reference, Study
from metacog.studies.study6_frontier import (
    claims,
    effects,
    headline,
    keys,
    marks,
    ranking,
    reading,
    self_knowledge,
    thinking,
)
from metacog.studies.study6_frontier.ledger import importer
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
        thinking.thinking_effects,
        headline.headline,
    ),
    ledger=LEDGER,
    views=(reading.VIEWS, ranking.VIEWS, keys.VIEWS, marks.VIEWS, self_knowledge.VIEWS),
    rules=ranking.RULES | keys.RULES | marks.RULES | RULES,
    fetches={importer.NAME: importer.fetch_and_check},
)
