"""Rows of study 1 in the ledger: one for every printed figure and every claim of the text.

Claims of study 1's text as rows of the ledger: each is read from an analysis as one statistic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.ledger import judging
from metacog.ledger.entry import Entry, Settings, StudyLedger, Value
from metacog.measures.pairs import excludes_zero
from metacog.sdt.information import meta_i2r
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.auroc2 import rho_of_orders
from metacog.studies.study1_qa.cells import Cells, estimate, rate_trials
from metacog.studies.study1_qa.correction import carried_over, ranks
from metacog.studies.study1_qa.h2 import domains_apart
from metacog.studies.study1_qa.h3 import TEMPERATURES
from metacog.studies.study1_qa.ledger import author_trials, thinking
from metacog.studies.study1_qa.ledger import trials as from_trials
from metacog.studies.study1_qa.ledger.author_trials import load_author_trials
from metacog.studies.study1_qa.ledger.cells import (
    OnCounts,
    count_values,
    estimated,
    fits,
    null_mean_taken_off,
    on_counts,
    records,
    recounted,
)
from metacog.studies.study1_qa.ledger.consistency import (
    EFFICIENCY,
    INFORMATION,
    PRINT_CLAIMS,
    TEMPERATURE,
    h3_of_table_7,
    rho,
)
from metacog.studies.study1_qa.ledger.first_paper import (
    accuracy_falls,
    cells_above,
    first_paper_values,
    trials_counted,
)
from metacog.studies.study1_qa.ledger.roles import ROLES, role_of
from metacog.studies.study1_qa.ledger.rows import NEEDS_THINKING, NEEDS_TRIALS, STUDY, Values, entry_of
from metacog.studies.study1_qa.ledger.thinking import thinking_values
from metacog.studies.study1_qa.ledger.trials import FROM_TRIALS, OnTrials
from metacog.studies.study1_qa.paper import FROM_COUNTS
from metacog.studies.study1_qa.robustness_variants import author_slopes
from metacog.studies.study1_qa.selective import selective_from_cells

#: Shares of the questions at which the text compares accuracy.
EIGHTHS = tuple(k / 8 for k in range(1, 9))
#: Numbers of ratings between which version 2's order of models is said to be stable, and its own.
BINS, OWN_BINS = (4, 6, 8, 10, 16), 8
MISTRAL, GEMMA = "mistral_instruct", "gemma2_instruct"
#: Models whose accuracy the text gives before and after selection.
SELECTED = {"mistral": MISTRAL, "base": "llama3_base", "gemma": GEMMA}


@dataclass(frozen=True)
class Sources:
    """What claims are recomputed from: the counts, the author's trials, and the figures of the tables."""

    counted: OnCounts
    tried: OnTrials | None
    figures: Values


def claim_entries(study: str, needs: Mapping[str, str], sources: Sources) -> list[Entry]:
    """One entry for each line of ``cacioli_text_claims.csv``; ``needs`` says by source what it waits for."""
    return judging.claim_entries(
        paper.as_text("text_claims"),
        ANSWERS,
        sources,
        study=study,
        table="text of {version}",
        item="{claim} ({origin})",
        needs=lambda line: needs.get(line.source, ""),
        role=lambda claim, column, value: role_of("text", (), claim, value),
    )


# ---------------------------------------------------------------------------- claims over counts


def _main(found: OnCounts) -> pd.DataFrame:
    """Both versions' measures on the main question set, by model."""
    return found.versions[found.versions["dataset"] == paper.MAIN].set_index("model")


def _place(measure: str, model: str, found: OnCounts) -> float:
    """Place of a model by a measure, on the main question set."""
    placed = ranks(found.versions, (measure,))
    return placed[placed["dataset"] == paper.MAIN].set_index("model")[measure][model]


def _half(column: str, model: str, found: OnCounts) -> float:
    """Accuracy or gain of a model at half coverage, in percent."""
    return 100 * found.selective.set_index("model")[column][model]


def _before(model: str, found: OnCounts) -> float:
    return 100 * _main(found)["accuracy"][model]


def _gaps() -> pd.Series:
    """Accuracy of Gemma-2 minus Mistral's on their most confident eighths, one value per eighth."""
    curves = selective_from_cells(paper.published_cells(paper.MAIN), coverages=EIGHTHS)
    wide = curves.pivot(index="coverage", columns="model", values="accuracy").sort_index()
    return wide[GEMMA] - wide[MISTRAL]


def _inverted(found: OnCounts) -> Value:
    note = "AUROC2 on the eight ratings; -1 would be a full inversion"
    return estimated(
        float(rho_of_orders(found.ranks, "auroc2", "m_ratio", paper.MAIN)), FROM_COUNTS, note=note
    )


def _gap_widens(found: OnCounts) -> Value:
    gaps = _gaps()
    note = f"by eighths of coverage it grows in {int((np.diff(gaps) > 0).sum())} of {len(EIGHTHS) - 1} steps"
    return recounted(float(gaps[1.0] - gaps[0.5]), FROM_COUNTS, note=note)


def _nq_order(found: OnCounts) -> Value:
    other = found.versions[found.versions["dataset"] != paper.MAIN]
    order = ", ".join(
        paper.MODELS[m] for m in other.sort_values("meta_i2r", ascending=False, kind="stable")["model"]
    )
    note = f"order on Natural Questions: {order}"
    return estimated(float(carried_over(found.versions, "meta_i2r")[0]), FROM_COUNTS, note=note)


def _linear(found: OnCounts) -> Value:
    lowest = float(found.sensitivity["r2"].min())
    note = (
        f"below the bound, and {lowest:.2f} as it is rounded there"
        if lowest < 0.98 <= round(lowest, 2)
        else ""
    )
    return estimated(lowest, FROM_COUNTS, note=note)


def _slopes_not_one(found: OnCounts) -> float:
    main = _main(found)
    return excludes_zero(main["z_slope_lower"] - 1, main["z_slope_upper"] - 1).sum()


def _rho_with_half(column: str, found: OnCounts) -> float:
    return rho(_main(found)["meta_i2r"], found.selective.set_index("model")[column])


def _less_accurate(found: OnCounts) -> Value:
    """Models less accurate than Mistral whose M-ratio is higher."""
    main = _main(found)
    below = main[main["accuracy"] < main["accuracy"][MISTRAL]]
    note = f"{paper.MODELS[str(main['accuracy'].idxmin())]} has the lowest accuracy of all"
    higher = below["m_ratio"] > main["m_ratio"][MISTRAL]
    return estimated(float(higher.sum()), FROM_COUNTS, note=note)


def _two_fold(found: OnCounts) -> float:
    info = _main(found)["meta_i2r"]
    return info.max() / info.min()


#: Estimates from the counts, and shares and counts of right answers, by id of the claim.
ESTIMATES: dict[str, Callable[[OnCounts], Any]] = {
    "v1_mistral_d_prime": partial(_place, "d_prime", MISTRAL),
    "v1_gemma_d_prime": partial(_place, "d_prime", GEMMA),
    "v1_mistral_m_ratio": partial(_place, "m_ratio", MISTRAL),
    "v1_h1_below_one": lambda found: (found.h1["m_ratio_upper"] < 1).sum(),
    "v1_h4_pairs": lambda found: _clear_pairs(found.h1),
    "v2_two_fold": _two_fold,
    "v2_mistral_first": partial(_place, "meta_i2r", MISTRAL),
    "v2_gemma_last": partial(_place, "meta_i2r", GEMMA),
    "v2_mistral_meta_i2r": lambda found: _main(found)["meta_i2r"][MISTRAL],
    "v2_gemma_meta_i2r": lambda found: _main(found)["meta_i2r"][GEMMA],
    "v2_slope_low": lambda found: _main(found)["z_slope"].min(),
    "v2_slope_high": lambda found: _main(found)["z_slope"].max(),
    "v2_slope_nq_order": lambda found: carried_over(found.versions, "z_slope")[0],
    "v2_slope_not_one": _slopes_not_one,
    "v2_p": lambda found: _main(found)["p_value"].max(),
    "v2_rho_gain": partial(_rho_with_half, "gain"),
    "v2_rho_level": partial(_rho_with_half, "accuracy"),
}
RECOUNTS: dict[str, Callable[[OnCounts], Any]] = {
    "v1_monotone": lambda found: found.quartiles["monotone"].sum(),
    "v2_mistral_accuracy": partial(_place, "accuracy", MISTRAL),
    "v2_gemma_accuracy": partial(_place, "accuracy", GEMMA),
    **{f"v2_{short}_before": partial(_before, model) for short, model in SELECTED.items()},
    **{f"v2_{short}_after": partial(_half, "accuracy", model) for short, model in SELECTED.items()},
    **{f"v2_{short}_gain": partial(_half, "gain", model) for short, model in SELECTED.items()},
}


# ---------------------------------------------------------------------------- claims over trials


def _orders(found: OnTrials) -> float:
    """Lowest rank correlation of the order of models at some number of ratings with that at eight."""
    orders = {n: _information(rate_trials(found.trials, k=n // 2).cells()) for n in BINS}
    return min(rho(orders[OWN_BINS], order) for order in orders.values())


def _information(cells: Cells) -> pd.Series:
    """meta-I2r by model, without those that lack a class."""
    return pd.Series(meta_i2r(cells.nR_S1, cells.nR_S2), cells.frame["model"]).dropna()


def _clear_pairs(table: pd.DataFrame) -> int:
    """Pairs of models whose intervals of M-ratio do not overlap."""
    ends = table[["m_ratio_lower", "m_ratio_upper"]].to_numpy()
    return sum(a[0] > b[1] or b[0] > a[1] for a, b in combinations(ends, 2))


def _apart(found: OnTrials) -> set[str]:
    """Models with a pair of domains whose M-ratios differ."""
    return set(domains_apart(found.pairs)["model"])


def _domains(claim: Callable[[pd.DataFrame], float], found: OnTrials) -> float:
    return claim(found.h2.dropna(subset=["meta_i2r", "m_ratio"]))


def _temperatures(claim: Callable[[pd.DataFrame], Any], found: OnTrials) -> Any:
    """A claim on the models at all temperatures of the hypothesis; None unless all have them."""
    cells = found.own_edges
    table = cells.frame.assign(meta_i2r=meta_i2r(cells.nR_S1, cells.nR_S2))
    table = table[table["temperature"].isin(TEMPERATURES)].sort_values("temperature", kind="stable")
    whole = [own for _, own in table.groupby("model") if len(own) == len(TEMPERATURES)]
    return claim(pd.concat(whole)) if len(whole) == len(paper.MODELS) else None


def _stable(found: OnTrials) -> Any:
    both = found.h3["tost_pass"].astype(bool) & found.h3["relative_robust"].astype(bool)
    return _temperatures(lambda table: both.sum(), found)


def _falls(table: pd.DataFrame) -> int:
    return sum(bool((np.diff(own["accuracy"]) < 0).all()) for _, own in table.groupby("model"))


#: Claims that the trials of the domains settle, where there are such, by id.
DOMAIN_CLAIMS: dict[str, Callable[[OnTrials], Any]] = {
    "v1_h2_models": lambda found: len(_apart(found)),
    "v1_h2_one": lambda found: len(_apart(found)),
    "v1_h2_mistral": lambda found: MISTRAL in _apart(found),
    **{claim: partial(_domains, one) for claim, one in (EFFICIENCY | INFORMATION).items()},
}
#: Further claims that the author's trials settle, by id.
TRIAL_CLAIMS: dict[str, Callable[[OnTrials], Any]] = {
    "v1_h3_stable": _stable,
    "v2_accuracy_falls": partial(_temperatures, _falls),
    **{claim: partial(_temperatures, one) for claim, one in TEMPERATURE.items()},
    "v2_bins": _orders,
}


def _from_trials(claim: str, tried: OnTrials | None) -> Value | None:
    known = TRIAL_CLAIMS | (DOMAIN_CLAIMS if tried is not None and len(tried.h2) else {})
    found = known[claim](tried) if tried is not None and claim in known else None
    if found is None or not np.isfinite(found):
        return None
    made = recounted if claim == "v2_accuracy_falls" else estimated
    return made(float(found), FROM_TRIALS)


def _tried(claim: str, otherwise: Callable[[], Value | None], sources: Sources) -> Value | None:
    """What the trials give, or what stands in for them."""
    return _from_trials(claim, sources.tried) or otherwise()


def _counted(made: Callable[..., Value], claim: Callable[[OnCounts], Any], sources: Sources) -> Value:
    return made(float(claim(sources.counted)), FROM_COUNTS)


def _on_counts(claim: Callable[[OnCounts], Value], sources: Sources) -> Value:
    return claim(sources.counted)


#: What stands in for the trials: the printed tables, or the counts of the first paper.
_OTHERWISE = PRINT_CLAIMS | {"v2_accuracy_falls": accuracy_falls}
#: Claims on the run with thinking on and off, which neither counts at T = 1 nor their trials touch.
_THINKING: judging.Answers = {
    "th_auroc2": lambda sources: thinking.falls(),
    "th_accuracy": lambda sources: thinking.rises(),
    "th_delta": lambda sources: thinking.of_deltas("delta_auroc2"),
    "th_delta_lower": lambda sources: thinking.of_deltas("ci_lower"),
    "th_delta_upper": lambda sources: thinking.of_deltas("ci_upper"),
    "th_variance": lambda sources: None,
}
#: What answers each claim, by its id.
ANSWERS: judging.Answers = {
    **{claim: partial(_counted, estimated, one) for claim, one in ESTIMATES.items()},
    **{claim: partial(_counted, recounted, one) for claim, one in RECOUNTS.items()},
    "v1_inverted": partial(_on_counts, _inverted),
    "v1_gap_widens": partial(_on_counts, _gap_widens),
    "v1_lower_accuracy": partial(_on_counts, _less_accurate),
    "v1_trials": lambda sources: trials_counted(),
    "v1_cells_above_50": lambda sources: cells_above(50),
    "v2_nq_order": partial(_on_counts, _nq_order),
    "v2_r2": partial(_on_counts, _linear),
    **_THINKING,
    "v2_null_mean_off": lambda sources: null_mean_taken_off(sources.figures),
    **{
        claim: partial(_tried, claim, _OTHERWISE.get(claim, lambda: None))
        for claim in (*PRINT_CLAIMS, *DOMAIN_CLAIMS, *TRIAL_CLAIMS)
    },
}


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 1."""
    file = settings.files.get(author_trials.NAME)
    counted = on_counts(settings)
    tried = from_trials.on_trials(load_author_trials(file), settings) if file is not None else None
    trials = from_trials.trial_values(tried, settings) if tried is not None else {}
    trials = h3_of_table_7() | trials
    values = merged(count_values(counted, settings), first_paper_values(), trials) | thinking_values()
    rows = [entry_of(f, values.get((f.table, f.keys, f.quantity))) for f in paper.all_figures()]
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
    main = paper.published_cells(paper.MAIN)
    slopes = author_slopes(main)
    for row, s in zip(records(estimate(main, s=slopes)), slopes, strict=True):
        model, name = row["model"], paper.MODELS[row["model"]]
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
