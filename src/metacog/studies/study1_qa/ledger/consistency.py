"""Claims of study 1's text that printed tables settle, and H3's result file out of table 7.

Each statistic is computed by the function that computes it from trials. What is found here says whether the
print agrees with itself; where the author's trials are there, their figures take the place of these.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.ledger.entry import Kind, Value
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import exact_spearman, spread
from metacog.studies.study1_qa.h3 import BOUND, range_and_rank
from metacog.studies.study1_qa.ledger.rows import from_print

DOMAINS = "v1_table6_domain_m_ratio"
FROM_TABLE = "the printed table"
FROM_TABLE_7 = "v1 table 7 as printed"
#: Weakest domain of a model by M-ratio, where the text names it.
WEAKEST = {
    "llama3_instruct": "Science & Technology",
    "gemma2_instruct": "Science & Technology",
    "mistral_instruct": "Arts & Literature",
}
#: Ends of the names of claims about one model.
SHORT = {
    "llama3_instruct": "instruct",
    "mistral_instruct": "mistral",
    "llama3_base": "base",
    "gemma2_instruct": "gemma",
}
#: The figures of H3's result file.
H3 = ("rho_meta_d_T", "rho_d_prime_T", "meta_d_range", "tost_pass", "relative_robust")


def efficiency(table: pd.DataFrame) -> dict[str, float]:
    """Claims on M-ratio by domain, from ``model, domain, m_ratio``; NaN of a model that is not there."""
    by_model = table.groupby("model")["m_ratio"]
    ranges = by_model.max() - by_model.min()
    weakest = table.loc[by_model.idxmin()].set_index("model")["domain"]
    return {
        **{f"v1_range_{short}": float(ranges.get(model, np.nan)) for model, short in SHORT.items()},
        "v1_weakest_domains": float(weakest.nunique()),
        "v1_weakest_named": float(sum(weakest.get(model) == domain for model, domain in WEAKEST.items())),
    }


def information(table: pd.DataFrame) -> dict[str, float]:
    """Claims on meta-I2r by domain, from ``model, domain, meta_i2r``: in how many models a domain has most or least."""
    by_model = table.groupby("model")["meta_i2r"]
    strongest, weakest = (table.loc[rows, "domain"] for rows in (by_model.idxmax(), by_model.idxmin()))
    return {
        "v2_arts": float((strongest == "Arts & Literature").sum()),
        "v2_science": float((weakest == "Science & Technology").sum()),
        "v2_geography": float((weakest == "Geography").sum()),
    }


def over_temperatures(table: pd.DataFrame) -> dict[str, float]:
    """Claims on meta-I2r from ``model, meta_i2r``, one row per temperature of the hypothesis."""
    ranges = {str(model): spread(own["meta_i2r"]) for model, own in table.groupby("model")}
    return {"v2_flat": sorted(ranges.values())[2], "v2_base_range": ranges["llama3_base"]}


def print_claims() -> dict[str, Value]:
    domains, h3 = paper.as_numbers(DOMAINS), paper.as_numbers("v1_h3_verdicts")
    limits = paper.as_numbers("v1_table2_h1").set_index("model")
    binning = paper.as_numbers("v1_table4_r1_binning")
    sides = binning.pivot(index="model", columns="ratings_per_side", values="m_ratio")
    # the printed M-ratios at K = 4 tie two models; the result file tells them apart
    full = paper.as_numbers("v1_h1_full_precision").set_index("model")["m_ratio"]
    science = domains.loc[domains["domain"] == "Science & Technology", "m_ratio"]
    found = {
        **efficiency(domains),
        **information(paper.as_numbers("v2_domain")),
        **over_temperatures(paper.as_numbers("v2_temperature")),
        "v1_h3_stable": float((h3["tost_pass"] & h3["relative_robust"]).sum()),
        "v1_h1_overlap": float(limits["upper"]["mistral_instruct"] - limits["lower"]["gemma2_instruct"]),
        "v1_r1_change": float(sides[[3, 6]].sub(sides[4], axis=0).abs().max().max()),
        "v1_r1_order": float(min(rho(full, sides[k]) for k in (3, 6))),
        "v1_science_high": float(science.max()),
        "v1_science_low": float(science.min()),
    }
    reach = 2 * paper.precision(DOMAINS, "m_ratio")
    of_table = {
        claim: Value(
            value, FROM_TABLE, reach=reach if claim.startswith("v1_range_") else 0.0, kind=Kind.PRINTED
        )
        for claim, value in found.items()
    }
    met = float(paper.PUBLISHED.row("text_claims", id="v1_h2_one").value)
    note = "there the rule of H2 is called not met"
    return of_table | {"v1_h2_models": Value(met, "section 4.4 of v1", note=note, kind=Kind.PRINTED)}


def h3_of_table_7() -> pd.DataFrame:
    """The figures of H3's result file out of the rounded figures of table 7.

    The range may lie off by two roundings; correlations of ranks and verdicts are given where no rounding can
    change them.
    """
    table = paper.as_numbers("v1_table7_temperature")
    half = paper.precision("v1_table7_temperature", "d_prime", "meta_d", "m_ratio")
    rows = [{"model": model, **range_and_rank(own)} for model, own in table.groupby("model", sort=False)]
    parts = []
    for quantity in H3:
        settled = [
            {"model": row["model"], quantity: row[quantity]}
            for row in rows
            if _settled(table[table["model"] == row["model"]], quantity, half)
        ]
        reach = 2 * half if quantity == "meta_d_range" else 0.0
        own = pd.DataFrame(settled, columns=["model", quantity])
        parts.append(from_print("v1_h3_verdicts", own, (quantity,), source=FROM_TABLE_7, reach=reach))
    return pd.concat(parts, ignore_index=True)


def _settled(table: pd.DataFrame, quantity: str, half: float) -> bool:
    """Whether rounding can change neither the order of the figures nor the side of the bound."""
    if quantity == "meta_d_range":
        return True
    if quantity == "tost_pass":
        return abs(spread(table["meta_d"]) - BOUND) > 2 * half
    columns = {"rho_meta_d_T": ["meta_d"], "rho_d_prime_T": ["d_prime"]}.get(quantity, ["meta_d", "d_prime"])
    gaps = [np.diff(np.sort(table[column].to_numpy(dtype=np.float64))) for column in columns]
    return bool((np.concatenate(gaps) > 2 * half).all())


def rho(a: pd.Series, b: pd.Series) -> float:
    both = pd.concat([a, b], axis=1, join="inner")
    return exact_spearman(both.iloc[:, 0].tolist(), both.iloc[:, 1].tolist())[0]
