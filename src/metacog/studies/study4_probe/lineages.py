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
from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.ledger.tolerances import half_last_digit
from metacog.sdt.concordance import kendall
from metacog.studies.study4_probe import panel, published
from metacog.studies.study4_probe.panel import FEWEST_MODELS
from metacog.studies.study4_probe.published import HEADLINE, TASKS

NOBODY = "nobody"
#: Names under which the text prints the correlation.
_PRINTED = ("r_panel", "r_without_gemma")
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
            "left_out": name,
            "models": listed(models) if models else "",
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
    own = panel.components(left)
    taus = [kendall(left[a], left[b]).tau for a, b in combinations(TASKS, 2)]
    alike = {c: abs(float((own.loadings[c] * whole.loadings[c]).sum())) for c in ("c1", "c2")}
    return {
        "r": panel.correlation(left),
        "tau": float(np.mean(taus)),
        "share": 100 * own.share,
        **alike,
    }


def said(frame: pd.DataFrame) -> str:
    """How far the figures move, which leave-out moves them most, and what could not be done."""
    whole, each = frame.iloc[0], frame.iloc[1:]
    done = each[each["r"].notna()]
    if done.empty:
        return f"No lineage can be left out: fewer than {FEWEST_MODELS} models would remain."
    far = done.iloc[int((done["r"] - whole["r"]).abs().argmax())]
    turned = done.iloc[int(done["c1"].argmin())]
    words = (
        f"The correlation of T1-CC with T2-EV is {whole['r']:.2f} over all models and between "
        f"{done['r'].min():.2f} and {done['r'].max():.2f} when a lineage is left out; it moves most without "
        f"{far['left_out']}. Two components carry {done['share'].min():.0f} to {done['share'].max():.0f} "
        f"percent of the variance. The first turns most without {turned['left_out']} (cosine "
        f"{turned['c1']:.2f} with that of the whole panel). "
    )
    others = each[each["leader"] != whole["leader"]]
    words += f"{whole['leader']} leads the mean of four tasks"
    words += "".join(f"; without {r.left_out} {r.leader} does" for r in rows_of(others)) + "."
    missing = each[each["r"].isna()]
    for row in rows_of(missing):
        words += f" Without {row.left_out} {plural(int(row.n), 'model')} remain, too few for a panel."
    return words


def printed_said(frame: pd.DataFrame) -> str:
    """Does the printed correlation of T1-CC with T2-EV come out when some lineage is left out?

    If so, the printed correlation without one model more is tried as well.
    """
    text, other = (published.claim(name) for name in _PRINTED)
    near = frame[(frame["r"] - float(text)).abs() <= half_last_digit(text)]
    if near.empty:
        return f"The printed correlation, {text}, does not come out whichever lineage is left out."
    words = (
        f"The printed correlation, {text}, would be that of the panel without {listed(near['left_out'])}. "
    )
    table = published.scores()
    for row in rows_of(near):
        left = table.drop(index=[*groups_of(list(table.index)).get(row.left_out, ()), panel.DROPPED])
        r = float(np.corrcoef(left["T1_CC"], left["T2_EV"])[0, 1])
        fits = abs(r - float(other)) <= half_last_digit(other)
        words += (
            f"The one printed for that panel without {panel.DROPPED} as well, {other}, "
            f"{'does' if fits else 'does not'} follow so ({r:.2f} comes out)"
        )
        words += "." if fits else ", and of many parts of a panel one will give any figure by chance."
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
