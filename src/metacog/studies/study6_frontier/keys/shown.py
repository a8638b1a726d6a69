"""How far can the answer key be trusted? How it is shown."""

from __future__ import annotations

import pandas as pd

from metacog.core.words import listed
from metacog.measures import key_simulation
from metacog.measures.key_simulation import ATTRACTED, MISCONCEIVED, WRONG
from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study6_frontier.keys import figures
from metacog.studies.study6_frontier.keys.analysis import BEST, MOST, NEARLY_ALL, Keys
from metacog.studies.study6_frontier.showing.models import MODEL

#: Subjects that are named.
_NAMED = 5


def _at(result: Keys, threshold: float) -> pd.DataFrame:
    return result.table[result.table["threshold"] == threshold].sort_values(
        "accuracy", ascending=False, kind="stable"
    )


def headline(result: Keys) -> str:
    """How many keys are suspected, and how many errors lie there."""
    wide, narrow = (_at(result, limit).head(BEST) for limit in (MOST, NEARLY_ALL))
    n, items = result.n_suspected_nearly, result.n_items
    return (
        f"{result.n_suspected_most} of {items:,} items are suspected by a wide rule and {n} by a narrow one: for at "
        "least half of the models that are judged, at least half, or nine tenths, of the models of other families give "
        f"the same answer, which is not the key. Of what the {len(wide)} most accurate models get wrong, "
        f"{_range(wide)} lies on items that are suspected for the model itself by the wide rule, and {_range(narrow)} "
        f"by the narrow one. Without these items their AUROC2 changes by {_changes(wide)} and {_changes(narrow)}. In "
        f"simulated models whose keys are all right it rises by {_selected(result, MOST):+.2f} and "
        f"{_selected(result, NEARLY_ALL):+.2f}, by the selection alone."
    )


def _simulated(result: Keys, truth: str, threshold: float, models: str) -> pd.Series:
    rule = result.rule
    asked = (rule["truth"] == truth) & (rule["threshold"] == threshold) & (rule["models"] == models)
    return rule[asked].iloc[0]


def _selected(result: Keys, threshold: float) -> float:
    """Rise of AUROC2 of the most accurate models where every key is right and wrong options attract unequally."""
    one = _simulated(result, ATTRACTED, threshold, key_simulation.BEST)
    return float(one["auroc2_without"] - one["auroc2_by_key"])


def _range(rows: pd.DataFrame) -> str:
    shares = rows["share_of_errors"].dropna()
    return f"{shares.min():.0%} to {shares.max():.0%}" if len(shares) else "nothing"


def _changes(rows: pd.DataFrame) -> str:
    change = (rows["auroc2_without"] - rows["auroc2"]).dropna()
    return f"{change.min():+.2f} to {change.max():+.2f}" if len(change) else "what cannot be told"


def order(result: Keys) -> str:
    """What becomes of the order of models."""
    texts = []
    for limit in (NEARLY_ALL, MOST):
        rows = result.orders[(result.orders["threshold"] == limit) & (result.orders["quantity"] == "auroc2")]
        if rows.empty:
            continue
        one = rows.iloc[0]
        lead = (
            f"{one['first']} stays first"
            if one["first"] == one["first_without"]
            else f"{one['first_without']} is first instead of {one['first']}"
        )
        texts.append(
            f"{lead} without the items suspected at {limit:.0%}: the ranks of {one['n']} models by AUROC2 correlate at "
            f"{one['rho']:.2f} with the old ones, and the median change is {one['median_change']:+.3f}."
        )
    return " ".join(texts) or "Too few models are left to be ordered."


def simulated(result: Keys) -> str:
    """What leaving out suspected items does where the truth is known."""
    texts = []
    for name, what in ((WRONG, "the key is wrong"), (MISCONCEIVED, "models share a misconception")):
        one = _simulated(result, name, NEARLY_ALL, key_simulation.EVERY)
        texts.append(
            f"where {what} on {one['share']:.0%} of the items, the mean AUROC2 is {one['auroc2_true']:.3f} in truth, "
            f"{one['auroc2_by_key']:.3f} by the key, and {one['auroc2_without']:.3f} without suspected items"
        )
    return f"In simulations with as many models and items, {'; '.join(texts)}."


def selection(result: Keys) -> str:
    """What the selection alone does where every key is right, beside what leaving out does here."""
    texts, alone = [], []
    for limit in (MOST, NEARLY_ALL):
        one = _simulated(result, ATTRACTED, limit, key_simulation.BEST)
        own = _at(result, limit).head(BEST).dropna(subset=["auroc2", "auroc2_without"])
        if own.empty:
            continue
        alone.append(_selected(result, limit))
        real = own[["share_of_errors", "auroc2", "auroc2_without"]].mean()
        texts.append(
            f"suspected at {limit:.0%}, {one['share_of_errors']:.0%} of the errors lie on such items, and leaving them "
            f"out changes AUROC2 from {one['auroc2_by_key']:.3f} to {one['auroc2_without']:.3f} "
            f"({alone[-1]:+.3f}); here it is {real['share_of_errors']:.0%}, and a change from "
            f"{real['auroc2']:.3f} to {real['auroc2_without']:.3f} "
            f"({real['auroc2_without'] - real['auroc2']:+.3f})"
        )
    if not texts:
        return "No model has an AUROC2 with and without suspected items."
    so = (
        " Selection alone raises AUROC2, so that a rise does not show that keys are wrong."
        if min(alone) > 0
        else ""
    )
    return (
        "Simulated models answer items whose keys are all right. Wrong options attract all models alike, some options "
        "strongly, so that good models err together and with confidence. Means over the "
        f"{BEST} most accurate: {'; '.join(texts)}.{so}"
    )


def where(result: Keys) -> str:
    """Where suspected keys lie."""
    most = result.subjects[result.subjects["suspected"] > 0].head(_NAMED)
    if most.empty:
        return "No key is suspected for half of the models."
    named = [
        f"{r['subject'].replace('_', ' ')} ({r['suspected']} of {r['items']})"
        for r in most.to_dict("records")
    ]
    first, *others = named
    then = f" Then come {listed(others)}." if others else ""
    return f"Keys suspected at {NEARLY_ALL:.0%} are most frequent in {first}.{then}"


def errors_sentence(verdict: Verdict) -> str:
    """Whether the errors of the best are mostly the key's against the others."""
    v = verdict.values
    return (
        "That most errors of the best models lie where at least half of the others agree on an answer that is not the "
        f"key is {OUTCOME[verdict.passed]}: by the 95 % interval of the share it is shown for {v['holding']} of the "
        f"{v['of']} most accurate, and excluded for {v['against']}." + undecided_clause(verdict.undecided)
    )


VIEWS = Views(
    "keys",
    tables={
        "models": Schema(
            "table",
            columns_of(
                MODEL,
                number("threshold", "Others", 2),
                count("n_others", "Others"),
                count("n_suspected", "Suspected"),
                count("n_suspected_right", "As the key"),
                count("n_with_crowd", "As the others"),
                count("n_errors", "Errors"),
                number("share_of_errors", "Share of errors", 2),
                number("accuracy", "with", 3, "Accuracy"),
                number("accuracy_without", "without", 3, "Accuracy"),
                number("auroc2", "with", 3, "AUROC2"),
                number("auroc2_without", "without", 3, "AUROC2"),
                limits("auroc2_without_lower", "auroc2_without_upper", "95 % interval without"),
                text("flag", "Flag", optional=True),
            ),
            "Suspected keys for each model, by the share of the other families' models that must agree: how often the "
            "model answers as the key and as the others there, and what it is with and without these items.",
        ),
        "orders": Schema(
            "orders",
            columns_of(
                number("threshold", "Others", 2),
                text("quantity", "Measure"),
                count("n", "Models"),
                number("rho", "Rank correlation", 2),
                text("first", "First with"),
                text("first_without", "First without"),
                number("median_change", "Median change"),
            ),
            "The order of models with and without suspected items.",
            pick=lambda frame: frame.assign(
                quantity=frame["quantity"].map({"accuracy": "accuracy", "auroc2": "AUROC2"})
            ),
        ),
        "subjects": Schema(
            "subjects",
            columns_of(
                text("subject", "Subject"),
                count("items", "Items"),
                count("suspected", "Suspected"),
                number("share", "Share", 2),
            ),
            "Items suspected for at least half of the models at nine tenths of the others, by subject.",
            pick=lambda frame: frame[frame["suspected"] > 0].assign(
                subject=lambda rows: rows["subject"].str.replace("_", " ")
            ),
            empty="No key is suspected for half of the models.",
        ),
        "rule": Schema(
            "rule",
            columns_of(
                text("truth", "Truth"),
                text("models", "Models"),
                number("threshold", "Others", 2),
                number("n_suspected", "Suspected", 1),
                number("n_wrong_keys", "wrong keys", 1, "Of these"),
                number("n_misconceptions", "misconceptions", 1, "Of these"),
                number("share_of_errors", "Share of errors", 2),
                number("auroc2_true", "in truth", 3, "AUROC2"),
                number("auroc2_by_key", "by the key", 3, "AUROC2"),
                number("auroc2_without", "without", 3, "AUROC2"),
            ),
            "Simulated answers of known truth: what is suspected, and AUROC2 with and without it; means over all "
            "models or over the most accurate. With unequal attraction every key is right.",
            pick=lambda frame: frame.assign(models=frame["models"] + " " + frame["n_models"].astype(str)),
        ),
    },
    figures={"errors": figures.errors},
    sentences={
        "headline": headline,
        "order": order,
        "where": where,
        "simulated": simulated,
        "selection": selection,
    },
    verdicts={"errors": errors_sentence},
    claims={
        "errors": "most errors of the best models lie where at least half of the others agree on an answer that is not "
        "the key"
    },
)
