"""Claims of study 1's text that printed tables settle, and H3's result file out of table 7.

Each statistic is computed by the function that computes it from trials. What is found here says whether the
print agrees with itself; where the author's trials are there, their figures take the place of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.ledger.entry import Value
from metacog.ledger.tolerances import half_last_digit
from metacog.studies.study1_qa.cells.contrasts import spread
from metacog.studies.study1_qa.cells.ranking import exact_spearman
from metacog.studies.study1_qa.h3.estimates import range_and_rank
from metacog.studies.study1_qa.h3.judging import BOUND
from metacog.studies.study1_qa.ledger import published
from metacog.studies.study1_qa.ledger.cells import Values, from_print

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


def print_claims(printed: Mapping[str, str]) -> dict[str, Value]:
    """Claims that the printed tables settle, by ``id``.

    Parameters
    ----------
    printed : mapping of str to str
        What the text prints, by ``id``: a claim may be held against another.
    """
    domains = published.as_numbers("v1_table6_domain_m_ratio")
    half = min(half_last_digit(f.text) for f in published.figures("v1_table6_domain_m_ratio"))
    found = _table_claims() | {
        name: from_print(value, FROM_TABLE, reach=2 * half if name.startswith("v1_range_") else 0.0)
        for name, value in efficiency_by_domain(domains).items()
    }
    others = information_by_domain(published.as_numbers("v2_domain"))
    others |= information_by_temperature(published.as_numbers("v2_temperature"))
    judged = published.as_numbers("v1_h3_verdicts")
    others["v1_h3_stable"] = float((judged["tost_pass"] & judged["relative_robust"]).sum())
    found |= {name: from_print(value, FROM_TABLE) for name, value in others.items()}
    found["v1_h2_models"] = from_print(
        float(printed["v1_h2_one"]), "section 4.4 of v1", note="there the rule of H2 is called not met"
    )
    return found


def efficiency_by_domain(table: pd.DataFrame) -> dict[str, float]:
    """Range of M-ratio over domains of each model, and weakest domains.

    Parameters
    ----------
    table : DataFrame
        With ``model, domain, m_ratio``.
    """
    ranges = table.groupby("model")["m_ratio"].agg(lambda x: float(np.ptp(x)))
    weakest = table.loc[table.groupby("model")["m_ratio"].idxmin()].set_index("model")["domain"]
    named = sum(weakest.get(model) == domain for model, domain in WEAKEST.items())
    found = {f"v1_range_{short}": float(ranges[model]) for model, short in SHORT.items() if model in ranges}
    return found | {"v1_weakest_domains": float(weakest.nunique()), "v1_weakest_named": float(named)}


def information_by_domain(table: pd.DataFrame) -> dict[str, float]:
    """How many models are strongest and weakest where version 2 says.

    Parameters
    ----------
    table : DataFrame
        With ``model, domain, meta_i2r``.
    """
    by_model = table.groupby("model")["meta_i2r"]
    strongest, weakest = (table.loc[rows, "domain"] for rows in (by_model.idxmax(), by_model.idxmin()))
    return {
        "v2_arts": float((strongest == "Arts & Literature").sum()),
        "v2_science": float((weakest == "Science & Technology").sum()),
        "v2_geography": float((weakest == "Geography").sum()),
    }


def information_by_temperature(table: pd.DataFrame) -> dict[str, float]:
    """Ranges of meta-I2r over temperature: the third smallest of the models', and that of the base model.

    Parameters
    ----------
    table : DataFrame
        With ``model, meta_i2r``, a row a temperature of the hypothesis.
    """
    ranges = {str(m): spread(own["meta_i2r"].to_numpy()) for m, own in table.groupby("model")}
    return {"v2_flat": float(sorted(ranges.values())[2]), "v2_base_range": float(ranges["llama3_base"])}


def _table_claims() -> dict[str, Value]:
    """Limits of table 2, the robustness check of table 4, and one domain of table 6."""
    limits = published.as_numbers("v1_table2_h1").set_index("model")
    sides = published.as_numbers("v1_table4_r1_binning").pivot(
        index="model", columns="ratings_per_side", values="m_ratio"
    )
    domains = published.as_numbers("v1_table6_domain_m_ratio").set_index("domain")["m_ratio"]
    science = domains["Science & Technology"]
    # the printed M-ratios at K = 4 tie two models; the result file tells them apart
    full = published.as_numbers("v1_h1_full_precision").set_index("model")["m_ratio"]
    found = {
        "v1_h1_overlap": limits["ci_hi"]["mistral_instruct"] - limits["ci_lo"]["gemma2_instruct"],
        "v1_r1_change": sides[[3, 6]].sub(sides[4], axis=0).abs().max().max(),
        "v1_r1_order": min(rho(full, sides[k]) for k in (3, 6)),
        "v1_science_high": science.max(),
        "v1_science_low": science.min(),
    }
    return {k: from_print(float(v), FROM_TABLE) for k, v in found.items()}


def h3_of_table_7() -> Values:
    """The figures of H3's result file out of the rounded figures of table 7.

    The range may lie off by two roundings; correlations of ranks and verdicts are given where no rounding can
    change them.
    """
    table = published.as_numbers("v1_table7_temperature")
    half = min(half_last_digit(f.text) for f in published.figures("v1_table7_temperature"))
    values: Values = {}
    for model, own in table.groupby("model", sort=False):
        found: dict[str, Any] = range_and_rank(own)
        for quantity in H3:
            if quantity == "meta_d_range" or _settled(own, quantity, half):
                reach = 2 * half if quantity == "meta_d_range" else 0.0
                values["v1_h3_verdicts", (str(model),), quantity] = from_print(
                    float(found[quantity]), FROM_TABLE_7, reach=reach
                )
    return values


def _settled(table: pd.DataFrame, quantity: str, half: float) -> bool:
    """Whether rounding can change neither the order of the figures nor the side of the bound."""
    columns = {"rho_meta_d_T": ["meta_d"], "rho_d_prime_T": ["d_prime"], "tost_pass": []}
    for column in columns.get(quantity, ["meta_d", "d_prime"]):
        gaps = np.diff(np.sort(table[column].to_numpy(dtype=np.float64)))
        if (gaps <= 2 * half).any():
            return False
    if quantity == "tost_pass":
        return abs(spread(table["meta_d"].to_numpy(dtype=np.float64)) - BOUND) > 2 * half
    return True


def rho(a: pd.Series, b: pd.Series) -> float:
    """Spearman's rank correlation over the models both have."""
    both = pd.concat([a, b], axis=1, join="inner")
    return exact_spearman(both.iloc[:, 0].tolist(), both.iloc[:, 1].tolist())[0]
