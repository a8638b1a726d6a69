"""What do the published figures say of one another? The audit of the paper."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

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


def figures(result: Result) -> dict[str, Any]:
    """Numbers of the page's sentences: one model's two scores, the people, two versions, sizes of tests, orders."""
    rows, ends = result.leaderboard.set_index("model"), result.tests["sizes_ci"].value_counts()
    flash: Any = rows.loc[FLASH]
    now, before = (rows[name].rank(ascending=False) for name in ("mean_T1_T2_T4_T5", "v60"))
    far = float((rows["mean_T1_T2_T4_T5"] - rows["v60"]).abs().max())
    behind = [one for one in result.hypotheses["behind"] if one and result.people not in solved_span(one)]
    single = result.external[result.external["rankings"] == 1]
    near = {name: int(single[f"{name}_agrees"].sum()) for name in COMPOSITES}
    best = max(near, key=lambda name: near[name])
    odd = single[~single[f"{best}_agrees"]]
    return {
        "flash_ten": float(flash["T1_CC"]),
        "flash_hundred": float(flash["T4_CR"]),
        "flash_gap": float(flash["gap"]),
        "furthest": int(abs(flash["gap"]) == rows["gap"].abs().max()),
        "first_and_last": int(
            flash["T1_CC"] == rows["T1_CC"].max() and flash["T4_CR"] == rows["T4_CR"].min()
        ),
        "gap_least": float(flash["T1_CC"] - result.flash_high),
        "gap_most": float(flash["T1_CC"] - result.flash_low),
        "printed_least": float(result.sweep["gap_printed"].min()),
        "printed_most": float(result.sweep["gap_printed"].max()),
        **{f"people_{name}": paper.claim(f"people_{name}") for name in ("degree", "stem", "daily")},
        "people_behind": listed(behind) if behind else "",
        "moved_points": far,
        "moved_task": 4 * far,
        "moved_printed": paper.claim("v60_v61"),
        "n_moved": int((now != before).sum()),
        "n_models": len(rows),
        "lead": paper.claim("lead"),
        "led_before": str(rows["v60"].idxmax()),
        "leads_now": str(rows["mean_T1_T2_T4_T5"].idxmax()),
        "sizes_ci": str(ends.index[0]),
        "n_sizes_ci": int(ends.iloc[0]),
        "n_p": int(result.tests["p_agrees"].sum()),
        "n_tests": len(result.tests),
        "n_items_of_task": N,
        "n_single": len(single),
        "n_benchmarks": len(result.external),
        "best_composite": COMPOSITES[best],
        "n_best": near[best],
        "odd_benchmark": str(odd["benchmark"].iloc[0]) if len(odd) == 1 else "",
        "odd_printed": float(odd["printed"].iloc[0]) if len(odd) == 1 else float("nan"),
        "odd_again": float(odd[best].iloc[0]) if len(odd) == 1 else float("nan"),
    }


def solved_span(text: str) -> range:
    """The numbers that ``48 to 55`` stands for."""
    ends = text.split(" to ")
    return range(int(ends[0]), int(ends[-1]) + 1)


def of_panel(result: Result) -> dict[str, Any]:
    """In how many pairs two tasks rank the models alike, or opposite, beyond chance: alone, and all together."""
    p = result.ranks["p"]
    return {
        "n_pairs": len(p),
        "n_alone": int((p < ALPHA).sum()),
        "n_together": int((p < ALPHA / max(len(p), 1)).sum()),
    }


VIEWS = Views("published", numbers=figures)
PANEL = Views("published_panel", numbers=of_panel)
