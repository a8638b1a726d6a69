"""Study 1: open questions, confidence from the probabilities of the words or from another signal."""

from metacog.studies.study import Reference, Study
from metacog.studies.study1_qa import (
    auroc2,
    claims,
    collection,
    compared_signals,
    correction,
    correction_grid,
    first_paper,
    h1,
    h2,
    h3,
    h4,
    headline,
    instruct_base,
    luck,
    prompt_form,
    question_labels,
    rating_tables,
    robustness,
    selective,
    settings,
    shared_questions,
    signal,
    summary,
    surface,
    thinking,
    use,
    validation,
)
from metacog.studies.study1_qa.asking.collections import ForcedDecoding, OpenAnswers, RepeatedDraws
from metacog.studies.study1_qa.asking.labels import SCHEME
from metacog.studies.study1_qa.asking.marking import MARKING
from metacog.studies.study1_qa.asking.shown_trials import shown_trials
from metacog.studies.study1_qa.ledger import author_trials
from metacog.studies.study1_qa.ledger.entries import LEDGER

STUDY = Study(
    name="study1_qa",
    title="Study 1: do LLMs know what they know?",
    paper=Reference("Cacioli", "Do LLMs know what they know?", 2026, key="cacioli2026sdt"),
    collections=(OpenAnswers(), RepeatedDraws(), ForcedDecoding()),
    settings=settings.Settings,
    ledger=LEDGER,
    analyses=(
        *(signal.signal, summary.summary, luck.luck, surface.surface, shared_questions.shared_questions),
        *(collection.collection, compared_signals.compared_signals, validation.validation),
        *(prompt_form.prompt_form, question_labels.question_labels),
        *(h1.h1, h2.h2, h3.h3, h4.h4, first_paper.first_paper, robustness.robustness, auroc2.auroc2),
        *(selective.selective, use.signal_areas, use.use, instruct_base.instruct_base, thinking.thinking),
        thinking.thinking_effects,
        *(correction_grid.latent_answerers, correction.correction, correction.z_rocs, correction.posterior),
        correction.replication,
        *(rating_tables.worked_tables, rating_tables.published_tables, rating_tables.run_tables),
        *(shown_trials, headline.headline, claims.claims),
    ),
    views=(
        *(
            signal.VIEWS,
            summary.VIEWS,
            h1.VIEWS,
            h2.VIEWS,
            h3.VIEWS,
            h4.VIEWS,
            first_paper.VIEWS,
            auroc2.VIEWS,
            luck.VIEWS,
        ),
        *(surface.VIEWS, validation.VIEWS, robustness.VIEWS, use.VIEWS, instruct_base.VIEWS),
        *(selective.VIEWS, thinking.VIEWS, prompt_form.VIEWS, *correction.VIEWS, correction_grid.VIEWS),
        question_labels.VIEWS,
    ),
    marking=MARKING,
    labels=SCHEME,
    rules=h1.RULES
    | h2.RULES
    | h3.RULES
    | h4.RULES
    | compared_signals.RULES
    | luck.RULES
    | robustness.RULES
    | selective.RULES
    | surface.RULES
    | thinking.RULES,
    fetches={author_trials.NAME: author_trials.fetch_and_check},
)
