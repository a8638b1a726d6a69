"""Claims of study 1's text as rows of the ledger: each is recomputed as one statistic."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from metacog.ledger.entry import Entry, Settings, Value
from metacog.sdt import (
    accuracy_coverage_from_counts,
    auroc2_from_counts,
    bootstrap_meta_d,
    bootstrap_meta_d_many,
    fit_meta_d,
    z_roc,
)
from metacog.sdt.information import (
    binary_entropy,
    expected_null_meta_i,
    permutation_null_meta_i,
    plugin_meta_i2r,
)
from metacog.sdt.resampling import bootstrap_counts
from metacog.studies.study1_qa import ledger_trials as from_trials
from metacog.studies.study1_qa import published
from metacog.studies.study1_qa.author_trials import UNCLASSIFIED, AuthorTrials
from metacog.studies.study1_qa.cells import Cells, rate_trials
from metacog.studies.study1_qa.ledger_cells import PAD

TABLE = "text of {version}"
COUNTS = "published counts at T = 1"


def claim_entries(study: str, needs: str, trials: AuthorTrials | None, settings: Settings) -> list[Entry]:
    """One entry for each line of ``data/published/cacioli_text_claims.csv``.

    Its column ``kind`` says how a claim is judged: ``printed`` figures to half their last digit,
    claims in ``words`` exactly, a ``bound`` as it stands.
    """
    listed = pd.read_csv(
        published.published_file("cacioli_text_claims.csv"), dtype=str, keep_default_na=False
    )
    values = count_claims(settings)
    if trials is not None:
        values |= trial_claims(trials, settings)
    return [
        Entry(
            study=study,
            table=TABLE.format(version=row["version"]),
            item=f"{row['claim']} ({row['origin']})",
            quantity=row["quantity"],
            published=row["value"],
            relation=row["relation"],
            in_words=row["kind"] == "words",
            value=values.get(row["id"]),
            needs=needs if row["source"] == "trials" else "",
        )
        for row in listed.to_dict("records")
    ]


def corrected_meta_i2r(nR_S1: np.ndarray, nR_S2: np.ndarray) -> float:
    """meta-I2r of one table less the exact mean of its permutation null."""
    share = nR_S2.sum() / (nR_S1.sum() + nR_S2.sum())
    null = expected_null_meta_i(nR_S1, nR_S2) / float(binary_entropy(share))
    return float(plugin_meta_i2r(nR_S1, nR_S2)) - null


def rank(values: dict[str, float], name: str) -> int:
    """Rank of one of several figures, the highest being 1."""
    return 1 + sum(other > values[name] for other in values.values())


def rho(a: dict[str, float], b: dict[str, float]) -> float:
    """Spearman's rank correlation over the names both have."""
    names = [n for n in a if n in b]
    return float(spearmanr([a[n] for n in names], [b[n] for n in names]).statistic)


def _over(measure: Callable[[published.Cell], float], dataset: str) -> dict[str, float]:
    return {m: measure(published.counts()[m, dataset]) for m in published.MODELS}


def count_claims(settings: Settings) -> dict[str, Value]:
    """Statistics of the claims that the counts settle, by claim."""
    cells = published.counts()

    def information(c: published.Cell) -> float:
        return corrected_meta_i2r(c.nR_S1, c.nR_S2)

    def area(c: published.Cell) -> float:
        return float(auroc2_from_counts(c.nR_S1, c.nR_S2))

    def slope(c: published.Cell) -> float:
        return float(z_roc(c.nR_S1, c.nR_S2).slope)

    fits = {m: fit_meta_d(cells[m, "triviaqa"].nR_S1 + PAD, cells[m, "triviaqa"].nR_S2 + PAD)
            for m in published.MODELS}  # fmt: skip
    m_ratio = {m: f.m_ratio for m, f in fits.items()}
    info, info_nq = _over(information, "triviaqa"), _over(information, "nq")
    areas = _over(area, "triviaqa")
    slopes, slopes_nq = _over(slope, "triviaqa"), _over(slope, "nq")
    accuracy = _over(lambda c: c.accuracy, "triviaqa")
    half = _over(lambda c: float(accuracy_coverage_from_counts(c.nR_S1, c.nR_S2, 0.5)), "triviaqa")
    gain = {m: half[m] - accuracy[m] for m in half}
    intervals = [
        bootstrap_meta_d(cells[m, "triviaqa"].nR_S1, cells[m, "triviaqa"].nR_S2,
                         settings.n_resamples, settings.seed, PAD).ci_m_ratio
        for m in published.MODELS
    ]  # fmt: skip
    apart = sum(a[1] < b[0] or b[1] < a[0] for a, b in combinations(intervals, 2))
    mistral, gemma, base = "mistral_instruct", "gemma2_instruct", "llama3_base"
    r2 = min(float(z_roc(c.nR_S1, c.nR_S2).r2) for c in cells.values())
    found: dict[str, float] = {
        "v1_inverted": rho(areas, m_ratio),
        "v1_mistral_d_prime": rank({m: f.d_prime for m, f in fits.items()}, mistral),
        "v1_mistral_m_ratio": rank(m_ratio, mistral),
        "v1_monotone": sum(_rises(c) for c in cells.values()),
        "v1_h1_below_one": sum(high < 1 for _, high in intervals),
        "v1_h4_pairs": apart,
        "v2_two_fold": max(info.values()) / min(info.values()),
        "v2_mistral_first": rank(info, mistral),
        "v2_gemma_last": rank(info, gemma),
        "v2_mistral_meta_i2r": info[mistral],
        "v2_gemma_meta_i2r": info[gemma],
        "v2_mistral_accuracy": rank(accuracy, mistral),
        "v2_gemma_accuracy": rank(accuracy, gemma),
        "v2_nq_order": rho(info, info_nq),
        "v2_slope_low": min(slopes.values()),
        "v2_slope_high": max(slopes.values()),
        "v2_slope_nq_order": rho(slopes, slopes_nq),
        "v2_slope_not_one": sum(_slope_leaves_out_one(cells[m, "triviaqa"], settings) for m in fits),
        "v2_r2": r2,
        "v2_p": max(_p(cells[m, "triviaqa"], settings) for m in fits),
        "v2_rho_gain": rho(info, gain),
        "v2_rho_level": rho(info, half),
    }
    for name, model in (("mistral", mistral), ("base", base), ("gemma", gemma)):
        found[f"v2_{name}_before"] = 100 * accuracy[model]
        found[f"v2_{name}_after"] = 100 * half[model]
        found[f"v2_{name}_gain"] = 100 * gain[model]
    order = ", ".join(published.MODELS[m] for m in sorted(info_nq, key=lambda m: -info_nq[m]))
    notes = {
        "v1_inverted": "AUROC2 on the eight ratings; -1 would be a full inversion",
        "v2_nq_order": f"order on Natural Questions: {order}",
        "v2_r2": f"rounds to {r2:.2f}" if r2 < 0.98 <= round(r2, 2) else "",
    }
    return {k: Value(float(v), COUNTS, note=notes.get(k, "")) for k, v in found.items()}


def _rises(cell: published.Cell) -> bool:
    right = np.add.reduceat(cell.nR_S2, [0, 2, 4, 6])
    share = right / (right + np.add.reduceat(cell.nR_S1, [0, 2, 4, 6]))
    return bool((np.diff(share) > 0).all())


def _slope_leaves_out_one(cell: published.Cell, settings: Settings) -> bool:
    boot = bootstrap_counts(
        cell.nR_S1,
        cell.nR_S2,
        lambda a, b: np.asarray(z_roc(a, b).slope),
        n_resamples=settings.n_resamples,
        seed=settings.seed,
    )
    return boot.excludes(1.0)


def _p(cell: published.Cell, settings: Settings) -> float:
    null = permutation_null_meta_i(cell.nR_S1, cell.nR_S2, 2000, settings.seed)
    observed = float(plugin_meta_i2r(cell.nR_S1, cell.nR_S2)) * float(binary_entropy(cell.accuracy))
    return (1 + int((null >= observed - 1e-12).sum())) / 2001


# ---------------------------------------------------------------------------- claims over trials


def trial_claims(trials: AuthorTrials, settings: Settings) -> dict[str, Value]:
    """Statistics of the claims that need the author's trials; absent where the trials do not reach."""
    rated = rate_trials(trials.trials)
    domains = _study_cells(rated.cells(("model", "dataset", "domain")))
    domains = domains.select((domains.frame["domain"] != UNCLASSIFIED).to_numpy())
    at = rated.cells(("model", "dataset", "temperature"), temperature=None)
    found: dict[str, float] = {}
    if len(domains):
        found |= _domain_claims(domains, settings)
    found |= _temperature_claims(_study_cells(at), trials)
    orders = from_trials.meta_i2r_orders(trials, (4, 6, 8, 10, 16))
    found["v2_bins"] = min(rho(orders[8], orders[n]) for n in orders)
    return {k: Value(float(v), from_trials.FROM_TRIALS) for k, v in found.items()}


def _study_cells(cells: Cells) -> Cells:
    keep = (cells.frame["dataset"] == "triviaqa") & cells.frame["model"].isin(list(published.MODELS))
    return cells.select(keep.to_numpy() & cells.both_classes)


def _domain_claims(cells: Cells, settings: Settings) -> dict[str, float]:
    frame = cells.frame[["model", "domain"]].copy()
    boots = bootstrap_meta_d_many(cells.nR_S1, cells.nR_S2, settings.n_resamples, settings.seed, PAD)
    frame["m_ratio"] = [b.estimate.m_ratio for b in boots]
    frame["info"] = [corrected_meta_i2r(a, b) for a, b in zip(cells.nR_S1, cells.nR_S2, strict=True)]
    differing = 0
    for _, rows in frame.groupby("model"):
        pairs = combinations([boots[i].m_ratio for i in rows.index], 2)
        ends = [np.nanquantile(a - b, [0.025, 0.975]) for a, b in pairs]
        differing += any(low > 0 or high < 0 for low, high in ends)
    by_model = frame.groupby("model")
    strongest = frame.loc[by_model["info"].idxmax(), "domain"]
    weakest = frame.loc[by_model["info"].idxmin(), "domain"]
    return {
        "v1_h2_models": differing,
        "v1_weakest_domains": frame.loc[by_model["m_ratio"].idxmin(), "domain"].nunique(),
        "v2_arts": int((strongest == "Arts & Literature").sum()),
        "v2_science": int((weakest == "Science & Technology").sum()),
        "v2_geography": int((weakest == "Geography").sum()),
    }


def _temperature_claims(at: Cells, trials: AuthorTrials) -> dict[str, float]:
    wanted = [float(t) for t in from_trials.TEMPERATURES]
    fixed = from_trials.fitted(at)
    own = rate_trials(from_trials.triviaqa(trials), own_edges=True)
    free = _study_cells(own.cells(("model", "dataset", "temperature"), temperature=None))
    info = {
        (str(r.model), float(str(r.temperature))): corrected_meta_i2r(free.nR_S1[i], free.nR_S2[i])
        for i, r in enumerate(free.frame.itertuples(index=False))
    }
    right = {
        (str(r.model), float(str(r.temperature))): float(str(r.accuracy))
        for r in free.frame.itertuples(index=False)
    }
    models = [m for m in published.MODELS if all((m, t) in info for t in wanted)]
    if len(models) < len(published.MODELS):
        return {}
    ranges = {m: float(np.ptp([info[m, t] for t in wanted])) for m in models}
    verdicts = [
        from_trials.h3_figures([fixed[m, "triviaqa", t] for t in wanted])
        for m in models
        if all((m, "triviaqa", t) in fixed for t in wanted)
    ]
    falls = [bool(np.all(np.diff([right[m, t] for t in wanted]) < 0)) for m in models]
    return {
        "v1_h3_stable": sum(v["tost_pass"] and v["relative_robust"] for v in verdicts),
        "v2_accuracy_falls": sum(falls),
        "v2_flat": sorted(ranges.values())[2],
        "v2_base_range": ranges["llama3_base"],
    }
