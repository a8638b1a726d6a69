"""The decision-only experiments: d', c and c' of 27 cells, and the published table S2."""

from __future__ import annotations

import pandas as pd

from metacog.studies.study2_two_choice.cells.decisions import decision_cells
from metacog.studies.study2_two_choice.ledger import published
from metacog.studies.study2_two_choice.ledger.published import MODELS, RISKS, TASKS


def risk_cells(correction: str = "none") -> pd.DataFrame:
    """The paper's 27 cells; see :func:`.decisions.decision_cells`."""
    return decision_cells(published.risk_counts(), correction)


def with_published(cells: pd.DataFrame) -> pd.DataFrame:
    """Our cells and the published table S2: ``c_printed, half_printed``."""
    printed = published.as_numbers("tableS2").rename(
        columns={"c": "c_printed", "half_width_95": "half_printed"}
    )
    return cells.merge(printed, on=["task", "model", "risk"], how="left", validate="one_to_one")


def cell_name(row: object) -> str:
    """``GPT-5, task C, warned of S1``."""
    risk = getattr(row, "risk", "")
    warned = {"": "", "None": ", no warning"}.get(risk, f", warned of {risk}")
    return f"{MODELS[row.model]}, task {row.task}{warned}"  # type: ignore[attr-defined]


def mirror(cells: pd.DataFrame) -> pd.DataFrame:
    """How far c and c' agree: one row per model and task.

    ``same_order`` is whether both order the three configurations alike, ``factor_low`` and ``factor_high``
    are the least and largest 1/d' by which c turns into c', ``moves_c`` and ``moves_c_prime`` the way from
    the warning of S1 to that of S2, and ``d_range`` the spread of d'.
    """
    rows = []
    for (model, task), part in cells.groupby(["model", "task"], sort=False):
        by = part.set_index("risk").loc[list(RISKS)]
        rows.append(
            {
                "model": MODELS[str(model)],
                "task": task,
                "same_order": bool((by["c"].rank() == by["c_prime"].rank()).all()),
                "moves_c": by["c"]["S2"] - by["c"]["S1"],
                "moves_c_prime": by["c_prime"]["S2"] - by["c_prime"]["S1"],
                "factor_low": float((1 / by["d_prime"]).min()),
                "factor_high": float((1 / by["d_prime"]).max()),
                "d_range": float(by["d_prime"].max() - by["d_prime"].min()),
            }
        )
    return pd.DataFrame(rows)


def moved(cells: pd.DataFrame) -> pd.DataFrame:
    """The criterion in answers: the share of "S2" in each configuration, were both stimuli as frequent."""
    shares = 0.5 * (cells["hit_rate"] + cells["false_alarm_rate"])
    wide = cells.assign(share=shares).pivot_table(
        index=["model", "task"], columns="risk", values="share", sort=False
    )
    out = wide.reset_index().rename(columns={"S1": "s1", "None": "none", "S2": "s2"})
    return out.assign(model=out["model"].map(MODELS), task_name=out["task"].map(TASKS))
