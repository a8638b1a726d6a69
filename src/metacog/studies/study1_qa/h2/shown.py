"""H2: does M-ratio differ between domains? How it is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MultipleLocator

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.level_table import LEVELS
from metacog.report.style import GREY, legend_above, new_axes
from metacog.report.tables import Schema, columns_of, limits, number, text
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import (
    ACCURACY,
    AUROC2,
    D_PRIME,
    DIFFERENCE,
    DOMAIN,
    FLAG,
    LIMITS,
    M_RATIO,
    META_D,
    META_I2R,
    MODEL,
    NAMES,
    P_HOLM,
    PAIR_OF_DOMAINS,
    RATIO_LIMITS,
    N,
    comparison,
    where,
)
from metacog.studies.study1_qa.cells.comparison import PUBLISHED
from metacog.studies.study1_qa.cells.figures import forest, model_looks
from metacog.studies.study1_qa.cells.flags import flagged
from metacog.studies.study1_qa.cells.sentences import silent_in
from metacog.studies.study1_qa.h2.judging import NEEDED_MODELS, RULE, UNPADDED

NO_DOMAINS = "This run has fewer than two domains."


def _order(domains: pd.Series) -> list[str]:
    """Domains from top to bottom, the same in every figure of the page."""
    return sorted(domains.unique())


@drawing(
    name="fig-h2-domains",
    caption=(
        "Three measures by domain, with 95 % intervals. Look first at how wide the top intervals are: "
        "M-ratio is a ratio of two noisy numbers. Then ask whether the order of domains is the same in all "
        "three panels; where it is not, the measure decides, not the domain. Hollow: flagged, which decides nothing."
    ),
    alt="M-ratio, AUROC2 and meta-I2r by domain for each model",
)
def domains(result: Any) -> Figure:
    """M-ratio, AUROC2 and meta-I2r by domain, one panel each, one look per model."""
    table = result.domains
    usable = table[table["m_ratio"].notna()]
    rows = usable if len(usable) else table
    style = model_looks(table["model"])
    figure, axes = new_axes(3, 1, height=1.0 + 0.42 * table["domain"].nunique())
    panels = (
        ("m_ratio", "m_ratio_lower", "m_ratio_upper", "M-ratio (version 1)", 1),
        ("auroc2", "auroc2_lower", "auroc2_upper", "AUROC2", 0.5),
        ("meta_i2r", "meta_i2r_lower", "meta_i2r_upper", "meta-I2r (version 2)", 0),
    )
    for axis, (value, low, high, title, reference) in zip(axes, panels, strict=True):
        ends = {"low": low, "high": high, "hollow": "flagged"}
        marked = rows.assign(flagged=flagged(rows, padded=value not in UNPADDED))
        forest(axis, marked, "domain", "model", value=value, **ends, style=style, rows=_order(rows["domain"]))
        axis.set_xlabel(title)
        axis.axvline(reference, color=GREY, lw=1.2, ls="--")
    legend_above(figure, axes[0])
    return figure


@drawing(
    name="fig-h2-areas",
    caption=(
        "AUROC2 by domain: of the paper's models with the 95 % intervals that version 2 prints, and of this run's "
        "models with ours. Confidence that knows nothing lies at the dashed line. Domains differ where intervals keep "
        "apart; whether they differ alike in every model is seen from left to right."
    ),
    alt="AUROC2 by domain of the paper's models and of this run's",
)
def areas(result: Any) -> Figure:
    """AUROC2 by domain, one panel for the paper's models and one for the run's."""
    printed = result.comparison[result.comparison["source"] == PUBLISHED]
    panels = {"the paper's models": printed, "this run": result.domains[result.domains["auroc2"].notna()]}
    lines = _order(pd.concat([rows["domain"] for rows in panels.values()]))
    figure, axes = new_axes(1, 2, height=2.2 + 0.4 * len(lines), sharex=True)
    for axis, (title, rows) in zip(axes, panels.items(), strict=True):
        ends, style = {"low": "auroc2_lower", "high": "auroc2_upper"}, model_looks(rows["model"])
        forest(axis, rows, "domain", "model", value="auroc2", **ends, style=style, rows=lines)
        axis.axvline(0.5, color=GREY, lw=1.2, ls="--")
        axis.set_xlabel("AUROC2")
        axis.set_title(title, loc="left")
        axis.xaxis.set_major_locator(MultipleLocator(0.1))
        keys = [Line2D([], [], ls="none", ms=7, label=model, **look) for model, look in style.items()]
        if keys:
            axis.legend(handles=keys, loc="upper center", bbox_to_anchor=(0.4, -0.25), fontsize=9)
    axes[1].tick_params(labelleft=False)
    return figure


def _left_out(verdict: Verdict) -> str:
    n = verdict.values["flagged"]
    return f" {plural(n, 'pair')} with a flagged domain left out." if n else ""


def _open(verdict: Verdict) -> str:
    """Who is undecided, and how many pairs were left out."""
    return undecided_clause(verdict.undecided) + _left_out(verdict)


def _models(names: Sequence[str]) -> str:
    return listed(names) if names else "no model"


def difference_sentence(verdict: Verdict) -> str:
    """How many differences exclude zero, and how often the rule would pass by chance."""
    v = verdict.values
    if v["n_models"] < NEEDED_MODELS:
        needed = f"The rule needs {NEEDED_MODELS} models with domains"
        return f"{needed}; this run has {v['n_models']}.{_open(verdict)}"
    start = (
        f"{v['differ']} of {plural(v['usable'], 'usable difference')} of M-ratio exclude zero at 95 %, in "
        f"{_models(v['models'])}"
        if v["usable"]
        else "No difference of M-ratio can be used"
    )
    sentence = f"{start}: H2 is {OUTCOME[verdict.passed]} by its own rule.{_open(verdict)}"
    if np.isfinite(v["chance"]):
        sentence += (
            f" If no model's domains differed, this rule would pass with probability {v['chance']:.2f} on "
            "the pairs that can be used."
        )
    return sentence


def holm_sentence(verdict: Verdict) -> str:
    """How many differences of M-ratio remain after each correction."""
    v = verdict.values
    if not v["usable"]:
        return f"No pair can be compared.{_open(verdict)}"
    remain = [
        f"{v[way]} (in {listed(v[f'{way}_models'])})" if v[way] else "none" for way in ("bonferroni", "holm")
    ]
    return (
        f"After Bonferroni {remain[0]} and after Holm {remain[1]} of {plural(v['usable'], 'pair')} remain."
        f"{_open(verdict)}"
    )


def unpadded_sentence(verdict: Verdict) -> str:
    """How many differences of measures without padding remain after Holm."""
    v = verdict.values
    if not any(m["usable"] for m in v["measures"]):
        return f"No pair can be compared.{_open(verdict)}"
    parts = [
        f"{m['differ']} of {plural(m['usable'], 'usable difference')} of {UNPADDED[m['measure']]}"
        + (f" (in {listed(m['models'])})" if m["models"] else "")
        for m in v["measures"]
    ]
    return f"After Holm there remain {listed(parts)}. All three in {_models(v['in_all'])}.{_open(verdict)}"


def published_sentence(verdict: Verdict) -> str:
    """Which domains are lowest by M-ratio and by meta-I2r, published and in the run."""
    lowest = {one["source"]: one for one in verdict.values["lowest"]}
    ratio, information = lowest[PUBLISHED]["m_ratio"], lowest[PUBLISHED]["meta_i2r"]
    both = [model for model in ratio if model in information]
    same = sum(ratio[model] == information[model] for model in both)
    told = [
        f"In print M-ratio and meta-I2r name the same lowest domain in {same} of {plural(len(both), 'model')}."
    ]
    for source, one in lowest.items():
        where = "In print" if source == PUBLISHED else "In this run"
        told.append(
            f"{where}, lowest by M-ratio: {_counted(one['m_ratio'])}; by meta-I2r: {_counted(one['meta_i2r'])}."
        )
    return " ".join(told)


def _counted(lowest: Mapping[str, str]) -> str:
    """In how many models each domain is the lowest."""
    if not lowest:
        return "no model has two domains that can be compared"
    parts = [f"{domain} in {n}" for domain, n in Counter(lowest.values()).most_common()]
    return f"{listed(parts)} of {plural(len(lowest), 'model')}"


def unpadded(frame: pd.DataFrame) -> pd.DataFrame:
    """Pairs on measures without padding, under the names readers know."""
    rows = frame[frame["measure"].isin(list(UNPADDED))]
    return rows.assign(measure=rows["measure"].map(UNPADDED))


def _lowest_apart(printed: pd.DataFrame) -> list[str]:
    """Models whose lowest AUROC2 has an interval wholly below those of all their other domains."""
    found = []
    for model, own in printed.dropna(subset=["auroc2"]).groupby("model", sort=False):
        lowest, *others = rows_of(own.sort_values("auroc2", kind="stable"))
        if others and all(one.auroc2_lower > lowest.auroc2_upper for one in others):
            found.append(str(model))
    return found


def answer(result: Any) -> str:
    """Whether confidence tells right from wrong better in some subjects than in others, in this run."""
    if result.pairs.empty:
        return NO_DOMAINS
    areas = result.pairs[result.pairs["measure"] == "auroc2"]
    usable = areas[~areas["flagged"].astype(bool) & areas["lower"].notna()]
    if usable.empty:
        silent = silent_in(result.domains)
        if len(silent) == result.domains["model"].nunique():
            return "It cannot be told from this run, because no confidence could be read."
        return "It cannot be told from this run: no two subjects have enough right and wrong answers."
    differ = int((usable["p_holm"] < 0.05).sum())
    of = plural(len(usable), "difference")
    about = "between subjects in how well confidence tells right from wrong"
    if not differ:
        return f"Not shown: of {of} {about}, none is larger than chance allows."
    return f"Yes: of {of} {about}, {differ} {'is' if differ == 1 else 'are'} larger than chance allows."


def printed(result: Any) -> str:
    """What the paper's printed intervals say of the same."""
    theirs = result.comparison[result.comparison["source"] == PUBLISHED]
    return (
        f"By the printed intervals, {len(_lowest_apart(theirs)) or 'none'} of the paper's "
        f"{plural(theirs['model'].nunique(), 'model')} has a subject that lies below all others."
    )


VIEWS = Views(
    "h2",
    names=NAMES,
    tables={
        "domains": Schema(
            "domains",
            columns_of(MODEL, DOMAIN, N, ACCURACY, D_PRIME, META_D, M_RATIO, RATIO_LIMITS, FLAG),
            "M-ratio by domain at T = 1.",
        ),
        "pairs": Schema(
            "pairs",
            columns_of(MODEL, PAIR_OF_DOMAINS, DIFFERENCE, LIMITS, number("p", "p", 4), P_HOLM),
            "Pairwise differences of M-ratio.",
            where("measure", "m_ratio"),
            empty=NO_DOMAINS,
        ),
        "unpadded": Schema(
            "pairs",
            columns_of(text("measure", "Measure"), MODEL, PAIR_OF_DOMAINS, DIFFERENCE, LIMITS, P_HOLM),
            "The same pairs on AUROC2 and meta-I2r, which take no padding.",
            unpadded,
            empty=NO_DOMAINS,
        ),
        "standardised": Schema(
            "domains",
            columns_of(
                MODEL,
                DOMAIN,
                N,
                ACCURACY,
                META_I2R,
                limits("meta_i2r_lower", "meta_i2r_upper"),
                number("meta_i2r_standardised", "meta-I2r at one accuracy"),
                limits("meta_i2r_standardised_lower", "meta_i2r_standardised_upper", "95 % "),
            ),
            "meta-I2r by domain, as it is and at the accuracy of the model over all domains.",
        ),
        "by_accuracy": Schema(
            "by_accuracy",
            columns_of(number("accuracy", "Accuracy", 2), number("d_a", "dₐ", 2), META_I2R),
            "What accuracy alone does: equal-variance Gaussian confidence of one separation, eight ratings.",
            empty="No domain of this run has both right and wrong answers.",
        ),
        "levels": LEVELS,
        "comparison": comparison(
            MODEL,
            DOMAIN,
            M_RATIO,
            AUROC2,
            limits("auroc2_lower", "auroc2_upper", "AUROC2, 95 %"),
            META_I2R,
            FLAG,
        ),
    },
    figures={"areas": areas, "domains": domains},
    sentences={"answer": answer, "printed": printed},
    verdicts={
        "difference": difference_sentence,
        "holm": holm_sentence,
        "unpadded": unpadded_sentence,
        "published": published_sentence,
    },
    claims={
        "difference": f"H2, in at least {NEEDED_MODELS} models M-ratio differs between domains",
        "holm": f"in at least {NEEDED_MODELS} models a difference of M-ratio remains after Holm",
        "unpadded": f"in at least {NEEDED_MODELS} models domains differ in AUROC2 and meta-I2r too",
    },
    rules={"difference": RULE},
)
