"""Rows of study 1 in the ledger: one for every printed figure and every claim of the text."""

from __future__ import annotations

from pathlib import Path

from metacog.ledger.entry import Entry, Settings, StudyLedger
from metacog.studies.study1_qa.cells.estimates import estimate
from metacog.studies.study1_qa.ledger import author_trials, published
from metacog.studies.study1_qa.ledger import trials as from_trials
from metacog.studies.study1_qa.ledger.author_trials import load_author_trials
from metacog.studies.study1_qa.ledger.cells import count_values, fits, on_counts, records
from metacog.studies.study1_qa.ledger.claims import Sources, claim_entries
from metacog.studies.study1_qa.ledger.consistency import h3_of_table_7
from metacog.studies.study1_qa.ledger.first_paper import first_paper_values
from metacog.studies.study1_qa.ledger.published import FROM_COUNTS
from metacog.studies.study1_qa.ledger.roles import ROLES
from metacog.studies.study1_qa.ledger.rows import NEEDS_THINKING, NEEDS_TRIALS, STUDY, Values, entry_of
from metacog.studies.study1_qa.ledger.thinking import thinking_values
from metacog.studies.study1_qa.ledger.trials import OnTrials
from metacog.studies.study1_qa.robustness.variants import author_slopes


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 1."""
    file = settings.files.get(author_trials.NAME)
    counted = on_counts(settings)
    tried = from_trials.on_trials(load_author_trials(file), settings) if file is not None else None
    trials = from_trials.trial_values(tried, settings) if tried is not None else {}
    trials = h3_of_table_7() | trials
    values = merged(count_values(counted, settings), first_paper_values(), trials) | thinking_values()
    rows = [entry_of(f, values.get((f.table, f.keys, f.quantity))) for f in published.all_figures()]
    waits_for = {"trials": NEEDS_TRIALS, "thinking": NEEDS_THINKING}
    return [*rows, *claim_entries(STUDY, waits_for, Sources(counted, tried, values)), *_not_printed(tried)]


def merged(counts: Values, first_paper: Values, trials: Values) -> Values:
    """One value per row: what the counts at T = 1 settle, else what trials give, else the first paper's counts.

    Where both counts give a figure, the first paper's stand: the study's own were solved from it.
    """
    tested = {key for key, value in first_paper.items() if value.bounds is None}
    return {**first_paper, **trials, **{k: v for k, v in counts.items() if k not in tested}}


def files() -> dict[str, Path]:
    """The author's trials, if they are here."""
    found = author_trials.find_author_trials()
    return {author_trials.NAME: found} if found is not None else {}


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
