"""Posteriors of the nine published tables, beside maximum likelihood and the printed table S1."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.ledger.entry import Status
from metacog.ledger.tolerances import z_bound
from metacog.measures.posterior import monte_carlo_errors, posterior_table
from metacog.sdt import fit_meta_d
from metacog.sdt.bayes import BayesFit, GroupFit, fit_bayes, fit_group
from metacog.sdt.type1 import type1
from metacog.studies.study2_two_choice import comparisons, published
from metacog.studies.study2_two_choice.chains import printed_figures
from metacog.studies.study2_two_choice.published import MODELS

#: What table S1 prints.
MEASURES = ("d_prime", "meta_d", "m_ratio")
#: Printed figures of each: a mean and two ends.
FIGURES = 3


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


def beside(cells: pd.DataFrame, judged: pd.DataFrame) -> pd.DataFrame:
    """Three figures for one: maximum likelihood, posterior and print, a row a task, model and measure.

    Parameters
    ----------
    cells : DataFrame
        As :func:`cells_of` gives it.
    judged : DataFrame
        What the ledger says of each printed figure: ``task, model, measure, column, status``.

    Returns
    -------
    DataFrame
        ``task, model, measure``; ``ml``; ``bayes, printed``, each with ``_lo`` and ``_hi``; ``off``,
        posterior less printed mean; ``off_ends``, the larger difference of the ends in size; ``matches``,
        how many of mean and ends the ledger calls a match, and ``comes_out``, whether all three.
    """
    printed = {(r.task, r.model, r.measure): r for r in rows_of(published.as_numbers("tableS1"))}
    ours = cells.set_index(["task", "model"]).to_dict("index")
    rows = []
    for cell in published.rating_cells():
        fit, one = fit_meta_d(cell.nR_S1, cell.nR_S2), ours[cell.task, cell.model]
        for measure in MEASURES:
            theirs = printed[cell.task, cell.model, measure]
            rows.append(
                {
                    "task": cell.task,
                    "model": cell.model,
                    "measure": measure,
                    "ml": getattr(fit, measure),
                    **{f"bayes{end}": one[f"{measure}{end}"] for end in ("", "_lo", "_hi")},
                    "printed": theirs.estimate,
                    "printed_lo": theirs.lower,
                    "printed_hi": theirs.upper,
                }
            )
    found = pd.DataFrame(rows)
    off = found["bayes"] - found["printed"]
    far = pd.concat([(found[f"bayes{e}"] - found[f"printed{e}"]).abs() for e in ("_lo", "_hi")], axis=1).max(
        axis=1
    )
    met = judged["status"].eq(Status.MATCH).groupby([judged[c] for c in ("task", "model", "measure")]).sum()
    places = pd.MultiIndex.from_frame(found[["task", "model", "measure"]])
    matches = met.reindex(places).to_numpy(dtype=np.int64)
    return found.assign(off=off, off_ends=far, matches=matches, comes_out=matches == FIGURES)


def table_said(both: pd.DataFrame) -> str:
    """How many printed figures the ledger calls a match, in which cells all, and how far off those lie."""
    whole = both.groupby(["task", "model"], sort=False)["comes_out"].all()
    kept = both.set_index(["task", "model"]).loc[whole[whole].index]
    said = (
        f"Of {plural(FIGURES * len(both), 'printed figure')} {int(both['matches'].sum())} match as the "
        "ledger judges them: by the last printed digit and the Monte-Carlo errors of both sides, the "
        f"paper's from chains like its own. In {int(whole.sum())} of {len(whole)} cells all means and "
        "ends of d', meta-d' and M-ratio do"
    )
    if len(kept):
        said += (
            f": there the furthest mean is {kept['off'].abs().max():.4f} off and the furthest end "
            f"{kept['off_ends'].max():.4f}"
        )
    rest = [f"{MODELS[model]} on task {task}" for task, model in whole[~whole].index]
    return said + (f". Not so {listed(rest)}." if rest else ".")


def likelihood_said(both: pd.DataFrame) -> str:
    """How far posterior means lie from maximum likelihood, in halves of the posterior's interval."""
    half = (both["bayes_hi"] - both["bayes_lo"]) / 2
    shift = ((both["bayes"] - both["ml"]) / half).abs()
    row = rows_of(both)[int(shift.to_numpy().argmax())]
    words = {"d_prime": "d'", "meta_d": "meta-d'", "m_ratio": "M-ratio"}
    return (
        f"Posterior means and maximum likelihood differ by at most {shift.max():.2f} of half an interval: "
        f"{words[row.measure]} of {MODELS[row.model]} on task {row.task}, {row.bayes:.3f} and {row.ml:.3f}."
        " The fits differ in what they hold: maximum likelihood scales the criterion by "
        "meta-d'/d', the posterior does not, and it has priors."
    )


def evidence_said(both: pd.DataFrame, fit: BayesFit) -> str:
    """For each cell whose printed d' does not come out: what the counts give, and what of it agrees."""
    said = []
    d_prime = both[(both["measure"] == "d_prime") & ~both["comes_out"]]
    for row in rows_of(d_prime):
        wide = both[(both["task"] == row.task) & (both["model"] == row.model)].set_index("measure")
        said.append(_evidence(row, wide.to_dict("index"), fit))
    return " ".join(said) if said else "Every printed d' follows from the published counts."


def _evidence(row: object, wide: Mapping[object, Mapping[object, float]], fit: BayesFit) -> str:
    task, model = row.task, row.model  # type: ignore[attr-defined]
    place = [(c.task, c.model) for c in published.rating_cells()].index((task, model))
    cell, d = published.rating_cells()[place], wide["d_prime"]
    one, draws = type1(cell.nR_S1, cell.nR_S2), fit.draws("d_prime")[place]
    side = draws <= d["printed"] if d["printed"] < d["bayes"] else draws >= d["printed"]
    own = wide["meta_d"]["printed"] / d["printed"]
    agrees = abs(own - wide["m_ratio"]["printed"]) <= 1e-3
    inside = wide["meta_d"]["bayes_lo"] <= wide["meta_d"]["printed"] <= wide["meta_d"]["bayes_hi"]
    moved = _moved(one.d_prime, one.c, d["printed"], cell.nR_S1.sum(), cell.nR_S2.sum())
    return (
        f"{MODELS[model]} on task {task}: z(hits) less z(false alarms) of the published counts is "
        f"{one.d_prime:.4f} and the posterior mean {d['bayes']:.4f}; printed is {d['printed']:.4f} with an "
        f"interval from {d['printed_lo']:.3f} to {d['printed_hi']:.3f}. Of {plural(draws.size, 'draw')} "
        f"{int(side.sum()):,} lie as far out as the printed mean. For it {moved:,.0f} of "
        f"{cell.nR_S1.sum() + cell.nR_S2.sum():,} answers would have to be otherwise. The printed row "
        f"{'agrees' if agrees else 'does not agree'} with itself (meta-d'/d' {own:.3f}, M-ratio "
        f"{wide['m_ratio']['printed']:.3f}), and its meta-d' {wide['meta_d']['printed']:.3f} lies "
        f"{'inside' if inside else 'outside'} our interval. So the printed d' is not that of the published "
        f"counts. {_sampler_said(task, model, d['bayes'], d['printed'])}"
    )


def _sampler_said(task: str, model: str, ours: float, printed: float) -> str:
    """Whether chains like the paper's, which may not have forgotten their start, lie towards the print."""
    chains = printed_figures()[task, model, "d_prime", "estimate"]
    moved = chains.mean - ours
    share = moved / (printed - ours)
    said = f"Chains like the paper's give {chains.mean:.4f} on average"
    if share > 0 and abs(moved) > z_bound(len(labels())) * chains.spread:
        return (
            f"{said}, {100 * share:.0f} % of the way from the posterior mean to the print: they are too "
            "short to forget where they began, which may be the reason."
        )
    return f"{said}, so the sampler is not the reason; from which counts it was made cannot be told here."


def _moved(d_prime: float, c: float, wanted: float, n_s1: int, n_s2: int) -> float:
    """Answers that would have to be otherwise for another d' at the same c."""
    hits = abs(norm.cdf(d_prime / 2 - c) - norm.cdf(wanted / 2 - c)) * n_s2
    return float(hits + abs(norm.cdf(-d_prime / 2 - c) - norm.cdf(-wanted / 2 - c)) * n_s1)


def drawn_towards(fit: GroupFit) -> pd.DataFrame:
    """Each cell's M-ratio under the hierarchical model: ``task, model, m_ratio, m_ratio_lo, m_ratio_hi``."""
    one = fit.table_m_ratio
    return labels().assign(m_ratio=one.estimate, m_ratio_lo=one.lower, m_ratio_hi=one.upper)


def group_said(table: pd.DataFrame, sound: bool) -> str:
    """What the hierarchical model says of each task.

    Parameters
    ----------
    table : DataFrame
        As :func:`metacog.measures.posterior.group_table` gives it.
    sound : bool
        Whether it was sampled well.
    """
    groups = rows_of(table)
    parts = [
        f"{g.m_ratio:.2f} on task {g.condition} ({g.m_ratio_lo:.2f} to {g.m_ratio_hi:.2f}, *{g.said}*)"
        for g in groups
    ]
    one = groups[0]
    before = "The" if sound else "Not to be relied on, because the sampling is not sound: the"
    return (
        f"{before} group's M-ratio is {listed(parts)}. log M-ratio spreads within a task by "
        f"{one.sigma:.2f} ({one.sigma_lo:.2f} to {one.sigma_hi:.2f}). A group of "
        f"{plural(int(one.tables), 'model')} says little of models that are not in it."
    )
