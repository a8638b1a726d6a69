"""Whether two measures put the models in the same order, and which domains could be first or last."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.ranking import exact_spearman
from metacog.studies.study1_qa.ledger.published import as_numbers

#: Pairs of measures whose orders are correlated.
PAIRS = (("auroc2", "m_ratio"), ("auroc2", "meta_i2r"), ("meta_i2r", "m_ratio"))
NAMES = {"auroc2": "AUROC2", "m_ratio": "M-ratio", "meta_i2r": "meta-I2r"}
#: Level of the exact test of two orders.
ALPHA = 0.05
RULE_RANKS = (
    "AUROC2 and M-ratio put the models in the same order (Spearman's rho of the two, at T = 1), where "
    f"unrelated measures would do so with a probability of at most {ALPHA}; refuted by a rho below 0 with an "
    f"exact p of at most {ALPHA}."
)
RULE_DOMAINS = (
    "Highest and lowest domain by meta-I2r among domains with enough trials, with 95 % confidence sets "
    "of their ranks."
)


def pair_name(a: str, b: str) -> str:
    """Name of a pair of measures: the column ``pair``."""
    return f"{NAMES[a]} and {NAMES[b]}"


def judge(rows: pd.DataFrame) -> Verdict:
    """Whether AUROC2 and M-ratio order the models alike, from the correlations of one question set."""
    one = rows[rows["pair"] == pair_name("auroc2", "m_ratio")].iloc[0]
    n, of, rho = int(one["n_models"]), int(one["of"]), float(one["rho"])
    passed = None
    if n > 1 and rho < 0 and one["p_exact"] <= ALPHA:
        passed = False
    elif rho > 1 - 1e-9 and one["smallest_p"] / 2 <= ALPHA and n == of:
        passed = True
    values = {"n_models": n, "of": of, "rho": rho, "dataset": str(one["dataset"])}
    values |= {name: float(one[name]) for name in ("p_exact", "smallest_p")}
    return Verdict("AUROC2", Kind.EXPLORATORY, RULE_RANKS, passed, name="order", values=values)


def describe_domains(models: Sequence[dict[str, object]]) -> Verdict:
    """Which domain is highest and lowest in each model; undecided by its rule."""
    values = {"models": list(models)}
    return Verdict(
        "Domains", Kind.EXPLORATORY, RULE_DOMAINS, None, topic="domains", name="domains", values=values
    )


def compare(printed: pd.DataFrame, recomputed: pd.DataFrame, run: pd.DataFrame) -> Verdict:
    """Rank correlation of AUROC2 and M-ratio: printed, from the counts, and of the run's models.

    The printed M-ratios tie two models, so the full-precision ones of the author's file are ranked.
    """
    full = as_numbers("v1_h1_full_precision").set_index("model")["m_ratio"]
    printed = printed.assign(m_ratio=printed["model"].map(full))
    rho = {
        name: exact_spearman(frame["auroc2"].tolist(), frame["m_ratio"].tolist())[0]
        for name, frame in (("printed", printed), ("recomputed", recomputed), ("run", run))
    }
    return Verdict(
        "AUROC2",
        Kind.PUBLISHED,
        "Rank correlation.",
        None,
        name="published",
        values={**rho, "n_run": len(run)},
    )
