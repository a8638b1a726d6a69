"""The decision-only experiments: d', c and c' of 27 cells, beside the printed table S2."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.ledger.entry import Status
from metacog.sdt.type1 import type1
from metacog.studies.study2_two_choice import published
from metacog.studies.study2_two_choice.published import MODELS, RISKS

#: The last digit that is printed.
LAST_DIGIT = 1e-4
#: Standard errors to either side of a printed interval.
PRINTED_Z = 1.96


def risk_cells(correction: str = "none") -> pd.DataFrame:
    """The paper's 27 cells; see :func:`decision_cells`."""
    return decision_cells(published.risk_counts(), correction)


def decision_cells(counts: pd.DataFrame, correction: str = "none") -> pd.DataFrame:
    """One row a task, model and risk configuration.

    Parameters
    ----------
    counts : DataFrame
        ``task, model, risk, hits, misses, false_alarms, correct_rejections, total``.
    correction : str
        As :func:`metacog.sdt.type1.type1` takes it.

    Returns
    -------
    DataFrame
        Columns ``task, model, risk, n, hit_rate, false_alarm_rate``, and ``d_prime, c, c_prime`` each with
        ``_se`` and ``_half`` (1.96 standard errors, as the paper has it).
    """
    rows = []
    for row in rows_of(counts):
        r = type1([row.correct_rejections, row.false_alarms], [row.misses, row.hits], correction=correction)
        found: dict[str, object] = {
            "task": row.task,
            "model": row.model,
            "risk": row.risk,
            "n": int(row.total),
            "hit_rate": r.hit_rate,
            "false_alarm_rate": r.false_alarm_rate,
        }
        for measure in ("d_prime", "c", "c_prime"):
            found |= {
                measure: getattr(r, measure),
                f"{measure}_se": r.half_width(measure, 1.0),
                f"{measure}_half": r.half_width(measure, PRINTED_Z),
            }
        rows.append(found)
    return pd.DataFrame(rows)


def beside_printed(cells: pd.DataFrame) -> pd.DataFrame:
    """The printed table S2 next to ours, and recomputed minus printed: ``c_off``, ``half_off``."""
    printed = published.as_numbers("tableS2").rename(
        columns={"c": "c_printed", "half_width_95": "half_printed"}
    )
    both = cells.merge(printed, on=["task", "model", "risk"], how="left", validate="one_to_one")
    both["c_off"] = both["c"] - both["c_printed"]
    both["half_off"] = both["c_half"] - both["half_printed"]
    return both


def cell_name(row: object) -> str:
    """``GPT-5, task C, warned of S1``."""
    risk = getattr(row, "risk", "")
    warned = {"": "", "None": ", no warning"}.get(risk, f", warned of {risk}")
    return f"{MODELS[row.model]}, task {row.task}{warned}"  # type: ignore[attr-defined]


def slips(both: pd.DataFrame) -> str:
    """What the numbers say of half-widths that the ledger calls different, each by itself."""
    rows = rows_of(both[both["half_status"] == Status.DIFFERS])
    if not rows:
        return "Every printed half-width matches."
    said = []
    for row in rows:
        n_needed = row.n * (row.c_half / row.half_printed) ** 2
        z_needed = PRINTED_Z * row.half_printed / row.c_half
        c_words = "does not match either" if row.c_status == Status.DIFFERS else "matches"
        twins = int(np.isclose(both["c_half"], row.half_printed, atol=LAST_DIGIT / 2).sum())
        others = f"{plural(twins, 'other cell')} would have it" if twins else "it belongs to no other cell"
        said.append(
            f"{cell_name(row)}: the counts give {row.c_half:.4f}, printed is {row.half_printed:.4f}. "
            f"The criterion of the same row {c_words}, and it rests on the same two rates. "
            f"The printed width would need {n_needed:,.0f} trials in place of {row.n:,}, or "
            f"{z_needed:.3f} standard errors in place of {PRINTED_Z}; "
            f"{others}. The other {len(both) - len(rows)} half-widths match."
        )
    return " ".join(said)


def truncated(both: pd.DataFrame) -> str:
    """Which printed criteria are not the rounded ones but cut off after the last digit."""
    cut = both[both["c_status"] == Status.DIFFERS]
    if cut.empty:
        return "Every printed criterion is ours, rounded."
    names = []
    for r in rows_of(cut):
        whole = np.isclose(np.trunc(r.c / LAST_DIGIT) * LAST_DIGIT, r.c_printed)
        how = "which is ours cut off, not rounded" if whole else "neither rounded nor cut off"
        names.append(f"{cell_name(r)} ({r.c:.6f}, printed {r.c_printed:.4f}, {how})")
    return (
        f"{plural(len(both) - len(cut), 'printed criterion', 'printed criteria')} of {len(both)} are ours, "
        f"rounded to four decimals; not so {listed(names)}."
    )


def padding_said(both: pd.DataFrame, padded: pd.DataFrame) -> str:
    """How many criteria match, and how many would if half a trial were added to each count."""
    raw, more = (int((cells["c_status"] != Status.DIFFERS).sum()) for cells in (both, padded))
    return (
        f"With raw rates {raw} of {len(both)} criteria match; with the customary half trial added to every "
        f"count {more} would."
    )


def mirror(cells: pd.DataFrame) -> pd.DataFrame:
    """How far c and c' say the same: a row a model and task.

    ``same_order`` is whether both order the three configurations alike, ``factor_low`` and ``factor_high``
    are the least and largest 1/d' by which c turns into c', ``moves_c`` and ``moves_c_prime`` the way from
    the warning of S1 to that of S2, and ``d_range`` the spread of d'.
    """
    rows = []
    for (model, task), own in cells.groupby(["model", "task"], sort=False):
        by = own.set_index("risk").loc[list(RISKS)]
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


def mirror_said(table: pd.DataFrame, cells: pd.DataFrame) -> str:
    """How c' mirrors c, in a sentence."""
    alike = int(table["same_order"].sum())
    rho = float(np.corrcoef(cells["c"], cells["c_prime"])[0, 1])
    odd = table.loc[~table["same_order"]]
    names = [f"{r.model} on task {r.task}" for r in rows_of(odd)]
    most = table.iloc[int(np.argmax(table["factor_high"] / table["factor_low"]))]
    change = 100 * (most["factor_high"] / most["factor_low"] - 1)
    return (
        f"In {alike} of {len(table)} models and tasks c' orders the three configurations as c does"
        + (f" (not in {listed(names)})" if names else "")
        + f", and over all {len(cells)} cells the two correlate at {rho:.3f}. c' is c divided by d', so it "
        f"mirrors c as far as d' stands still; it does so least in {most['model']} on task {most['task']}, "
        f"where the divisor changes by {change:.0f} %."
    )


def moved(cells: pd.DataFrame) -> pd.DataFrame:
    """The criterion in answers: the share of "S2" in each configuration, were both stimuli as frequent."""
    shares = 0.5 * (cells["hit_rate"] + cells["false_alarm_rate"])
    wide = cells.assign(share=shares).pivot_table(
        index=["model", "task"], columns="risk", values="share", sort=False
    )
    out = wide.reset_index().rename(columns={"S1": "s1", "None": "none", "S2": "s2"})
    return out.assign(model=out["model"].map(MODELS))
