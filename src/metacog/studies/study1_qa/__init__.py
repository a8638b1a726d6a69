"""Study 1: open questions, confidence from the probabilities of the words or from another signal."""

from metacog.studies.study import Reference, Study
from metacog.studies.study1_qa.asking.collections import ForcedDecoding, OpenAnswers, RepeatedDraws
from metacog.studies.study1_qa.asking.labels import SCHEME
from metacog.studies.study1_qa.asking.marking import MARKING
from metacog.studies.study1_qa.asking.shown_trials import shown_trials
from metacog.studies.study1_qa.auroc2.analysis import auroc2
from metacog.studies.study1_qa.cells.columns import PLAIN
from metacog.studies.study1_qa.collection.analysis import collection
from metacog.studies.study1_qa.compared_signals.analysis import compared_signals
from metacog.studies.study1_qa.correction.analysis import correction, latent_answerers, replication
from metacog.studies.study1_qa.correction.shown import VIEWS as CORRECTION
from metacog.studies.study1_qa.first_paper.analysis import first_paper
from metacog.studies.study1_qa.h1.analysis import h1
from metacog.studies.study1_qa.h2.analysis import h2
from metacog.studies.study1_qa.h3.analysis import h3
from metacog.studies.study1_qa.h4.analysis import h4
from metacog.studies.study1_qa.headline.analysis import headline
from metacog.studies.study1_qa.instruct_base.analysis import instruct_base
from metacog.studies.study1_qa.ledger import author_trials
from metacog.studies.study1_qa.ledger.entries import LEDGER
from metacog.studies.study1_qa.luck.analysis import luck
from metacog.studies.study1_qa.luck.others import shared_questions
from metacog.studies.study1_qa.luck.shown import VIEWS as LUCK
from metacog.studies.study1_qa.rating_tables.analysis import published_tables, run_tables
from metacog.studies.study1_qa.robustness.analysis import robustness
from metacog.studies.study1_qa.robustness.shown import VIEWS as ROBUSTNESS
from metacog.studies.study1_qa.selective.analysis import selective
from metacog.studies.study1_qa.settings import Settings
from metacog.studies.study1_qa.signal.analysis import signal
from metacog.studies.study1_qa.signal.shown import VIEWS as SIGNAL
from metacog.studies.study1_qa.summary.analysis import summary
from metacog.studies.study1_qa.summary.shown import VIEWS as SUMMARY
from metacog.studies.study1_qa.surface.analysis import surface
from metacog.studies.study1_qa.thinking.analysis import thinking
from metacog.studies.study1_qa.thinking.shown import VIEWS as THINKING
from metacog.studies.study1_qa.use.analysis import use
from metacog.studies.study1_qa.use.areas import signal_areas
from metacog.studies.study1_qa.use.shown import VIEWS as USE
from metacog.studies.study1_qa.validation.analysis import validation
from metacog.studies.study1_qa.validation.shown import VIEWS as VALIDATION
from metacog.studies.study1_qa.worked_tables.analysis import worked_tables

STUDY = Study(
    name="study1_qa",
    title="Study 1: do LLMs know what they know?",
    paper=Reference("Cacioli", "Do LLMs know what they know?", 2026, key="cacioli2026sdt"),
    collections=(OpenAnswers(), RepeatedDraws(), ForcedDecoding()),
    settings=Settings,
    ledger=LEDGER,
    analyses=(
        signal,
        summary,
        luck,
        surface,
        shared_questions,
        collection,
        compared_signals,
        validation,
        h1,
        h2,
        h3,
        h4,
        first_paper,
        robustness,
        auroc2,
        selective,
        signal_areas,
        use,
        instruct_base,
        thinking,
        latent_answerers,
        correction,
        replication,
        worked_tables,
        published_tables,
        run_tables,
        shown_trials,
        headline,
    ),
    views=(
        *PLAIN,
        SIGNAL,
        *SUMMARY,
        *LUCK,
        VALIDATION,
        ROBUSTNESS,
        USE,
        *THINKING,
        *CORRECTION,
    ),
    marking=MARKING,
    labels=SCHEME,
    fetches={author_trials.NAME: author_trials.fetch_and_check},
)
