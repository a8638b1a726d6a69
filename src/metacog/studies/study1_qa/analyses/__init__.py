"""The analyses of study 1, by name: what chapters, the summary page and results/summary.json read."""

from metacog.studies.study1_qa.analyses.correction import correction, latent_answerers, measures_now
from metacog.studies.study1_qa.analyses.exploratory import auroc2, instruct_base, selective
from metacog.studies.study1_qa.analyses.first_paper import first_paper
from metacog.studies.study1_qa.analyses.hypotheses import h1, h2, h3, h4
from metacog.studies.study1_qa.analyses.luck import luck
from metacog.studies.study1_qa.analyses.models import collection, model_page, summary
from metacog.studies.study1_qa.analyses.robustness import robustness
from metacog.studies.study1_qa.analyses.validation import validation
from metacog.studies.study1_qa.analyses.worked import measures

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
