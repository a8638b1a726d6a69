"""What do the published figures say of one another? The audit of the paper."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.forensics.resamples import weak_orders
from metacog.report.views import Views
from metacog.sdt.kendall_tau import kendall
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study4_probe import benchmarks, panel, paper, reliability
from metacog.studies.study4_probe.benchmarks import COMPOSITES
from metacog.studies.study4_probe.ledger import entries, external, solved, told
from metacog.studies.study4_probe.paper import FLASH, TASKS, plain, short
from metacog.studies.study4_probe.range_score import FLAT, NARROW, RANGE_BAND, SIGMA_BAND, range_score
from metacog.studies.study4_probe.rank_tests import ALPHA, N

#: Table 9 in words.
HYPOTHESES = {
    "H1": "Confidence out of 10 and finding flaws are unrelated in people",
    "H2": "The score rises with education",
    "H3": "Every task is reliable",
}


#: What the table of hypotheses says short, in words.
THRESHOLD_WORDS = {
    ">=": "≥",
    "<=": "≤",
    "CI includes 0": "its interval includes 0",
    "^tau": "tau-b",
    "^agree ": "agreement ",
}


@analysis(name="published", files=("data/published/probe_*.csv",))
def audit(inputs: Inputs) -> dict[str, Any]:
    """What do the printed figures say of one another?"""
    flash, swept = range_score(*paper.flash_items()), entries.judged_sweep()
    eigenvalues, loadings = panel.components(paper.scores())
    bands = swept["sigma_T"].map(SIGMA_BAND), swept["range_T"].map(RANGE_BAND)
    deviation, span = (one.map("{:g}".format) for one in bands)
    return {
        "leaderboard": _leaderboard(),
        "told": told.claims(),
        "hypotheses": _hypotheses(),
        "answers": _answers(),
        "sweep": swept.assign(thresholds="deviation " + deviation + ", range " + span),
        "constant": _constant(),
        "tests": entries.judged_tests(),
        "loadings": _loadings(loadings),
        "eigenvalues": _eigenvalues(eigenvalues),
        "external": external.judged_benchmarks(),
        "rankings": benchmarks.ranking_table(),
        "by_task": paper.as_text("table7_external_by_task").assign(task=lambda rows: rows["task"].map(plain)),
        "reliability": reliability.reliability_table(),
        "flash_score": flash.score,
        "flash_brier": flash.brier,
        "flash_brier_printed": float(paper.claim("flash_zero_penalty")),
        "flash_known": _flash_known(),
        "bar_agreement": reliability.AGREEMENT,
        "bar_alpha": reliability.LEAST_ALPHA,
        "people": int(paper.claim("people")),
        "people_items": int(paper.claim("people_items")),
        "flash_sd": flash.sd,
        "flash_low": float(swept["score"].min()),
        "flash_high": float(swept["score"].max()),
        "share": panel.share_of_two(eigenvalues),
        "loading_error": len(paper.scores()) ** -0.5,
        "orders": len(weak_orders(len(paper.scores()))),
        "whole_penalty": FLAT + NARROW,
        "cosine_printed": float(paper.claim("cosine")),
    }


@analysis(files=("data/published/probe_*.csv",))
def published_panel(inputs: Inputs) -> dict[str, Any]:
    """What does the printed panel of models allow to be said?"""
    return {"ranks": pairs(), "lineages": panel.leave_out(paper.scores())}


def _leaderboard() -> pd.DataFrame:
    """Table 1, with both means recomputed, the printed composite of 15 slots, and table 1b."""
    before = paper.as_text("table1b_t2ev_v60_mean").set_index("model").iloc[:, 0].astype(float)
    found = paper.scores().join(panel.printed_composites())
    found = found.assign(composite_15_slot=paper.composite("composite_15_slot"), v60=before[found.index])
    return found.assign(gap=found["T1_CC"] - found["T4_CR"]).rename_axis("model").reset_index()


def _hypotheses() -> pd.DataFrame:
    """Table 9, and the numbers of people (``behind``) whose interval has the printed lower end."""
    frame = paper.as_text("table9_hypotheses")
    sizes = {name: solved.upper_end(name)[0] for name in ("H1", "H2")}
    spans = {name: f"{one[0]} to {one[-1]}" for name, one in sizes.items() if one}
    return pd.DataFrame(
        {
            "hypothesis": frame["id"].map(HYPOTHESES),
            "threshold": frame["threshold"].replace(THRESHOLD_WORDS, regex=True),
            **{name: pd.to_numeric(frame[name]) for name in ("value", "lower", "upper")},
            "verdict": frame["verdict"],
            "behind": frame["id"].map(spans).fillna(""),
        }
    )


def _answers() -> pd.DataFrame:
    """Table 5: what Flash was asked, its answer, how it was marked, and its confidence."""
    frame = paper.as_text("table5_flash_t4cr_items")
    marked = (
        frame["correct"].map({"1": "right", "0": "wrong"}).where(frame["matching"] == "", frame["matching"])
    )
    return frame[["question", "answer"]].assign(marked=marked, stated=frame["confidence"].astype(float))


def _flash_known() -> float:
    """Flash's score if the answers that only failed the match of names count as right."""
    right, sure = paper.flash_items()
    failed = paper.as_text("table5_flash_t4cr_items")["matching"] != ""
    return range_score(np.where(failed, 1.0, right), sure).score


def pairs() -> pd.DataFrame:
    """Kendall's tau-b of two tasks over the models: ``pair, tau, lower, upper, p``; ``p`` goes through all orders."""
    table, made = paper.scores(), []
    for a, b in combinations(TASKS, 2):
        one = kendall(table[a].to_numpy(), table[b].to_numpy())
        made.append((f"{plain(short(a))}, {plain(short(b))}", one.tau, one.lower, one.upper, one.p_value))
    return pd.DataFrame(made, columns=["pair", "tau", "lower", "upper", "p"])


def _constant() -> pd.DataFrame:
    """Right answers that give the printed T4-CR of the models said to have no spread, if all confidence is 100.

    ``right`` is how many the text prints of the model, NaN where it prints none; ``most`` is the most that one
    confidence can give with so many.
    """
    rows = []
    for model in paper.CONSTANT:
        full = [k for k, sure in solved.constant_confidence(model) if sure == 100]
        right = paper.RIGHT.get(model)
        rows.append(
            {
                "model": model,
                "score": paper.score(model, "T4_CR"),
                "right_at_100": float(full[0]) if full else float("nan"),
                "right": float("nan") if right is None else float(right),
                "most": float("nan") if right is None else solved.most_with_one_confidence(right),
            }
        )
    return pd.DataFrame(rows)


def _loadings(found: pd.DataFrame) -> pd.DataFrame:
    theirs = paper.as_text("table6_pca").set_index("task").astype(float)
    table = theirs.add_suffix("_printed")
    for column in ("c1", "c2"):
        table[column] = panel.same_sign(found[column], theirs[column])
    return table.loc[list(TASKS)].rename(index=short).rename_axis("task").reset_index()


def _eigenvalues(found: np.ndarray) -> pd.DataFrame:
    theirs = paper.as_text("pca_eigenvalues")
    printed = theirs["eigenvalue"].astype(float)
    return pd.DataFrame(
        {"component": theirs["component"].astype(int), "eigenvalue": found, "printed": printed}
    )


# What is said of it.


def test_sizes(result: Result) -> str:
    """Which number of items stands behind the intervals, and which behind the p-values."""
    frame = result.tests
    ends = frame["sizes_ci"].value_counts()
    common, n_ends = str(ends.index[0]), int(ends.iloc[0])
    first = (
        f"No number of items gives the printed intervals of {n_ends} of {len(frame)} models."
        if common == "none"
        else f"The printed intervals of {n_ends} of {len(frame)} models are those of {common} items; the task has {N}."
    )
    return f"{first} Of the printed p-values {int(frame['p_agrees'].sum())} of {len(frame)} are those of {N} items."


def external_orders(result: Result) -> str:
    """How many rankings were found, and whether the printed composites' correlations follow from them."""
    frame = result.external
    one = frame[frame["rankings"] == 1]
    near = {name: int(one[f"{name}_agrees"].sum()) for name in COMPOSITES}
    best = max(near, key=lambda name: near[name])
    words = (
        f"For {len(one)} of {len(frame)} benchmarks exactly one order of the models gives all five printed "
        f"correlations of the tasks. With these orders, the {COMPOSITES[best]} gives the printed correlation of the "
        f"composite in {near[best]} of {len(one)} cases."
    )
    for row in rows_of(one[~one[f"{best}_agrees"]]):
        again = getattr(row, best)
        words += f" The exception is {row.benchmark}: {row.printed:.3f} is printed, {again:.3f} recomputed."
    return words


def gap(result: Result) -> str:
    """How far the headline model's two scores lie apart: as printed, and by its twelve answers."""
    rows = result.leaderboard.set_index("model")
    flash: Any = rows.loc[FLASH]
    first = flash["T1_CC"] == rows["T1_CC"].max() and flash["T4_CR"] == rows["T4_CR"].min()
    largest = abs(flash["gap"]) == rows["gap"].abs().max()
    low, high = flash["T1_CC"] - result.flash_high, flash["T1_CC"] - result.flash_low
    others = result.sweep["gap_printed"]
    return (
        f"{FLASH} has {flash['T1_CC']:.0f} for confidence out of 10 and {flash['T4_CR']:.0f} out of 100"
        f"{', the highest and the lowest of the panel' if first else ''}: {flash['gap']:.0f} points apart"
        f"{', more than any other model' if largest else ''}. Over nine pairs of thresholds the paper prints gaps of "
        f"{others.min():.0f} to {others.max():.0f}; the twelve answers give {low:.1f} to {high:.1f}."
    )


def people(result: Result) -> str:
    """Who the people were, and how many of them the printed intervals are those of."""
    text = paper.claim
    there = result.people
    words = (
        f"{there} people answered {result.people_items} of the items each: volunteers without pay, "
        f"{text('people_degree')} % with a degree, {text('people_stem')} % from science or engineering, "
        f"{text('people_daily')} % daily users of AI. "
    )
    rows = result.hypotheses[result.hypotheses["behind"] != ""]
    if rows.empty:
        return words.strip()
    spans = [solved_span(one) for one in rows["behind"]]
    outside = [one for one, span in zip(rows["behind"], spans, strict=True) if there not in span]
    if not outside:
        return words + f"The printed intervals can be those of {there} people."
    return words + f"But by the usual formulas the printed intervals are those of {listed(outside)} people."


def solved_span(text: str) -> range:
    """The numbers that ``48 to 55`` stands for."""
    ends = text.split(" to ")
    return range(int(ends[0]), int(ends[-1]) + 1)


def versions(result: Result) -> str:
    """What another version of one task did to the order of the models."""
    rows = result.leaderboard
    now, before = (rows[name].rank(ascending=False) for name in ("mean_T1_T2_T4_T5", "v60"))
    moved = int((now != before).sum())
    far = float((rows["mean_T1_T2_T4_T5"] - rows["v60"]).abs().max())
    first = [str(rows.loc[rows[name].idxmax(), "model"]) for name in ("v60", "mean_T1_T2_T4_T5")]
    led = f"{first[0]} leads"
    if first[0] != first[1]:
        led += f" with version 60, {first[1]} with version 61"
    return (
        f"The eight models were scored with two versions of the task on flaws in arguments, 60 and 61, three days "
        f"apart. That moves the mean of four tasks by up to {far:.1f} points, so the task by up to {4 * far:.0f} "
        f"(printed: {paper.claim('v60_v61')}), and {moved} of {len(rows)} models to another place: {led}, "
        f"{paper.claim('lead')} points ahead in print."
    )


def rank_agreement(result: Result) -> str:
    """How far the five tasks rank the models alike."""
    frame = result.ranks
    alone, all_ = frame[frame["p"] < ALPHA], frame[frame["p"] < ALPHA / len(frame)]
    if len(all_):
        return f"In {len(all_)} of {len(frame)} pairs two tasks rank eight models alike, or opposite, beyond chance."
    tail = f", {len(alone)} when judged alone" if len(alone) else ""
    return (
        f"Eight models leave it open: none of {len(frame)} pairs of tasks ranks them alike, or opposite, beyond chance "
        f"when all are judged together{tail}."
    )


VIEWS = Views(
    "published",
    sentences={
        "gap": gap,
        "who": people,
        "versions": versions,
        "test_sizes": test_sizes,
        "external_orders": external_orders,
    },
)
PANEL = Views("published_panel", sentences={"rank_agreement": rank_agreement})
