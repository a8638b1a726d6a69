"""Who keeps what is right? How it is told: the sentence that answers the page, the rule and what its verdict says."""

from metacog.report.views import Views
from metacog.verdicts.words import undecided_clause
from toy_study.keep_rates import RULE


def keep_sentence(verdict):
    """What the verdict says."""
    models = "every model" if verdict.passed else "not every model"
    return f"Right answers are kept more often in {models}.{undecided_clause(verdict.undecided)}"


def answer_sentence(result):
    """In how many models right answers are kept more often, for the head of the page."""
    kept = result.rates.pivot(index="model", columns="correct", values="kept")
    more = (kept.get(True, 0) > kept.get(False, 0)).sum()
    return f"Right answers are kept more often than wrong ones in {more} of {len(kept)} models."


VIEWS = Views(
    "keep_rates",
    sentences={"answer": answer_sentence},
    verdicts={"keep": keep_sentence},
    claims={"keep": "right answers are kept more often"},
    rules={"keep": RULE},
)
