"""How accurate is a model on the answers it is most confident of? How it is shown."""

from __future__ import annotations

from metacog.core.words import listed
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.cells.sentences import solved_from
from metacog.studies.study1_qa.selective.judging import RULE


def half_sentence(verdict: Verdict) -> str:
    """What answering the more confident half is worth."""
    v = verdict.values
    if not v["models"]:
        return f"No model can be judged.{undecided_clause(verdict.undecided)}"
    parts = [
        f"{model} from {before:.3f} to {after:.3f}"
        for model, before, after in zip(v["models"], v["all"], v["half"], strict=True)
    ]
    return (
        f"Answering half of the questions changes accuracy of {listed(parts)}; the gain is above zero in "
        f"{v['above']} of {len(parts)}.{undecided_clause(verdict.undecided)}"
    )


def published_sentence(verdict: Verdict) -> str:
    """What the published counts reproduce, and the range of gains there and in the run."""
    v = verdict.values
    run = f" and {v['run'][0]:.2f} to {v['run'][1]:.2f} in this run's." if v["run"] else "."
    return (
        f"{solved_from('accuracies at half coverage', v['agree'], v['of'])} Abstaining on half of the "
        f"questions gains {v['published'][0]:.2f} to {v['published'][1]:.2f} in the published models{run}"
    )


VIEWS = Views(
    "selective",
    names=NAMES,
    verdicts={"half": half_sentence, "published": published_sentence},
    claims={"half": "answering only the more confident half raises accuracy in every model"},
    rules={"half": RULE},
)
