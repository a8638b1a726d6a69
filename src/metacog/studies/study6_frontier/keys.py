"""How far can the answer key be trusted? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table, rows_of
from metacog.measures.model_items import ModelItems
from metacog.measures.suspected_keys import suspected_items, suspected_keys
from metacog.sdt import wilson
from metacog.sdt.correlations import correlation
from metacog.studies.study import analysis
from metacog.studies.study6_frontier.ledger.rows import model_items
from metacog.studies.study6_frontier.paper import FILES
from metacog.verdicts.rules import beyond, judged, those
from metacog.verdicts.verdict import Kind, Verdict, drawn

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Thresholds that pages speak of: most of the others, and nearly all.
MOST, NEARLY_ALL = 0.5, 0.9
#: The same in words.
RULES = {MOST: "at least half of the others", NEARLY_ALL: "nine tenths of the others"}
#: So many of the most accurate models are asked of.
BEST = 10
#: What the rule does where it is known which keys are wrong, made by ``benchmarks/suspected_keys.py``.
SIMULATED = "data/simulations/suspected_keys.csv"
#: Kinds of truth, as that table calls them, and the models that a row is about: all, or the most accurate.
WRONG, MISCONCEIVED, ATTRACTED = "wrong keys", "shared misconceptions", "unequal attraction"
EVERY, OF_BEST = "all", "best"


@dataclass(frozen=True)
class Keys:
    """Items whose key the other models put in doubt.

    Attributes
    ----------
    table : DataFrame
        :func:`metacog.measures.suspected_keys.suspected_keys`: a row for each model and threshold.
    orders : DataFrame
        By threshold and measure: ``threshold, quantity, rho`` (rank correlation over models of the measure with and
        without the suspected items), ``first, first_without, n`` models, ``median_change``.
    subjects : DataFrame
        By subject, of the items suspected for at least half of the models at :data:`NEARLY_ALL`: ``subject, items,
        suspected, share``.
    rule : DataFrame
        What leaving out suspected items does where the truth is known, from the committed table: ``truth, share`` (of
        the items that it concerns), ``models`` (:data:`EVERY` or :data:`OF_BEST`), ``n_models, n_items, runs,
        threshold`` and the columns of ``suspected_keys_under`` in ``benchmarks/key_simulation.py``, means over runs.
    best : DataFrame
        :func:`best_of`: the most accurate models, at both thresholds.
    verdicts : tuple of Verdict
    n_items, n_models, n_suspected_most, n_suspected_nearly : int
        Items, models, and items that are suspected for at least half of the models at both thresholds.
    """

    table: pd.DataFrame
    orders: pd.DataFrame
    subjects: pd.DataFrame
    rule: pd.DataFrame
    best: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    n_items: int
    n_models: int
    n_suspected_most: int
    n_suspected_nearly: int


def orders_of(table: pd.DataFrame) -> pd.DataFrame:
    """How the order of models changes without suspected items: :attr:`Keys.orders`."""
    rows = []
    for threshold, own in table.groupby("threshold"):
        for quantity in ("accuracy", "auroc2"):
            known = own.dropna(subset=[quantity, f"{quantity}_without"])
            if len(known) < 3:
                continue
            before, after = known[quantity], known[f"{quantity}_without"]
            rows.append(
                {
                    "threshold": threshold,
                    "quantity": quantity,
                    "n": len(known),
                    "rho": correlation(before, after, kind="spearman").r,
                    "first": known["model"].iloc[int(before.to_numpy().argmax())],
                    "first_without": known["model"].iloc[int(after.to_numpy().argmax())],
                    "median_change": float((after - before).median()),
                }
            )
    columns = ["threshold", "quantity", "n", "rho", "first", "first_without", "median_change"]
    return pd.DataFrame(rows, columns=columns)


def agreed(items: ModelItems, threshold: float) -> np.ndarray:
    """Items suspected for at least half of the models, shape ``(N,)``."""
    return np.mean([suspected_items(items, model, threshold) for model in items.models], axis=0) >= 0.5


def subjects_of(items: ModelItems, suspected: np.ndarray) -> pd.DataFrame:
    """Suspected items by subject, most first: :attr:`Keys.subjects`."""
    frame = pd.DataFrame({"subject": items.strata, "suspected": suspected})
    counted = frame.groupby("subject")["suspected"].agg(items="size", suspected="sum").reset_index()
    counted["suspected"] = counted["suspected"].astype("int64")
    counted["share"] = counted["suspected"] / counted["items"]
    return counted.sort_values(["suspected", "subject"], ascending=[False, True]).reset_index(drop=True)


def best_of(table: pd.DataFrame) -> pd.DataFrame:
    """The most accurate models: on how suspected items their errors lie, and AUROC2 without these.

    Returns
    -------
    DataFrame
        ``model, rule`` (how many of the others must agree), ``share_of_errors`` with Wilson's limits, ``auroc2,
        auroc2_without``, the change between them (``rise``); the most accurate model first.
    """
    parts, kept = [], ["model", "share_of_errors", "auroc2", "auroc2_without"]
    for threshold, name in RULES.items():
        own = (
            table[table["threshold"] == threshold]
            .sort_values("accuracy", ascending=False, kind="stable")
            .head(BEST)
        )
        lower, upper = wilson(own["share_of_errors"], own["n_errors"].clip(lower=1))
        limits = pd.DataFrame(
            {"share_of_errors_lower": lower, "share_of_errors_upper": upper}, index=own.index
        )
        rise = own["auroc2_without"] - own["auroc2"]
        parts.append(own[kept].join(limits).assign(rule=name, rise=rise))
    return pd.concat(parts, ignore_index=True)


def errors_verdict(table: pd.DataFrame) -> Verdict:
    """Whether the errors of the most accurate models lie mostly where the others contradict the key, by intervals."""
    own = table[table["threshold"] == MOST].sort_values("accuracy", ascending=False, kind="stable").head(BEST)
    lower, upper = wilson(own["share_of_errors"], own["n_errors"].clip(lower=1))
    units = [
        beyond(r.model, low, high, 0.5, "no error")
        for r, low, high in zip(rows_of(own), lower.tolist(), upper.tolist(), strict=True)
    ]
    return judged(
        units,
        "errors and keys",
        Kind.EXPLORATORY,
        f"Of the {BEST} most accurate models, at least {BEST // 2 + 1} have more than half of their errors on items on "
        "which at least half of the models of other families give the same answer, which is not the key: the 95 % "
        "interval of this share lies above one half.",
        name="errors",
        k=BEST // 2 + 1,
        shares=dict(zip(own["model"], own["share_of_errors"], strict=True)),
        holding=len(those(units, True)),
        against=len(those(units, False)),
        of=len(units),
    )


def examine(items: ModelItems, *, verdicts: bool = True) -> Keys:
    """Suspected keys among some items."""
    table = suspected_keys(items)
    nearly = agreed(items, NEARLY_ALL)
    return Keys(
        table=table,
        orders=orders_of(table),
        subjects=subjects_of(items, nearly),
        rule=committed_table(SIMULATED),
        best=best_of(table),
        verdicts=drawn(errors_verdict(table)) if verdicts else (),
        n_items=len(items.items),
        n_models=len(items.models),
        n_suspected_most=int(agreed(items, MOST).sum()),
        n_suspected_nearly=int(nearly.sum()),
    )


@analysis(returns=Keys, files=(*FILES, SIMULATED))
def keys(inputs: Inputs, *, verdicts: bool = True) -> Keys:
    """How many of the models' errors may be the answer key's?"""
    return examine(model_items(), verdicts=verdicts)
