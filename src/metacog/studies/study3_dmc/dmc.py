"""What does DMC compute, where does it differ from maximum likelihood, and what stays flat over abilities?

One table is worked through; the simulation is made by ``benchmarks/dmc_estimators.py`` and stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from metacog.core.frames import committed_table
from metacog.report.views import Views
from metacog.sdt import fit_dmc, fit_meta_d, meta_d_observer
from metacog.sdt.checks import FloatArray
from metacog.sdt.dmc import counts_matrix
from metacog.studies.study import Inputs, analysis
from metacog.studies.study3_dmc import paper
from metacog.studies.study3_dmc.observers import ABILITIES, ALL, KINDS, MEASURES, NOTHING, exact, measure

ESTIMATORS: dict[str, str] = {
    "dmc": "DMC",
    "dmc_released": "DMC, released variant",
    "ml": "maximum likelihood",
}
#: Rows of the counts matrix, for readers.
ROWS = ("A, right", "A, wrong", "B, right", "B, wrong")
#: Names in the picture of a fit, how far its curves reach, and how high its axes.
ABILITY, META = "ability: how far apart answers are", "what confidence reveals of it"
DECIDES, CONFIDENT = "where it decides", "where confidence rises"
REACH, AXIS = 3.5, 0.42
#: Added to every cell of the worked table.
PAD = 0.125
#: Fewest trials from which an error is taken to fall with the root of their number.
LARGE = 400
#: One measure that ability moves and the paper's, which are drawn along ability.
PICTURED = ("auroc2", "mc")
#: The measures that take ability off.
RATIOS = {"mc", "m_ratio"}


@analysis(files=("data/simulations/dmc_estimators.csv", "data/published/dmc_table1.csv"))
def estimators(
    inputs: Inputs, *, n_trials: int = 400, d_prime: float = 1.5, m_ratio: float = 0.7, seed: int = 42
) -> dict[str, Any]:
    """Where do DMC and maximum likelihood differ?"""
    s1, s2 = (x[0] for x in meta_d_observer(d_prime, m_ratio=m_ratio).counts(n_trials, 1, seed=seed))
    designs, cv = load_estimators(), paper.as_numbers("table1")["dmc"]
    return {
        "fits": worked(s1, s2, d_prime, m_ratio),
        "counts": counted(s1, s2),
        "curves": curves(s1, s2),
        "designs": designs,
        "trials": n_trials,
        "wrong": int(counts_matrix(s1, s2)[[1, 3]].sum()),
        "d_prime": d_prime,
        "ratio": m_ratio,
        "simulations": int(designs["runs"].max()),
        "lowest_cv": float(cv.min()),
        "highest_cv": float(cv.max()),
    }


def worked(s1: FloatArray, s2: FloatArray, d_prime: float, m_ratio: float) -> pd.DataFrame:
    """One table of an observer, known and through each estimator: ``name, ability, meta, ratio``."""
    rows = [("the observer", d_prime, m_ratio * d_prime, m_ratio * d_prime / d_prime)]
    for name, variant in (("dmc", "paper"), ("dmc_released", "released")):
        fit = fit_dmc(s1, s2, variant=variant)
        rows.append((ESTIMATORS[name], fit.d_hat, fit.d_star, fit.mc))
    ml = fit_meta_d(s1 + PAD, s2 + PAD)
    rows.append((ESTIMATORS["ml"], ml.d_prime, ml.meta_d, ml.m_ratio))
    return pd.DataFrame(rows, columns=["name", "ability", "meta", "ratio"])


def counted(s1: FloatArray, s2: FloatArray) -> pd.DataFrame:
    """The counts matrix of one table: ``answer, rating, n``."""
    matrix = counts_matrix(s1, s2)
    return pd.DataFrame(
        [
            (row, k + 1, int(n))
            for row, counts in zip(ROWS, matrix, strict=True)
            for k, n in enumerate(counts)
        ],
        columns=["answer", "rating", "n"],
    )


def curves(s1: FloatArray, s2: FloatArray) -> pd.DataFrame:
    """What DMC fits to one table, to be drawn: ``panel, line, evidence, height``.

    The curves of ability with the decision axis, and those of metacognitive ability with the confidence axes; an axis
    rises from 0 and falls back.
    """
    fit, parts = fit_dmc(s1, s2), []
    evidence = np.linspace(-REACH, REACH, 121)
    axes = {DECIDES: [fit.c0], CONFIDENT: [*fit.axes_A, *fit.axes_B]}
    for panel, d, shown in ((ABILITY, fit.d_hat, [DECIDES]), (META, fit.d_star, [DECIDES, CONFIDENT])):
        for name, mean in (("A is right", -d / 2), ("B is right", d / 2)):
            parts.append(
                pd.DataFrame({"line": name, "evidence": evidence, "height": norm.pdf(evidence - mean)})
            )
        for name in shown:
            places = np.repeat(np.sort(axes[name]), 3)
            heights = np.tile([0.0, AXIS if name == DECIDES else AXIS / 2, 0.0], len(axes[name]))
            parts.append(pd.DataFrame({"line": name, "evidence": places, "height": heights}))
        parts = [part.assign(panel=part.get("panel", panel)) for part in parts]
    return pd.concat(parts, ignore_index=True)


def load_estimators() -> pd.DataFrame:
    """The stored comparison, one row per design and estimator, with ``name`` and two standard errors of the bias."""
    table = committed_table("data/simulations/dmc_estimators.csv")
    ends = {
        f"bias_{end}": table["bias"] + k * 2 * table["bias_se"] for end, k in (("lower", -1), ("upper", 1))
    }
    return table.assign(name=table["estimator"].map(ESTIMATORS), **ends)


def needed(result: Any) -> dict[str, Any]:
    """How many independent trials would make the sampling variation of MC as small as what is published."""
    table, low, high = result.designs, result.lowest_cv, result.highest_cv
    rows = table[(table["estimator"] == "dmc") & (table["n_trials"] >= LARGE)]
    once_ = (rows["sd"] / (rows["m_ratio"] + rows["bias"])) * np.sqrt(rows["n_trials"])
    fewest, most = (float(f"{(once_.min() / cv) ** 2:.2g}") for cv in (high, low))
    return {"fewest_needed": fewest, "most_needed": most}


@analysis()
def decoupling(inputs: Inputs) -> dict[str, Any]:
    """Which measures stay flat when only ability changes?

    How far each moves with endlessly many trials: highest less lowest value over the abilities, as a share of what lies
    between ratings at random and ratings that use all that the decision used, at the ability in the middle.
    """
    middle = float(np.median(ABILITIES))
    asked = [(kind, d) for kind in KINDS for d in ABILITIES] + [(NOTHING, middle), (ALL, middle)]
    tables = [np.concatenate(x) for x in zip(*(exact(*one) for one in asked), strict=True)]
    rows, along = [], []
    for name, title in MEASURES.items():
        *values, nothing, everything = measure(name, tables[0], tables[1], pad=0.0)
        spread = np.ptp(np.reshape(values, (len(KINDS), -1)), axis=1) / abs(everything - nothing)
        of = {"measure": name, "name": title}
        along += [
            of | {"kind_name": KINDS[kind], "d_prime": d, "value": float(value)}
            for (kind, d), value in zip(asked, values, strict=False)
            if name in PICTURED
        ]
        rows += [
            {"kind": kind, "kind_name": KINDS[kind], **of, "moved": moved}
            for kind, moved in zip(KINDS, spread.tolist(), strict=True)
        ]
    return {
        "moves": pd.DataFrame(rows),
        "along": pd.DataFrame(along),
        "abilities": len(ABILITIES),
        "lowest": min(ABILITIES),
        "highest": max(ABILITIES),
    }


def figures(result: Any) -> dict[str, Any]:
    """How far ability alone moves the measures that take it off, at most, and the others, at least, in %."""
    ratio = result.moves["measure"].isin(RATIOS)
    return {
        "most_moved": 100 * float(result.moves.loc[ratio, "moved"].max()),
        "least_moved": 100 * float(result.moves.loc[~ratio, "moved"].min()),
    }


ANALYSES = (estimators, decoupling)
VIEWS = (
    Views("estimators", numbers=needed),
    Views("decoupling", numbers=figures),
)
