"""Claims of study 1's text as rows of the ledger: each is read from an analysis as one statistic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from metacog.core.paths import published_file
from metacog.ledger.entry import Entry, Value
from metacog.sdt.information import meta_i2r
from metacog.studies.study1_qa.cells.contrasts import excludes_zero
from metacog.studies.study1_qa.cells.counts import Cells, rate_trials
from metacog.studies.study1_qa.correction.measures import carried_over, ranks
from metacog.studies.study1_qa.h2.estimates import H2
from metacog.studies.study1_qa.h2.judging import domains_apart
from metacog.studies.study1_qa.h3.judging import TEMPERATURES
from metacog.studies.study1_qa.ledger import published
from metacog.studies.study1_qa.ledger.cells import (
    FROM_COUNTS,
    OnCounts,
    Values,
    estimated,
    null_mean_taken_off,
    recounted,
)
from metacog.studies.study1_qa.ledger.consistency import (
    efficiency_by_domain,
    information_by_domain,
    information_by_temperature,
    print_claims,
    rho,
)
from metacog.studies.study1_qa.ledger.first_paper import first_paper_claims
from metacog.studies.study1_qa.ledger.roles import role_of
from metacog.studies.study1_qa.ledger.trials import FROM_TRIALS, OnTrials
from metacog.studies.study1_qa.selective.estimates import selective_from_cells

TABLE = "text of {version}"
#: Shares of the questions at which the text compares accuracy.
EIGHTHS = tuple(k / 8 for k in range(1, 9))
#: Numbers of ratings between which version 2's order of models is said to be stable, and its own.
BINS, OWN_BINS = (4, 6, 8, 10, 16), 8
#: Claims about shares of right answers alone.
SHARES = frozenset(
    {
        "v1_monotone",
        "v1_gap_widens",
        "v2_mistral_accuracy",
        "v2_gemma_accuracy",
        "v2_accuracy_falls",
        *(
            f"v2_{model}_{what}"
            for model in ("mistral", "base", "gemma")
            for what in ("before", "after", "gain")
        ),
    }
)


def claim_entries(
    study: str, needs: str, counted: OnCounts, tried: OnTrials | None, figures: Values
) -> list[Entry]:
    """One entry for each line of ``data/published/cacioli_text_claims.csv``.

    Its column ``kind`` says how a claim is judged: ``printed`` figures to half their last digit,
    claims in ``words`` exactly, a ``bound`` as it stands. ``figures`` are the recomputed ones of the tables.
    """
    listed = pd.read_csv(published_file("cacioli_text_claims.csv"), dtype=str, keep_default_na=False)
    lines = listed.to_dict("records")
    said = {str(row["id"]): str(row["value"]) for row in lines}
    values = count_claims(counted) | print_claims(said) | first_paper_claims()
    values["v2_null_mean_off"] = null_mean_taken_off(figures)
    if tried is not None:
        values |= trial_claims(tried)
    return [
        Entry(
            study=study,
            table=TABLE.format(version=row["version"]),
            item=f"{row['claim']} ({row['origin']})",
            quantity=row["quantity"],
            published=row["value"],
            relation=row["relation"],
            in_words=row["kind"] == "words",
            resampled=row["id"] in values and values[row["id"]].error > 0,
            value=values.get(row["id"]),
            needs=needs if row["source"] == "trials" else "",
            role=role_of("text", (), row["id"], values.get(row["id"])),
        )
        for row in lines
    ]


def count_claims(found: OnCounts) -> dict[str, Value]:
    """Statistics of the claims that the counts settle, by claim."""
    mistral, gemma, base = "mistral_instruct", "gemma2_instruct", "llama3_base"
    main = found.versions[found.versions["dataset"] == published.MAIN].set_index("model")
    measures = ("d_prime", "m_ratio", "meta_i2r", "accuracy")
    placed = ranks(found.versions, measures)
    placed = placed[placed["dataset"] == published.MAIN].set_index("model")
    half = found.selective.set_index("model")
    info, slopes = main["meta_i2r"], main["z_slope"]
    lowest_r2 = float(found.sensitivity["r2"].min())
    values: dict[str, float] = {
        "v1_inverted": found.ranks.rho("auroc2", "m_ratio", published.MAIN),
        "v1_mistral_d_prime": placed["d_prime"][mistral],
        "v1_mistral_m_ratio": placed["m_ratio"][mistral],
        "v1_monotone": found.quartiles["monotone"].sum(),
        "v1_h1_below_one": found.h1.table["below_one"].sum(),
        "v1_h4_pairs": (~found.h4.pairs["overlap"]).sum(),
        "v2_two_fold": info.max() / info.min(),
        "v2_mistral_first": placed["meta_i2r"][mistral],
        "v2_gemma_last": placed["meta_i2r"][gemma],
        "v2_mistral_meta_i2r": info[mistral],
        "v2_gemma_meta_i2r": info[gemma],
        "v2_mistral_accuracy": placed["accuracy"][mistral],
        "v2_gemma_accuracy": placed["accuracy"][gemma],
        "v2_nq_order": carried_over(found.versions, "meta_i2r"),
        "v2_slope_low": slopes.min(),
        "v2_slope_high": slopes.max(),
        "v2_slope_nq_order": carried_over(found.versions, "z_slope"),
        "v2_slope_not_one": excludes_zero(main["z_slope_lower"] - 1, main["z_slope_upper"] - 1).sum(),
        "v2_r2": lowest_r2,
        "v2_p": main["p_value"].max(),
        "v2_rho_gain": rho(info, half["gain"]),
        "v2_rho_level": rho(info, half["accuracy"]),
    }
    for name, model in (("mistral", mistral), ("base", base), ("gemma", gemma)):
        values[f"v2_{name}_before"] = 100 * main["accuracy"][model]
        values[f"v2_{name}_after"] = 100 * half["accuracy"][model]
        values[f"v2_{name}_gain"] = 100 * half["gain"][model]
    gaps = _gap_by_coverage(gemma, mistral)
    values["v1_gap_widens"] = gaps[1.0] - gaps[0.5]
    grows = int((np.diff(gaps) > 0).sum())
    other = found.versions[found.versions["dataset"] != published.MAIN]
    order = ", ".join(published.MODELS[m] for m in other.sort_values("meta_i2r", ascending=False)["model"])
    notes = {
        "v1_inverted": "AUROC2 on the eight ratings; -1 would be a full inversion",
        "v1_gap_widens": f"by eighths of coverage it grows in {grows} of {len(EIGHTHS) - 1} steps",
        "v2_nq_order": f"order on Natural Questions: {order}",
        "v2_r2": f"rounds to {lowest_r2:.2f}" if lowest_r2 < 0.98 <= round(lowest_r2, 2) else "",
    }
    return {k: _kind(k)(float(v), FROM_COUNTS, note=notes.get(k, "")) for k, v in values.items()}


def _kind(claim: str) -> Callable[..., Value]:
    return recounted if claim in SHARES else estimated


def _gap_by_coverage(a: str, b: str) -> pd.Series:
    """Accuracy of one model less another's on their most confident eighths, a value an eighth."""
    curves = selective_from_cells(published.published_cells(published.MAIN), coverages=EIGHTHS).table
    wide = curves.pivot(index="coverage", columns="model", values="accuracy").sort_index()
    return wide[a] - wide[b]


# ---------------------------------------------------------------------------- claims over trials


def trial_claims(found: OnTrials) -> dict[str, Value]:
    """Statistics of the claims that need the author's trials; absent where the trials do not reach."""
    values = _domain_claims(found.h2) if len(found.h2.table) else {}
    values |= _temperature_claims(found)
    orders = {n: _information(rate_trials(found.trials, k=n // 2).cells()) for n in BINS}
    values["v2_bins"] = min(rho(orders[OWN_BINS], order) for order in orders.values())
    return {k: _kind(k)(float(v), FROM_TRIALS) for k, v in values.items()}


def _information(cells: Cells) -> pd.Series:
    """meta-I2r by model, without those that lack a class."""
    return pd.Series(meta_i2r(cells.nR_S1, cells.nR_S2), cells.frame["model"]).dropna()


def _domain_claims(found: H2) -> dict[str, float]:
    table = found.table.dropna(subset=["meta_i2r", "m_ratio"])
    apart = set(domains_apart(found.pairs)["model"])
    return {
        "v1_h2_models": len(apart),
        "v1_h2_one": len(apart),
        "v1_h2_mistral": float("mistral_instruct" in apart),
        **efficiency_by_domain(table),
        **information_by_domain(table),
    }


def _temperature_claims(found: OnTrials) -> dict[str, float]:
    cells = found.own_edges
    table = cells.frame.assign(meta_i2r=meta_i2r(cells.nR_S1, cells.nR_S2))
    table = table[table["temperature"].isin(TEMPERATURES)].sort_values("temperature")
    whole = [own for _, own in table.groupby("model") if len(own) == len(TEMPERATURES)]
    if len(whole) < len(published.MODELS):
        return {}
    both = found.h3["tost_pass"].astype(bool) & found.h3["relative_robust"].astype(bool)
    return {
        "v1_h3_stable": both.sum(),
        "v2_accuracy_falls": sum(bool((np.diff(own["accuracy"]) < 0).all()) for own in whole),
        **information_by_temperature(pd.concat(whole)),
    }
