"""33 models, ranked as far as they can be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table, rows_of
from metacog.measures.cell import MIN_FOR_INTERVALS
from metacog.measures.estimates import Measured, calibration_error, measure
from metacog.measures.screen import screen
from metacog.measures.table import NAMES, SOUND, Options, coverage_notes, make_cell
from metacog.measures.table import TABLE as COVERAGE
from metacog.sdt.ranking import rank_sets, significantly_higher
from metacog.sdt.type2 import auroc2_interval
from metacog.studies.study import analysis
from metacog.studies.study6_frontier.ledger.rows import load, stated
from metacog.studies.study6_frontier.paper import DOMAINS, FILES, as_numbers
from metacog.verdicts.rules import Unit, judged
from metacog.verdicts.verdict import Kind, Verdict, drawn

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# How often intervals of AUROC2 hold the truth at the atlas's sizes, from a committed simulation.

#: Made by ``benchmarks/cell_coverage.py``: cells with confidence that never ties, and the atlas's cells.
SIMULATED = "data/simulations/cell_coverage.csv"
#: Kinds of simulated confidence, as the file calls them.
CONTINUOUS, TIED = "continuous", "tied"
#: Wrong answers of cells of a domain that are counted together: at most these.
BANDS = (15, 30, 75)


def simulated_cells() -> pd.DataFrame:
    """Every simulated cell, with ``wrong`` (how many wrong answers, in words) and ``sound``.

    Raises
    ------
    MetacogError
        If the committed table is missing.
    """
    table = committed_table(SIMULATED, keep_default_na=False)
    words = [_band(row.part, row.n_wrong) for row in rows_of(table)]
    return table.assign(wrong=words, sound=table["coverage"].between(*SOUND))


def _band(part: str, n_wrong: int) -> str:
    if part != "domain":
        return "any"
    low = MIN_FOR_INTERVALS
    for high in BANDS:
        if n_wrong <= high:
            return f"{low} to {high}"
        low = high + 1
    return f"{low} or more"


# Measures of each model and of its domains, with intervals over the items that all models were asked.

#: Measures that models are shown with, each with its interval.
SHOWN = ("accuracy", "auroc2", "meta_i2r", "d_a", "ece_debiased", "brier")
#: Measures that models are ranked by; more is better in each.
RANKED = ("auroc2", "meta_i2r", "accuracy")
#: Name of the one set of items, which fixes what is resampled.
ITEMS = "atlas"


@dataclass(frozen=True)
class Order:
    """Ranks of models by one measure, all pairs judged together.

    Attributes
    ----------
    table : DataFrame
        ``model, estimate, rank, set_lower, set_upper``, best first: a model's rank lies between the ends of its set,
        for all models at once with 95 % confidence. Models without draws are left out.
    higher : array of bool, shape ``(G, G)``
        Whether the model of a row is significantly higher than that of a column, in the order of ``table``.
    left_out : tuple of str
        Models without an interval.
    """

    table: pd.DataFrame
    higher: NDArray[np.bool_]
    left_out: tuple[str, ...]

    @property
    def pairs(self) -> int:
        """Pairs of models that are ranked."""
        return len(self.table) * (len(self.table) - 1) // 2

    @property
    def apart(self) -> int:
        """Pairs that differ significantly."""
        return int(self.higher.sum())


def measured(
    trials: pd.DataFrame, *, n_resamples: int, n_permutations: int, seed: int
) -> dict[str, Measured]:
    """All measures of each model; resamples draw from all items, the same for every model.

    Parameters
    ----------
    trials : DataFrame
        As :attr:`metacog.studies.study6_frontier.ledger.rows.Rows.trials`.
    """
    items = np.unique(trials["question_id"])
    questions = tuple((ITEMS, str(item)) for item in items)
    found = {}
    for model, own in trials.groupby("model", sort=False):
        cell = make_cell(own, own, Options())
        unit = np.searchsorted(items, own["question_id"].to_numpy()).astype(np.int64)
        found[str(model)] = measure(
            replace(cell, unit=unit, questions=questions),
            n_resamples=n_resamples,
            n_permutations=n_permutations,
            seed=seed,
            estimators=(calibration_error,),
        )
    return found


def table_of(trials: pd.DataFrame, models: dict[str, Measured]) -> pd.DataFrame:
    """One row per model: ``model, family, n, n_wrong``, :data:`SHOWN` with limits, ``coverage`` and ``flag``."""
    family = trials.drop_duplicates("model").set_index("model")["family"]
    rows = []
    for model, made in models.items():
        row = made.row()
        n, right = int(made.values["n_trials"]), int(made.values["n_correct"])
        known = {name: made.values[name] for name in NAMES if name in made.bounds}
        limits = {
            f"{name}{end}": row.get(f"{name}{end}", np.nan)
            for name in SHOWN
            for end in ("", "_lower", "_upper")
        }
        low, high = made.bounds.get("ece_debiased", (np.nan, np.nan))
        limits |= {"ece_debiased_lower": low, "ece_debiased_upper": high}
        rows.append(
            {
                "model": model,
                "family": family[model],
                "n": n,
                "n_wrong": n - right,
                **limits,
                "coverage": coverage_notes(known, n, right),
                "flag": row["flag"],
            }
        )
    return pd.DataFrame(rows).sort_values("auroc2", ascending=False, kind="stable").reset_index(drop=True)


def order(models: dict[str, Measured], quantity: str) -> Order:
    """Ranks of models by a measure, with the sets of ranks that cannot be ruled out."""
    names = sorted(models, key=lambda m: -models[m].values.get(quantity, np.nan))
    kept = [m for m in names if models[m].defined(quantity) and quantity in models[m].bounds]
    values = np.array([models[m].values[quantity] for m in kept])
    draws = np.array([models[m].paired(quantity) for m in kept])
    whole = np.isfinite(draws).all(axis=0)
    higher = significantly_higher(values, draws[:, whole])
    low, high = rank_sets(higher)
    table = pd.DataFrame(
        {
            "model": kept,
            "estimate": values,
            "rank": pd.Series(-values).rank(),
            "set_lower": low,
            "set_upper": high,
        }
    )
    return Order(table, higher, tuple(sorted(set(models) - set(kept))))


def orders(models: dict[str, Measured]) -> tuple[pd.DataFrame, dict[str, Order]]:
    """:func:`order` by each of :data:`RANKED`: one long table with the column ``quantity``, and each by name."""
    each = {quantity: order(models, quantity) for quantity in RANKED}
    return pd.concat([one.table.assign(quantity=q) for q, one in each.items()], ignore_index=True), each


def domain_cells(trials: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of each model in each domain: ``model, domain, area, n, n_wrong, auroc2, lower, upper, why``.

    ``area`` is the domain as readers know it.

    No interval below :data:`metacog.measures.cell.MIN_FOR_INTERVALS` right or wrong answers; ``why`` says so.
    """
    rows = []
    for (model, domain), own in trials.groupby(["model", "domain"], sort=False):
        wrong = int((~own["correct"]).sum())
        few = min(wrong, len(own) - wrong) < MIN_FOR_INTERVALS
        made = auroc2_interval(own["correct"], own["score"]) if 0 < wrong < len(own) else None
        known = made is not None and not few and not made.reason
        rows.append(
            {
                "model": model,
                "domain": domain,
                "area": DOMAINS.get(str(domain), ("", str(domain)))[1],
                "n": len(own),
                "n_wrong": wrong,
                "auroc2": np.nan if made is None else made.estimate,
                "lower": made.lower if made is not None and known else np.nan,
                "upper": made.upper if made is not None and known else np.nan,
                "why": f"{wrong} wrong answers" if few or made is None else made.reason,
            }
        )
    return pd.DataFrame(rows)


def neighbour_pairs(ranked: Order, printed: list[str]) -> pd.DataFrame:
    """Neighbours in the printed order, and whether they differ: ``higher, lower, apart``."""
    place = {model: i for i, model in enumerate(ranked.table["model"])}
    known = [m for m in printed if m in place]
    return pd.DataFrame(
        [
            {"higher": a, "lower": b, "apart": bool(ranked.higher[place[a], place[b]])}
            for a, b in pairwise(known)
        ]
    )


def pair_units(ranked: Order) -> list[tuple[str, bool]]:
    """Every pair of ranked models, and whether it differs."""
    names = [row.model for row in rows_of(ranked.table)]
    return [
        (f"{names[i]} and {names[j]}", bool(ranked.higher[i, j] or ranked.higher[j, i]))
        for i, j in combinations(range(len(names)), 2)
    ]


# Who knows what it knows among 33 models, and which ranks can be told? What is computed.

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
    pairs = [Unit(name, apart) for name, apart in pair_units(ranked)]
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
    made = measured(trials, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
    ranks, each = orders(made)
    by_area = each["auroc2"].table[["model", "rank", "set_lower", "set_upper"]]
    models = table_of(trials, made).merge(by_area, on="model", how="left")
    printed = as_numbers("summary").sort_values("aggregate", ascending=False, kind="stable")
    place = {m: i + 1 for i, m in enumerate(printed["model"])}
    whole = trials.groupby("model")["question_id"].nunique()
    complete = set(whole.index[whole == trials["question_id"].nunique()])
    again = measured(with_put_in, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
    variants = {WHOLE: {m: one for m, one in made.items() if m in complete}, PUT_IN: {**made, **again}}
    counted = [count_order(each[q], q, STATED) for q in RANKED]
    counted += [count_order(order(one, "auroc2"), "auroc2", v) for v, one in variants.items()]
    cells = domain_cells(trials)
    neighbours = neighbour_pairs(each["auroc2"], list(printed["model"]))
    whole_only = {m: one for m, one in made.items() if m not in changed}
    ranked = {q: order(whole_only, q) for q in RANKED}
    beside = neighbour_pairs(ranked["auroc2"], list(printed["model"]))
    models = models.assign(printed_rank=models["model"].map(place))
    return Ranking(
        models=models,
        ranks=ranks,
        cells=cells,
        coverage=simulated_cells(),
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
    made: dict[str, Measured],
    again: dict[str, Measured],
) -> pd.DataFrame:
    """:attr:`Ranking.unlike`."""
    parts = [
        table_of(rows[rows["model"].isin(again)], {m: one[m] for m in again}).assign(rows=name)
        for name, rows, one in ((STATED, trials, made), (PUT_IN, with_put_in, again))
        if again
    ]
    columns = ["model", "rows", "n", "n_wrong", "auroc2", "auroc2_lower", "auroc2_upper", "flag"]
    return pd.concat(parts, ignore_index=True)[columns] if parts else pd.DataFrame(columns=columns)


@analysis(returns=Ranking, files=(*FILES, COVERAGE, SIMULATED))
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
