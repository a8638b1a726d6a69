"""R1 to R6: do the results rest on settings that could have been chosen otherwise? How it is shown."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.words import listed, plural
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.cells.flags import MIN_CLASS
from metacog.studies.study1_qa.robustness.judging import BASELINE, CHANGED, RULES


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


def compact(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the pre-registered setting once, named so, instead of once per check."""
    base = table["variant"] == BASELINE
    first = base & (table["check"] == table.loc[base, "check"].iloc[0])
    kept = table[first | ~base].copy()
    kept.loc[kept["variant"] == BASELINE, ["check", "variant"]] = ["-", "as pre-registered"]
    return kept.sort_values("check", kind="stable").reset_index(drop=True)


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


def _checked(verdict: Verdict) -> str:
    """What a check claims; told apart where it is of the paper's models."""
    whose = ", in the paper's models" if verdict.topic == "published" else ""
    return f"nothing changes with {CHANGED[verdict.hypothesis]}{whose}"


VIEWS = Views(
    "robustness",
    names=NAMES,
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
        "domains": "subjects of equal difficulty differ in M-ratio",
        "models": "models that are right equally often differ in M-ratio",
    },
    rules=RULES,
)
