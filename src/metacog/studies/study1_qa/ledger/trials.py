"""Figures of study 1 that the author's trials give."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.ledger.entry import Settings
from metacog.measures.cell import Measured
from metacog.measures.pairs import differences, excludes_zero
from metacog.sdt.information import meta_i2r
from metacog.sdt.type2 import auroc2
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import REFERENCE, Cells, estimate, fits, flagged, rate_trials
from metacog.studies.study1_qa.h2 import domain_cells
from metacog.studies.study1_qa.h3 import TEMPERATURES, range_and_rank
from metacog.studies.study1_qa.ledger.cells import fit_figures, rank_figures, version2_figures
from metacog.studies.study1_qa.ledger.consistency import H3
from metacog.studies.study1_qa.ledger.rows import estimated, recounted
from metacog.studies.study1_qa.robustness_variants import rerated
from metacog.studies.study1_qa.version2 import temperature_cells
from metacog.trials import SCORE

FROM_TRIALS = "the author's trials"


def triviaqa(trials: pd.DataFrame) -> pd.DataFrame:
    return trials[(trials["dataset"] == paper.MAIN) & trials["model"].isin(list(paper.MODELS))]


def on_trials(trials: pd.DataFrame, settings: Settings) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    """Tables by name that claims are read from, and the figures of printed tables that the author's trials give.

    The tables are ``domains``, ``apart`` (models of which two domains differ), ``temperatures`` (each with its own
    edges), ``h3``, ``wide`` (equal widths) and ``bins`` (meta-I2r by number of ratings).
    """
    main = triviaqa(trials)
    rated, drawn = rate_trials(main), {"n_resamples": settings.n_resamples, "seed": settings.seed}
    in_domains = domain_cells(rated)
    domains, made = fits(in_domains, **drawn)
    domains = domains.assign(meta_i2r=meta_i2r(in_domains.nR_S1, in_domains.nR_S2))
    own = _usable(temperature_cells(main))
    by_t = estimate(rated.cells(("model", "dataset", "temperature"), temperature=None))
    h3 = pd.DataFrame([{"model": m, **range_and_rank(rows)} for m, rows in by_t.groupby("model", sort=False)])
    h3 = h3[h3["tost_pass"].notna()]
    sides, wide = rerated(main)
    tables = {
        "domains": domains,
        "apart": _apart(in_domains, made),
        "temperatures": own.frame.assign(meta_i2r=meta_i2r(own.nR_S1, own.nR_S2)),
        "h3": h3,
        "wide": estimate(wide),
    }
    usable = _usable(in_domains)
    listed = [
        (m, d) in set(paper.figures("v2_domain")["keys"])
        for m, d in usable.frame[["model", "domain"]].to_numpy()
    ]
    usable, own = (
        usable.select(np.array(listed, dtype=bool)),
        own.select(own.frame["temperature"].isin(TEMPERATURES)),
    )
    questions = (
        main.drop_duplicates(["dataset", "question_index"])["domain"].value_counts().rename("n").reset_index()
    )
    asked = by_t[by_t["temperature"].isin(TEMPERATURES) & by_t["converged"]]
    figures = [
        _counts(rate_trials(trials).cells()),
        recounted("v1_domain_trials", questions, source=FROM_TRIALS),
        *_areas(rated.trials),
        fit_figures("v1_table6_domain_m_ratio", domains[domains["converged"]], FROM_TRIALS, ("m_ratio",)),
        fit_figures("v1_table7_temperature", asked, FROM_TRIALS),
        estimated("v1_h3_verdicts", h3, H3, source=FROM_TRIALS),
        *(_binned(k, estimate(cells)) for k, cells in sides.items()),
        version2_figures("v2_domain", usable, usable.frame, settings, FROM_TRIALS)[1],
        version2_figures(
            "v2_temperature", own, own.frame.rename(columns={"temperature": "T"}), settings, FROM_TRIALS
        )[1],
    ]
    return tables, pd.concat(figures, ignore_index=True)


def _usable(cells: Cells) -> Cells:
    return cells.select(cells.measurable)


def _apart(cells: Cells, made: list[Measured]) -> pd.DataFrame:
    """Models with two sound domains whose 95 % interval of the difference of M-ratios is without zero."""
    sound, found = ~flagged(cells.frame).to_numpy(), []
    for model, rows in cells.frame.groupby("model", sort=False).indices.items():
        own = {cells.frame["domain"][i]: made[i] for i in rows if sound[i]}
        pairs = differences(own, "m_ratio", paired=False)
        found += [model] if excludes_zero(pairs["lower"], pairs["upper"]).any() else []
    return pd.DataFrame({"model": found})


def _counts(cells: Cells) -> pd.DataFrame:
    n, ratings = cells.nR_S1.shape
    long = cells.frame.loc[np.repeat(np.arange(n), ratings), ["model", "dataset"]].assign(
        temperature="1.0",
        rating=np.tile(np.arange(1, ratings + 1), n),
        n_correct=cells.nR_S2.ravel(),
        n_incorrect=cells.nR_S1.ravel(),
    )
    return recounted("counts_T1", long, source=FROM_TRIALS)


def _areas(trials: pd.DataFrame) -> list[pd.DataFrame]:
    one = trials[(trials["temperature"] == REFERENCE) & trials[SCORE].notna()]
    rows = [
        (m, auroc2(own["correct"], own[SCORE]))
        for m, own in one.groupby("model")
        if own["correct"].nunique() == 2
    ]
    table = pd.DataFrame(rows, columns=["model", "auroc2"])
    areas = estimated("v1_table3_auroc2", table, ("auroc2",), source=FROM_TRIALS)
    return [areas, rank_figures(table, "auroc2", FROM_TRIALS)]


def _binned(k: int, table: pd.DataFrame) -> pd.DataFrame:
    own = table[table["converged"]].assign(ratings_per_side=k)
    return fit_figures("v1_table4_r1_binning", own, FROM_TRIALS, ("m_ratio",))
