"""What do the published figures say of one another? The audit of the paper.

Hypotheses H1 and H2 are about people and H3 about raters, whose answers were not published. What follows from the
print is the same question asked of the eight models (H1) and of the five tasks (H3), by Kendall's tau-b of
everything printed that ranks them; there is none for H2, since no model has an education.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.sdt.correlations import kendall
from metacog.studies.study import analysis
from metacog.studies.study4_probe import measures, paper, rank_tests
from metacog.studies.study4_probe.ledger import entries, external, solved
from metacog.studies.study4_probe.paper import ITEMS, TASKS, plain, short
from metacog.studies.study4_probe.range_score import FLAT, NARROW, RANGE_BAND, SIGMA_BAND, range_score
from metacog.studies.study4_probe.rank_tests import COMPOSITES

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Level of one test.
ALPHA = 0.05
TASK_PAIRS, COMPOSITE_PAIRS, WITH_BENCHMARKS = "two tasks", "two composites", "composite and benchmark"
RATERS = "agreement and alpha"


def pairs() -> pd.DataFrame:
    """One row per pair of rankings.

    Returns
    -------
    DataFrame
        ``kind, first, second, pair, tau, lower, upper, p, n, hypothesis``; ``p`` goes through all orders. Ranks on
        benchmarks are those solved from table 7, where there is only one solution.
    """
    rows = []
    for kind, first, second, x, y, hypothesis in _lists():
        found = kendall(x, y)
        rows.append(
            {
                "kind": kind,
                "first": first,
                "second": second,
                "pair": f"{plain(first)}, {plain(second)}",
                "tau": found.tau,
                "lower": found.lower,
                "upper": found.upper,
                "p": found.p_value,
                "n": found.n,
                "hypothesis": hypothesis,
            }
        )
    return pd.DataFrame(rows)


def _lists() -> Iterator[tuple[str, str, str, np.ndarray, np.ndarray, str]]:
    table = paper.scores()
    for a, b in combinations(TASKS, 2):
        hypothesis = "H1, on models" if (a, b) == ("T1_CC", "T2_EV") else ""
        yield TASK_PAIRS, short(a), short(b), table[a].to_numpy(), table[b].to_numpy(), hypothesis
    for a, b in combinations(COMPOSITES, 2):
        x, y = (paper.composite(name).to_numpy() for name in (a, b))
        yield COMPOSITE_PAIRS, COMPOSITES[a], COMPOSITES[b], x, y, ""
    slots = paper.composite("composite_15_slot").to_numpy()
    for one in rank_tests.solved():
        if one.found and len(one.ranks) == 1:
            yield WITH_BENCHMARKS, COMPOSITES["composite_15_slot"], one.benchmark, slots, one.ranks[0], ""
    rated = rank_tests.reliability_table()
    yield (
        RATERS,
        "Agreement",
        "Krippendorff's alpha",
        rated["agreement"].to_numpy(),
        rated["alpha"].to_numpy(),
        "H3, on tasks",
    )


@dataclass(frozen=True)
class PublishedPanel:
    """Tables by topic.

    ``ranks`` has Kendall's tau-b of each pair of rankings, ``lineages`` the panel's figures without each
    family, ``murphy`` the terms of Flash's Brier score, ``strategy`` how it states confidence,
    ``without_dropped`` which panels without a lineage give the printed correlation, ``discriminating`` bounds of the
    printed item discrimination, and ``sizes`` the numbers of people that give the printed interval of H1 and H2.
    """

    ranks: pd.DataFrame
    lineages: pd.DataFrame
    murphy: pd.DataFrame
    strategy: pd.DataFrame
    without_dropped: pd.DataFrame
    discriminating: solved.Discriminating
    sizes: Mapping[str, tuple[int, ...]]


@analysis(returns=PublishedPanel, files=("data/published/probe_*.csv",))
def published_panel(inputs: Inputs) -> PublishedPanel:
    """What do the printed panel and its printed items allow to be said?"""
    ranks, out = pairs(), measures.leave_out(paper.scores())
    terms, strategy = measures.flash_terms(), measures.flash_strategies()
    return PublishedPanel(
        ranks=ranks,
        lineages=out,
        murphy=terms,
        strategy=strategy,
        without_dropped=solved.without_dropped(out),
        discriminating=solved.t3_items(),
        sizes={hypothesis: tuple(solved.sizes(hypothesis)) for hypothesis in ("H1", "H2")},
    )


@dataclass(frozen=True)
class Published:
    """The audit, one table per part.

    ``leaderboard`` has the printed scores and composites, ``items`` Flash's twelve T4-CR items, ``sweep`` its
    score at nine pairs of thresholds with the printed one, ``constant`` what a constant confidence would
    need, ``tests`` table 4 and what 24 items give, ``loadings`` and ``eigenvalues`` the components, ``cosines`` the
    profiles' cosines, ``external`` and ``rankings`` the benchmarks solved, ``reliability`` table 2,
    ``granular`` which scores are shares of their items.
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
    granular: pd.DataFrame
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


@analysis(name="published", returns=Published, files=("data/published/probe_*.csv",))
def audit(inputs: Inputs) -> Published:
    """What do the printed figures say of one another?"""
    right, sure = paper.flash_items()
    flash = range_score(right, sure)
    swept = entries.judged_sweep()
    components = measures.components(paper.scores())
    return Published(
        leaderboard=_leaderboard(),
        items=paper.as_text("table5_flash_t4cr_items").astype(int),
        sweep=swept.assign(
            thresholds="deviation "
            + swept["sigma_T"].map(SIGMA_BAND).map("{:g}".format)
            + ", range "
            + swept["range_T"].map(RANGE_BAND).map("{:g}".format)
        ),
        constant=_constant(),
        tests=entries.judged_tests(),
        loadings=_loadings(components),
        eigenvalues=_eigenvalues(components),
        cosines=measures.cosines(),
        external=external.judged_benchmarks(),
        rankings=rank_tests.ranking_table(),
        reliability=rank_tests.reliability_table(),
        granular=_granular(),
        flash_score=flash.score,
        flash_brier=flash.brier,
        flash_brier_printed=float(paper.claim("flash_zero_penalty")),
        flash_sd=flash.sd,
        flash_low=float(swept["score"].min()),
        flash_high=float(swept["score"].max()),
        share=100 * components.share,
        loading_error=len(paper.scores()) ** -0.5,
        orders=rank_tests.orders_tried(),
        whole_penalty=FLAT + NARROW,
        r_panel=measures.correlation(paper.scores()),
        r_printed=float(paper.claim("r_panel")),
        cosine_printed=float(paper.claim("cosine")),
    )


def _leaderboard() -> pd.DataFrame:
    slots = paper.composite("composite_15_slot").rename("slots")
    return paper.scores().join(measures.printed_composites()).join(slots).rename_axis("model").reset_index()


def _constant() -> pd.DataFrame:
    """Answers and one confidence that give the printed T4-CR of the models said to have no spread.

    ``fits`` is whether some do, with as many right answers as the text prints of the model (``right``, NaN
    where it prints none); ``most`` is the most that one confidence can give with so many.
    """
    rows = []
    for model in paper.CONSTANT:
        ways = solved.constant_confidence(model)
        full = [k for k, sure in ways if sure == 100]
        right = paper.RIGHT.get(model)
        rows.append(
            {
                "model": model,
                "score": paper.score(model, "T4_CR"),
                "ways": len(ways),
                "right_at_100": float(full[0]) if full else float("nan"),
                "right": float("nan") if right is None else float(right),
                "most": float("nan") if right is None else solved.most_with_one_confidence(right),
                "fits": any(right in (None, k) for k, _ in ways),
            }
        )
    return pd.DataFrame(rows)


def _granular() -> pd.DataFrame:
    """How many printed scores of a task are shares of its items: ``task, items, models, fits``."""
    rows = []
    for task in paper.BINARY:
        models, fits = len(paper.scores()), solved.shares_of_items(task)
        rows.append({"task": short(task), "items": ITEMS[task], "models": models, "fits": fits})
    return pd.DataFrame(rows)


def _loadings(found: measures.Components) -> pd.DataFrame:
    theirs = paper.as_text("table6_pca").set_index("task").astype(float)
    table = theirs.add_suffix("_printed")
    for column in ("c1", "c2"):
        table[column] = measures.same_sign(found.loadings[column], theirs[column])
    return table.loc[list(TASKS)].rename(index=short).rename_axis("task").reset_index()


def _eigenvalues(found: measures.Components) -> pd.DataFrame:
    theirs = paper.as_text("pca_eigenvalues")
    return pd.DataFrame(
        {
            "component": theirs["component"].astype(int),
            "eigenvalue": found.eigenvalues,
            "printed": theirs["eigenvalue"].astype(float),
        }
    )
