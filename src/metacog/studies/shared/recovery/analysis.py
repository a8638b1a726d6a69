"""What the estimator makes of simulated deciders whose values are known, and what its intervals cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.measures.coverage import TABLE, simulations
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.shared.recovery import coverage
from metacog.studies.study import analysis

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Targets of the core designs.
MAX_BIAS = 0.02
COVERAGE = (0.93, 0.97)
#: What readers call the quantities.
NAMES = {"meta_d": "meta-d'", "m_ratio": "M-ratio"}
#: What readers call the factors that are varied one at a time.
FACTORS = {
    "n_trials": "trials",
    "n_ratings": "ratings per side",
    "d_prime": "d'",
    "base_rate": "share of one stimulus",
}
#: Widths of the M-ratio's interval that the page asks for.
WIDTHS = (0.6, 0.4, 0.25)
CORE = (
    "d_prime",
    "m_ratio",
    "n_trials",
    "n_simulations",
    *(f"{figure}_{quantity}" for quantity in NAMES for figure in ("bias", "sd")),
    *(f"coverage_{quantity}" for quantity in NAMES),
    "coverage_se",
)


@dataclass(frozen=True)
class Recovered:
    """What the estimator makes of simulated deciders whose values are known.

    ``designs`` holds every design, ``core`` those with a target, ``intervals`` the coverage of the intervals
    of meta-I2r and AUROC2 (verdicts under ``intervals``), ``floor`` the fewest trials of a class from which
    they are made. ``sweeps`` has one row a design and quantity, as pages show them: ``factor`` that is varied (empty in
    core designs), the value it is ``at``, ``design``, ``quantity``, ``bias`` and ``coverage`` with two Monte-Carlo
    errors to either side, ``sd``. ``widths`` has the fewest simulated trials that bring the interval of the M-ratio
    to a ``width`` (NaN if none does).
    """

    designs: pd.DataFrame
    core: pd.DataFrame
    intervals: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    simulations: int
    fewest_simulations: int
    resamples: int
    floor: int
    sweeps: pd.DataFrame
    widths: pd.DataFrame


@analysis(returns=Recovered, files=("data/simulations/recovery.csv", TABLE))
def recovery(inputs: Inputs) -> Recovered:
    """Does the estimator find what was put in?"""
    results = load_recovery()
    covered = simulations()
    if covered.empty:
        raise MetacogError(f"{TABLE} is missing: make it with `python benchmarks/interval_coverage.py`")
    return Recovered(
        results,
        core(results),
        coverage.summary(covered),
        (
            *(v.under("core") for v in core_verdicts(results)),
            *(v.under("intervals") for v in coverage.verdicts(covered)),
        ),
        int(results["n_simulations"].max()),
        int(results["n_simulations"].min()),
        int(results["n_resamples"].max()),
        MIN_FOR_INTERVALS,
        sweeps_table(results),
        widths_table(results),
    )


def load_recovery() -> pd.DataFrame:
    """The simulations of ``data/simulations/recovery.csv``.

    Raises
    ------
    MetacogError
        If the table is not there; says how it is made.
    """
    path = project_root() / "data" / "simulations" / "recovery.csv"
    if not path.is_file():
        raise MetacogError(f"{path} is missing: make it with `python benchmarks/recovery.py`")
    return pd.read_csv(path)


def core(table: pd.DataFrame) -> pd.DataFrame:
    """The designs with a target, with what is shown of them."""
    return table.loc[table["sweep"] == "core", list(CORE)].reset_index(drop=True)


def sweeps_table(table: pd.DataFrame) -> pd.DataFrame:
    """One row a design and quantity; see :class:`Recovered`."""
    parts = []
    for sweep in ("core", *FACTORS):
        rows = sweep_of(table, sweep)
        for quantity, name in NAMES.items():
            bias, share, sd = (rows[f"{what}_{quantity}"] for what in ("bias", "coverage", "sd"))
            bias_error = 2 * sd / np.sqrt(rows["n_used"])
            share_error = 2 * np.sqrt(share * (1 - share) / rows["n_simulations"])
            parts.append(
                pd.DataFrame(
                    {
                        "factor": FACTORS.get(sweep, ""),
                        "at": rows[sweep].astype(float) if sweep in FACTORS else np.nan,
                        "design": [_design(sweep, row) for row in rows.to_dict("records")],
                        "quantity": name,
                        "bias": bias,
                        "bias_lower": bias - bias_error,
                        "bias_upper": bias + bias_error,
                        "coverage": share,
                        "coverage_lower": share - share_error,
                        "coverage_upper": share + share_error,
                        "sd": sd,
                    }
                )
            )
    return pd.concat(parts, ignore_index=True)


def _design(sweep: str, row: Mapping[Any, Any]) -> str:
    if sweep in FACTORS:
        return (
            f"{row[sweep]:,g} {FACTORS[sweep]}"
            if sweep.startswith("n_")
            else f"{FACTORS[sweep]} {row[sweep]:g}"
        )
    return f"d' {row['d_prime']:g}, M-ratio {row['m_ratio']:g}"


def sweep_of(table: pd.DataFrame, factor: str) -> pd.DataFrame:
    """The designs that vary one factor, in its order.

    Raises
    ------
    MetacogError
        If there are none.
    """
    rows = table[table["sweep"] == factor]
    if rows.empty:
        raise MetacogError(f"recovery.csv has no rows that vary {factor}: make it again")
    return rows.sort_values(factor if factor in FACTORS else ["d_prime", "m_ratio"]).reset_index(drop=True)


def widths_table(table: pd.DataFrame) -> pd.DataFrame:
    """Fewest simulated trials at which the M-ratio's interval is at most so wide on average."""
    rows = sweep_of(table, "n_trials")
    fewest = [rows.loc[rows["width_m_ratio"] <= width, "n_trials"].min() for width in WIDTHS]
    return pd.DataFrame({"width": WIDTHS, "n_trials": np.array(fewest, dtype=float)})


def core_verdicts(table: pd.DataFrame) -> tuple[Verdict, ...]:
    """Bias and coverage of the core designs compared with their targets."""
    rows = core(table)
    bias = rows["bias_meta_d"].abs()
    biased = Verdict(
        "recovery",
        Kind.FINDING,
        f"bias of meta-d' under {MAX_BIAS} at {int(rows['n_trials'].max()):,} trials",
        bool((bias < MAX_BIAS).all()),
        name="bias",
        values={"worst": bias.max(), "designs": len(rows), "above": _designs(rows[bias >= MAX_BIAS])},
    )
    return biased, *(_coverage_verdict(rows, quantity) for quantity in NAMES)


def _coverage_verdict(rows: pd.DataFrame, quantity: str) -> Verdict:
    share = rows[f"coverage_{quantity}"]
    errors = np.sqrt(share * (1 - share) / rows["n_simulations"])
    off = ~share.between(*COVERAGE)
    distance = np.minimum(abs(share - COVERAGE[0]), abs(share - COVERAGE[1]))
    outside = [
        {**design, "coverage": value, "error": error}
        for design, value, error in zip(_designs(rows[off]), share[off], errors[off], strict=True)
    ]
    return Verdict(
        "recovery",
        Kind.FINDING,
        f"coverage of every core design between {COVERAGE[0]} and {COVERAGE[1]}",
        not outside,
        name="coverage",
        values={
            "quantity": quantity,
            "lowest": share.min(),
            "highest": share.max(),
            "outside": outside,
            "within_two_errors": bool((distance[off] <= 2 * errors[off]).all()),
        },
    )


def _designs(rows: pd.DataFrame) -> Sequence[Mapping[Any, Any]]:
    return rows[["d_prime", "m_ratio"]].to_dict("records")
