"""What can M-ratio show for open answers, and what does version 2 measure instead? How it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed, plural
from metacog.report.tables import Column, Schema, columns_of, limits, number, text
from metacog.report.tables import answer as judged
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    AUROC2,
    COVERAGE,
    D_PRIME,
    DATASET,
    FLAG,
    M_RATIO,
    META_D,
    META_I2R,
    MODEL,
    NAMES,
    PAIR_OF_MODELS,
    N,
)
from metacog.studies.study1_qa.correction import figures
from metacog.studies.study1_qa.correction.recovery_judging import NEAR
from metacog.studies.study1_qa.ledger.published import DATASETS, MODELS

MEASURES = {"m_ratio": "M-ratio", "meta_i2r": "meta-I2r", "auroc2": "AUROC2"}


def by_information(table: pd.DataFrame) -> pd.DataFrame:
    """Models and question sets under the names readers know, most informative confidence first."""
    named = table.assign(
        model=table["model"].map(lambda m: MODELS.get(m, m)),
        dataset=table["dataset"].map(lambda d: DATASETS.get(d, d)),
    )
    return named.sort_values(["dataset", "meta_i2r"], ascending=False)


def pairs(table: pd.DataFrame) -> pd.DataFrame:
    """Pairs of models under the names readers know."""
    named = {side: table[side].map(lambda m: MODELS.get(m, m)) for side in ("model_a", "model_b")}
    return table.assign(measure=table["measure"].map(MEASURES), **named)


def trivia_by_ratio(table: pd.DataFrame) -> pd.DataFrame:
    """The cells of TriviaQA, highest M-ratio first."""
    named = by_information(table)
    return named[named["dataset"] == DATASETS["triviaqa"]].sort_values("m_ratio", ascending=False)


def _p(value: float) -> str:
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def _interval(value: float, lower: float, upper: float) -> str:
    """``0.712 [0.690, 0.734]``, or the estimate and that there is no interval."""
    return f"{value:.3f} " + (
        f"[{lower:.3f}, {upper:.3f}]" if np.isfinite(lower) else "(no interval can be made)"
    )


def ranking_sentence(verdict: Verdict) -> str:
    """Where each version puts one model."""
    v = verdict.values
    return (
        f"On {v['dataset']} the M-ratio of version 1 puts {v['model']} at rank {v['m_ratio']} of {v['n']}; "
        f"meta-I2r of version 2 puts it at rank {v['meta_i2r']}. By 95 % intervals of the differences it is shown to "
        f"lie below {v['below']} of the {v['n'] - 1} others by M-ratio, and above {v['above']} by meta-I2r."
    )


def ranking(result: Any) -> str:
    """The same, for other pages."""
    return ranking_sentence(next(v for v in result.verdicts if v.name == "ranking"))


def datasets_sentence(verdict: Verdict) -> str:
    """Which pairs of models keep their order from one question set to the other, by each measure."""
    v = verdict.values
    turned = listed(f"{one['turned']} by {MEASURES[measure]}" for measure, one in v["pairs"].items())
    n = sum(next(iter(v["pairs"].values()))[state] for state in ("kept", "turned", "open"))
    rhos = listed(f"{rho:+.2f} for {MEASURES[measure]}" for measure, rho in v["carried"].items())
    return (
        f"Of {plural(n, 'pair')} of models, these are shown to reverse their order from TriviaQA to Natural Questions: "
        f"{turned}. Each pair by its own 95 % intervals on both sets: {_carried(v['pairs'])}. Mistral's M-ratio is "
        f"{v['mistral'][0]:.2f} on TriviaQA and {v['mistral'][1]:.2f} on Natural Questions. The rank "
        f"correlations of the models between the sets, {rhos}, have exact p of {v['smallest_p']:.2f} and more."
    )


def _carried(pairs: Mapping[str, Mapping[str, Any]]) -> str:
    """How many pairs of models keep their order, turn round and are open, by each measure."""
    told = []
    for measure, one in pairs.items():
        whose = f" (all with {listed(one['all_with'])})" if one["all_with"] else ""
        told.append(
            f"by {MEASURES[measure]} {one['kept']} kept in order, {one['turned']} turned round{whose} and "
            f"{one['open']} left open"
        )
    return "; ".join(told)


def line_sentence(verdict: Verdict) -> str:
    """In how many cells slope and accuracy account for M-ratio."""
    v = verdict.values
    if not v["cells"]:
        return "No cell is sound enough to ask this of its M-ratio."
    outside = [
        f"{one['cell']} ({one['seen']:.2f} seen, {one['predicted']:.2f} predicted; its z-ROC "
        f"{'bends' if one['bends'] else 'passes for straight'}, p {_p(one['p'])})"
        for one in v["outside"]
    ]
    rest = f" The rest: {listed(outside)}." if outside else ""
    return (
        f"In {v['inside']} of {plural(v['cells'], 'cell')} the interval of the M-ratio contains the value "
        "that the slope of the z-ROC and the accuracy alone "
        f"predict.{rest}{undecided_clause(verdict.undecided)}"
    )


def claim_sentence(verdict: Verdict) -> str:
    """How near 1 the published M-ratios are."""
    v = verdict.values
    if not v["cells"]:
        return "There is no M-ratio that could be near 1 or not."
    near = f" ({listed(v['near'])})" if v["near"] else ""
    sentence = (
        "The author of version 2 writes that the M-ratio is pinned near 1. In the "
        f"{plural(v['cells'], 'published cell')} it runs from {v['range'][0]:.2f} to {v['range'][1]:.2f}; "
        f"within {NEAR} of 1: {len(v['near'])}{near}."
    )
    if v["domains"]:
        low, high = v["domains"]
        sentence += f" By domain, as version 1 prints it, from {low:.2f} to {high:.2f}."
    return sentence + undecided_clause(verdict.undecided)


def bend_sentence(verdict: Verdict) -> str:
    """Shares of right answers at the two lowest ratings, observed and on a straight line."""
    v = verdict.values
    return (
        f"{v['cell']}: of the answers rated 1 {v['seen'][0]:.1f} % are right and of those rated 2 "
        f"{v['seen'][1]:.1f} %, where the straight z-ROC that fits best has {v['line'][0]:.1f} % and "
        f"{v['line'][1]:.1f} %. The two ratings {'are not told apart' if verdict.passed else 'differ'} "
        f"(exact p {_p(v['p'])})."
    )


def information_sentence(verdict: Verdict) -> str:
    """How informative one model's confidence is."""
    v = verdict.values
    doubt = f" No verdict: {v['flag']}." if v["flag"] else ""
    return (
        f"{v['cell']}: confidence removes {100 * v['meta_i2r'][0]:.1f} % of the uncertainty about "
        f"correctness (meta-I2r {_interval(*v['meta_i2r'])}, permutation p {_p(v['p'])}: "
        f"{'more than nothing' if v['informative'] else 'not told from nothing'}), and ranks a right answer "
        f"above a wrong one with probability {_interval(*v['auroc2'])}.{doubt}"
    )


def order_sentence(verdict: Verdict) -> str:
    """The orders of the models by both measures."""
    v = verdict.values
    left = [m for m in v["by_information"] if m not in v["by_ratio"]]
    same = [m for m in v["by_information"] if m not in left] == v["by_ratio"]
    sentence = (
        f"On {v['dataset']}, meta-I2r orders the models {' > '.join(v['by_information'])}"
        + ("" if v["apart"] else " (intervals overlap, so the order is not settled)")
        + f"; the M-ratio would have given {' > '.join(v['by_ratio']) or 'nothing'}, "
        + ("which is the same." if same else "which is not the same.")
        + (f" Without a sound M-ratio: {listed(left)}." if left else "")
    )
    if v["unsure"]:
        sentence += f" Without a sound meta-I2r, so that their place is open: {listed(v['unsure'])}."
    return sentence


def unmeasured_sentence(verdict: Verdict) -> str:
    """Which model cannot be measured, and why."""
    return f"{verdict.values['cell']} cannot be measured: {verdict.values['flag'] or 'one class only'}."


SHARE = ACCURACY.titled("Share right")


def _difference(side: str, title: str) -> tuple[Column, ...]:
    return number(side, "difference", 3, title), *limits(f"{side}_lower", f"{side}_upper", title)


VERSION_TWO = columns_of(
    META_I2R,
    limits("meta_i2r_lower", "meta_i2r_upper", "meta-I2r, 95 %"),
    AUROC2,
    limits("auroc2_lower", "auroc2_upper", "AUROC2, 95 %"),
    number("z_slope", "z-ROC slope"),
    M_RATIO.titled("M-ratio (v1)"),
    COVERAGE,
)


def answer(result: Any) -> str:
    """Where each version puts one model."""
    v = next(v.values for v in result.verdicts if v.name == "ranking")
    if v["m_ratio"] == v["meta_i2r"]:
        return f"Both versions of the paper put {v['model']} at place {v['m_ratio']} of {v['n']}."
    return (
        f"The first version put {v['model']} at place {v['m_ratio']} of the paper's models, the second, by another "
        f"measure, at place {v['meta_i2r']}."
    )


VIEWS = Views(
    "correction",
    tables={
        "version_one": Schema(
            "measures",
            columns_of(MODEL, SHARE, D_PRIME, META_D, M_RATIO, limits("m_ratio_lower", "m_ratio_upper")),
            "Version 1 on TriviaQA at T = 1, recomputed from the published counts. Highest M-ratio first.",
            trivia_by_ratio,
        ),
        "version_two": Schema(
            "measures",
            columns_of(MODEL, DATASET, SHARE, VERSION_TWO),
            "Version 2's measures from the published counts at T = 1, most informative confidence first.",
            by_information,
        ),
        "pairs": Schema(
            "pairs",
            columns_of(
                text("measure", "Measure"),
                PAIR_OF_MODELS,
                _difference("first", DATASETS["triviaqa"]),
                _difference("second", DATASETS["nq"]),
                judged("kept", "Keeps its order"),
            ),
            "Model A minus model B on both question sets. A dash: an interval contains zero, so it cannot be told.",
            pairs,
        ),
    },
    figures={"cuts": figures.cuts, "slope": figures.slope, "two": figures.published_two},
    sentences={"answer": answer, "ranking": ranking},
    verdicts={
        "claim": claim_sentence,
        "line": line_sentence,
        "bend": bend_sentence,
        "ranking": ranking_sentence,
        "datasets": datasets_sentence,
    },
    claims={"line": "slope and accuracy alone give the M-ratio of every cell", "bend": ""},
)
RUN_VIEWS = Views(
    "correction_replication",
    names=NAMES,
    tables={
        "measures": Schema(
            "measures",
            columns_of(
                MODEL,
                DATASET,
                N.titled("Trials"),
                SHARE,
                VERSION_TWO,
                number("predicted_m_ratio", "M-ratio from slope and accuracy"),
                FLAG,
            ),
            "This run's models at T = 1. A flag names what makes a row rough.",
        ),
    },
    figures={"two": figures.run_two},
    verdicts={
        "information": information_sentence,
        "order": order_sentence,
        "unmeasured": unmeasured_sentence,
        "line": line_sentence,
    },
    claims={"line": "slope and accuracy alone give the M-ratio of every cell", "information": ""},
)
