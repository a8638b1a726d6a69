"""The analyses of study 1, by name: what chapters, the summary page and results/summary.json read."""

from metacog.studies.study1_qa.auroc2.analysis import auroc2
from metacog.studies.study1_qa.collection.analysis import collection
from metacog.studies.study1_qa.correction.analysis import correction, latent_answerers, measures_now
from metacog.studies.study1_qa.first_paper.analysis import first_paper
from metacog.studies.study1_qa.h1.analysis import h1
from metacog.studies.study1_qa.h2.analysis import h2
from metacog.studies.study1_qa.h3.analysis import h3
from metacog.studies.study1_qa.h4.analysis import h4
from metacog.studies.study1_qa.instruct_base.analysis import instruct_base
from metacog.studies.study1_qa.luck.analysis import luck
from metacog.studies.study1_qa.measures.analysis import measures
from metacog.studies.study1_qa.model_page.analysis import model_page
from metacog.studies.study1_qa.robustness.analysis import robustness
from metacog.studies.study1_qa.selective.analysis import selective
from metacog.studies.study1_qa.summary.analysis import summary
from metacog.studies.study1_qa.validation.analysis import validation

ANALYSES = (
    summary,
    luck,
    collection,
    validation,
    h1,
    h2,
    h3,
    h4,
    first_paper,
    robustness,
    auroc2,
    selective,
    instruct_base,
    latent_answerers,
    correction,
    measures_now,
    model_page,
    measures,
)
