"""Claims of study 1's text that printed tables settle, and H3's result file out of table 7.

Each statistic is computed by the function that computes it from trials. What is found here says whether the
print agrees with itself; where the author's trials are there, their figures take the place of these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from metacog.ledger.entry import Value
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import exact_spearman, spread
from metacog.studies.study1_qa.h3 import BOUND, range_and_rank
from metacog.studies.study1_qa.ledger.cells import from_print
from metacog.studies.study1_qa.ledger.rows import Values

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


def _range_over_domains(model: str, table: pd.DataFrame) -> float:
    """NaN for a model that is not there."""
    values = table.loc[table["model"] == model, "m_ratio"]
    return float(values.max() - values.min())


def _weakest(table: pd.DataFrame) -> pd.Series:
    """The domain with the lowest M-ratio, by model."""
    return table.loc[table.groupby("model")["m_ratio"].idxmin()].set_index("model")["domain"]


def _named(table: pd.DataFrame) -> float:
    weakest = _weakest(table)
    return float(sum(weakest.get(model) == domain for model, domain in WEAKEST.items()))


def _strongest(domain: str, table: pd.DataFrame) -> float:
    """Models with the most information in a domain."""
    return float((table.loc[table.groupby("model")["meta_i2r"].idxmax(), "domain"] == domain).sum())


def _least(domain: str, table: pd.DataFrame) -> float:
    """Models with the least information in a domain."""
    return float((table.loc[table.groupby("model")["meta_i2r"].idxmin(), "domain"] == domain).sum())


def _ranges(table: pd.DataFrame) -> dict[str, float]:
    """Range of meta-I2r over temperature by model."""
    return {str(m): spread(own["meta_i2r"]) for m, own in table.groupby("model")}


Claims = dict[str, Callable[[pd.DataFrame], float]]
#: Claims on M-ratio by domain, from ``model, domain, m_ratio``.
EFFICIENCY: Claims = {
    **{f"v1_range_{short}": partial(_range_over_domains, model) for model, short in SHORT.items()},
    "v1_weakest_domains": lambda table: float(_weakest(table).nunique()),
    "v1_weakest_named": _named,
}
#: Claims on meta-I2r by domain, from ``model, domain, meta_i2r``.
INFORMATION: Claims = {
    "v2_arts": partial(_strongest, "Arts & Literature"),
    "v2_science": partial(_least, "Science & Technology"),
    "v2_geography": partial(_least, "Geography"),
}
#: Claims on meta-I2r by temperature, from ``model, meta_i2r``, one row per temperature of the hypothesis.
TEMPERATURE: Claims = {
    "v2_flat": lambda table: float(sorted(_ranges(table).values())[2]),
    "v2_base_range": lambda table: float(_ranges(table)["llama3_base"]),
}


def _from_domains(claim: str) -> Value:
    reach = 2 * paper.precision(DOMAINS, "m_ratio") if claim.startswith("v1_range_") else 0.0
    return from_print(EFFICIENCY[claim](paper.as_numbers(DOMAINS)), FROM_TABLE, reach=reach)


def _stable() -> Value:
    judged = paper.as_numbers("v1_h3_verdicts")
    return from_print(float((judged["tost_pass"] & judged["relative_robust"]).sum()), FROM_TABLE)


def _domain_specific() -> Value:
    printed = paper.PUBLISHED.row("text_claims", id="v1_h2_one").value
    note = "there the rule of H2 is called not met"
    return from_print(float(printed), "section 4.4 of v1", note=note)


def _overlap() -> Value:
    limits = paper.as_numbers("v1_table2_h1").set_index("model")
    shared = limits["upper"]["mistral_instruct"] - limits["lower"]["gemma2_instruct"]
    return from_print(float(shared), FROM_TABLE)


def _sides() -> pd.DataFrame:
    """M-ratio of table 4 by model and ratings per side."""
    table = paper.as_numbers("v1_table4_r1_binning")
    return table.pivot(index="model", columns="ratings_per_side", values="m_ratio")


def _change() -> Value:
    sides = _sides()
    return from_print(float(sides[[3, 6]].sub(sides[4], axis=0).abs().max().max()), FROM_TABLE)


def _order() -> Value:
    # the printed M-ratios at K = 4 tie two models; the result file tells them apart
    full = paper.as_numbers("v1_h1_full_precision").set_index("model")["m_ratio"]
    return from_print(float(min(rho(full, _sides()[k]) for k in (3, 6))), FROM_TABLE)


def _science(extreme: str) -> Value:
    domains = paper.as_numbers(DOMAINS).set_index("domain")["m_ratio"]
    return from_print(float(getattr(domains["Science & Technology"], extreme)()), FROM_TABLE)


def _from_table(name: str, claim: Callable[[pd.DataFrame], float]) -> Value:
    return from_print(claim(paper.as_numbers(name)), FROM_TABLE)


#: What the printed tables give for a claim, by its id.
PRINT_CLAIMS: dict[str, Callable[[], Value]] = {
    **{claim: partial(_from_domains, claim) for claim in EFFICIENCY},
    **{claim: partial(_from_table, "v2_domain", one) for claim, one in INFORMATION.items()},
    **{claim: partial(_from_table, "v2_temperature", one) for claim, one in TEMPERATURE.items()},
    "v1_h3_stable": _stable,
    "v1_h2_models": _domain_specific,
    "v1_h1_overlap": _overlap,
    "v1_r1_change": _change,
    "v1_r1_order": _order,
    "v1_science_high": partial(_science, "max"),
    "v1_science_low": partial(_science, "min"),
}


def h3_of_table_7() -> Values:
    """The figures of H3's result file out of the rounded figures of table 7.

    The range may lie off by two roundings; correlations of ranks and verdicts are given where no rounding can
    change them.
    """
    table = paper.as_numbers("v1_table7_temperature")
    half = paper.precision("v1_table7_temperature", "d_prime", "meta_d", "m_ratio")
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
        return abs(spread(table["meta_d"]) - BOUND) > 2 * half
    return True


def rho(a: pd.Series, b: pd.Series) -> float:
    """Spearman's rank correlation over the models both have."""
    both = pd.concat([a, b], axis=1, join="inner")
    return exact_spearman(both.iloc[:, 0].tolist(), both.iloc[:, 1].tolist())[0]
