"""Sentences of the chapter on the correction, computed from its tables whichever way they fall."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import fisher_exact, spearmanr

from metacog.core.words import listed, plural, where
from metacog.report.rules import every, undecided, unit
from metacog.sdt.populations import confidence_population
from metacog.sdt.zroc import z_roc_mle
from metacog.studies.study1_qa import published
from metacog.studies.study1_qa.cells import Cells
from metacog.studies.study1_qa.correction import carried_over, ranks
from metacog.studies.study1_qa.flags import flagged
from metacog.studies.study1_qa.latent_verdicts import NEAR
from metacog.studies.study1_qa.verdicts import BESIDE, EXPLORATORY, Kind, Verdict

#: Level of the permutation test of meta-I2r.
ALPHA = 0.05


def ranking_verdict(
    table: pd.DataFrame, dataset: str = "triviaqa", model: str = "mistral_instruct"
) -> Verdict:
    """Where version 1 and version 2 put one model, from the published counts."""
    placed = ranks(table)
    placed = placed[placed["dataset"] == dataset]
    row = placed[placed["model"] == model].iloc[0]
    n = len(placed)
    rho = float(spearmanr(placed["m_ratio"], placed["meta_i2r"]).statistic)
    name = published.MODELS.get(model, model)
    reversed_ = row["m_ratio"] == n and row["meta_i2r"] == 1
    sentence = (
        f"On {published.DATASETS[dataset]} the M-ratio of version 1 puts {name} at rank "
        f"{int(row['m_ratio'])} of {n}; meta-I2r of version 2 puts it at rank {int(row['meta_i2r'])}. "
        f"Over the {n} models the two orders correlate at {rho:+.2f}."
    )
    rule = "version 1 ranks Mistral last and version 2 first"
    return Verdict("correction", BESIDE, rule, bool(reversed_), sentence)


def datasets_verdict(table: pd.DataFrame) -> Verdict:
    """Do the orders of models carry over from TriviaQA to Natural Questions?"""
    parts, carried = [], {}
    for measure, name in (("m_ratio", "M-ratio"), ("meta_i2r", "meta-I2r"), ("auroc2", "AUROC2")):
        rho = carried_over(table, measure)
        carried[measure] = rho
        parts.append(f"{rho:+.2f} for {name}")
    mistral = table[table["model"] == "mistral_instruct"].set_index("dataset")["m_ratio"]
    sentence = (
        f"Rank correlation of the four models between the two question sets: {listed(parts)}. "
        f"Mistral's M-ratio is {mistral['triviaqa']:.2f} on TriviaQA and {mistral['nq']:.2f} on Natural "
        "Questions."
    )
    same = [n for n, r in carried.items() if r > 1 - 1e-9]
    sentence += (
        " No measure orders the models identically on both."
        if not same
        else f" Identical on both: {listed(same)}."
    )
    passed = carried["meta_i2r"] > carried["m_ratio"]
    return Verdict("correction", BESIDE, "the order carries over better for version 2", passed, sentence)


def line_verdict(table: pd.DataFrame, alpha: float = 0.05, kind: Kind = BESIDE) -> Verdict:
    """Do the slope of a straight z-ROC and the accuracy, nothing else, account for each cell's M-ratio?

    Flagged cells stay out of the count and leave it undecided, unless another cell refutes it; where none
    is left, nothing is said of any.
    """
    rows = table[table["predicted_m_ratio"].notna() & table["m_ratio_lo"].notna() & (table["flag"] == "")]
    rule = "in every cell the predicted M-ratio lies in the 95 % interval of the observed one"
    if rows.empty:
        return Verdict("correction", kind, rule, None, "No cell is sound enough to ask this of its M-ratio.")
    inside = (rows["m_ratio_lo"] <= rows["predicted_m_ratio"]) & (
        rows["predicted_m_ratio"] <= rows["m_ratio_hi"]
    )
    n_sets = table["dataset"].nunique()
    outside = [
        f"{_cell(r, n_sets)} ({r['m_ratio']:.2f} seen, {r['predicted_m_ratio']:.2f} predicted; "
        + ("its z-ROC bends" if r["straight_p"] * len(rows) < alpha else "its z-ROC passes for straight")
        + f", p {_p(r['straight_p'])})"
        for r in rows[~inside].to_dict("records")
    ]
    sentence = (
        f"In {int(inside.sum())} of {plural(len(rows), 'cell')} the interval of the M-ratio holds the "
        "value that the slope of the z-ROC and the accuracy alone predict"
    )
    sentence += f". The rest: {listed(outside)}." if outside else "."
    units = [
        unit(_cell(r, n_sets), i in rows.index and inside[i], known=i in rows.index, flag=r["flag"])
        for i, r in zip(table.index, table.to_dict("records"), strict=True)
    ]
    return Verdict("correction", kind, rule, every(units), sentence + undecided(units))


def claim_verdict(table: pd.DataFrame, domains: Sequence[float] = ()) -> Verdict:
    """Is M-ratio pinned near 1 in the published cells, as version 2's author has it?

    Parameters
    ----------
    table : DataFrame
        Of :func:`metacog.studies.study1_qa.correction.measure_cells`.
    domains : sequence of float
        M-ratios by domain, as version 1 prints them.
    """
    rows = table[table["m_ratio"].notna()]
    rule = f"every M-ratio lies within {NEAR} of 1"
    if rows.empty:
        return Verdict("correction", BESIDE, rule, None, "There is no M-ratio that could be near 1 or not.")
    n_sets = table["dataset"].nunique()
    near = rows[(rows["m_ratio"] - 1).abs() <= NEAR]
    sentence = (
        "The author of version 2 writes that the M-ratio is pinned near 1. In the "
        f"{plural(len(rows), 'published cell')} it runs from {rows['m_ratio'].min():.2f} to "
        f"{rows['m_ratio'].max():.2f}; within {NEAR} of 1: {len(near)}"
    )
    sentence += f" ({listed(_cell(r, n_sets) for r in near.to_dict('records'))})." if len(near) else "."
    if len(domains):
        sentence += f" By domain, as version 1 prints it, from {min(domains):.2f} to {max(domains):.2f}."
    units = [
        unit(_cell(r, n_sets), abs(r["m_ratio"] - 1) <= NEAR, known=np.isfinite(r["m_ratio"]))
        for r in table.to_dict("records")
    ]
    return Verdict("correction", BESIDE, rule, every(units), sentence + undecided(units))


def bend_verdict(
    cells: Cells, dataset: str = "triviaqa", model: str = "mistral_instruct", alpha: float = 0.05
) -> Verdict:
    """Do the two lowest ratings of one cell differ in their share of right answers, as on a line?"""
    wrong, right = cells.table(model=model, dataset=dataset)
    n = wrong + right
    p = float(fisher_exact([[wrong[0], right[0]], [wrong[1], right[1]]]).pvalue)
    line = z_roc_mle(wrong, right)
    straight = confidence_population(
        line.d_a, accuracy=float(right.sum() / n.sum()), n_ratings=8, slope=line.slope
    )
    seen, meant = 100 * right / n, 100 * straight.s2 / (straight.s1 + straight.s2)
    name = where(published.MODELS.get(model, model), published.DATASETS[dataset], 2)
    sentence = (
        f"{name}: of the answers rated 1 {seen[0]:.1f} % are right and of those rated 2 {seen[1]:.1f} %, "
        f"where the straight z-ROC that fits best has {meant[0]:.1f} % and {meant[1]:.1f} %. The two ratings "
        + ("differ" if p < alpha else "are not told apart")
        + f" (exact p {_p(p)})."
    )
    rule = f"Fisher's exact test at {alpha}: ratings 1 and 2 are not told apart"
    return Verdict("correction", BESIDE, rule, p >= alpha, sentence)


def _cell(row: dict, n_datasets: int) -> str:
    model = published.MODELS.get(row["model"], row["model"])
    return where(model, published.DATASETS.get(row["dataset"], row["dataset"]), n_datasets)


def _limits(row: dict, name: str) -> str:
    """``0.712 [0.690, 0.734]``, or the estimate and that there is no interval."""
    low, high = row[f"{name}_lo"], row[f"{name}_hi"]
    ends = f"[{low:.3f}, {high:.3f}]" if np.isfinite(low) else "(no interval can be made)"
    return f"{row[name]:.3f} {ends}"


def _p(value: float) -> str:
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def own_verdicts(table: pd.DataFrame, verdicts: bool = True) -> tuple[Verdict, ...]:
    """What version 2's measures say of a run's own models, and what version 1's would have said."""
    usable = table[table["meta_i2r"].notna()]
    n_sets = table["dataset"].nunique()
    found = []
    rough = flagged(usable, padded=False)
    for r, doubtful in zip(usable.to_dict("records"), rough, strict=True):
        name = where(r["model"], r["dataset"], n_sets)
        carries = r["p_value"] <= ALPHA
        sentence = (
            f"{name}: confidence removes {100 * r['meta_i2r']:.1f} % of the uncertainty about correctness "
            f"(meta-I2r {_limits(r, 'meta_i2r')}, permutation p {_p(r['p_value'])}: "
            f"{'more than nothing' if carries else 'not told from nothing'}), and ranks a right answer above "
            f"a wrong one with probability {_limits(r, 'auroc2')}."
        )
        if doubtful:
            sentence += f" No verdict: {r['flag']}."
        rule = f"permutation p at most {ALPHA}"
        passed = True if carries and verdicts and not doubtful else None
        found.append(Verdict("correction", EXPLORATORY, rule, passed, sentence))
    for dataset, rows in usable.groupby("dataset", sort=False):
        if len(rows) > 1:
            unsure = list(rows.loc[rough[rows.index], "model"])
            unsure += list(table.loc[(table["dataset"] == dataset) & table["meta_i2r"].isna(), "model"])
            found.append(_order(rows, str(dataset), verdicts, unsure))
    for r in table[table["meta_i2r"].isna()].to_dict("records"):
        text = (
            f"{where(r['model'], r['dataset'], n_sets)} cannot be measured: {r['flag'] or 'one class only'}."
        )
        found.append(Verdict("correction", EXPLORATORY, "", None, text))
    return tuple(found)


def _order(rows: pd.DataFrame, dataset: str, verdicts: bool, unsure: Sequence[str]) -> Verdict:
    """The orders by both measures; ``unsure`` are models without a sound meta-I2r, which leave it open."""
    by_info = list(rows.sort_values("meta_i2r", ascending=False)["model"])
    known = rows[rows["m_ratio"].notna() & ~flagged(rows)]
    left = [m for m in by_info if m not in set(known["model"])]
    by_ratio = list(known.sort_values("m_ratio", ascending=False)["model"])
    same = [m for m in by_info if m not in left] == by_ratio
    best = rows.sort_values("meta_i2r", ascending=False)
    apart = bool(np.all(best["meta_i2r_lo"].to_numpy()[:-1] > best["meta_i2r_hi"].to_numpy()[1:]))
    sentence = (
        f"On {dataset}, meta-I2r orders the models {' > '.join(by_info)}"
        + ("" if apart else " (intervals overlap, so the order is not settled)")
        + f"; the M-ratio would have said {' > '.join(by_ratio) or 'nothing'}, "
        + ("which is the same." if same else "which is not the same.")
        + (f" Without a sound M-ratio: {listed(left)}." if left else "")
    )
    if unsure:
        sentence += f" Without a sound meta-I2r, so that their place is open: {listed(unsure)}."
    rule = "the intervals of all neighbours in the order do not overlap; undecided where some do"
    settled = apart and verdicts and not unsure
    return Verdict("correction", EXPLORATORY, rule, True if settled else None, sentence)
