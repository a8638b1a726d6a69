"""Who knows what it knows among 33 models, and which ranks can be told? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.measures.coverage import TABLE as SIMULATED
from metacog.measures.screen import screen
from metacog.report.rules import Unit, judged
from metacog.report.verdicts import Kind, Verdict, drawn
from metacog.studies.study import analysis
from metacog.studies.study6_frontier.ledger.published import FILES, as_numbers
from metacog.studies.study6_frontier.ledger.rows import load, stated
from metacog.studies.study6_frontier.ranking import coverage, estimates
from metacog.studies.study6_frontier.ranking.estimates import Order

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: Measures as readers know them.
MEASURES = {"auroc2": "AUROC2", "meta_i2r": "meta-I2r", "accuracy": "accuracy"}
#: Ways of taking the rows: as every chapter does, and two in which the ranking is made again.
STATED, WHOLE, PUT_IN = "stated confidences", "models with whole runs", "with those put in"


@dataclass(frozen=True)
class Ranking:
    """The models in order, and what of it holds.

    Attributes
    ----------
    models : DataFrame
        :func:`.estimates.table_of`, with ``rank, set_lower, set_upper`` by AUROC2 and ``printed_rank``.
    ranks : DataFrame
        :func:`.estimates.orders`: ranks and their sets by each measure.
    cells : DataFrame
        :func:`.estimates.domain_cells`.
    coverage : DataFrame
        :func:`.coverage.cells`: how often such intervals hold the truth in simulated cells.
    counted : DataFrame
        By measure and way of taking the rows: ``quantity, rows, models, pairs, apart, may_lead`` (models that may be
        first), ``leader, leader_lowest`` (the worst rank it may have), ``median_width`` (of the sets, in ranks).
    neighbours : DataFrame
        Neighbours in the printed order by AUROC2, and whether they differ.
    unlike : DataFrame
        AUROC2 of the models some of whose confidences were put in by the parser: of stated ones and with those.
    screen : DataFrame
        :func:`metacog.measures.screen.screen` of each model, cut at its median.
    board : DataFrame
        :attr:`models` as pages show them: ``rank, rank_lower, rank_upper`` among models that state a confidence in all
        their replies, and ``uncounted``, those that do not, which stand last without a rank.
    board_counted : DataFrame
        ``counted`` among the ranked models, by measure, as readers know it (``measure``).
    verdicts : tuple of Verdict
    n_ranked, n_ranked_neighbours, n_ranked_neighbours_apart : int
        Models that are ranked, and neighbours among them in the printed order.
    n_cells, n_few : int
        Cells of models and domains, and those without an interval because of too few right or wrong answers.
    n_neighbours, n_neighbours_apart : int
    """

    models: pd.DataFrame
    ranks: pd.DataFrame
    cells: pd.DataFrame
    coverage: pd.DataFrame
    counted: pd.DataFrame
    neighbours: pd.DataFrame
    unlike: pd.DataFrame
    screen: pd.DataFrame
    board: pd.DataFrame
    board_counted: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    n_ranked: int
    n_ranked_neighbours: int
    n_ranked_neighbours_apart: int
    n_cells: int
    n_few: int
    n_neighbours: int
    n_neighbours_apart: int


def count_order(ranked: Order, quantity: str, rows: str) -> dict[str, object]:
    """A row of :attr:`Ranking.counted`."""
    table = ranked.table
    return {
        "quantity": quantity,
        "rows": rows,
        "models": len(table),
        "pairs": ranked.pairs,
        "apart": ranked.apart,
        "may_lead": int((table["set_lower"] == 1).sum()),
        "leader": str(table["model"].iloc[0]),
        "leader_lowest": float(table["set_upper"].iloc[0]),
        "median_width": float((table["set_upper"] - table["set_lower"] + 1).median()),
    }


def order_verdict(ranked: Order) -> Verdict:
    """Whether the order by AUROC2 is settled for most pairs of models."""
    pairs = [Unit(name, apart) for name, apart in estimates.pair_units(ranked)]
    unknown = [Unit(model, None, "no interval of its AUROC2") for model in ranked.left_out]
    n = len(pairs) + len(unknown)
    return judged(
        [*pairs, *unknown],
        "order",
        Kind.EXPLORATORY,
        "A count: of the pairs of models ranked by AUROC2, more than half differ significantly when all pairs are "
        "judged together.",
        name="order",
        k=n // 2 + 1,
        pairs=len(pairs),
        apart=ranked.apart,
    )


def rank(
    trials: pd.DataFrame,
    *,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int = 42,
    verdicts: bool = True,
) -> Ranking:
    """Rank the models of some trials by the confidences that they state."""
    changed = sorted(set(trials.loc[~trials["stated"], "model"]))
    with_put_in, trials = trials[trials["model"].isin(changed)], stated(trials)
    made = estimates.measured(trials, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
    ranks, each = estimates.orders(made)
    by_area = each["auroc2"].table[["model", "rank", "set_lower", "set_upper"]]
    models = estimates.table_of(trials, made).merge(by_area, on="model", how="left")
    printed = as_numbers("summary").sort_values("aggregate", ascending=False, kind="stable")
    place = {m: i + 1 for i, m in enumerate(printed["model"])}
    whole = trials.groupby("model")["question_id"].nunique()
    complete = set(whole.index[whole == trials["question_id"].nunique()])
    again = estimates.measured(with_put_in, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
    variants = {WHOLE: {m: one for m, one in made.items() if m in complete}, PUT_IN: {**made, **again}}
    counted = [count_order(each[q], q, STATED) for q in estimates.RANKED]
    counted += [count_order(estimates.order(one, "auroc2"), "auroc2", v) for v, one in variants.items()]
    cells = estimates.domain_cells(trials)
    neighbours = estimates.neighbours(each["auroc2"], list(printed["model"]))
    whole_only = {m: one for m, one in made.items() if m not in changed}
    ranked = {q: estimates.order(whole_only, q) for q in estimates.RANKED}
    beside = estimates.neighbours(ranked["auroc2"], list(printed["model"]))
    models = models.assign(printed_rank=models["model"].map(place))
    return Ranking(
        models=models,
        ranks=ranks,
        cells=cells,
        coverage=coverage.cells(),
        counted=pd.DataFrame(counted),
        neighbours=neighbours,
        unlike=_unlike(trials, with_put_in, made, again),
        screen=screen(trials),
        board=_board(models, ranked["auroc2"], changed),
        board_counted=pd.DataFrame(
            [{**count_order(one, q, STATED), "measure": MEASURES[q]} for q, one in ranked.items()]
        ),
        verdicts=drawn(order_verdict(each["auroc2"])) if verdicts else (),
        n_ranked=len(whole_only),
        n_ranked_neighbours=len(beside),
        n_ranked_neighbours_apart=int(beside["apart"].sum()),
        n_cells=len(cells),
        n_few=int(cells["why"].str.endswith("wrong answers").sum()),
        n_neighbours=len(neighbours),
        n_neighbours_apart=int(neighbours["apart"].sum()),
    )


def _board(models: pd.DataFrame, ranked: Order, uncounted: list[str]) -> pd.DataFrame:
    """:attr:`Ranking.board`."""
    own = ranked.table.rename(columns={"set_lower": "rank_lower", "set_upper": "rank_upper"})
    kept = ["model", "family", "n", "n_wrong", "auroc2", "auroc2_lower", "auroc2_upper", "printed_rank"]
    made = models[kept].assign(uncounted=models["model"].isin(uncounted))
    made = made.merge(own[["model", "rank", "rank_lower", "rank_upper"]], on="model", how="left")
    return made.sort_values(
        ["uncounted", "auroc2"], ascending=[True, False], kind="stable", ignore_index=True
    )


def _unlike(
    trials: pd.DataFrame,
    with_put_in: pd.DataFrame,
    made: dict[str, estimates.Measured],
    again: dict[str, estimates.Measured],
) -> pd.DataFrame:
    """:attr:`Ranking.unlike`."""
    parts = [
        estimates.table_of(rows[rows["model"].isin(again)], {m: one[m] for m in again}).assign(rows=name)
        for name, rows, one in ((STATED, trials, made), (PUT_IN, with_put_in, again))
        if again
    ]
    columns = ["model", "rows", "n", "n_wrong", "auroc2", "auroc2_lower", "auroc2_upper", "flag"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


@analysis(returns=Ranking, files=(*FILES, SIMULATED, coverage.SIMULATED))
def ranking(
    inputs: Inputs,
    *,
    n_resamples: int = 2000,
    n_permutations: int = 2000,
    seed: int = 42,
    verdicts: bool = True,
) -> Ranking:
    """Which of 33 large models know best what they know, and how sure is their order?"""
    return rank(
        load().trials, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed, verdicts=verdicts
    )
