"""Do two measures rank the models alike? How it is shown."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.drawing import drawing
from metacog.report.style import WIDTH
from metacog.report.tables import Schema, columns_of, count, number, text
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.auroc2.judging import RULE_RANKS
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    AUROC2,
    DATASET,
    DOMAIN,
    FLAG,
    M_RATIO,
    META_I2R,
    MODEL,
    NAMES,
    PUBLISHED_FORM,
    comparison,
)
from metacog.studies.study1_qa.cells.figures import model_looks
from metacog.studies.study1_qa.ledger.published import DATASETS, MAIN


@drawing(
    name="fig-auroc2-ranks",
    caption=(
        "M-ratio (left) and meta-I2r (right) against AUROC2: above, the paper's models on TriviaQA from its "
        "counts; below, this run's. Points that climb together agree; the left panel above shows why version "
        "1 spoke of opposite rankings."
    ),
)
def ranks(result: Any) -> Figure:
    """Scatter of M-ratio and meta-I2r against AUROC2."""
    published = result.published_ranks[result.published_ranks["dataset"] == DATASETS[MAIN]]
    panels = {"published": published, "this run": result.ranks}
    figure = Figure(figsize=(WIDTH, 3.9 * len(panels)), layout="constrained")
    parts = figure.subfigures(len(panels), 1, squeeze=False)[:, 0]
    for part, (title, frame) in zip(parts, panels.items(), strict=True):
        style = model_looks(frame["model"])
        axes = part.subplots(1, 2)
        for axis, measure, name in zip(axes, ("m_ratio", "meta_i2r"), ("M-ratio", "meta-I2r"), strict=True):
            for row in rows_of(frame):
                value = getattr(row, measure)
                axis.plot(row.auroc2, value, ls="none", ms=9, label=row.model, **style[row.model])
            axis.set_xlabel("AUROC2")
            axis.set_ylabel(name)
            axis.margins(0.2)
        handles, labels = axes[0].get_legend_handles_labels()
        part.legend(handles, labels, loc="outside upper left", ncols=2, title=title, alignment="left")
    return figure


def order_sentence(verdict: Verdict) -> str:
    """Whether both measures order the models alike."""
    v = verdict.values
    n, rho = v["n_models"], v["rho"]
    if n < 2 or rho != rho:
        return "Ranks need at least two models."
    how = "the same order" if rho > 1 - 1e-9 else "opposite orders" if rho < -1 + 1e-9 else "different orders"
    sentence = (
        f"On {v['dataset']} AUROC2 and M-ratio put {plural(n, 'model')} in {how} (rho = {rho:.2f}, "
        f"exact p = {v['p_exact']:.2f}; no p below {v['smallest_p']:.2f} is possible with so few)."
    )
    return sentence + (f" {plural(v['of'] - n, 'model')} cannot be placed." if n < v["of"] else "")


def domains_sentence(verdict: Verdict) -> str:
    """Which domains are highest and lowest by meta-I2r, and which others could be."""
    parts = [
        f"{one['model']}: {one['highest']} ({one['highest_value']:.3f}) highest, {one['lowest']} "
        f"({one['lowest_value']:.3f}) lowest of {one['domains']}; "
        f"{plural(one['may_be_highest'], 'domain')} could be the highest and "
        f"{plural(one['may_be_lowest'], 'domain')} the lowest"
        for one in verdict.values["models"]
    ]
    if not parts:
        return "No model has two domains with enough trials."
    return f"The highest and the lowest domain by meta-I2r. {'; '.join(parts)}."


def published_sentence(verdict: Verdict) -> str:
    """Rank correlations of the published models, and of the run's."""
    v = verdict.values
    it = f"it is {v['run']:.2f}" if v["run"] == v["run"] else "it cannot be told"
    run = f" Over this run's {plural(v['n_run'], 'model')} {it}."
    return (
        f"Over the published models rho of AUROC2 and M-ratio is {v['printed']:.2f} with the printed AUROC2 "
        f"and {v['recomputed']:.2f} with that of the counts; 'fully inverted' would be -1.{run}"
    )


RANKS = (
    number("auroc2_rank", "AUROC2 rank", 1),
    number("m_ratio_rank", "M-ratio rank", 1),
    number("meta_i2r_rank", "meta-I2r rank", 1),
)
CORRELATIONS = columns_of(
    DATASET,
    text("pair", "Measures"),
    number("rho", "rho"),
    number("p_exact", "Exact p"),
    count("n_models", "Models"),
    number("smallest_p", "Smallest p"),
)


def answer(result: Any) -> str:
    """On how many of the paper's question sets two measures order its models alike, and whether chance could."""
    table = result.published_correlations
    rhos = [rows["AUROC2 and M-ratio"] for _, rows in _by_dataset(table)]
    alike = sum(rho > 0 for rho in rhos)
    chance = table["smallest_p"].min() > LEVEL
    tail = "; with so few models chance could bring about any order" if chance else ""
    sets = plural(len(rhos), "question set")
    return f"M-ratio and AUROC2 order the paper's models alike on {alike} of {sets}{tail}."


def _by_dataset(table: pd.DataFrame) -> list[tuple[str, pd.Series]]:
    """Rank correlations by pair of measures, one series for each question set."""
    groups = table.groupby("dataset", sort=False)
    return [(str(dataset), rows.set_index("pair")["rho"]) for dataset, rows in groups]


def _claim(verdict: Verdict) -> str:
    """What a verdict on two orders claims: of whose models, and on which questions."""
    whose = "this run's" if verdict.topic == "run" else "the paper's"
    return f"AUROC2 and M-ratio rank {whose} models alike on {verdict.values['dataset']}"


#: Level of a test.
LEVEL = 0.05

VIEWS = Views(
    "auroc2",
    names=NAMES,
    tables={
        "ranks": Schema(
            "ranks",
            columns_of(
                MODEL,
                ACCURACY,
                AUROC2,
                number("auroc2_ratings", "AUROC2 of ratings"),
                M_RATIO,
                META_I2R,
                RANKS,
                FLAG,
            ),
            "This run at T = 1: AUROC2 of raw NLP and of the eight ratings, M-ratio and meta-I2r.",
        ),
        "correlations": Schema("correlations", CORRELATIONS, "Rank correlations of this run's models."),
        "domains": Schema(
            "domains",
            columns_of(MODEL, DOMAIN, PUBLISHED_FORM),
            "Version 2's measures by domain.",
            empty="The questions of this run have no domains.",
        ),
        "comparison": comparison(MODEL, AUROC2, M_RATIO, RANKS[:2], META_I2R, RANKS[2]),
        "published": Schema(
            "published_correlations",
            CORRELATIONS,
            "Rank correlations of the published models on both question sets.",
        ),
    },
    figures={"ranks": ranks},
    sentences={"answer": answer},
    verdicts={"order": order_sentence, "domains": domains_sentence, "published": published_sentence},
    claims={"order": _claim, "domains": "", "published": ""},
    rules={"ranks": RULE_RANKS},
)
