"""How far can the answer key be trusted? What is said of it."""

from __future__ import annotations

from metacog.core.words import listed
from metacog.measures import key_simulation
from metacog.measures.key_simulation import ATTRACTED
from metacog.report.verdict_words import OUTCOME
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study6_frontier.keys.analysis import BEST, MOST, RULES, Keys

#: Subjects that are named.
_NAMED = 3


def answer(result: Keys) -> str:
    """How many errors of the best lie on items whose key the others contradict."""
    own = result.best.loc[result.best["rule"] == RULES[MOST], "share_of_errors"].dropna()
    if not (own > 0).any():
        return "No error of the most accurate models lies on a question whose key other families contradict."
    return (
        f"Of what the most accurate models get wrong, {own.min():.0%} to {own.max():.0%} are questions on which most "
        "models of other families contradict the key."
    )


def _alone(result: Keys) -> float:
    """Rise of AUROC2 of the most accurate models where every key is right and wrong options attract unequally."""
    rule = result.rule
    asked = (
        (rule["truth"] == ATTRACTED) & (rule["threshold"] == MOST) & (rule["models"] == key_simulation.BEST)
    )
    one = rule[asked].iloc[0]
    return float(one["auroc2_without"] - one["auroc2_by_key"])


def selection(result: Keys) -> str:
    """What leaving them out does here, and what the selection alone does where every key is right."""
    rise = result.best.loc[result.best["rule"] == RULES[MOST], "rise"].mean()
    alone = _alone(result)
    so = ": so a rise does not show that keys are wrong" if alone > 0 else ""
    return (
        f"Without these questions the mean AUROC2 of the {BEST} most accurate models changes by {rise:+.2f}. In "
        f"simulated models whose keys are all right it changes by {alone:+.2f}, by the selection alone{so}."
    )


def order(result: Keys) -> str:
    """What becomes of the order of models."""
    rows = result.orders[(result.orders["threshold"] == MOST) & (result.orders["quantity"] == "auroc2")]
    if rows.empty:
        return "Too few models are left to be ordered."
    return f"The models' ranks with and without them correlate at {rows['rho'].iloc[0]:.2f}."


def where(result: Keys) -> str:
    """How many items nearly all others contradict, and where they lie."""
    most = result.subjects[result.subjects["suspected"] > 0].head(_NAMED)
    named = listed(str(one).replace("_", " ") for one in most["subject"])
    lies = f", most of them in {named}" if named else ""
    return (
        f"For at least half of the models, {result.n_suspected_most} of {result.n_items:,} questions are suspected at "
        f"half of the others, and {result.n_suspected_nearly} at nine tenths{lies}."
    )


def errors_sentence(verdict: Verdict) -> str:
    """Whether the errors of the best are mostly the key's against the others."""
    v = verdict.values
    return (
        "That most errors of the best models lie where at least half of the others agree on an answer that is not the "
        f"key is {OUTCOME[verdict.passed]}: so for {v['holding']} of the {v['of']} most accurate."
    )


VIEWS = Views(
    "keys",
    sentences={"answer": answer, "selection": selection, "order": order, "where": where},
    verdicts={"errors": errors_sentence},
    claims={
        "errors": "most errors of the best models lie where at least half of the others agree on an answer that is not "
        "the key"
    },
)
