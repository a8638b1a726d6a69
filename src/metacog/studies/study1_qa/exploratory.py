"""Exploratory: AUROC2 against M-ratio, and the corrected measures by domain and temperature."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pandas as pd
from scipy.stats import rankdata, spearmanr

from metacog.core.words import plural
from metacog.sdt.information import meta_i2r
from metacog.sdt.ranking import bootstrap_ranks
from metacog.sdt.type2 import auroc2, auroc2_from_counts
from metacog.studies.study1_qa.cell_estimates import estimate
from metacog.studies.study1_qa.cells import GROUP, REFERENCE, Cells, Rated, rate_trials
from metacog.studies.study1_qa.flags import flagged
from metacog.studies.study1_qa.verdicts import EXPLORATORY, Verdict
from metacog.studies.study1_qa.version2 import version2

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


@dataclass(frozen=True)
class Ranks:
    """AUROC2 against M-ratio.

    Attributes
    ----------
    table : DataFrame
        ``model, dataset, auroc2`` (raw NLP where trials are known), ``auroc2_ratings, m_ratio,
        meta_i2r`` and their ranks (``*_rank``, 1 is best).
    correlations : DataFrame
        ``dataset, pair, rho, p_exact, n_models, of, smallest_p``: Spearman's rho with its exact two-sided
        p over all orders, models placed by both, of how many, and the smallest p that so many can ever reach.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    correlations: pd.DataFrame
    verdicts: tuple[Verdict, ...]

    def rho(self, a: str, b: str, dataset: str) -> float:
        """Correlation of two of :data:`PAIRS` on one question set."""
        rows = self.correlations
        return float(rows.loc[(rows["pair"] == _pair(a, b)) & (rows["dataset"] == dataset), "rho"].iloc[0])


def _pair(a: str, b: str) -> str:
    return f"{NAMES[a]} and {NAMES[b]}"


def place(values: pd.Series, within: pd.Series | None = None) -> pd.Series:
    """Places as the paper prints them: the highest is 1, equal values share the better place (1, 1, 3)."""
    grouped = values if within is None else values.groupby(within, sort=False)
    return grouped.rank(ascending=False, method="min")


def exact_spearman(x: Sequence[float], y: Sequence[float]) -> tuple[float, float]:
    """Spearman's rho and its exact two-sided p over all n! orders (n <= 8); NaN if undefined."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    good = np.isfinite(a) & np.isfinite(b)
    a, b = a[good], b[good]
    if a.size < 2 or np.unique(a).size < 2 or np.unique(b).size < 2:
        return float("nan"), float("nan")
    rho = float(spearmanr(a, b).statistic)
    if a.size > 8:
        return rho, float(spearmanr(a, b).pvalue)
    first, second = rankdata(a), rankdata(b)
    null = np.array([np.corrcoef(first, second[list(order)])[0, 1] for order in permutations(range(a.size))])
    return rho, float((np.abs(null) >= abs(rho) - 1e-12).mean())


def ranks_from_cells(cells: Cells, raw: pd.Series | None = None, *, verdicts: bool = True) -> Ranks:
    """AUROC2, M-ratio and meta-I2r ranks from counts at T = 1.

    Parameters
    ----------
    raw : Series, optional
        AUROC2 of raw NLP on the index of ``cells.frame``; the ratings' own AUROC2 without it.
    """
    table = estimate(cells)[[*GROUP, "accuracy", "m_ratio", "flag"]].copy()
    table["auroc2_ratings"] = auroc2_from_counts(cells.nR_S1, cells.nR_S2)
    table["auroc2"] = table["auroc2_ratings"] if raw is None else raw.to_numpy(dtype=np.float64)
    table["meta_i2r"] = meta_i2r(cells.nR_S1, cells.nR_S2)
    for name in ("auroc2", "m_ratio", "meta_i2r"):
        table[f"{name}_rank"] = place(table[name], table["dataset"])
    rows = []
    for dataset, own in table.groupby("dataset", sort=False):
        for a, b in PAIRS:
            rho, p = exact_spearman(own[a].tolist(), own[b].tolist())
            n = int((own[a].notna() & own[b].notna()).sum())
            rows.append(
                {
                    "dataset": dataset,
                    "pair": _pair(a, b),
                    "rho": rho,
                    "p_exact": p,
                    "n_models": n,
                    "of": len(own),
                    "smallest_p": min(1.0, 2 / math.factorial(n)) if n > 1 else float("nan"),
                }
            )
    correlations = pd.DataFrame(rows)
    found = tuple(_judge(own) for _, own in correlations.groupby("dataset", sort=False)) if verdicts else ()
    return Ranks(table, correlations, found)


def ranks(rated: Rated, *, verdicts: bool = True) -> Ranks:
    """AUROC2 (raw NLP), M-ratio and meta-I2r at T = 1, with ranks and rank correlations."""
    cells = rated.cells()
    one = rated.trials[(rated.trials["temperature"] == REFERENCE) & rated.trials["nlp"].notna()]
    values = []
    for _, row in cells.frame.iterrows():
        own = one[(one["model"] == row["model"]) & (one["dataset"] == row["dataset"])]
        values.append(auroc2(own["correct"], own["nlp"]) if own["correct"].nunique() == 2 else np.nan)
    return ranks_from_cells(cells, pd.Series(values, index=cells.frame.index), verdicts=verdicts)


def _judge(rows: pd.DataFrame) -> Verdict:
    one = rows[rows["pair"] == _pair("auroc2", "m_ratio")].iloc[0]
    n, rho = int(one["n_models"]), float(one["rho"])
    if n < 2 or not np.isfinite(rho):
        return Verdict("AUROC2", EXPLORATORY, RULE_RANKS, None, "Ranks need at least two models.")
    how = "the same order" if rho > 1 - 1e-9 else "opposite orders" if rho < -1 + 1e-9 else "different orders"
    against = rho < 0 and one["p_exact"] <= ALPHA
    alike = rho > 1 - 1e-9 and one["smallest_p"] / 2 <= ALPHA and n == one["of"]
    sentence = (
        f"On {one['dataset']} AUROC2 and M-ratio put {plural(n, 'model')} in {how} (rho = {rho:.2f}, "
        f"exact p = {one['p_exact']:.2f}; no p below {one['smallest_p']:.2f} is possible with so few)."
    )
    if n < one["of"]:
        sentence += f" {plural(int(one['of']) - n, 'model')} cannot be placed."
    return Verdict("AUROC2", EXPLORATORY, RULE_RANKS, False if against else True if alike else None, sentence)


def measure_table(
    cells: Cells, *, n_permutations: int = 1000, n_resamples: int = 1000, seed: int = 42
) -> pd.DataFrame:
    """The corrected measures of every group, with the columns of the published v2 tables.

    Returns
    -------
    DataFrame
        Grouping columns, ``acc, n, meta_i2r_permutation, mi_lo, mi_hi, p_perm, auroc2, a_lo, a_hi, null_mean,
        coverage, flag``; NaN for groups that lack a class. Intervals are the book's, not version 2's:
        that of meta-I2r is centred on the estimate and studentised, that of AUROC2 made from placement
        values; ``coverage`` names those whose simulated coverage is not 93-97 %. A trial is its own unit
        here, as a question has one at each temperature.
    """
    rows = []
    n_trials = cells.frame["n"].to_numpy(dtype=np.int64)
    for i in range(len(cells)):
        row = {**cells.frame.loc[i, list(cells.by)], "acc": cells.frame.loc[i, "accuracy"]}
        row["n"] = int(n_trials[i])
        values = dict.fromkeys(
            ("meta_i2r_permutation", "mi_lo", "mi_hi", "p_perm", "auroc2", "a_lo", "a_hi", "null_mean"),
            float("nan"),
        )
        coverage = ""
        if cells.measurable[i]:
            s1, s2 = cells.nR_S1[i], cells.nR_S2[i]
            two = version2(s1, s2, n_permutations=n_permutations, n_resamples=n_resamples, seed=seed)
            information = two.plugin - two.null_mean
            low, high = two.information_limits(information)
            values = {
                "meta_i2r_permutation": information,
                "mi_lo": low,
                "mi_hi": high,
                "p_perm": two.p_value,
                "auroc2": two.auroc2,
                "a_lo": two.area.lower,
                "a_hi": two.area.upper,
                "null_mean": two.null_mean,
            }
            coverage = two.coverage(information)
        rows.append({**row, **values, "coverage": coverage, "flag": cells.frame.loc[i, "flag"]})
    return pd.DataFrame(rows)


def domain_measures(rated: Rated, *, n_permutations: int, n_resamples: int, seed: int = 42) -> pd.DataFrame:
    """The corrected measures by domain at T = 1, with the model's own T = 1 edges."""
    from metacog.studies.study1_qa.h2 import domain_cells

    return measure_table(
        domain_cells(rated), n_permutations=n_permutations, n_resamples=n_resamples, seed=seed
    )


def temperature_measures(
    trials: pd.DataFrame, *, n_permutations: int, n_resamples: int, seed: int = 42
) -> pd.DataFrame:
    """The corrected measures by temperature, each temperature with its own edges."""
    cells = temperature_cells(trials)
    return measure_table(cells, n_permutations=n_permutations, n_resamples=n_resamples, seed=seed)


def temperature_cells(trials: pd.DataFrame) -> Cells:
    """Counts by temperature, each temperature with its own edges, as version 2 rates them."""
    rated = rate_trials(with_confidence(trials), own_edges=True)
    return rated.cells((*GROUP, "temperature"), temperature=None)


def with_confidence(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials of those models and temperatures at which some answer has a confidence to make edges from."""
    return trials[trials.groupby([*GROUP, "temperature"])["nlp"].transform("count") > 0]


def describe_domains(rated: Rated, *, n_resamples: int = 2000, seed: int = 42) -> Verdict:
    """Which domain is highest and lowest by meta-I2r in each model, and whether that is more than luck.

    Ranks come with confidence sets (:func:`metacog.sdt.ranking.bootstrap_ranks`): a domain is told to be the
    highest if no other can be.
    """
    from metacog.studies.study1_qa.h2 import domain_cells, measure_draws

    rule = (
        "Highest and lowest domain by meta-I2r among domains with enough trials, with 95 % confidence sets "
        "of their ranks."
    )
    cells = domain_cells(rated)
    cells = cells.select(~flagged(cells.frame, padded=False) & cells.measurable)
    values, draws = measure_draws(cells, n_resamples=n_resamples, seed=seed)["meta_i2r"]
    parts = []
    for model, rows in cells.frame.groupby("model", sort=False).indices.items():
        if len(rows) > 1:
            ranks = bootstrap_ranks(values[rows], draws[rows])
            names = cells.frame["domain"].to_numpy()[rows]
            high, low = int(np.argmax(values[rows])), int(np.argmin(values[rows]))
            top = plural(int((ranks.set_lower == 1).sum()), "domain")
            end = plural(int((ranks.set_upper == len(rows)).sum()), "domain")
            parts.append(
                f"{model}: {names[high]} ({values[rows][high]:.3f}) highest, {names[low]} "
                f"({values[rows][low]:.3f}) lowest of {len(rows)}; {top} could be the highest and {end} "
                "the lowest"
            )
    sentence = "; ".join(parts) + "." if parts else "No model has two domains with enough trials."
    return Verdict("Domains", EXPLORATORY, rule, None, sentence)
