"""Posteriors of the nine published tables, compared with maximum likelihood and the published table S1."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from metacog.core.frames import rows_of
from metacog.ledger.entry import Status
from metacog.measures.posterior import monte_carlo_errors, posterior_table
from metacog.sdt import fit_meta_d
from metacog.sdt.bayes import BayesFit, GroupFit, fit_bayes, fit_group
from metacog.sdt.decisions import bonferroni_z
from metacog.sdt.type1 import type1
from metacog.studies.study2_two_choice.cells import comparisons
from metacog.studies.study2_two_choice.ledger import published
from metacog.studies.study2_two_choice.ledger.chains import printed_figures

#: What table S1 reports.
MEASURES = ("d_prime", "meta_d", "m_ratio")
#: Published figures of each: a mean and two ends.
FIGURES = 3

Row = dict[str, Any]


def labels() -> pd.DataFrame:
    """Task and model of the nine tables, in the order they are fitted in."""
    cells = published.rating_cells()
    return pd.DataFrame({"task": [c.task for c in cells], "model": [c.model for c in cells]})


def fitted(n_draws: int, n_warmup: int, seed: int) -> BayesFit:
    """The nine tables as one batch of four chains each."""
    return fit_bayes(*_counts(), n_draws=n_draws, n_warmup=n_warmup, seed=seed)


def grouped(n_draws: int, n_warmup: int, seed: int) -> GroupFit:
    """The hierarchical model: log M-ratio is normal over models, who are measured on three tasks."""
    one = labels()
    return fit_group(
        *_counts(),
        subject=list(one["model"]),
        condition=list(one["task"]),
        n_draws=n_draws,
        n_warmup=n_warmup,
        seed=seed,
    )


def _counts() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    cells = published.rating_cells()
    return np.stack([c.nR_S1 for c in cells]), np.stack([c.nR_S2 for c in cells])


def cells_of(fit: BayesFit) -> pd.DataFrame:
    """:func:`metacog.measures.posterior.posterior_table` of the nine tables, with Monte-Carlo errors."""
    table = posterior_table(fit, labels(), rope=comparisons.ROPE["m_ratio"])
    return table.join(monte_carlo_errors(fit, MEASURES))


def draws_of(fit: BayesFit) -> dict[tuple[str, str], NDArray[np.float64]]:
    """Draws of M-ratio by task and model."""
    return {
        (row.task, row.model): draws.ravel()
        for row, draws in zip(rows_of(labels()), fit.draws("m_ratio"), strict=True)
    }


def contrasts(fit: BayesFit) -> pd.DataFrame:
    """:func:`.comparisons.m_ratio_contrasts` of the posterior."""
    draws = draws_of(fit)
    return comparisons.m_ratio_contrasts(draws, {key: float(x.mean()) for key, x in draws.items()})


def compared(cells: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """Maximum likelihood, posterior and published figure: one row per task, model and measure.

    Parameters
    ----------
    cells : DataFrame
        As :func:`cells_of` gives it.
    judged : DataFrame
        What the ledger says of each published figure: ``task, model, measure, column, status``.

    Returns
    -------
    DataFrame
        ``task, model, measure``; ``ml``; ``bayes, published``, each with ``_lower`` and ``_upper``; ``off``,
        posterior minus published mean; ``off_ends``, the larger absolute difference of the ends; ``matches``,
        how many of mean and ends the ledger calls a match, and ``reproduced``, whether all three.
    """
    theirs = {(r.task, r.model, r.measure): r for r in rows_of(published.as_numbers("tableS1"))}
    ours = cells.set_index(["task", "model"]).to_dict("index")
    rows = []
    for cell in published.rating_cells():
        fit, one = fit_meta_d(cell.nR_S1, cell.nR_S2), ours[cell.task, cell.model]
        for measure in MEASURES:
            figure = theirs[cell.task, cell.model, measure]
            rows.append(
                {
                    "task": cell.task,
                    "model": cell.model,
                    "measure": measure,
                    "ml": getattr(fit, measure),
                    **{f"bayes{end}": one[f"{measure}{end}"] for end in ("", "_lower", "_upper")},
                    "published": figure.estimate,
                    "published_lower": figure.lower,
                    "published_upper": figure.upper,
                }
            )
    both = pd.DataFrame(rows)
    lower, upper = ((both[f"bayes_{end}"] - both[f"published_{end}"]).abs() for end in ("lower", "upper"))
    met = judged["status"].eq(Status.MATCH).groupby([judged[c] for c in ("task", "model", "measure")]).sum()
    places = pd.MultiIndex.from_frame(both[["task", "model", "measure"]])
    matches = met.reindex(places).to_numpy(dtype=np.int64)
    return both.assign(
        off=both["bayes"] - both["published"],
        off_ends=np.maximum(lower, upper),
        matches=matches,
        reproduced=matches == FIGURES,
    )


def evidence(both: pd.DataFrame, fit: BayesFit) -> pd.DataFrame:
    """What the counts and the published row say where a published d' is not reproduced: one row per cell.

    Parameters
    ----------
    both : DataFrame
        As :func:`compared` gives it.
    fit : BayesFit
        Of the nine tables.

    Returns
    -------
    DataFrame
        ``task, model``; ``d_prime`` of the counts, ``bayes``, ``published, published_lower,
        published_upper``; ``draws`` and those at least as ``extreme`` as the published mean; ``answers`` and
        those that would have to be ``different`` for it; of the published row ``ratio`` (meta-d'/d'),
        ``m_ratio`` and ``meta_d``, and whether that is ``meta_d_inside`` our
        interval; ``chains``, the mean of chains like the paper's, ``share`` of the way from the posterior
        mean to the published one that it covers, and whether the chains are ``too_short`` to forget their
        start.
    """
    off = both[(both["measure"] == "d_prime") & ~both["reproduced"]]
    wide = both.set_index(["task", "model", "measure"]).to_dict("index")
    rows = [_evidence(*key, wide, fit) for key in zip(off["task"], off["model"], strict=True)]
    return pd.DataFrame(rows)


def _evidence(task: str, model: str, wide: Mapping[Hashable, Mapping[Hashable, Any]], fit: BayesFit) -> Row:
    d, meta_d, m_ratio = (wide[task, model, measure] for measure in MEASURES)
    place = [(c.task, c.model) for c in published.rating_cells()].index((task, model))
    cell, draws = published.rating_cells()[place], fit.draws("d_prime")[place]
    one = type1(cell.nR_S1, cell.nR_S2)
    extreme = draws <= d["published"] if d["published"] < d["bayes"] else draws >= d["published"]
    return {
        "task": task,
        "model": model,
        "d_prime": one.d_prime,
        **{name: d[name] for name in ("bayes", "published", "published_lower", "published_upper")},
        "draws": int(draws.size),
        "extreme": int(extreme.sum()),
        "answers": int(cell.nR_S1.sum() + cell.nR_S2.sum()),
        "different": _moved(one.d_prime, one.c, d["published"], cell.nR_S1.sum(), cell.nR_S2.sum()),
        "ratio": meta_d["published"] / d["published"],
        "m_ratio": m_ratio["published"],
        "meta_d": meta_d["published"],
        "meta_d_inside": bool(meta_d["bayes_lower"] <= meta_d["published"] <= meta_d["bayes_upper"]),
        **sampler(task, model, d["bayes"], d["published"]),
    }


def sampler(task: str, model: str, ours: float, theirs: float) -> Row:
    """Whether chains like the paper's, which may not have forgotten their start, lie towards its figure."""
    chains = printed_figures()[task, model, "d_prime", "estimate"]
    moved = chains.mean - ours
    share = moved / (theirs - ours)
    beyond_chance = abs(moved) > bonferroni_z(m=len(labels())) * chains.spread
    return {"chains": chains.mean, "share": share, "too_short": bool(share > 0 and beyond_chance)}


def _moved(d_prime: float, c: float, wanted: float, n_s1: int, n_s2: int) -> float:
    """Answers that would have to be different for another d' at the same c."""
    hits = abs(norm.cdf(d_prime / 2 - c) - norm.cdf(wanted / 2 - c)) * n_s2
    return float(hits + abs(norm.cdf(-d_prime / 2 - c) - norm.cdf(-wanted / 2 - c)) * n_s1)


def drawn_towards(fit: GroupFit) -> pd.DataFrame:
    """Each cell's M-ratio under the hierarchical model: ``task, model``, ``m_ratio`` with its limits."""
    one = fit.table_m_ratio
    return labels().assign(m_ratio=one.estimate, m_ratio_lower=one.lower, m_ratio_upper=one.upper)
