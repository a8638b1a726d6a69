"""Tables and texts of the report on somebody's own trials."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import pandas as pd

#: What each measure says, for a reader who meets them here first.
READING = """\
- **AUROC2**: how often a random right answer carries more confidence than a random wrong one; 0.5 is
  chance.
- **meta-I2r**: the share of the uncertainty about being right that the ratings take away; 0 is none,
  1 is all. Its interval says how large; whether it is more than nothing is asked of a permutation
  test. It depends on accuracy, so models of unlike accuracy do not differ by it alone.
- **d_a**: the distance, in standard deviations, between the confidence of right and wrong answers.
- **Confidence less accuracy**, **ECE** and **Brier score**: whether stated probabilities come true.
- **Simulated coverage**, where it is shown: how often a 95 % interval like that one held the truth in
  simulations, if not in 93 to 97 of a hundred.
- **meta-d'** and **M-ratio**: sensitivity of confidence in units of the decision's own; valid only
  where the task has two choices.
"""

_NAMES = {
    "accuracy": "Accuracy",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "d_a": "d_a",
    "overconfidence": "Confidence less accuracy",
    "ece": "ECE",
    "brier": "Brier",
    "d_prime": "d'",
    "meta_d": "meta-d'",
    "m_ratio": "M-ratio",
}
_PLAIN = {"ece"}


class _Results(Protocol):
    @property
    def two_choice(self) -> bool: ...

    def rows(self, by: str) -> pd.DataFrame: ...


def measures_shown(results: _Results, by: str) -> pd.DataFrame:
    """The measures as texts with their intervals, one row a cell; columns without numbers are left out."""
    return cells_shown(results.rows(by), by, two_choice=results.two_choice)


def cells_shown(rows: pd.DataFrame, by: str, *, two_choice: bool = False) -> pd.DataFrame:
    """Rows of a table of measures as texts, ``0.712 [0.690, 0.734]``; the flag stands last."""
    labels = ["model"] if by == "model" else ["model", by]
    shown = rows[labels].copy()
    if by == "temperature":
        shown["temperature"] = rows["temperature"].map("{:g}".format)
    shown["Trials"] = rows["n_trials"]
    for name, title in _NAMES.items():
        if name not in rows or rows[name].isna().all():
            continue
        if name == "m_ratio" and not two_choice:
            title = "M-ratio (not valid)"
        if name == "meta_d" and not two_choice:
            title = "meta-d' (not valid)"
        shown[title] = [_cell(row, name) for _, row in rows.iterrows()]
    notes = [v if isinstance(v, str) else "" for v in rows.get("coverage", [])]
    if any(notes):
        shown["Simulated coverage"] = notes
    if (rows["flag"] != "").any():
        shown["Flag"] = rows["flag"]
    return shown.rename(columns={"model": "Model", "domain": "Domain", "temperature": "T"})


def _cell(row: pd.Series, name: str) -> str:
    if pd.isna(row[name]):
        return "-"
    lower, upper = row.get(f"{name}_lower", np.nan), row.get(f"{name}_upper", np.nan)
    if name in _PLAIN or pd.isna(lower):
        return f"{row[name]:.3f}"
    return f"{row[name]:.3f} [{lower:.3f}, {upper:.3f}]"


def pairs_shown(pairs: pd.DataFrame) -> pd.DataFrame:
    """Differences between models as texts."""
    names = {"accuracy": "accuracy", "auroc2": "AUROC2", "meta_i2r": "meta-I2r"}
    shown = [f"{r.difference:+.3f} [{r.lower:+.3f}, {r.upper:+.3f}]" for r in pairs.itertuples()]
    return pd.DataFrame(
        {
            "Models": [f"{r.first} less {r.second}" for r in pairs.itertuples()],
            "Quantity": pairs["quantity"].map(names),
            "Difference": shown,
            "Shared questions": pairs["n_shared"],
            "Paired": pairs["paired"].astype(bool),
            "Differs": pairs["differs"].astype(bool),
        }
    )


def validation_text(facts: dict[str, Any]) -> str:
    """What was read, kept and dropped, as Markdown; names from the file are shown as code."""
    v = facts["validation"]
    lines = [
        f"`{_code(facts['name'])}` ({v['kind']}): {v['n_read']:,} rows read, {v['n_used']:,} trials used, "
        f"{v['n_read'] - v['n_used'] if v['n_read'] > v['n_used'] else 0:,} left out."
    ]
    if v["mapping"]:
        roles = (f"{role.replace('_', ' ')} from `{_code(name)}`" for role, name in v["mapping"].items())
        lines.append("Columns: " + ", ".join(roles) + ".")
    options = facts["options"]
    unit = "questions" if options["clustered"] else "trials"
    lines.append(f"Intervals resample {unit}, {options['n_resamples']:,} times, seed {options['seed']}.")
    bullets = [f"{n:,} dropped: {reason}" for reason, n in v["dropped"].items()] + v["notes"]
    return "\n\n".join(lines) + "".join(f"\n\n- {text}" for text in bullets)


def _code(text: object) -> str:
    return str(text).replace("`", "'")
