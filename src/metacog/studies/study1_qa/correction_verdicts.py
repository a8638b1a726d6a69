"""Sentences of the chapter on the correction, computed from its tables whichever way they fall."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from metacog.studies.study1_qa import published
from metacog.studies.study1_qa.correction import carried_over, ranks
from metacog.studies.study1_qa.latent import ASKED, Recovery
from metacog.studies.study1_qa.verdicts import BESIDE, EXPLORATORY, Verdict, listed, plural, where

#: Mean rank correlation with true efficiency from which an order counts as recovered.
ORDER = 0.95
#: Level of the permutation test of meta-I2r.
ALPHA = 0.05


def recovery_verdicts(recovery: Recovery) -> tuple[Verdict, ...]:
    """One verdict a measure: does it recover the order, and the amount, of true efficiency?"""
    rule = (
        f"the order counts as recovered if the mean rank correlation with true efficiency is at least "
        f"{ORDER}; the amount, if every observer's true ratio to the first lies in the measure's 95 % range"
    )
    return tuple(Verdict("correction", EXPLORATORY, rule, *_recovered(recovery, m)) for m in ASKED)


def _recovered(recovery: Recovery, measure: str) -> tuple[bool, str]:
    rows = recovery.of(measure)
    efficiency = rows["efficiency"].to_numpy()
    first, last = rows.iloc[0], rows.iloc[-1]
    rank = recovery.rank_correlation.set_index("measure").loc[measure]
    true = efficiency / efficiency[0]
    order = bool(rank["mean"] >= ORDER)
    covered = (rows["ratio_lower"] <= true + 1e-9) & (true - 1e-9 <= rows["ratio_upper"])
    amount = bool(covered.iloc[1:].all())
    ends = (
        f"{ASKED[measure]} goes from {first['mean']:.3f} to {last['mean']:.3f} while true efficiency goes "
        f"from {first['efficiency']:.2f} to {last['efficiency']:.2f}"
    )
    with_truth = (
        f"rank correlation with the truth {rank['mean']:.2f} [{rank['lower']:.2f}, {rank['upper']:.2f}]"
    )
    if order and amount:
        return True, f"{ends} ({with_truth}): it recovers the order and the amount."
    if order:
        return True, (
            f"{ends} ({with_truth}): it recovers the order, not the amount (the last observer's is "
            f"{last['ratio']:.2f} of the first's where the truth is {true[-1]:.2f})."
        )
    return False, f"{ends} ({with_truth}): it does not recover the order."


def shape_verdict(recovery: Recovery) -> Verdict:
    """Observers that are all fully efficient: which measures tell them apart nevertheless?"""
    moved: dict[str, str] = {}
    still: dict[str, str] = {}
    for measure, name in ASKED.items():
        rows = recovery.of(measure)
        text = f"{name} from {rows['mean'].min():.3f} to {rows['mean'].max():.3f}"
        apart = rows["lower"].max() > rows["upper"].min()
        (moved if apart else still)[measure] = text
    sentence = (
        f"All {len(recovery.observers)} answerers are fully efficient; only the shape of their confidence "
        f"differs. Tells them apart: {listed(moved.values())}. Does not: {listed(still.values())}."
    )
    rule = "a measure tells them apart if the 95 % ranges of two of them do not overlap"
    return Verdict("correction", EXPLORATORY, rule, "m_ratio" in moved, sentence)


def same_table_verdict(recovery: Recovery) -> Verdict:
    """Observers with one expected table: can anything computed from it see their efficiency?"""
    rank = recovery.rank_correlation.set_index("measure")["mean"].to_dict()
    seen = [n for m, n in ASKED.items() if rank[m] >= ORDER]
    span = recovery.of("meta_i2r")["efficiency"]
    sentence = (
        f"True efficiency runs from {span.iloc[0]:.2f} to {span.iloc[-1]:.2f} behind one and the same "
        f"expected table. Measures that see it: {listed(seen)}."
    )
    if not seen:
        sentence += (
            " No measure of the table can: each says what confidence tells about correctness, not how much "
            "of the model's hidden knowledge reaches it."
        )
    return Verdict("correction", EXPLORATORY, f"rank correlation of at least {ORDER}", not seen, sentence)


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


def line_verdict(table: pd.DataFrame, alpha: float = 0.05) -> Verdict:
    """Does a straight z-ROC, nothing else, account for each cell's M-ratio?"""
    rows = table[table["predicted_m_ratio"].notna() & table["m_ratio_lo"].notna()]
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
    rule = "the predicted M-ratio lies in the 95 % interval of the observed one"
    return Verdict("correction", BESIDE, rule, bool(inside.all()) if len(rows) else None, sentence)


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
    for r in usable.to_dict("records"):
        name = where(r["model"], r["dataset"], n_sets)
        carries = r["p_value"] <= ALPHA
        sentence = (
            f"{name}: confidence removes {100 * r['meta_i2r']:.1f} % of the uncertainty about correctness "
            f"(meta-I2r {_limits(r, 'meta_i2r')}, permutation p {_p(r['p_value'])}: "
            f"{'more than nothing' if carries else 'not told from nothing'}), and ranks a right answer above "
            f"a wrong one with probability {_limits(r, 'auroc2')}."
        )
        if r["flag"]:
            sentence += f" Rough: {r['flag']}."
        rule = f"permutation p at most {ALPHA}"
        found.append(Verdict("correction", EXPLORATORY, rule, bool(carries) if verdicts else None, sentence))
    for dataset, rows in usable.groupby("dataset", sort=False):
        if len(rows) > 1:
            found.append(_order(rows, str(dataset), verdicts))
    for r in table[table["meta_i2r"].isna()].to_dict("records"):
        text = (
            f"{where(r['model'], r['dataset'], n_sets)} cannot be measured: {r['flag'] or 'one class only'}."
        )
        found.append(Verdict("correction", EXPLORATORY, "", None, text))
    return tuple(found)


def _order(rows: pd.DataFrame, dataset: str, verdicts: bool) -> Verdict:
    by_info = list(rows.sort_values("meta_i2r", ascending=False)["model"])
    known = rows[rows["m_ratio"].notna()]
    by_ratio = list(known.sort_values("m_ratio", ascending=False)["model"])
    same = by_info == by_ratio
    best = rows.sort_values("meta_i2r", ascending=False)
    apart = bool(np.all(best["meta_i2r_lo"].to_numpy()[:-1] > best["meta_i2r_hi"].to_numpy()[1:]))
    sentence = (
        f"On {dataset}, meta-I2r orders the models {' > '.join(by_info)}"
        + ("" if apart else " (intervals overlap, so the order is not settled)")
        + f"; the M-ratio would have said {' > '.join(by_ratio) or 'nothing'}, "
        + ("which is the same here by no virtue of its own." if same else "which is not the same.")
    )
    rule = "the intervals of neighbours in the order do not overlap"
    return Verdict("correction", EXPLORATORY, rule, apart if verdicts else None, sentence)
