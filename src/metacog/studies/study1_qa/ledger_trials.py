"""Figures of study 1 that need the author's trials."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from metacog.ledger.entry import Settings, Value
from metacog.sdt import auroc2, fit_meta_d_batch
from metacog.sdt.information import plugin_meta_i2r
from metacog.studies.study1_qa import published
from metacog.studies.study1_qa.author_trials import UNCLASSIFIED, AuthorTrials
from metacog.studies.study1_qa.cells import Cells, rate_trials
from metacog.studies.study1_qa.ledger_cells import PAD, Values, v2_values

FROM_TRIALS = "the author's trials"
TEMPERATURES = ("0.3", "0.5", "0.7", "1.0")
#: H3: "TOST" passes below this range of meta-d'.
H3_RANGE = 0.3


def _key(value: float) -> str:
    return f"{float(value):.1f}"


def triviaqa(trials: AuthorTrials) -> pd.DataFrame:
    """Trials of the four models on TriviaQA."""
    table = trials.trials
    return table[(table["dataset"] == "triviaqa") & table["model"].isin(list(published.MODELS))]


def _usable(cells: Cells) -> Cells:
    return cells.select(cells.both_classes)


def fitted(cells: Cells) -> dict[tuple[object, ...], dict[str, float]]:
    """d', meta-d' and M-ratio by group key."""
    usable = _usable(cells)
    if not len(usable):
        return {}
    fits = fit_meta_d_batch(usable.nR_S1 + PAD, usable.nR_S2 + PAD, undefined="flag")
    keys = usable.frame[list(usable.by)].itertuples(index=False, name=None)
    return {
        tuple(key): {"d_prime": fit.d_prime, "meta_d": fit.meta_d, "m_ratio": fit.m_ratio}
        for key, fit in zip(keys, fits, strict=True)
        if fit.converged
    }


def trial_values(trials: AuthorTrials, settings: Settings) -> Values:
    """Every figure that the trials give, as far as models, temperatures and domains are there."""
    found: Values = {}
    reference = trials.trials[trials.trials["temperature"] == 1.0]
    if reference.empty:
        return found
    rated = rate_trials(trials.trials)
    found |= _counts(rated.cells())
    questions = triviaqa(trials).drop_duplicates(["dataset", "question_index"])
    for domain, n in questions["domain"].value_counts().items():
        found["v1_domain_trials", (str(domain),), "n"] = Value(float(n), FROM_TRIALS)
    found |= _raw_auroc2(triviaqa(trials))
    for k in (3, 6):
        for (model, dataset), fit in fitted(rate_trials(reference, k=k).cells()).items():
            if dataset == "triviaqa":
                found["v1_table4_r1_binning", (str(model), str(k)), "m_ratio"] = Value(
                    fit["m_ratio"], FROM_TRIALS
                )
    domains = rated.cells(("model", "dataset", "domain"))
    temperatures = rated.cells(("model", "dataset", "temperature"), temperature=None)
    found |= _domains(domains, settings)
    found |= _temperatures(temperatures)
    own = rate_trials(triviaqa(trials), own_edges=True)
    found |= _v2_temperatures(own.cells(("model", "dataset", "temperature"), temperature=None), settings)
    return found


def _counts(cells: Cells) -> Values:
    found: Values = {}
    for i, row in enumerate(cells.frame.itertuples(index=False)):
        for r in range(cells.nR_S1.shape[1]):
            keys = (str(row.model), str(row.dataset), "1.0", str(r + 1))
            found["counts_T1", keys, "n_correct"] = Value(float(cells.nR_S2[i, r]), FROM_TRIALS)
            found["counts_T1", keys, "n_incorrect"] = Value(float(cells.nR_S1[i, r]), FROM_TRIALS)
    return found


def _raw_auroc2(trials: pd.DataFrame) -> Values:
    at_one = trials[(trials["temperature"] == 1.0) & trials["nlp"].notna()]
    areas = {
        str(model): auroc2(rows["correct"].to_numpy(), rows["nlp"].to_numpy())
        for model, rows in at_one.groupby("model")
        if rows["correct"].nunique() == 2
    }
    found: Values = {}
    for model, area in areas.items():
        rank = 1 + sum(round(other, 3) > round(area, 3) for other in areas.values())
        found["v1_table3_auroc2", (model,), "auroc2"] = Value(area, FROM_TRIALS)
        found["v1_table3_auroc2", (model,), "auroc2_rank"] = Value(float(rank), FROM_TRIALS)
    return found


def _domains(cells: Cells, settings: Settings) -> Values:
    found: Values = {}
    usable = _usable(cells)
    listed = {keys for keys, _ in _published_keys("v2_domain")}
    for (model, dataset, domain), fit in fitted(cells).items():
        if dataset == "triviaqa" and domain != UNCLASSIFIED:
            keys = (str(model), str(domain))
            found["v1_table6_domain_m_ratio", keys, "m_ratio"] = Value(fit["m_ratio"], FROM_TRIALS)
    for i, row in enumerate(usable.frame.itertuples(index=False)):
        keys = (str(row.model), str(row.domain))
        if row.dataset == "triviaqa" and keys in listed:
            found |= v2_values(usable.nR_S1[i], usable.nR_S2[i], "v2_domain", keys, settings, FROM_TRIALS)
    return found


def _published_keys(table: str) -> list[tuple[tuple[str, ...], str]]:
    return [(f.keys, f.quantity) for f in published.figures(table)]


def _temperatures(cells: Cells) -> Values:
    found: Values = {}
    by_model: dict[str, dict[str, dict[str, float]]] = {}
    for (model, dataset, temperature), fit in fitted(cells).items():
        at = _key(float(str(temperature)))
        if dataset != "triviaqa" or at not in TEMPERATURES:
            continue
        by_model.setdefault(str(model), {})[at] = fit
        for quantity, number in fit.items():
            found["v1_table7_temperature", (str(model), at), quantity] = Value(number, FROM_TRIALS)
    for model, fits in by_model.items():
        if set(fits) != set(TEMPERATURES):
            continue
        h3 = h3_figures([fits[t] for t in TEMPERATURES])
        for quantity, number in h3.items():
            found["v1_h3_verdicts", (model,), quantity] = Value(number, FROM_TRIALS)
    return found


def h3_figures(fits: list[dict[str, float]]) -> dict[str, float]:
    """H3 as pre-registered, from the fits at T = 0.3, 0.5, 0.7 and 1.0 in that order."""
    t = [float(x) for x in TEMPERATURES]
    meta, d = [f["meta_d"] for f in fits], [f["d_prime"] for f in fits]
    rho_meta, rho_d = float(spearmanr(t, meta).statistic), float(spearmanr(t, d).statistic)
    spread = max(meta) - min(meta)
    return {
        "rho_meta_d_T": rho_meta,
        "rho_d_prime_T": rho_d,
        "meta_d_range": spread,
        "tost_pass": float(spread < H3_RANGE),
        # 1e-9: two equal rank correlations are not made different by rounding
        "relative_robust": float(abs(rho_meta) < abs(rho_d) - 1e-9),
    }


def _v2_temperatures(cells: Cells, settings: Settings) -> Values:
    found: Values = {}
    usable = _usable(cells)
    for i, row in enumerate(usable.frame.itertuples(index=False)):
        at = _key(float(str(row.temperature)))
        if at in TEMPERATURES:
            keys = (str(row.model), at)
            found |= v2_values(
                usable.nR_S1[i], usable.nR_S2[i], "v2_temperature", keys, settings, FROM_TRIALS
            )
    return found


def equal_width_m_ratio(trials: AuthorTrials) -> dict[str, Value]:
    """R3: M-ratio at T = 1 on TriviaQA with eight equal-width bins, by model."""
    at_one = triviaqa(trials)
    at_one = at_one[at_one["temperature"] == 1.0]
    if at_one.empty:
        return {}
    fits = fitted(rate_trials(at_one, method="width").cells())
    return {str(key[0]): Value(fit["m_ratio"], FROM_TRIALS) for key, fit in fits.items()}


def meta_i2r_orders(trials: AuthorTrials, n_bins: tuple[int, ...]) -> dict[int, dict[str, float]]:
    """Plug-in meta-I2r at T = 1 on TriviaQA by number of bins and model."""
    at_one = triviaqa(trials)
    at_one = at_one[at_one["temperature"] == 1.0]
    orders: dict[int, dict[str, float]] = {}
    for n in n_bins:
        cells = _usable(rate_trials(at_one, k=n // 2).cells())
        values = np.atleast_1d(plugin_meta_i2r(cells.nR_S1, cells.nR_S2))
        orders[n] = dict(zip(cells.frame["model"].astype(str), map(float, values), strict=True))
    return orders
