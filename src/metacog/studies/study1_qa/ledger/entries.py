"""Rows of study 1 in the ledger: one for every printed figure and every claim of the text."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from metacog.ledger.claims import claim_entries
from metacog.ledger.entry import Kind, Settings, StudyLedger, Value, entries_of
from metacog.measures.pairs import excludes_zero
from metacog.sdt.information import meta_i2r
from metacog.sdt.selective import accuracy_coverage_from_counts
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import estimate, exact_spearman, place, rate_trials
from metacog.studies.study1_qa.h3 import TEMPERATURES
from metacog.studies.study1_qa.ledger import author_trials, first_paper, thinking
from metacog.studies.study1_qa.ledger.cells import null_mean_taken_off, on_counts
from metacog.studies.study1_qa.ledger.consistency import (
    efficiency,
    h3_of_table_7,
    information,
    over_temperatures,
    print_claims,
    rho,
)
from metacog.studies.study1_qa.ledger.roles import ROLES, role_of
from metacog.studies.study1_qa.ledger.rows import NEEDS_THINKING, NEEDS_TRIALS, STUDY, first_known, joined
from metacog.studies.study1_qa.ledger.trials import FROM_TRIALS, on_trials, triviaqa
from metacog.studies.study1_qa.paper import FROM_COUNTS
from metacog.studies.study1_qa.robustness_variants import author_slopes

#: Shares of the questions at which the text compares accuracy.
EIGHTHS = np.arange(1, 9) / 8
#: Numbers of ratings between which version 2's order of models is said to be stable, and its own.
BINS, OWN_BINS = (4, 6, 8, 10, 16), 8
MISTRAL, GEMMA = "mistral_instruct", "gemma2_instruct"
#: Models whose accuracy the text gives before and after selection.
SELECTED = {"mistral": MISTRAL, "base": "llama3_base", "gemma": GEMMA}


def entries(settings: Settings) -> pd.DataFrame:
    file = settings.files.get(author_trials.NAME)
    trials = author_trials.load_author_trials(file) if file is not None else None
    if trials is not None and not (triviaqa(trials)["temperature"] == 1.0).any():
        trials = None
    tried, of_trials = on_trials(trials, settings) if trials is not None else ({}, pd.DataFrame())
    counted, of_counts = on_counts(settings)
    found = in_order(of_counts, of_trials, first_paper.first_paper_figures())
    known = first_paper.claims() | print_claims() | trial_claims(tried, trials)
    waiting = dict.fromkeys(["v1_h2_one", "v1_h2_mistral", "v2_bins"])
    answers = waiting | known | count_claims(counted) | thinking.claims()
    answers["v2_null_mean_off"] = null_mean_taken_off(of_counts)
    waits_for = {"trials": NEEDS_TRIALS, "thinking": NEEDS_THINKING}
    claims = claim_entries(
        paper.as_text("text_claims"),
        answers,
        study=STUDY,
        table="text of {version}",
        item="{claim} ({origin})",
        needs=lambda line: waits_for.get(line.source, ""),
        role=lambda claim, column, value: role_of("text", (), claim, value.source if value else None),
    )
    return pd.concat([joined(found), claims, entries_of(_not_printed(tried), STUDY)])


def in_order(counts: pd.DataFrame, trials: pd.DataFrame, first: pd.DataFrame) -> pd.DataFrame:
    """One value a figure: what the counts at T = 1 settle, else what trials give, else the first paper's or the print.

    Where both counts give a figure, the first paper's stand (unless trials give it): the study's own were solved from
    it.
    """
    tested = first[first["bounds"].isna()]
    solved = counts.merge(tested[["table", "keys", "quantity"]], how="left", indicator="also")
    kept = solved[solved.pop("also") == "left_only"]
    return first_known(kept, trials, h3_of_table_7(), first, thinking.thinking_figures())


def count_claims(table: pd.DataFrame) -> dict[str, Value]:
    """What the counts give for claims of the text, by id, from the estimates of :func:`.cells.on_counts`."""
    main = table[table["dataset"] == paper.MAIN].set_index("model")
    wide = table.pivot(index="model", columns="dataset")
    other = table[table["dataset"] != paper.MAIN].sort_values("meta_i2r", ascending=False, kind="stable")
    ends = main[["m_ratio_lower", "m_ratio_upper"]].to_numpy()
    apart = sum(a[0] > b[1] or b[0] > a[1] for a, b in combinations(ends, 2))
    places = main[["d_prime", "m_ratio", "meta_i2r", "accuracy"]].apply(place)
    info, rises = main["meta_i2r"], table[["q1", "q2", "q3", "q4"]].diff(axis=1).iloc[:, 1:] > 0
    lowest, gaps = float(table["r2"].min()), _gaps()
    less = main[main["accuracy"] < main["accuracy"][MISTRAL]]

    def carried(measure: str) -> float:
        return exact_spearman(wide[measure]["triviaqa"].tolist(), wide[measure]["nq"].tolist())[0]

    estimates = {
        "v1_mistral_d_prime": places["d_prime"][MISTRAL],
        "v1_gemma_d_prime": places["d_prime"][GEMMA],
        "v1_mistral_m_ratio": places["m_ratio"][MISTRAL],
        "v1_h1_below_one": (main["m_ratio_upper"] < 1).sum(),
        "v1_h4_pairs": apart,
        "v1_inverted": exact_spearman(main["auroc2"].tolist(), main["m_ratio"].tolist())[0],
        "v1_lower_accuracy": (less["m_ratio"] > main["m_ratio"][MISTRAL]).sum(),
        "v2_two_fold": info.max() / info.min(),
        "v2_mistral_first": places["meta_i2r"][MISTRAL],
        "v2_gemma_last": places["meta_i2r"][GEMMA],
        "v2_mistral_meta_i2r": info[MISTRAL],
        "v2_gemma_meta_i2r": info[GEMMA],
        "v2_nq_order": carried("meta_i2r"),
        "v2_slope_low": main["z_slope"].min(),
        "v2_slope_high": main["z_slope"].max(),
        "v2_slope_nq_order": carried("z_slope"),
        "v2_slope_not_one": excludes_zero(main["z_slope_lower"] - 1, main["z_slope_upper"] - 1).sum(),
        "v2_r2": lowest,
        "v2_p": main["p_value"].max(),
        "v2_rho_gain": rho(info, main["gain"]),
        "v2_rho_level": rho(info, main["half"]),
    }
    recounts = {
        "v1_monotone": rises.all(axis=1).sum(),
        "v1_gap_widens": gaps[-1] - gaps[3],
        "v2_mistral_accuracy": places["accuracy"][MISTRAL],
        "v2_gemma_accuracy": places["accuracy"][GEMMA],
        **{
            f"v2_{short}_{when}": 100 * main[column][model]
            for when, column in (("before", "accuracy"), ("after", "half"), ("gain", "gain"))
            for short, model in SELECTED.items()
        },
    }
    grows = f"{int((np.diff(gaps) > 0).sum())} of {len(gaps) - 1}"
    rounded = f"below the bound, and {lowest:.2f} as it is rounded there"
    notes = {
        "v1_inverted": "AUROC2 on the eight ratings; -1 would be a full inversion",
        "v1_gap_widens": f"by eighths of coverage it grows in {grows} steps",
        "v1_lower_accuracy": f"{paper.MODELS[str(main['accuracy'].idxmin())]} has the lowest accuracy of all",
        "v2_nq_order": f"order on Natural Questions: {', '.join(other['model'].map(paper.MODELS))}",
        "v2_r2": rounded if lowest < 0.98 <= round(lowest, 2) else "",
    }
    return {
        claim: Value(float(value), FROM_COUNTS, note=notes.get(claim, ""), kind=kind)
        for found, kind in ((estimates, Kind.ESTIMATED), (recounts, Kind.RECOUNTED))
        for claim, value in found.items()
    }


def _gaps() -> np.ndarray:
    cells = paper.published_cells(paper.MAIN)
    curves = pd.DataFrame(
        accuracy_coverage_from_counts(cells.nR_S1, cells.nR_S2, EIGHTHS), cells.frame["model"]
    )
    return (curves.loc[GEMMA] - curves.loc[MISTRAL]).to_numpy()


def trial_claims(tried: dict[str, pd.DataFrame], trials: pd.DataFrame | None) -> dict[str, Value]:
    """What the author's trials give for claims of the text, by id, as far as domains and temperatures are there."""
    if trials is None:
        return {}
    found: dict[str, float] = {"v2_bins": _orders(triviaqa(trials))}
    if len(domains := tried["domains"]):
        known, apart = domains.dropna(subset=["meta_i2r", "m_ratio"]), list(tried["apart"]["model"])
        found |= efficiency(known) | information(known)
        found |= {"v1_h2_models": len(apart), "v1_h2_one": len(apart), "v1_h2_mistral": MISTRAL in apart}
    asked = tried["temperatures"]
    asked = asked[asked["temperature"].isin(TEMPERATURES)].sort_values("temperature", kind="stable")
    asked = asked.groupby("model").filter(lambda own: len(own) == len(TEMPERATURES))
    if asked["model"].nunique() == len(paper.MODELS):
        falls = asked.groupby("model")["accuracy"].apply(lambda own: bool((np.diff(own) < 0).all()))
        both = tried["h3"][["tost_pass", "relative_robust"]].astype(bool).all(axis=1)
        found |= {"v1_h3_stable": both.sum(), "v2_accuracy_falls": falls.sum()} | over_temperatures(asked)
    kinds = {"v2_accuracy_falls": Kind.RECOUNTED}
    return {
        claim: Value(float(value), FROM_TRIALS, kind=kinds.get(claim, Kind.ESTIMATED))
        for claim, value in found.items()
        if np.isfinite(value)
    }


def _orders(main: pd.DataFrame) -> float:
    """Lowest rank correlation of the order of models at some number of ratings with that at eight."""
    orders = {}
    for n in BINS:
        cells = rate_trials(main, k=n // 2).cells()
        orders[n] = pd.Series(meta_i2r(cells.nR_S1, cells.nR_S2), cells.frame["model"]).dropna()
    return min(rho(orders[OWN_BINS], order) for order in orders.values())


def _not_printed(tried: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Analyses of the study whose printed figures are not among those at hand: they wait, in the open."""
    main = paper.published_cells(paper.MAIN)
    slopes = author_slopes(main)
    uneven = estimate(main, s=slopes).assign(
        table="v1 R2: unequal variance",
        item=[
            f"{paper.MODELS[model]}, s = {s:g}" for model, s in zip(main.frame["model"], slopes, strict=True)
        ],
        source=FROM_COUNTS,
        needs="the printed figure of R2",
    )
    wide = main.frame[["model"]].assign(
        table="v1 R3: equal-width bins",
        item=main.frame["model"].map(paper.MODELS),
        source=FROM_TRIALS,
        needs="the printed figure of R3" + ("" if tried else f", and {NEEDS_TRIALS}"),
    )
    if tried:
        wide = wide.merge(
            tried["wide"].query("converged")[["model", "m_ratio", "converged"]], how="left", on="model"
        )
    both = pd.concat([uneven, wide], ignore_index=True)
    both = both.loc[np.arange(len(both)).reshape(2, -1).T.ravel()]  # one below the other for each model
    known = both["m_ratio"].notna()
    both = both.assign(
        quantity="m_ratio",
        value=both["m_ratio"],
        kind=Kind.ESTIMATED,
        note=np.where(known & both["converged"].eq(False), "our fit did not converge", ""),
    )
    forced = "log-probabilities of forced answers from the author's models, which the trial file lacks"
    undefined = "a definition: the paper names R6 and does not define it"
    rest = pd.DataFrame(
        [("v1 R5: forced decoding", forced), ("v1 R6: difficulty-matched", undefined)],
        columns=["table", "needs"],
    ).assign(item="all models", quantity="outcome")
    names = ["table", "item", "quantity", "value", "source", "kind", "note", "needs"]
    return pd.concat([both[names], rest], ignore_index=True).assign(published="")


def files() -> dict[str, Path]:
    found = author_trials.find_author_trials()
    return {author_trials.NAME: found} if found is not None else {}


LEDGER = StudyLedger(STUDY, entries, files, ROLES, uses=(author_trials.NAME,))
