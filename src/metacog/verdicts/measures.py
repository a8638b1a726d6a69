"""What tables of measures show, as verdicts: judged here, worded by :mod:`metacog.imports.own_trials`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.verdicts.rules import beyond
from metacog.verdicts.verdict import Kind, Verdict

#: Level of the permutation test of meta-I2r.
ALPHA = 0.05
#: Measures that are described, and what their interval is compared with.
DESCRIBED = {"overconfidence": 0.0, "accuracy_at_half": np.nan, "m_ratio": 1.0}
ABOVE_CHANCE = "AUROC2 of one model lies above 0.5"
INFORMATIVE = "meta-I2r of one model is more than nothing"


def _verdict(name: str, passed: bool | None = None, rule: str = "", **values: Any) -> Verdict:
    """A verdict where ``rule`` asks something, else a description."""
    return Verdict("Measures", Kind.FINDING, rule, passed, name=name, values=values)


def _known(row: pd.Series, name: str) -> bool:
    return bool(pd.notna(row.get(name, np.nan)) and pd.notna(row.get(f"{name}_lower", np.nan)))


def _side(row: pd.Series, name: str, limit: float) -> str:
    """Where the whole interval lies: ``below`` or ``above`` a limit; empty where it contains it."""
    return "below" if row[f"{name}_upper"] < limit else "above" if row[f"{name}_lower"] > limit else ""


def model_verdicts(row: pd.Series) -> list[Verdict]:
    """Verdicts on one model, from its row of :func:`metacog.measures.table.measure_table`."""
    values: dict[str, Any] = {str(name): value for name, value in row.items()}
    made = [_verdict("answered", **values)]
    if not _known(row, "auroc2"):
        return [*made, _verdict("not_judged", **values)]
    if row["flag"]:
        made.append(_verdict("flagged", **values))
    above = beyond("AUROC2", row["auroc2_lower"], row["auroc2_upper"], 0.5).holds
    informative = True if row.get("p_meta_i2r", np.nan) <= ALPHA else None
    made.append(_verdict("auroc2", above, ABOVE_CHANCE, **values))
    made.append(_verdict("meta_i2r", informative, INFORMATIVE, **values))
    described = [(name, limit) for name, limit in DESCRIBED.items() if _known(row, name)]
    return [*made, *(_verdict(name, side=_side(row, name, limit), **values) for name, limit in described)]


def part_verdicts(table: pd.DataFrame, by: str, orders: pd.DataFrame | None = None) -> list[Verdict]:
    """How AUROC2 spreads over domains or temperatures within each model, and how certain their order is.

    Parameters
    ----------
    table : DataFrame
        Of :func:`metacog.measures.table.measure_table`.
    by : str
        ``domain`` or ``temperature``.
    orders : DataFrame, optional
        Of :func:`metacog.measures.table.order_table`; without it the order is left open.

    Notes
    -----
    Lowest and highest are picked after looking, so their two intervals tell nothing about the order; the
    confidence set of ranks is made over all pairs.
    """
    made = []
    for model, part in table[table["by"] == by].groupby("model", sort=False):
        usable = part[part["auroc2"].notna() & part["auroc2_lower"].notna()].sort_values(
            "auroc2", kind="stable"
        )
        about: dict[str, Any] = {"model": model, "by": by, "n": len(part), "n_open": len(part) - len(usable)}
        if len(usable) < 2:
            made.append(_verdict("few_parts", **about))
        else:
            order = _order_of(orders, str(model), by)
            made.append(
                _verdict("parts", lowest=usable.iloc[0], highest=usable.iloc[-1], order=order, **about)
            )
    return made


def _order_of(orders: pd.DataFrame | None, model: str, by: str) -> pd.DataFrame:
    """The parts of a model by rank; empty where fewer than two have one."""
    if orders is None:
        return pd.DataFrame()
    mine = orders[(orders["by"] == by) & (orders["model"].astype(str) == model) & orders["rank"].notna()]
    return mine.sort_values("rank", kind="stable") if len(mine) > 1 else mine.iloc[:0]
