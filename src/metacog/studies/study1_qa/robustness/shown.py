"""R1 to R6: do the results rest on settings that could have been chosen otherwise? How it is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure

from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.style import GREY, INK, legend_above, new_axes
from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.report.tables import answer as yes_or_no
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import (
    D_PRIME,
    DATASET,
    DIFFERENCE,
    DOMAIN,
    FLAG,
    LIMITS,
    M_RATIO,
    META_D,
    MODEL,
    NAMES,
    NO_PAIR,
    P_HOLM,
    PAIR_OF_MODELS,
    RATIO_LIMITS,
    N,
    comparison,
    plain,
)
from metacog.studies.study1_qa.cells.figures import forest, model_looks
from metacog.studies.study1_qa.cells.flags import MIN_CLASS
from metacog.studies.study1_qa.robustness.judging import (
    BASELINE,
    RULE_DOMAINS,
    RULE_FORCED,
    RULE_MODELS,
    RULES,
)

#: What R1 to R4 claim, for the titles of their boxes.
CHECKED = {
    "R1": "nothing changes with 3 and 6 ratings a side (R1)",
    "R2": "nothing changes with unequal variance (R2)",
    "R3": "nothing changes with ratings of equal width (R3)",
    "R4": "every pair of models keeps its order on the other question sets (R4)",
}


def compact(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the pre-registered setting once, named so, instead of once per check."""
    base = table["variant"] == BASELINE
    first = base & (table["check"] == table.loc[base, "check"].iloc[0])
    kept = table[first | ~base].copy()
    kept.loc[kept["variant"] == BASELINE, ["check", "variant"]] = ["-", "as pre-registered"]
    return kept.sort_values("check", kind="stable").reset_index(drop=True)


@drawing(
    name="fig-robustness-variants",
    caption=(
        "M-ratio under every variant, with 95 % intervals. Read down one marker: a robust model stays in "
        "place. Read across one line: where markers change order, the ranking was made by the setting. Hollow: a "
        "flagged cell, which decides nothing."
    ),
    alt="M-ratio of each model under all variants",
)
def variants(result: Any) -> Figure:
    """M-ratio under every variant, one line per variant, one look per model."""
    return _variants(result.variants)


@drawing(
    name="fig-robustness-published",
    caption=(
        "M-ratio of the paper's models from its counts, as registered, with two spreads of wrong and right answers "
        "(R2) and on the second question set (R4), with 95 % intervals. Where markers change order from line to line, "
        "the ranking was made by the setting. Hollow: a flagged cell, which decides nothing."
    ),
    alt="M-ratio of the paper's models under other settings and on another question set",
)
def published_variants(result: Any) -> Figure:
    """The same of the paper's models."""
    return _variants(result.published)


def _variants(table: pd.DataFrame) -> Figure:
    frame = compact(table)
    frame["line"] = (frame["check"] + ": " + frame["variant"]).str.removeprefix("-: ")
    figure, axis = new_axes(height=1.4 + 0.45 * frame["line"].nunique())
    frame["flagged"] = frame["flag"] != ""
    forest(axis, frame, "line", "model", value="m_ratio", style=model_looks(frame["model"]), hollow="flagged")
    axis.axvline(1, color=GREY, lw=1.2, ls="--")
    axis.set_xlabel("M-ratio (95 % interval)")
    legend_above(figure, axis)
    return figure


def _edges(values: npt.NDArray[np.float64], bins: int = 30) -> npt.NDArray[np.float64]:
    """Edges of about so many bins, one of them at 0, so that no bin holds both signs."""
    step = (values.max() - values.min()) / bins or 1.0
    return step * np.arange(np.floor(values.min() / step), np.ceil(values.max() / step) + 1)


@drawing(
    name="fig-robustness-forced",
    caption=(
        "How much likelier, per token, the best accepted answer is than the wrong answer that was given. "
        "Mass to the right of the dashed line: the model assigned the right answer the higher likelihood "
        "and gave the wrong one all the same."
    ),
    alt="Histogram of the difference in NLP between best accepted and wrong answer",
)
def forced(result: Any) -> Figure:
    """How much likelier the best accepted answer is than the wrong one, one panel per model."""
    groups = list(result.gaps.groupby(["model", "dataset"], sort=False))
    figure, axes = new_axes(max(len(groups), 1), 1, height=2.4, sharex=True, squeeze=False)
    gaps = (result.gaps["nlp_best_alias"] - result.gaps["nlp_wrong"]).to_numpy(dtype=np.float64)
    edges = _edges(gaps) if len(gaps) else np.linspace(-1, 1, 31)
    for axis, ((model, dataset), rows) in zip(axes[:, 0], groups, strict=False):
        gap = rows["nlp_best_alias"] - rows["nlp_wrong"]
        axis.hist(gap[gap <= 0], bins=edges, color="#c4c8ce", label="wrong answer likelier")
        axis.hist(gap[gap > 0], bins=edges, color=INK, hatch="//", ec="white", label="right answer likelier")
        axis.axvline(0, color="black", lw=1.2, ls="--")
        axis.set_title(f"{model}, {dataset}", loc="left")
        axis.set_ylabel("questions")
    axes[-1, 0].set_xlabel("NLP of best accepted answer minus NLP of wrong answer")
    if groups:
        legend_above(figure, axes[0, 0])
    else:
        axes[0, 0].text(0, 0.5, "no forced decodings in this run", ha="center")
    return figure


def check_sentence(verdict: Verdict) -> str:
    """What a variant of the settings changes."""
    v = verdict.values
    if not v["compared"]:
        if verdict.hypothesis == "R4":
            return "This run has one question set only."
        return f"Nothing to compare.{undecided_clause(verdict.undecided)}"
    largest = v["largest"]
    parts = ["No M-ratio could be compared" if largest is None else f"M-ratio moves by at most {largest:.2f}"]
    if v["sides"]:
        changed = listed(v["changed"]) if v["changed"] else "no model that can be judged"
        parts.append(f"H1's answer changes for {changed}")
    if v["orders"]:
        turned = f" ({listed(v['turned'])})" if v["turned"] else ""
        orders = plural(v["orders"], "order")
        parts.append(
            f"of {orders} of two models {v['kept']} stay and {len(v['turned'])} are reversed{turned}"
        )
    else:
        parts.append("there is no order of two models to keep")
    return "; ".join(parts) + "." + undecided_clause(verdict.undecided)


def forced_left_out(result: Any) -> str:
    """Models that R5 left out, each with the reason; empty if it asked all."""
    return " ".join(f"Forced decoding was left out for {m}: {why}." for m, why in result.left_out.items())


def forced_sentence(verdict: Verdict) -> str:
    """How often the right answer was the likelier one."""
    v = verdict.values
    if v["share_best_upper"] < 0.5:
        meaning = "most wrong answers were likelier than any accepted answer that was scored"
    elif v["share_best_lower"] > 0.5:
        meaning = "in most cases an accepted answer was likelier than the wrong one that was drawn"
    else:
        meaning = "wrong and accepted answers are about equally often the likelier one"
    return (
        f"{v['model']} on {v['dataset']}: the best accepted answer is likelier for "
        f"{100 * v['share_best']:.0f} % of {v['n']:,} wrongly answered questions "
        f"({100 * v['share_best_lower']:.0f}-{100 * v['share_best_upper']:.0f} %), the key answer alone for "
        f"{100 * v['share_key']:.0f} %, and by whole instead of mean log-probability for "
        f"{100 * v['share_sum']:.0f} %: {meaning}."
    )


def domains_sentence(verdict: Verdict) -> str:
    """What remains between domains of matched difficulty."""
    v = verdict.values
    if v["domains"] < 2:
        return "This run has fewer than two domains."
    if not v["differences"]:
        return (
            f"Matching leaves no pair of domains with {MIN_CLASS} right and wrong answers each."
            f"{undecided_clause(verdict.undecided)}"
        )
    return (
        f"With difficulty matched, {v['below']} of {plural(v['differences'], 'difference')} of M-ratio "
        f"between domains reach p < 0.05, {v['below_holm']} after Holm.{undecided_clause(verdict.undecided)}"
    )


def models_sentence(verdict: Verdict) -> str:
    """What remains between models of matched difficulty."""
    v = verdict.values
    if not v["pairs"]:
        return "This run has fewer than two models."
    return (
        f"With difficulty matched, {v['differ']} of {plural(v['pairs'], 'pair')} of models still differ in "
        f"M-ratio (Holm).{undecided_clause(verdict.undecided)}"
    )


def binning_sentence(verdict: Verdict) -> str:
    """How far the number of ratings moves M-ratio."""
    v = verdict.values
    run = (
        f"and {v['run']:.3f} in one of this run" if v["run"] == v["run"] else "and cannot be told in this run"
    )
    return f"Over 3, 4 and 6 ratings per side M-ratio moves by at most {v['published']:.3f} in a published model {run}."


_VARIANT = columns_of(
    text("check", "Check"),
    text("variant", "Variant"),
    MODEL,
    DATASET,
    number("s", "s"),
    D_PRIME,
    META_D,
    M_RATIO,
    RATIO_LIMITS,
    number("rank", "Rank", 1),
    FLAG,
)


def answer(result: Any) -> str:
    """What unequal spread and other questions do to the order of the paper's models."""
    ranks = compact(result.published).pivot(index="variant", columns="model", values="rank")
    changed, of = int((ranks.nunique() > 1).sum()), len(ranks.columns)
    if not changed:
        return "Other choices leave the ranking of the paper's models by M-ratio as it is."
    return (
        f"The ranking by M-ratio depends on the choices: with unequal spread or other questions {changed} of the "
        f"paper's {of} models change their place."
    )


def likelier(result: Any) -> str:
    """How often a right answer was likely where a wrong one was given, and whether it is then the usual one."""
    if result.forced.empty:
        return "Whether right answers were likely where wrong ones were given was not asked in this run."
    token, whole = (_span(result.forced[name]) for name in ("share_best", "share_sum"))
    return (
        f"Where a wrong answer was given at temperature 1, an accepted one was likelier per token in {token} of "
        f"questions, and as a whole in {whole}. That does not make a right answer the model's usual one"
        f"{_usual(result.forced)}."
    )


def _span(shares: pd.Series) -> str:
    """Lowest and highest of several shares, in percent."""
    ends = dict.fromkeys(f"{100 * end:.0f}" for end in (shares.min(), shares.max()))
    return f"{' to '.join(ends)} %"


def _usual(forced: pd.DataFrame) -> str:
    """How many of R5's questions are answered rightly at the lowest temperature, as the end of a sentence."""
    known = forced[forced["right_lowest"].notna()]
    if known.empty:
        return ""
    lowest = listed(f"{t:g}" for t in sorted(known["lowest"].unique()))
    return (
        f": of the same questions {_span(known['right_lowest'])} are answered rightly at temperature {lowest}"
    )


def _checked(verdict: Verdict) -> str:
    """What a check claims; told apart where it is of the paper's models."""
    whose = ", the paper's models)" if verdict.topic == "published" else ")"
    return CHECKED[verdict.hypothesis].removesuffix(")") + whose


VIEWS = Views(
    "robustness",
    names=NAMES,
    tables={
        "variants": Schema("variants", _VARIANT, "R1 to R4.", compact),
        "orders": Schema(
            "orders",
            columns_of(
                text("check", "Check"),
                text("variant", "Variant"),
                PAIR_OF_MODELS,
                number("base", "As registered"),
                limits("base_lower", "base_upper"),
                number("other", "Variant's"),
                limits("other_lower", "other_upper", "95 % "),
                yes_or_no("kept", "Order kept"),
                FLAG,
            ),
            "Differences of M-ratio between two models, as registered and under each variant.",
            empty=NO_PAIR,
        ),
        "forced": Schema(
            "forced",
            columns_of(
                MODEL,
                DATASET,
                N,
                number("share_best", "Best likelier"),
                limits("share_best_lower", "share_best_upper", "95 %"),
                number("share_key", "First likelier"),
                limits("share_key_lower", "share_key_upper", "95 % "),
                number("share_sum", "Whole likelier"),
                limits("share_sum_lower", "share_sum_upper", " 95 %"),
                number("right_lowest", "is", 3, "Right at the lowest T"),
                limits("right_lowest_lower", "right_lowest_upper", "Right at the lowest T"),
                number("median_gap", "Median gap"),
                number("aliases_scored", "Answers scored", 1),
                number("rescoring_gap", "Rescoring"),
            ),
            "Share of wrongly answered questions for which a right answer was likelier, and share of these questions "
            "that the model answers rightly at the lowest temperature.",
            empty="Nothing was decoded: no question was answered wrongly, or no model could be asked.",
        ),
        "levels": plain("levels", "Questions of each domain by difficulty."),
        "domains": Schema(
            "matched_domains",
            columns_of(
                MODEL,
                DOMAIN,
                M_RATIO,
                number("m_ratio_matched", "Matched M-ratio"),
                limits("m_ratio_matched_lower", "m_ratio_matched_upper"),
                number("auroc2_matched", "Matched AUROC2"),
                number("meta_i2r_chi_square_matched", "Matched meta-I2r (chi-square)"),
                count("n_matched", "Kept"),
                FLAG,
            ),
            "Domains before and after matching.",
        ),
        "models": Schema(
            "matched_models",
            columns_of(
                PAIR_OF_MODELS,
                DIFFERENCE,
                number("matched_difference", "Matched difference"),
                LIMITS,
                P_HOLM,
                count("n_matched", "Kept"),
            ),
            "Differences of M-ratio between models before and after matching.",
            empty=NO_PAIR,
        ),
        "comparison": comparison(MODEL, count("ratings_per_side", "K"), M_RATIO),
        "published": Schema(
            "published",
            tuple(c for c in _VARIANT if c.name not in ("d_prime", "meta_d", "flag")),
            "R2 and R4 of the paper's models, from its counts.",
            compact,
        ),
    },
    figures={"published": published_variants, "variants": variants, "forced": forced},
    sentences={"answer": answer, "likelier": likelier, "forced_left_out": forced_left_out},
    verdicts={
        "check": check_sentence,
        "forced": forced_sentence,
        "domains": domains_sentence,
        "models": models_sentence,
        "binning": binning_sentence,
    },
    claims={
        "check": _checked,
        "forced": "",
        "domains": "domains of matched difficulty differ in M-ratio (R6)",
        "models": "models matched for difficulty differ in M-ratio (R6)",
    },
    rules={check: f"{check}: {rule}" for check, rule in RULES.items()}
    | {"R5": RULE_FORCED, "R6 domains": RULE_DOMAINS, "R6 models": RULE_MODELS},
)
