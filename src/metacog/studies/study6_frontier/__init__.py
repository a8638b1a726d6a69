"""Study 6: the Metacognitive Profile Atlas, stated confidence of 33 large models on the same 1,500 questions."""

from metacog.studies.study import Reference, Study
from metacog.studies.study6_frontier.headline.analysis import headline
from metacog.studies.study6_frontier.keys.analysis import keys
from metacog.studies.study6_frontier.keys.shown import VIEWS as KEYS_VIEWS
from metacog.studies.study6_frontier.ledger import files, importer
from metacog.studies.study6_frontier.ledger.entries import LEDGER
from metacog.studies.study6_frontier.ranking.analysis import ranking
from metacog.studies.study6_frontier.ranking.shown import VIEWS as RANKING_VIEWS
from metacog.studies.study6_frontier.reading.analysis import reading
from metacog.studies.study6_frontier.reading.shown import VIEWS as READING_VIEWS
from metacog.studies.study6_frontier.self_knowledge.analysis import self_knowledge
from metacog.studies.study6_frontier.self_knowledge.shown import VIEWS as SELF_KNOWLEDGE_VIEWS

STUDY = Study(
    name="study6_frontier",
    title="The frontier: 33 large models on the same questions",
    paper=Reference("Cacioli", "Metacognitive Profile Atlas", 2026, key="cacioli2026atlas"),
    analyses=(reading, ranking, keys, self_knowledge, headline),
    ledger=LEDGER,
    views=(READING_VIEWS, RANKING_VIEWS, KEYS_VIEWS, SELF_KNOWLEDGE_VIEWS),
    fetches={files.NAME: importer.fetch_and_check},
)
