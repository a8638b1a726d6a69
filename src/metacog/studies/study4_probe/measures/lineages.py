"""Leave one lineage out: do the panel's figures depend on the models of one family?

Models of one family are not independent: they share data and recipe. A statistic that turns when one family
is left out is a statistic of that family.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.sdt.correlation import kendall
from metacog.studies.study4_probe.ledger.published import HEADLINE, TASKS
from metacog.studies.study4_probe.measures import panel

NOBODY = "nobody"
#: Families that are one maker's, in addition to each family by itself.
SAME_MAKER: Mapping[str, tuple[str, ...]] = {"Gemini and Gemma": ("Gemini", "Gemma")}


def lineage(model: str) -> str:
    """The family a model's name begins with: its leading letters (``Claude``, ``GLM``, ``DeepSeek``).

    Raises
    ------
    MetacogError
        If the name begins with none.
    """
    found = re.match(r"[A-Za-z]+", model)
    if found is None:
        raise MetacogError(f"no lineage can be read from the model name {model!r}: begin it with the family")
    return found.group()


def groups_of(models: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Models by lineage, then by maker where a maker has several lineages among them."""
    found: dict[str, tuple[str, ...]] = {}
    for model in models:
        found[lineage(model)] = (*found.get(lineage(model), ()), model)
    for name, families in SAME_MAKER.items():
        if all(f in found for f in families):
            found[name] = tuple(m for f in families for m in found[f])
    return found


def leave_out(table: pd.DataFrame) -> pd.DataFrame:
    """The panel's figures without each lineage.

    Parameters
    ----------
    table : DataFrame
        Scores, models x the five tasks.

    Returns
    -------
    DataFrame
        ``left_out, models`` (those left out), ``n`` (left), ``leader`` (highest mean of the headline tasks),
        ``r`` (T1-CC with T2-EV), ``tau`` (mean tau-b of all pairs of tasks), ``share`` (variance of the first
        two components, in percent), ``c1, c2`` (size of the cosine of each of them with that of the whole
        panel) and ``why`` figures are missing. The first row leaves nobody out.

    Raises
    ------
    MetacogError
        If the whole panel is too small.
    """
    whole = panel.components(table)
    rows = []
    for name, models in {NOBODY: (), **groups_of([str(m) for m in table.index])}.items():
        left = table.drop(index=list(models))
        row = {
            "left_out": name,
            "models": "; ".join(models),
            "n": len(left),
            "leader": str(left[list(HEADLINE)].mean(axis=1).idxmax()) if len(left) else "",
            **dict.fromkeys(("r", "tau", "share", "c1", "c2"), np.nan),
            "why": "",
        }
        try:
            row |= _figures(left, whole)
        except MetacogError as refused:
            row["why"] = str(refused)
        rows.append(row)
    return pd.DataFrame(rows)


def _figures(left: pd.DataFrame, whole: panel.Components) -> dict[str, float]:
    without = panel.components(left)
    taus = [kendall(left[a], left[b]).tau for a, b in combinations(TASKS, 2)]
    alike = {c: abs(float((without.loadings[c] * whole.loadings[c]).sum())) for c in ("c1", "c2")}
    return {
        "r": panel.correlation(left),
        "tau": float(np.mean(taus)),
        "share": 100 * without.share,
        **alike,
    }
