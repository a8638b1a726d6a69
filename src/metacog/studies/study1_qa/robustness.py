"""R1-R4: other numbers of ratings, unequal variance, equal-width bins, another question set.

R5 is in :mod:`.forced`, R6 in :mod:`.matched`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.rules import Unit, every, those, undecided, unit
from metacog.sdt.intervals import percentile_limits as interval
from metacog.sdt.zroc import z_roc
from metacog.studies.study1_qa.cell_estimates import below_one, bootstrap_cells
from metacog.studies.study1_qa.cells import GROUP, Cells, FloatArray, primary, rate_trials
from metacog.studies.study1_qa.exploratory import place
from metacog.studies.study1_qa.flags import flags_in, joined
from metacog.studies.study1_qa.published import R2_SLOPES
from metacog.studies.study1_qa.verdicts import PREREGISTERED, Verdict

BASELINE = "K = 4, s = 1, quantiles"
OWN_SLOPE = "s = own z-ROC slope"
PRINTED_SLOPE = "s = the author's slope"
#: What "the same" asks of every check.
_KEPT = "every model keeps its side of H1's rule, and every pair of models its order of M-ratio"
RULES = {
    "R1": f"With 3 and 6 ratings a side, {_KEPT}.",
    "R2": "With unequal variance (s = z-ROC slope), the same.",
    "R3": "With bins of equal width, the same.",
    "R4": "On the other question sets, every pair of models keeps its order of M-ratio.",
}


@dataclass(frozen=True)
class Robustness:
    """R1-R4.

    Attributes
    ----------
    table : DataFrame
        One row a check, variant, model and question set: ``check, variant, model, dataset, k, s,
        d_prime, meta_d, m_ratio, ci_lo, ci_hi, below_one, rank, flag``; rank 1 is the highest M-ratio
        of its variant and question set. Each check repeats the baseline.
    orders : DataFrame
        One row a check, variant and pair of models: ``check, variant, model_a, model_b, base, base_lo,
        base_hi, other, other_lo, other_hi`` (difference of M-ratio under the baseline and under the
        variant with 95 % limits), ``flag``, and ``kept``: True if both intervals leave out zero on one
        side, False if on opposite sides, None where either holds zero and the order is not settled.
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    orders: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True)
class _Variant:
    """One check's variant on one question set: its rows and the draws behind them."""

    check: str
    name: str
    rows: pd.DataFrame
    draws: FloatArray  # (models, B) of M-ratio


def paper_names(models: Iterable[str]) -> dict[str, str]:
    """The paper's names of those models that are the paper's, from ``config/models.yaml``."""
    from metacog.collect.models import load_models

    known = load_models()
    return {m: known[m].paper_name for m in models if m in known and known[m].paper_name}


def own_slopes(cells: Cells) -> np.ndarray:
    """Slope of each group's z-ROC, without a cell correction; NaN where there is none."""
    slopes = np.full(len(cells), np.nan)
    good = np.flatnonzero(cells.measurable)
    if good.size:
        found = np.asarray(z_roc(cells.nR_S1[good], cells.nR_S2[good]).slope, dtype=np.float64)
        slopes[good] = np.where(found > 0, found, np.nan)
    return slopes


def printed_slopes(cells: Cells, paper_names: Mapping[str, str] | None = None) -> np.ndarray:
    """Slopes that the author used in R2; NaN for models that are not the paper's."""
    names = cells.frame["model"].map(dict(paper_names) if paper_names else {}).fillna(cells.frame["model"])
    return names.map(R2_SLOPES).to_numpy(dtype=np.float64)


def rerated(trials: pd.DataFrame) -> tuple[dict[int, Cells], Cells]:
    """Counts at T = 1 with 3 and 6 ratings a side (R1), and with bins of equal width (R3)."""
    sides = {k: rate_trials(trials, k=k).cells() for k in (3, 6)}
    return sides, rate_trials(trials, method="width").cells()


def robustness(
    trials: pd.DataFrame,
    *,
    paper_names: Mapping[str, str] | None = None,
    n_resamples: int = 10_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Robustness:
    """R1 to R4 on a trial table.

    Parameters
    ----------
    trials : DataFrame
        All question sets; the first is the main one.
    paper_names : mapping, optional
        Model name to the paper's name, for models of the paper (R2's printed slopes).
    """
    main = primary(trials)
    cells = rate_trials(main).cells()
    options = {"n_resamples": n_resamples, "seed": seed}
    base = _variant("", BASELINE, cells, **options)
    sides, width = rerated(main)
    made = [_variant("R1", f"K = {k}", one, **options) for k, one in sides.items()]
    made += _slopes(cells, paper_names=paper_names, **options)
    made.append(_variant("R3", "equal width", width, **options))
    others = trials[trials["dataset"] != main["dataset"].iloc[0]]
    if len(others):
        made += [
            _variant("R4", str(dataset), rate_trials(own).cells(), **options)
            for dataset, own in others.groupby("dataset", sort=False)
        ]
    return _together(base, made, ("R1", "R2", "R3", "R4"), verdicts)


def robustness_from_counts(
    cells: Cells, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Robustness:
    """What counts at K = 4 allow of R1-R4: baseline, both slopes of R2, and R4; R1 and R3 need trials."""
    first = cells.frame["dataset"].iloc[0]
    main = cells.select(cells.frame["dataset"] == first)
    options = {"n_resamples": n_resamples, "seed": seed}
    made = _slopes(main, n_resamples=n_resamples, seed=seed)
    for dataset in dict.fromkeys(cells.frame["dataset"]):
        if dataset != first:
            other = cells.select(cells.frame["dataset"] == dataset)
            made.append(_variant("R4", str(dataset), other, **options))
    return _together(_variant("", BASELINE, main, **options), made, ("R2", "R4"), verdicts)


def _together(base: _Variant, made: list[_Variant], checks: tuple[str, ...], verdicts: bool) -> Robustness:
    parts = [_named(base.rows, check) for check in checks] + [_named(v.rows, v.check) for v in made]
    table = _ranked(pd.concat(parts, ignore_index=True))
    orders = pd.DataFrame([row for v in made for row in _orders(base, v)], columns=list(_ORDER_COLUMNS))
    found = tuple(_judge_check(table, orders, check) for check in checks) if verdicts else ()
    return Robustness(table, orders, found)


def _slopes(
    cells: Cells, *, paper_names: Mapping[str, str] | None = None, n_resamples: int = 10_000, seed: int = 42
) -> list[_Variant]:
    """R2: the model's own z-ROC slope, and the author's printed one for models of the paper."""
    made = []
    for name, slopes in ((OWN_SLOPE, own_slopes(cells)), (PRINTED_SLOPE, printed_slopes(cells, paper_names))):
        known = np.isfinite(slopes)
        if known.any():
            made.append(_variant("R2", name, cells.select(known), slopes[known], n_resamples, seed))
    return made


def _variant(
    check: str,
    name: str,
    cells: Cells,
    s: float | np.ndarray = 1.0,
    n_resamples: int = 10_000,
    seed: int = 42,
) -> _Variant:
    drawn = bootstrap_cells(cells, n_resamples=n_resamples, seed=seed, s=s)
    k = cells.nR_S1.shape[1] // 2
    table = drawn.table.assign(variant=name, k=k, s=s, below_one=below_one(drawn.table))
    columns = [
        *GROUP,
        "variant",
        "k",
        "s",
        "d_prime",
        "meta_d",
        "m_ratio",
        "ci_lo",
        "ci_hi",
        "below_one",
        "flag",
    ]
    return _Variant(check, name, table[columns], drawn.m_ratio)


_ORDER_COLUMNS = (
    "check",
    "variant",
    "model_a",
    "model_b",
    "base",
    "base_lo",
    "base_hi",
    "other",
    "other_lo",
    "other_hi",
    "flag",
    "kept",
)


def _orders(base: _Variant, other: _Variant) -> list[tuple[object, ...]]:
    """Rows of ``orders`` for one variant; models are drawn independently of one another."""
    sides = [{str(m): i for i, m in enumerate(v.rows["model"])} for v in (base, other)]
    shared = [m for m in sides[0] if m in sides[1]]
    found = []
    for a, b in combinations(shared, 2):
        row: list[object] = []
        states, flags = [], []
        for at, v in zip(sides, (base, other), strict=True):
            low, high = interval(v.draws[at[a]] - v.draws[at[b]])
            row += [v.rows["m_ratio"].iloc[at[a]] - v.rows["m_ratio"].iloc[at[b]], low, high]
            states.append(1 if low > 0 else -1 if high < 0 else 0)
            flags += [flag for m in (a, b) for flag in flags_in(v.rows["flag"].iloc[at[m]])]
        kept = None if 0 in states else states[0] == states[1]
        found.append((other.check, other.name, a, b, *row, joined(dict.fromkeys(flags)), kept))
    return found


def _named(rows: pd.DataFrame, check: str) -> pd.DataFrame:
    return rows.assign(check=check)


def _ranked(table: pd.DataFrame) -> pd.DataFrame:
    table["rank"] = place(table["m_ratio"], table[["check", "variant", "dataset"]].agg(tuple, axis=1))
    first = ["check", "variant", "model", "dataset"]
    return (
        table[[*first, *(c for c in table.columns if c not in first)]]
        .sort_values("check", kind="stable")
        .reset_index(drop=True)
    )


def _answers(rows: pd.DataFrame) -> list[Unit]:
    """Does every model keep its side of H1's rule under every variant?"""
    base = rows[rows["variant"] == BASELINE].set_index("model")
    found = []
    for r in rows_of(rows[rows["variant"] != BASELINE]):
        if r.model in base.index:
            first = base.loc[r.model]
            known = np.isfinite([first["ci_hi"], r.ci_hi]).all()
            flags = joined(dict.fromkeys([*flags_in(first["flag"]), *flags_in(r.flag)]))
            found.append(unit(f"{r.model}, {r.variant}", first["below_one"] == r.below_one, known, flags))
    return found


def _places(orders: pd.DataFrame) -> list[Unit]:
    """Does every pair of models keep its order under every variant?"""
    found = []
    for r in rows_of(orders):
        name = f"{r.model_a} and {r.model_b}, {r.variant}"
        if r.kept is None and not r.flag:
            found.append(Unit(name, None, "an interval of the difference holds zero"))
        else:
            found.append(unit(name, r.kept, known=r.kept is not None, flag=r.flag))
    return found


def _judge_check(table: pd.DataFrame, orders: pd.DataFrame, check: str) -> Verdict:
    """Are H1's answers and the order of the models what they were?"""
    rows, mine = table[table["check"] == check], orders[orders["check"] == check]
    base = rows[rows["variant"] == BASELINE].set_index("model")["m_ratio"]
    changed = rows[rows["variant"] != BASELINE]
    if changed.empty:
        missing = "This run has one question set only." if check == "R4" else "Nothing to compare."
        return Verdict(check, PREREGISTERED, RULES[check], None, missing)
    moves = (changed["m_ratio"] - changed["model"].map(base)).abs().dropna()
    largest = f"M-ratio moves by at most {moves.max():.2f}" if len(moves) else "No M-ratio could be compared"
    answers = [] if check == "R4" else _answers(rows)
    places = _places(mine)
    parts = [largest]
    if answers:
        lost = those(answers, False)
        parts.append(f"H1's answer changes for {listed(lost) if lost else 'no model that can be judged'}")
    if places:
        turned, kept = those(places, False), those(places, True)
        parts.append(
            f"of {plural(len(places), 'order')} of two models {len(kept)} stay and {len(turned)} turn round"
            + (f" ({listed(turned)})" if turned else "")
        )
    else:
        parts.append("with one model there is no order to keep")
    sentence = "; ".join(parts) + "." + undecided([*answers, *places])
    return Verdict(check, PREREGISTERED, RULES[check], every([*answers, *places]), sentence)


def compact(table: pd.DataFrame) -> pd.DataFrame:
    """The table with the pre-registered setting once, named so, instead of once a check."""
    base = table["variant"] == BASELINE
    first = base & (table["check"] == table.loc[base, "check"].iloc[0])
    kept = table[first | ~base].copy()
    kept.loc[kept["variant"] == BASELINE, ["check", "variant"]] = ["-", "as pre-registered"]
    return kept.sort_values("check", kind="stable").reset_index(drop=True)
