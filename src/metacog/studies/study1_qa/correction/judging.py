"""What the tables of both versions decide: of the published models, and of a run's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import fisher_exact

from metacog.core.frames import rows_of
from metacog.report.rules import judged, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.simulate import confidence_population
from metacog.sdt.zroc import z_roc_mle
from metacog.studies.study1_qa.cells.counts import Cells, cell_name
from metacog.studies.study1_qa.cells.flags import flagged
from metacog.studies.study1_qa.correction.measures import carried_over, ranks
from metacog.studies.study1_qa.correction.recovery_judging import NEAR
from metacog.studies.study1_qa.ledger import published

#: Level of the permutation test of meta-I2r.
ALPHA = 0.05


def _verdict(name: str, kind: Kind, rule: str, passed: bool | None, **values: Any) -> Verdict:
    return Verdict("correction", kind, rule, passed, topic=name, name=name, values=values)


def _cell(row: Mapping[Any, Any], n_datasets: int) -> str:
    model = published.MODELS.get(row["model"], row["model"])
    return cell_name(model, published.DATASETS.get(row["dataset"], row["dataset"]), n_datasets)


def judge_ranking(
    table: pd.DataFrame, pairs: pd.DataFrame, dataset: str = "triviaqa", model: str = "mistral_instruct"
) -> Verdict:
    """Where version 1 and version 2 put one model, from the published counts.

    Its values: the model's place by each measure, and from how many others it is shown to differ as its place says
    (``below`` by M-ratio, ``above`` by meta-I2r).

    Parameters
    ----------
    table, pairs : DataFrame
        As of :func:`.measures.measure_cells` and :func:`.carried.pairs`, whose first question set is ``dataset``.
    """
    placed = ranks(table)
    placed = placed[placed["dataset"] == dataset]
    row = placed[placed["model"] == model].iloc[0]
    n = len(placed)
    return _verdict(
        "ranking",
        Kind.PUBLISHED,
        "version 1 ranks Mistral last and version 2 first",
        bool(row["m_ratio"] == n and row["meta_i2r"] == 1),
        model=published.MODELS.get(model, model),
        dataset=published.DATASETS[dataset],
        n=n,
        m_ratio=int(row["m_ratio"]),
        meta_i2r=int(row["meta_i2r"]),
        auroc2=int(row["auroc2"]),
        below=_shown(pairs, model, "m_ratio", -1),
        above=_shown(pairs, model, "meta_i2r", 1),
    )


def _shown(pairs: pd.DataFrame, model: str, measure: str, sign: int) -> int:
    """From how many others a model's difference on the first question set has an interval on this side of zero."""
    own = pairs[pairs["measure"] == measure]
    first = np.where(own["first_lower"] > 0, 1, np.where(own["first_upper"] < 0, -1, 0))
    return int(((own["model_a"] == model) & (first == sign)).sum()) + int(
        ((own["model_b"] == model) & (first == -sign)).sum()
    )


def describe_datasets(table: pd.DataFrame, pairs: pd.DataFrame) -> Verdict:
    """Which pairs of models keep their order from TriviaQA to Natural Questions? Judges nothing.

    Its values: by measure how many pairs are ``kept``, ``turned`` (and the model that is in all of these, if there
    is one) and ``open``; and the rank correlations with the smallest exact p, which of four models show nothing.

    Parameters
    ----------
    table, pairs : DataFrame
        As of :func:`.measures.measure_cells` and :func:`.carried.pairs`.
    """
    by_measure = {}
    for measure, own in pairs.groupby("measure", sort=False):
        turned = [{r.model_a, r.model_b} for r in rows_of(own) if r.kept is False]
        common = set.intersection(*turned) if len(turned) > 1 else set()
        by_measure[str(measure)] = {
            "kept": sum(r.kept is True for r in rows_of(own)),
            "turned": len(turned),
            "open": sum(r.kept is None for r in rows_of(own)),
            "all_with": [published.MODELS.get(model, model) for model in sorted(common)],
        }
    tests = {measure: carried_over(table, measure) for measure in by_measure}
    mistral = table[table["model"] == "mistral_instruct"].set_index("dataset")["m_ratio"]
    return _verdict(
        "datasets",
        Kind.PUBLISHED,
        "pairs of models whose difference has a 95 % interval without zero on both question sets",
        None,
        pairs=by_measure,
        carried={measure: rho for measure, (rho, _) in tests.items()},
        smallest_p=min(p for _, p in tests.values()),
        mistral=[float(mistral["triviaqa"]), float(mistral["nq"])],
    )


def judge_line(table: pd.DataFrame, alpha: float = 0.05, kind: Kind = Kind.PUBLISHED) -> Verdict:
    """Do the slope of a straight z-ROC and the accuracy, nothing else, account for each cell's M-ratio?

    Flagged cells stay out of the count and leave it undecided, unless another cell refutes it.
    """
    rows = table[table["predicted_m_ratio"].notna() & table["m_ratio_lower"].notna() & (table["flag"] == "")]
    inside = (rows["m_ratio_lower"] <= rows["predicted_m_ratio"]) & (
        rows["predicted_m_ratio"] <= rows["m_ratio_upper"]
    )
    n_sets = table["dataset"].nunique()
    outside = [
        {
            "cell": _cell(r, n_sets),
            "seen": r["m_ratio"],
            "predicted": r["predicted_m_ratio"],
            "bends": r["straight_p"] * len(rows) < alpha,
            "p": r["straight_p"],
        }
        for r in rows[~inside].to_dict("records")
    ]
    units = [
        unit(_cell(r, n_sets), i in rows.index and inside[i], known=i in rows.index, flag=r["flag"])
        for i, r in zip(table.index, table.to_dict("records"), strict=True)
    ]
    return judged(
        units,
        "correction",
        kind,
        "in every cell the predicted M-ratio lies in the 95 % interval of the observed one",
        name="line",
        topic="line",
        cells=len(rows),
        inside=int(inside.sum()),
        outside=outside,
    )


def judge_claim(table: pd.DataFrame, domains: Sequence[float] = ()) -> Verdict:
    """Is M-ratio pinned near 1 in the published cells, as version 2's author writes?

    Parameters
    ----------
    table : DataFrame
        Of :func:`metacog.studies.study1_qa.correction.measures.measure_cells`.
    domains : sequence of float
        M-ratios by domain, as version 1 prints them.
    """
    rows = table[table["m_ratio"].notna()]
    n_sets = table["dataset"].nunique()
    near = rows[(rows["m_ratio"] - 1).abs() <= NEAR]
    units = [
        unit(_cell(r, n_sets), abs(r["m_ratio"] - 1) <= NEAR, known=np.isfinite(r["m_ratio"]))
        for r in table.to_dict("records")
    ]
    return judged(
        units,
        "correction",
        Kind.PUBLISHED,
        f"every M-ratio lies within {NEAR} of 1",
        name="claim",
        topic="claim",
        cells=len(rows),
        range=[float(rows["m_ratio"].min()), float(rows["m_ratio"].max())],
        near=[_cell(r, n_sets) for r in near.to_dict("records")],
        domains=[min(domains), max(domains)] if len(domains) else None,
    )


def judge_bend(
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
    return _verdict(
        "bend",
        Kind.PUBLISHED,
        f"Fisher's exact test at {alpha}: ratings 1 and 2 are not told apart",
        p >= alpha,
        cell=_cell({"model": model, "dataset": dataset}, 2),
        seen=seen[:2].tolist(),
        line=meant[:2].tolist(),
        p=p,
    ).under("line")


def judge_run(table: pd.DataFrame, verdicts: bool = True) -> tuple[Verdict, ...]:
    """What version 2's measures show for a run's models, and what version 1's would have shown."""
    usable = table[table["meta_i2r"].notna()]
    n_sets = table["dataset"].nunique()
    drawn = []
    rough = flagged(usable, padded=False)
    for r, doubtful in zip(usable.to_dict("records"), rough, strict=True):
        informative = r["p_value"] <= ALPHA
        one = _verdict(
            "information",
            Kind.EXPLORATORY,
            f"permutation p at most {ALPHA}",
            True if informative and verdicts and not doubtful else None,
            cell=cell_name(r["model"], r["dataset"], n_sets),
            informative=informative,
            p=r["p_value"],
            meta_i2r=[r[f"meta_i2r{end}"] for end in ("", "_lower", "_upper")],
            auroc2=[r[f"auroc2{end}"] for end in ("", "_lower", "_upper")],
            flag=r["flag"] if doubtful else "",
        )
        drawn.append(one)
    for dataset, rows in usable.groupby("dataset", sort=False):
        if len(rows) > 1:
            unsure = list(rows.loc[rough[rows.index], "model"])
            unsure += list(table.loc[(table["dataset"] == dataset) & table["meta_i2r"].isna(), "model"])
            drawn.append(_judge_order(rows, str(dataset), verdicts, unsure))
    for r in table[table["meta_i2r"].isna()].to_dict("records"):
        cell = cell_name(r["model"], r["dataset"], n_sets)
        drawn.append(_verdict("unmeasured", Kind.EXPLORATORY, "", None, cell=cell, flag=r["flag"]))
    return tuple(v.under("run") for v in drawn)


def _judge_order(rows: pd.DataFrame, dataset: str, verdicts: bool, unsure: Sequence[str]) -> Verdict:
    """The orders by both measures; ``unsure`` are models without a sound meta-I2r, which leave it open."""
    best = rows.sort_values("meta_i2r", ascending=False)
    known = rows[rows["m_ratio"].notna() & ~flagged(rows)]
    apart = bool(np.all(best["meta_i2r_lower"].to_numpy()[:-1] > best["meta_i2r_upper"].to_numpy()[1:]))
    return _verdict(
        "order",
        Kind.EXPLORATORY,
        "the intervals of all neighbours in the order do not overlap; undecided where some do",
        True if apart and verdicts and not unsure else None,
        dataset=dataset,
        by_information=best["model"].tolist(),
        by_ratio=known.sort_values("m_ratio", ascending=False)["model"].tolist(),
        apart=apart,
        unsure=list(unsure),
    )
