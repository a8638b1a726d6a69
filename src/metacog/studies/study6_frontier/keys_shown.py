"""How far can the answer key be trusted? What is said of it."""

from __future__ import annotations

from metacog.report.views import Views
from metacog.studies.study6_frontier.keys import ATTRACTED, BEST, MOST, OF_BEST, RULES, Keys


def answer(result: Keys) -> str:
    """How many errors of the best lie on items whose key the others contradict."""
    own = result.best.loc[result.best["rule"] == RULES[MOST], "share_of_errors"].dropna()
    if not (own > 0).any():
        return "No error of the most accurate models lies on a question whose key other families contradict."
    return (
        f"Of what the most accurate models get wrong, {own.min():.0%} to {own.max():.0%} are questions on which most "
        "models of other families contradict the key."
    )


def selection(result: Keys) -> str:
    """What leaving them out does here, and what the selection alone does where every key is right."""
    rise = result.best.loc[result.best["rule"] == RULES[MOST], "rise"].mean()
    rule = result.rule
    one = rule[(rule["truth"] == ATTRACTED) & (rule["threshold"] == MOST) & (rule["models"] == OF_BEST)].iloc[
        0
    ]
    alone = float(one["auroc2_without"] - one["auroc2_by_key"])
    so = ": so a rise does not show that keys are wrong" if alone > 0 else ""
    return (
        f"Without these questions the mean AUROC2 of the {BEST} most accurate models changes by {rise:+.2f}. In "
        f"simulated models whose keys are all right it changes by {alone:+.2f}, by the selection alone{so}."
    )


def attracted(result: Keys) -> str:
    """How much is suspected where every key is right."""
    rule = result.rule
    row = rule[(rule["truth"] == ATTRACTED) & (rule["threshold"] == MOST) & (rule["models"] == OF_BEST)].iloc[
        0
    ]
    return (
        f"Suspicion alone shows little: in simulated models whose keys are all right, {row['n_suspected']:.0f} of "
        f"{row['n_items']:,.0f} keys are suspected too, and {row['share_of_errors']:.0%} of what the best models get "
        "wrong lies there."
    )


VIEWS = Views("keys", sentences={"answer": answer, "selection": selection, "attracted": attracted})
