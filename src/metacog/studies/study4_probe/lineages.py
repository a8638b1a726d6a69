"""Leave one lineage out: do the panel's figures hang on the models of one family?

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
from metacog.report.verdicts import listed, plural, rows_of
from metacog.sdt.concordance import kendall
from metacog.studies.study4_probe import panel
from metacog.studies.study4_probe.panel import FEWEST_MODELS
from metacog.studies.study4_probe.published import HEADLINE, TASKS

NOBODY = "nobody"
#: Families that are one maker's, beside each family alone.
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
            "left_out": name, "models": listed(models) if models else "", "n": len(left),
            "leader": str(left[list(HEADLINE)].mean(axis=1).idxmax()) if len(left) else "",
            **dict.fromkeys(("r", "tau", "share", "c1", "c2"), np.nan), "why": "",
        }  # fmt: skip
        try:
            row |= _figures(left, whole)
        except MetacogError as refused:
            row["why"] = str(refused)
        rows.append(row)
    return pd.DataFrame(rows)


def _figures(left: pd.DataFrame, whole: panel.Components) -> dict[str, float]:
    own = panel.components(left)
    taus = [kendall(left[a], left[b]).tau for a, b in combinations(TASKS, 2)]
    alike = {c: abs(float((own.loadings[c] * whole.loadings[c]).sum())) for c in ("c1", "c2")}
    return {
        "r": panel.correlation(left), "tau": float(np.mean(taus)), "share": 100 * own.share, **alike,
    }  # fmt: skip


def said(frame: pd.DataFrame) -> str:
    """How far the figures move, which leave-out moves them most, and what could not be done."""
    whole, each = frame.iloc[0], frame.iloc[1:]
    done = each[each["r"].notna()]
    if done.empty:
        return f"No lineage can be left out: fewer than {FEWEST_MODELS} models would remain."
    far = done.loc[(done["r"] - whole["r"]).abs().idxmax()]
    turned = done.loc[done["c1"].idxmin()]
    leaders = sorted({r.leader for r in rows_of(done)} - {whole["leader"]})
    words = (
        f"The correlation of T1-CC with T2-EV is {whole['r']:.2f} over all models and between "
        f"{done['r'].min():.2f} and {done['r'].max():.2f} when a lineage is left out; it moves most without "
        f"{far['left_out']}. Two components carry {done['share'].min():.0f} to {done['share'].max():.0f} "
        f"percent of the variance. The first turns most without {turned['left_out']} (cosine {turned['c1']:.2f} "
        f"with that of the whole panel). "
    )
    words += (
        f"Without some lineage {listed(leaders)} would lead in place of {whole['leader']}."
        if leaders
        else f"{whole['leader']} leads whichever is left out."
        if (each["leader"] == whole["leader"]).all()
        else f"{whole['leader']} leads unless its own lineage is left out."
    )
    missing = each[each["r"].isna()]
    for row in rows_of(missing):
        words += f" Without {row.left_out} {plural(int(row.n), 'model')} remain, too few for a panel."
    return words


def own_said(table: pd.DataFrame) -> str:
    """The same of a run's own models, or why there is none."""
    if len(table) < FEWEST_MODELS:
        return (
            f"No lineage is left out: statistics of a panel need at least {FEWEST_MODELS} models; there "
            f"{'is 1' if len(table) == 1 else f'are {len(table)}'}."
        )
    try:
        return said(leave_out(table))
    except MetacogError as refused:
        return f"No lineage is left out: {refused}."
