"""Rows of study 1 in the ledger: one for every printed figure and every claim of the text."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from metacog.ledger.entry import Entry, Settings, StudyLedger, Value
from metacog.ledger.published import Figure, end_name
from metacog.studies.study1_qa.cells.estimates import estimate
from metacog.studies.study1_qa.ledger import author_trials, published
from metacog.studies.study1_qa.ledger import trials as from_trials
from metacog.studies.study1_qa.ledger.author_trials import load_author_trials
from metacog.studies.study1_qa.ledger.cells import (
    FROM_COUNTS,
    Values,
    count_values,
    fits,
    on_counts,
    records,
)
from metacog.studies.study1_qa.ledger.claims import Sources, claim_entries
from metacog.studies.study1_qa.ledger.consistency import h3_of_table_7
from metacog.studies.study1_qa.ledger.first_paper import first_paper_values
from metacog.studies.study1_qa.ledger.roles import ROLES, role_of
from metacog.studies.study1_qa.ledger.trials import OnTrials
from metacog.studies.study1_qa.robustness.variants import author_slopes

STUDY = "study 1"
NEEDS_TRIALS = f"the author's trials (metacog data fetch {author_trials.NAME})"

CHECK_COUNTS = "; these counts were solved from printed figures, and other rows are computed from them"

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

    None: the entry's own text decides (whole numbers, verdicts).
    """
    if not any("." in f.text for f in published.figures(table) if f.quantity == quantity):
        return None
    if table == "v1_h1_full_precision":
        return _V1_FILE[quantity]
    if table == "v1_h3_verdicts" and quantity in _H3_FILE:
        return _H3_FILE[quantity]
    return _V2_FILE if table.startswith("v2_") else published.precision(table, end_name(quantity))


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 1."""
    file = settings.files.get(author_trials.NAME)
    counted = on_counts(settings)
    tried = from_trials.on_trials(load_author_trials(file), settings) if file is not None else None
    trials = from_trials.trial_values(tried, settings) if tried is not None else {}
    trials = h3_of_table_7() | trials
    values = merged(count_values(counted, settings), first_paper_values(), trials)
    rows = [_entry(f, values.get((f.table, f.keys, f.quantity))) for f in published.all_figures()]
    return [*rows, *claim_entries(STUDY, NEEDS_TRIALS, Sources(counted, tried, values)), *_not_printed(tried)]


def _entry(figure: Figure, value: Value | None) -> Entry:
    table, quantity = figure.table, figure.quantity
    return Entry(
        study=STUDY,
        table=published.TABLES[table].title,
        item=item_name(table, figure.keys),
        quantity=quantity,
        published=figure.text,
        value=value,
        precision=precision(table, quantity),
        resampled=quantity in RESAMPLED,
        needs=NEEDS_TRIALS + (CHECK_COUNTS if table == "counts_T1" else ""),
        role=role_of(table, figure.keys, quantity, value),
    )


def merged(counts: Values, first_paper: Values, trials: Values) -> Values:
    """One value a row: what the counts at T = 1 settle, else what trials give, else the first paper's counts.

    Where both counts give a figure, the first paper's stand: the study's own were solved from it.
    """
    tested = {key for key, value in first_paper.items() if value.bounds is None}
    return {**first_paper, **trials, **{k: v for k, v in counts.items() if k not in tested}}


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


def _not_printed(tried: OnTrials | None) -> list[Entry]:
    """Analyses of the study whose printed figures are not among those at hand: they wait, in the open."""
    rows = []
    wide = from_trials.equal_width_m_ratio(tried) if tried is not None else {}
    main = published.published_cells(published.MAIN)
    slopes = author_slopes(main)
    for row, s in zip(records(estimate(main, s=slopes)), slopes, strict=True):
        model, name = row["model"], published.MODELS[row["model"]]
        uneven = fits(row, FROM_COUNTS)["m_ratio"]
        r2, r3 = "the printed figure of R2", "the printed figure of R3"
        if tried is None:
            r3 += f", and {NEEDS_TRIALS}"
        rows += [
            Entry(STUDY, "v1 R2: unequal variance", f"{name}, s = {s:g}", "m_ratio", "", uneven, needs=r2),
            Entry(STUDY, "v1 R3: equal-width bins", name, "m_ratio", "", wide.get(model), needs=r3),
        ]
    forced = "log-probabilities of forced answers from the author's models, which the trial file lacks"
    undefined = "a definition: the paper names R6 and does not define it"
    return [
        *rows,
        Entry(STUDY, "v1 R5: forced decoding", "all models", "outcome", "", needs=forced),
        Entry(STUDY, "v1 R6: difficulty-matched", "all models", "outcome", "", needs=undefined),
    ]


LEDGER = StudyLedger(STUDY, entries, files, ROLES, uses=(author_trials.NAME,))
