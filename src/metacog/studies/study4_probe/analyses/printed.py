"""What the printed figures of study 4 say of one another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.ledger.entry import Status
from metacog.studies.study import analysis
from metacog.studies.study4_probe import benchmarks, ledger, panel, published, rank_tests, reliability
from metacog.studies.study4_probe.published import ITEMS, TASKS, short
from metacog.studies.study4_probe.range_score import FLAT, NARROW, constant_confidence, range_score, sweep

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Printed:
    """The audit, a table a part.

    ``leaderboard`` has the printed scores and composites, ``items`` Flash's twelve T4-CR items, ``sweep`` its
    score at nine pairs of thresholds beside the printed one, ``constant`` what a constant confidence would
    need, ``tests`` table 4 beside 24 items, ``loadings`` and ``eigenvalues`` the components, ``cosines`` the
    profiles' cosines, ``external`` and ``rankings`` the benchmarks solved, ``reliability`` table 2. The
    sentences say what these show.
    """

    leaderboard: pd.DataFrame
    items: pd.DataFrame
    sweep: pd.DataFrame
    constant: pd.DataFrame
    tests: pd.DataFrame
    loadings: pd.DataFrame
    eigenvalues: pd.DataFrame
    cosines: pd.DataFrame
    external: pd.DataFrame
    rankings: pd.DataFrame
    reliability: pd.DataFrame
    flash_score: float
    flash_brier: float
    flash_brier_printed: float
    flash_sd: float
    flash_low: float
    flash_high: float
    share: float
    loading_error: float
    orders: int
    whole_penalty: float
    r_panel: float
    r_printed: float
    cosine_printed: float
    sweep_said: str
    constant_said: str
    tests_said: str
    external_said: str
    reliability_said: str
    granular_said: str


@analysis(returns=Printed, files=("data/published/probe_*.csv",))
def printed(inputs: Inputs) -> Printed:
    """What do the printed figures say of one another?"""
    right, sure = published.flash_items()
    flash = range_score(right, sure)
    swept = _sweep()
    tests, external, reliable = ledger.tests_judged(), ledger.external_judged(), reliability.table()
    own = panel.components(published.scores())
    constant = _constant()
    return Printed(
        leaderboard=_leaderboard(),
        items=published.as_text("table5_flash_t4cr_items").astype(int),
        sweep=swept,
        constant=constant,
        tests=tests,
        loadings=_loadings(own),
        eigenvalues=_eigenvalues(own),
        cosines=panel.cosines(),
        external=external,
        rankings=benchmarks.ranking_table(),
        reliability=reliable,
        flash_score=flash.score,
        flash_brier=flash.brier,
        flash_brier_printed=float(published.claim("flash_zero_penalty")),
        flash_sd=flash.sd,
        flash_low=float(swept["score"].min()),
        flash_high=float(swept["score"].max()),
        share=100 * own.share,
        loading_error=len(published.scores()) ** -0.5,
        orders=benchmarks.orders_tried(),
        whole_penalty=FLAT + NARROW,
        r_panel=panel.correlation(published.scores()),
        r_printed=float(published.claim("r_panel")),
        cosine_printed=float(published.claim("cosine")),
        sweep_said=_sweep_said(swept),
        constant_said=_constant_said(constant),
        tests_said=rank_tests.said(tests),
        external_said=benchmarks.said(external),
        reliability_said=reliability.said(reliable),
        granular_said=_granular_said(),
    )


def _leaderboard() -> pd.DataFrame:
    slots = published.composite("composite_15_slot").rename("slots")
    return published.scores().join(panel.composites()).join(slots).rename_axis("model").reset_index()


def _sweep() -> pd.DataFrame:
    theirs = published.as_text("a5_sensitivity").rename(columns={"range_T": "range_T"})
    theirs["printed"] = theirs["flash_t4cr"].astype(float)
    both = sweep(*published.flash_items()).merge(theirs[["sigma_T", "range_T", "printed"]])
    return ledger.sweep_judged(both)


def _sweep_said(frame: pd.DataFrame) -> str:
    good = frame[frame["status"] != Status.DIFFERS]
    where = listed(f"sigma_T {r.sigma_T} with R_T {r.range_T}" for r in rows_of(good))
    return (
        f"{len(good)} of {len(frame)} printed scores follow from the twelve printed items ({where}). By the "
        f"formula the score lies between {frame['score'].min():.1f} and {frame['score'].max():.1f} "
        f"wherever in the band the thresholds are; printed are {frame['printed'].min():.0f} to "
        f"{frame['printed'].max():.0f}."
    )


def _constant() -> pd.DataFrame:
    """Answers and one confidence that give the printed T4-CR of the models said to have no spread."""
    rows = []
    for model in ("Gemini 2.5 Pro", "DeepSeek-R1", "Qwen 3 Next 80B"):
        score = published.score(model, "T4_CR")
        fits = constant_confidence(score, ITEMS["T4_CR"])
        full = [k for k, sure in fits if sure == 100]
        rows.append(
            {
                "model": model,
                "score": score,
                "ways": len(fits),
                "right_at_100": float(full[0]) if full else float("nan"),
            }
        )
    return pd.DataFrame(rows)


def _constant_said(frame: pd.DataFrame) -> str:
    full = frame["right_at_100"].notna()
    named = listed(f"{r.model} with {r.right_at_100:.0f}" for r in rows_of(frame[full]))
    return (
        f"The printed T4-CR of {int(full.sum())} of {len(frame)} of them is that of twelve answers all given "
        f"with confidence 100: {named} right."
    )


def _granular_said() -> str:
    """Which tasks' printed scores are shares of their items."""
    found = []
    for task in ("T3_KB", "T5_RCV"):
        n = ITEMS[task]
        shares = {round(100 * k / n) for k in range(n + 1)}
        own = published.scores()[task]
        fits = sum(round(s) in shares for s in own)
        found.append(
            f"{fits} of {len(published.scores())} scores of {short(task)} are shares of its {n} items"
        )
    return f"{listed(found)}; the others are no count of items scored 0 or 1 in one run."


def _loadings(own: panel.Components) -> pd.DataFrame:
    theirs = published.as_text("table6_pca").set_index("task").astype(float)
    found = theirs.add_suffix("_printed")
    for column in ("c1", "c2"):
        found[column] = panel.same_sign(own.loadings[column], theirs[column])
    return found.loc[list(TASKS)].rename(index=short).rename_axis("task").reset_index()


def _eigenvalues(own: panel.Components) -> pd.DataFrame:
    theirs = published.as_text("pca_eigenvalues")
    return pd.DataFrame(
        {
            "component": theirs["component"].astype(int),
            "eigenvalue": own.eigenvalues,
            "printed": theirs["eigenvalue"].astype(float),
        }
    )
