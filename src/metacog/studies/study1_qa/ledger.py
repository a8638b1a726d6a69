"""Rows of study 1 in the ledger: one for every printed figure and every claim of the text."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from metacog.ledger.entry import Entry, Settings, Value
from metacog.ledger.tolerances import half_last_digit
from metacog.sdt import accuracy_coverage_from_counts, auroc2_from_counts, fit_meta_d, z_roc
from metacog.studies.study1_qa import author_trials, published
from metacog.studies.study1_qa import ledger_claims as claims
from metacog.studies.study1_qa import ledger_trials as from_trials
from metacog.studies.study1_qa.author_trials import AuthorTrials, load_author_trials
from metacog.studies.study1_qa.ledger_cells import (
    PAD,
    Values,
    m_ratio_interval,
    meta_d_values,
    printed,
    v2_values,
)

STUDY = "study 1"
FROM_COUNTS = "published counts at T = 1"
NEEDS_TRIALS = f"the author's trials (metacog data fetch {author_trials.NAME})"

CHECK_COUNTS = "; these recovered counts are what other rows are computed from"

#: Precision of full-precision result files, as far as the estimators agree: 1e-12 for d', which has
#: a closed form, 1e-6 for fits, 1e-9 for sums of logarithms.
_V1_FILE = {"d_prime": 1e-12, "meta_d": 1e-6, "m_ratio": 1e-6, "ci_lo": 1e-6, "ci_hi": 1e-6}
_H3_FILE = {"meta_d_range": 1e-6}
_V2_FILE = 1e-9

#: Figures that rest on random draws.
RESAMPLED = frozenset(
    {"ci_lo", "ci_hi", "n_valid_bootstrap", "mi_lo", "mi_hi", "a_lo", "a_hi", "null_mean", "p_perm"}
)


@cache
def precision(table: str, quantity: str) -> float | None:
    """Precision of a figure: that stated for a full-precision file, else half the last printed digit.

    Files of figures drop trailing zeros (0.6 for a printed 0.600), so the last printed digit is that
    of the column's finest entry. None: the entry's own text decides (whole numbers, verdicts).
    """
    texts = [f.text for f in published.figures(table) if f.quantity == quantity]
    if not any("." in t for t in texts):
        return None
    if table == "v1_h1_full_precision":
        return _V1_FILE[quantity]
    if table == "v1_h3_verdicts" and quantity in _H3_FILE:
        return _H3_FILE[quantity]
    return _V2_FILE if table.startswith("v2_") else min(map(half_last_digit, texts))


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 1."""
    file = settings.files.get(author_trials.NAME)
    trials = load_author_trials(file) if file is not None else None
    values = count_values(settings)
    if trials is not None:
        values = {**from_trials.trial_values(trials, settings), **values}
    rows = [
        Entry(
            study=STUDY,
            table=published.TABLES[f.table].title,
            item=item_name(f.table, f.keys),
            quantity=f.quantity,
            published=f.text,
            value=values.get((f.table, f.keys, f.quantity)),
            precision=precision(f.table, f.quantity),
            resampled=f.quantity in RESAMPLED,
            needs=NEEDS_TRIALS + (CHECK_COUNTS if f.table == "counts_T1" else ""),
        )
        for f in published.all_figures()
    ]
    return [*rows, *claims.claim_entries(STUDY, NEEDS_TRIALS, trials, settings), *_not_printed(trials)]


def files() -> dict[str, Path]:
    """The author's trials, if they are here."""
    found = author_trials.find_author_trials()
    return {author_trials.NAME: found} if found is not None else {}


def item_name(table: str, keys: tuple[str, ...]) -> str:
    """Readable name of a row: the model, and what else tells it apart."""
    named: list[str] = []
    for column, text in zip(published.TABLES[table].keys, keys, strict=True):
        if column == "model":
            named.insert(0, published.MODELS[text])
        elif column == "dataset":
            named.append(published.DATASETS[text])
        elif column in ("T", "temperature"):
            named.append(f"T = {text}")
        else:
            named.append({"ratings_per_side": f"K = {text}", "rating": f"rating {text}"}.get(column, text))
    return ", ".join(named)


def count_values(settings: Settings) -> Values:
    """Everything that the eight cells of counts allow."""
    cells = published.counts()
    found: Values = {}
    for (model, dataset), cell in cells.items():
        keys = (dataset, model)
        found |= v2_values(cell.nR_S1, cell.nR_S2, "v2_aggregate", keys, settings, FROM_COUNTS)
        line = z_roc(cell.nR_S1, cell.nR_S2)
        for quantity, number in (
            ("auroc2", float(auroc2_from_counts(cell.nR_S1, cell.nR_S2))),
            ("zroc_slope", line.slope),
            ("da", line.d_a),
            ("r2", line.r2),
        ):
            found["v2_sdt_structure", (model, dataset), quantity] = Value(float(number), FROM_COUNTS)
        quarters = np.add.reduceat(cell.nR_S2, [0, 2, 4, 6]) / np.add.reduceat(
            cell.nR_S1 + cell.nR_S2, [0, 2, 4, 6]
        )
        for i, share in enumerate(quarters):
            found["v1_table5_monotonicity", (model, dataset), f"q{i + 1}"] = Value(float(share), FROM_COUNTS)
        if dataset == "triviaqa":
            found |= _triviaqa_values(cell, settings)
    shown = {m: round(_m_ratio(found, m).value, 3) for m in published.MODELS}
    for model in published.MODELS:
        rank = 1 + sum(other > shown[model] for other in shown.values())
        exact = 1 + sum(_m_ratio(found, m).value > _m_ratio(found, model).value for m in shown)
        note = "" if rank == exact else f"rank of the figures as printed; unrounded it is {exact}"
        found["v1_table3_auroc2", (model,), "m_ratio_rank"] = Value(float(rank), FROM_COUNTS, note=note)
    return found


def _m_ratio(found: Values, model: str) -> Value:
    return found["v1_table2_h1", (model,), "m_ratio"]


def _triviaqa_values(cell: published.Cell, settings: Settings) -> Values:
    """v1's figures at T = 1 on TriviaQA, and the T = 1 row of the temperature tables."""
    key = (cell.model,)
    found: Values = {}
    fits = meta_d_values(cell.nR_S1, cell.nR_S2, FROM_COUNTS)
    n_valid = printed("v1_h1_full_precision")[key, "n_valid_bootstrap"]
    ends = m_ratio_interval(cell.nR_S1, cell.nR_S2, n_valid, settings, FROM_COUNTS)
    for quantity, value in {**fits, **ends}.items():
        found["v1_h1_full_precision", key, quantity] = value
        found["v1_table2_h1", key, quantity] = value
    for quantity, value in fits.items():
        found["v1_table7_temperature", (cell.model, "1.0"), quantity] = value
    found["v1_table2_h1", key, "accuracy"] = Value(cell.accuracy, FROM_COUNTS)
    found["v1_table3_auroc2", key, "m_ratio"] = fits["m_ratio"]
    found["v1_table4_r1_binning", (cell.model, "4"), "m_ratio"] = fits["m_ratio"]
    half = float(accuracy_coverage_from_counts(cell.nR_S1, cell.nR_S2, 0.5))
    found["v1_selective_prediction", key, "accuracy_at_50pct_coverage"] = Value(half, FROM_COUNTS)
    at_one = v2_values(cell.nR_S1, cell.nR_S2, "v2_temperature", (cell.model, "1.0"), settings, FROM_COUNTS)
    return {**found, **at_one}


def _not_printed(trials: AuthorTrials | None) -> list[Entry]:
    """Analyses of the study whose printed figures are not among those at hand: they wait, in the open."""
    rows = []
    wide = from_trials.equal_width_m_ratio(trials) if trials is not None else {}
    for model, name in published.MODELS.items():
        cell = published.counts()[model, "triviaqa"]
        s = published.R2_SLOPES[model]
        uneven = fit_meta_d(cell.nR_S1 + PAD, cell.nR_S2 + PAD, s=s)
        rows.append(
            Entry(
                STUDY,
                "v1 R2: unequal variance",
                f"{name}, s = {s}",
                "m_ratio",
                "",
                Value(uneven.m_ratio, FROM_COUNTS),
                needs="the printed figure of R2",
            )
        )
        rows.append(
            Entry(
                STUDY,
                "v1 R3: equal-width bins",
                name,
                "m_ratio",
                "",
                wide.get(model),
                needs="the printed figure of R3" + ("" if trials is not None else f", and {NEEDS_TRIALS}"),
            )
        )
    forced = "log-probabilities of forced answers from the author's models, which the trial file lacks"
    rows.append(Entry(STUDY, "v1 R5: forced decoding", "all models", "outcome", "", needs=forced))
    rows.append(
        Entry(
            STUDY,
            "v1 R6: difficulty-matched",
            "all models",
            "outcome",
            "",
            needs="a definition: the paper names R6 and does not define it",
        )
    )
    return rows
