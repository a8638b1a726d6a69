"""Is this answer right? Whom to ask: the model itself, or other models, and how many of them.

A model that is sure may be right; so may one whose answer others give as well. For each judged model, on the same
items, stand beside each other: its own confidence, whether k models of other families give its answer, their
confidence, and what all of it says together. What asking costs stands with it, and how many second opinions the
model's own word is worth.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from metacog.core.frames import ended, with_ends
from metacog.measures.model_items import (
    CONSTANT,
    FEW,
    MIN_OF_CLASS,
    SILENT,
    FloatArray,
    ModelItems,
    rank_shares,
)
from metacog.measures.placements import area_of, half_width, numbers
from metacog.sdt import InputError
from metacog.sdt.cross_fitting import even_folds
from metacog.sdt.information_parts import fit_ridge_logistic
from metacog.sdt.selective import accuracy_coverage_from_counts

IntArray = NDArray[np.int64]
#: Numbers of second opinions.
KS = (1, 2, 4, 8, 16)
#: Shares of the items that are answered, the rest being held back.
COVERAGE = (0.5, 0.8, 0.9)
#: An other that answered a smaller share of the judged model's items is not asked.
LEAST_SHARED = 0.5
#: Steps of a rank share where ranks are summed or combined with counts, so that there are few levels.
_STEPS = 64
_PENALTY = 1.0
_AT_ONCE = 16_384
COLUMNS = (
    *("model", "family", "way", "k", "n", "n_wrong", "n_others", "n_known"),
    *with_ends("auroc2"),
    *("least", "most"),
    *(f"caught_{share:.0%}".rstrip("%") for share in COVERAGE),
    *with_ends("own_less"),
    *("tokens", "flag"),
)
WORTH = ("model", "family", "n", "own", *with_ends("worth"), "said", "flag")


@dataclass(frozen=True)
class WhomToAsk:
    """What each way of finding wrong answers does, for each judged model.

    Attributes
    ----------
    table : DataFrame
        Columns ``COLUMNS``, a row for each model and way, with the number of models asked in ``k`` (0: none).

        ``way`` is ``own`` (its own confidence) or the name of a further signal; ``agreement`` with k others drawn at
        random, ``small`` with k drawn from the small ones, ``best`` with the k whose agreement tells most on the
        other half of the items, ``all`` with all others; ``their_confidence``, the mean rank of k others' confidence;
        ``own_and_agreement``, own confidence and agreement with k; ``together``, every own signal, agreement with all
        others and their confidence. The last two are logistic regressions fitted to other folds of items.

        ``n`` items with ``n_wrong`` wrong answers, on which each way is judged; ``n_known`` of them with the signal;
        ``n_others`` models that could be asked. ``auroc2`` with an interval over items, the mean over draws where
        there are any, and over these draws its ``least`` and ``most``. ``caught_50``: of the wrong answers, the share
        among the half of the items that the way trusts least, and so on for 80 and 90 % that are answered. ``own_less``
        is own AUROC2 less this one, paired by item. ``tokens`` an item takes beyond the judged model's own reply; NaN
        where nothing was told. ``flag`` says why values are missing.
    worth : DataFrame
        Columns ``WORTH``, a row for each model: the number of second opinions at which agreement tells as much as
        ``own``; 0 for fewer than one, infinite for more than were asked, and ``said`` in words.
    ks : tuple of int
    n_draws, n_folds : int
    """

    table: pd.DataFrame = field(repr=False)
    worth: pd.DataFrame = field(repr=False)
    ks: tuple[int, ...]
    n_draws: int
    n_folds: int


def whom_to_ask(
    items: ModelItems,
    *,
    models: Sequence[str] | None = None,
    small: Sequence[str] = (),
    signals: Mapping[str, ArrayLike] | None = None,
    tokens: ArrayLike | None = None,
    signal_tokens: Mapping[str, ArrayLike] | None = None,
    ks: Sequence[int] = KS,
    n_draws: int = 50,
    n_folds: int = 10,
    seed: int = 42,
) -> WhomToAsk:
    """To know whether a model is right: ask how sure it is, or ask other models?

    Parameters
    ----------
    items : ModelItems
        With answers; families say which models are others. No key is needed.
    models : sequence of str, optional
        Models that are judged; all without it.
    small : sequence of str
        Models that are asked apart, such as those that cost little.
    signals : mapping of str to array, shape ``(M, N)``, optional
        Further signals of each model on its answers, larger where it is surer: token probability, tone. NaN where
        there is none.
    tokens : array, shape ``(M,)`` or ``(M, N)``, optional
        What asking a model takes.
    signal_tokens : mapping of str to float or array, shape ``(M,)``, optional
        What a further signal (or ``own``) takes beyond the reply; nothing without it.
    ks : sequence of int
        Numbers of second opinions, rising.
    n_draws : int
        Random choices of k others, over which the mean and the range are given; of k = 1, every other once.
    n_folds : int
        Of items, for what is fitted: each item is judged by what the other folds show, among items of its own fold.
    seed : int

    Returns
    -------
    WhomToAsk

    Raises
    ------
    InputError
        No answers; one model alone; no judged model that shares items with one of another family, or none with ten
        right and ten wrong answers; unknown models; arrays of other shapes or of text; ks that do not rise.

    Notes
    -----
    **Missing answers.** A model is judged on the items that are marked right or wrong for it. Where such an item has
    no answer (because a missing one was counted as wrong), or another model gave none, there is no agreement: a
    missing answer agrees with nobody. It is an opinion asked for, and paid, all the same. Others that answered less
    than half of the judged model's items are not asked. A missing confidence or signal stands in the middle of the
    ranks, and ``n_known`` says how many were there.

    Agreement counts how many of those asked gave the judged model's answer, so that it has k + 1 levels; ties count
    one half in AUROC2 and are ordered at random in ``caught``, of which the expected value is given. Draws are of
    models, not of families: several models of one family may be among the k.

    Intervals are DeLong's (1988), from placement values: of the mean over draws from the mean of each item's placement
    values. They are for new items and the same models; what other models would say is in the range over draws. That
    ``best`` was chosen and the combinations were fitted is not in their intervals, which is to be seen where nothing
    can be told (``data/simulations/whom_to_ask.csv``). The ends of ``worth`` are the k between which own AUROC2
    and agreement differ by less than the interval of their paired difference; between two k the curve is taken to be
    straight in log k.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44, 837-845. Geifman & El-Yaniv 2017 for coverage.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from metacog.measures.whom_to_ask import whom_to_ask
    >>> from metacog.measures.model_items import ModelItems
    >>> rng = np.random.default_rng(1)
    >>> ease, luck = rng.normal(size=400), rng.normal(size=(6, 400))
    >>> right = ease + luck > 0
    >>> answer = np.where(right, 0, rng.integers(1, 4, size=right.shape))
    >>> trials = pd.DataFrame(
    ...     {
    ...         "model": np.repeat(list("abcdef"), 400),
    ...         "question_id": np.tile(np.arange(400), 6),
    ...         "correct": right.ravel().astype(int),
    ...         "confidence": (ease + rng.normal(size=right.shape)).ravel(),
    ...         "answer": answer.ravel(),
    ...     }
    ... )
    >>> found = whom_to_ask(ModelItems.of(trials, answer="answer"), models=["a"], ks=(1, 2, 4))
    >>> found.table[["way", "k", "auroc2", "caught_80"]].head(4).round(2)
             way  k  auroc2  caught_80
    0        own  0    0.68       0.27
    1  agreement  1    0.71       0.27
    2  agreement  2    0.79       0.30
    3  agreement  4    0.85       0.32
    >>> found.worth["said"].item()
    'fewer than 1'
    """
    n_models = len(items.models)
    if n_models < 2:
        raise InputError(f"there is one model, {items.models[0]}: nobody else can be asked")
    if items.answer is None:
        raise InputError("agreement needs the answers: name their column (answer=)")
    items.named(small)
    if not ks or ks[0] < 1 or any(b <= a for a, b in pairwise(ks)):
        raise InputError(f"ks must be whole numbers from 1 that rise, got {list(ks)}")
    if n_draws < 2 or n_folds < 2:
        raise InputError("at least two draws and two folds are wanted")
    further = {name: numbers(name, values, items.right.shape) for name, values in (signals or {}).items()}
    if taken := {"own", *WAYS} & set(further):
        raise InputError(f"a further signal cannot be called {', '.join(sorted(taken))}")
    if unknown := [name for name in signal_tokens or {} if name not in {"own", *further}]:
        raise InputError(f"tokens are told of {', '.join(unknown)}, which is no signal")
    cost = np.full(n_models, np.nan)
    if tokens is not None:
        given = np.asarray(tokens)
        cost = numbers("tokens", given, (n_models,) if given.ndim == 1 else items.right.shape)
        if cost.ndim == 2:
            known = np.isfinite(cost)
            n_known = known.sum(axis=1)
            total = np.where(known, cost, 0.0).sum(axis=1)
            cost = np.where(n_known > 0, total / np.maximum(n_known, 1), np.nan)
    of_signals = {
        name: np.broadcast_to(numbers(name, np.atleast_1d(value), None), (n_models,))
        for name, value in (signal_tokens or {}).items()
    }
    task = _Task(items, tuple(small), further, cost, of_signals, tuple(ks), n_draws, n_folds, seed)
    judged = [task.judged(model) for model in items.named(models or None)]
    rows = [row for rows, _ in judged for row in rows]
    if all(row["flag"] and not row["n_judged"] for row in rows):
        raise InputError(f"no model can be judged; {rows[0]['model']}: {rows[0]['flag']}")
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    worth = pd.DataFrame([row for _, row in judged], columns=list(WORTH))
    for frame, words in ((table, ["flag"]), (worth, ["said", "flag"])):
        frame[words] = frame[words].fillna("")
    return WhomToAsk(table, worth, tuple(ks), n_draws, n_folds)


@dataclass(frozen=True)
class _Way:
    """A way of finding wrong answers: areas ``(D,)`` of draws, placement values ``(n,)``, shares caught."""

    areas: FloatArray
    placed: FloatArray = field(repr=False)
    caught: FloatArray

    @classmethod
    def of(cls, levels: IntArray, hits: NDArray[np.bool_], folds: IntArray | None = None) -> _Way:
        """From levels ``(D, n)``, whole numbers from 0, the mean over draws; only within folds where there are any."""
        n_draws, size = len(levels), int(levels.max()) + 1
        n_folds = 1 if folds is None else int(folds.max()) + 1
        base = size * hits + (0 if folds is None else 2 * size * folds)
        tables = np.empty((n_draws, n_folds, 2, size))
        placed, areas = np.zeros(hits.size), np.empty(n_draws)
        some = max(1, _AT_ONCE // hits.size)  # few draws at a time stay in the processor's cache
        for start in range(0, n_draws, some):
            drawn = slice(start, start + some)
            part = levels[drawn] + base
            part += 2 * size * n_folds * np.arange(len(part))[:, None]
            table = np.bincount(part.ravel(), minlength=2 * size * n_folds * len(part))
            table = table.reshape(len(part), n_folds, 2, size)
            total = table.sum(axis=3, keepdims=True)
            among = (np.cumsum(table, axis=3) - 0.5 * table) / np.maximum(total, 1)
            among = np.where(total > 0, among, 0.5)  # a fold may lack a class
            places = np.stack([1 - among[:, :, 1], among[:, :, 0]], axis=2).ravel()
            placed += places[part].sum(axis=0)
            areas[drawn] = (table[:, :, 1] * among[:, :, 0]).sum(axis=(1, 2)) / hits.sum()
            tables[drawn] = table
        kept = accuracy_coverage_from_counts(tables[:, :, 0], tables[:, :, 1], COVERAGE)
        let_through = (1 - kept) * np.array(COVERAGE) * tables.sum(axis=(2, 3))[..., None]
        caught = 1 - let_through.sum(axis=(0, 1)) / (n_draws * (~hits).sum())
        return cls(areas, placed / n_draws, caught)

    @classmethod
    def scored(cls, scores: FloatArray, hits: NDArray[np.bool_], folds: IntArray | None = None) -> _Way:
        """From scores ``(n,)``."""
        return cls.of(np.unique(scores, return_inverse=True)[1][None].astype(np.int64), hits, folds)

    @property
    def area(self) -> float:
        return float(self.areas.mean())


@dataclass(frozen=True)
class _Task:
    items: ModelItems
    small: tuple[str, ...]
    signals: dict[str, FloatArray]
    tokens: FloatArray
    signal_tokens: dict[str, FloatArray]
    ks: tuple[int, ...]
    n_draws: int
    n_folds: int
    seed: int

    @cached_property
    def ranks(self) -> FloatArray:
        """Rank shares of confidence, a half where there is none, shape ``(M, N)``."""
        return np.nan_to_num(self.items.rank_shares(), nan=0.5)

    @cached_property
    def steps(self) -> NDArray[np.float32]:
        return np.rint(self.ranks * _STEPS).astype(np.float32)

    @cached_property
    def of_signals(self) -> dict[str, FloatArray]:
        return {name: np.nan_to_num(rank_shares(one), nan=0.5) for name, one in self.signals.items()}

    def judged(self, model: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Rows of the table and of the worth of a model's own word."""
        items, own = self.items, self.items.models.index(model)
        assert items.answer is not None
        kept = items.answered[own]
        hits = items.right[own, kept] > 0
        others = items.others(model)
        if kept.any():
            others = others[(items.answer[np.ix_(others, kept)] >= 0).mean(axis=1) >= LEAST_SHARED]
        others = np.array(sorted(others, key=lambda j: items.models[j]), dtype=np.int64)
        named: dict[str, Any] = {
            "model": model,
            "family": items.families[own],
            "n": hits.size,
            "n_wrong": int((~hits).sum()),
            "n_others": others.size,
            "n_judged": 0,
        }
        why = ""
        if not others.size:
            why = f"no model of another family answered {LEAST_SHARED:.0%} of its items"
        elif min(hits.sum(), (~hits).sum()) < max(MIN_OF_CLASS, self.n_folds):
            why = FEW if self.n_folds <= MIN_OF_CLASS else f"fewer than {self.n_folds} right or wrong answers"
        if why:
            return [named | {"way": "own", "k": 0, "flag": why}], named | {"flag": why}
        one = _One(self, own, kept, hits, others)
        rows, worth = one.rows()
        return [named | {"n_judged": 1} | row for row in rows], named | worth


#: Ways that are no signal of the judged model alone.
WAYS = ("agreement", "small", "best", "all", "their_confidence", "own_and_agreement", "together")


@dataclass(frozen=True)
class _One:
    """One judged model: items ``kept``, which of them it got right, and the others who can be asked."""

    task: _Task
    own: int
    kept: NDArray[np.bool_]
    hits: NDArray[np.bool_]
    others: IntArray

    @cached_property
    def agrees(self) -> NDArray[np.float32]:
        """Whether an other gave the same answer, shape ``(others, n)``."""
        answer = self.task.items.answer
        assert answer is not None
        mine = answer[self.own, self.kept]
        return ((answer[np.ix_(self.others, self.kept)] == mine) & (mine >= 0)).astype(np.float32)

    @cached_property
    def steps(self) -> NDArray[np.float32]:
        return self.task.steps[np.ix_(self.others, self.kept)]

    @cached_property
    def rng(self) -> np.random.Generator:
        name = self.task.items.models[self.own]
        return np.random.default_rng([self.task.seed, zlib.crc32(name.encode())])

    @cached_property
    def folds(self) -> IntArray:
        return even_folds(self.hits, np.arange(self.hits.size), self.task.n_folds, self.rng)

    @cached_property
    def halves(self) -> IntArray:
        return np.asarray(self.folds % 2)

    def rows(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        task = self.task
        made, signals = [], self.signals()
        own: _Way | None = None
        for name, (scores, n_known, flag) in signals.items():
            way = None if flag else _Way.scored(scores, self.hits)
            if name == "own":
                own = way
            price = task.signal_tokens.get(name)
            cost = 0.0 if price is None else float(price[self.own])
            made.append(self.row(name, 0, way, own, cost, flag) | {"n_known": n_known})
        curve: list[tuple[int, _Way]] = []
        for name, k, way, cost, flag in sorted(self.ways(signals), key=lambda one: WAYS.index(one[0])):
            made.append(self.row(name, k, way, own, cost, flag))
            if name == "agreement" and way is not None:
                curve.append((k, way))
        return made, self.worth(own, curve)

    def signals(self) -> dict[str, tuple[FloatArray, int, str]]:
        """Own signals as rank shares, how many there are, and why one cannot be used."""
        task, found = self.task, {}
        for name, raw, ranks in (
            ("own", task.items.confidence, task.ranks),
            *((name, raw, task.of_signals[name]) for name, raw in task.signals.items()),
        ):
            values = ranks[self.own, self.kept]
            known = np.isfinite(raw[self.own, self.kept])
            n_known = int(known.sum())
            flag = SILENT if not n_known else CONSTANT if np.ptp(raw[self.own, self.kept][known]) == 0 else ""
            found[name] = (values, n_known, flag)
        return found

    def ways(
        self, signals: dict[str, tuple[FloatArray, int, str]]
    ) -> Iterator[tuple[str, int, _Way | None, float, str]]:
        """Name, number asked, what it does, tokens, and why it cannot be done."""
        task, hits, cost = self.task, self.hits, self.task.tokens[self.others]
        names = [task.items.models[j] for j in self.others]
        everyone = np.arange(self.others.size)
        pools = {"agreement": everyone}
        if task.small:
            pools["small"] = np.array([j for j in everyone if names[j] in task.small], dtype=np.int64)
        drawn = {name: self.draws(pool) for name, pool in pools.items()}
        usable = {name: scores for name, (scores, _, flag) in signals.items() if not flag}
        ranked = self.ranked()
        for k in task.ks:
            for name, order in drawn.items():
                if order.shape[1] < k:
                    kind = "small models" if name == "small" else "models"
                    yield name, k, None, np.nan, f"only {order.shape[1]} {kind} of other families"
                    continue
                chosen = order[:, :k] if k > 1 else pools[name][:, None]
                yield name, k, _Way.of(self.summed(self.agrees, chosen), hits), self.price(cost, chosen), ""
            order = drawn["agreement"]
            if order.shape[1] < k:
                continue
            chosen = order[:, :k] if k > 1 else everyone[:, None]
            yield (
                "their_confidence",
                k,
                _Way.of(self.summed(self.steps, chosen), hits),
                self.price(cost, chosen),
                "",
            )
            best = np.zeros(hits.size)
            for half, mine in enumerate(ranked):
                out = self.halves == half
                best[out] = self.agrees[mine[:k]][:, out].sum(axis=0)
            yield "best", k, _Way.of(best[None].astype(np.int64), hits), self.price(cost, ranked[:, :k]), ""
            if "own" in usable:
                levels = self.with_own(usable["own"], self.summed(self.agrees, chosen), k)
                yield "own_and_agreement", k, _Way.of(levels, hits, self.folds), self.price(cost, chosen), ""
        k = everyone.size
        everybody = everyone[None]
        share = self.summed(self.agrees, everybody)
        yield "all", k, _Way.of(share, hits), self.price(cost, everybody), ""
        mean = self.summed(self.steps, everybody)[0] / (k * _STEPS)
        scores = self.fitted(list(usable.values()), [share[0] / k, mean])
        extra = sum(float(price[self.own]) for name, price in task.signal_tokens.items() if name in usable)
        yield "together", k, _Way.scored(scores, hits, self.folds), self.price(cost, everybody) + extra, ""

    def draws(self, pool: IntArray) -> IntArray:
        """Positions among the others, in the order in which each draw asks them, shape ``(draws, at most k)``."""
        shuffled = np.argsort(self.rng.random((self.task.n_draws, pool.size)), axis=1)
        return np.asarray(pool[shuffled[:, : max(self.task.ks)]])

    def summed(self, values: NDArray[np.float32], chosen: IntArray) -> IntArray:
        """Sums over the chosen others, shape ``(draws, n)``."""
        weights = np.zeros((len(chosen), len(values)), dtype=np.float32)
        np.put_along_axis(weights, chosen, np.float32(1), axis=1)
        return (weights @ values).astype(np.int64)

    @staticmethod
    def price(cost: FloatArray, chosen: IntArray) -> float:
        return float(cost[chosen].sum(axis=1).mean())

    def ranked(self) -> IntArray:
        """The others by what their agreement tells on the other half, best first, shape ``(2, others)``."""
        at = np.zeros((self.hits.size, 4), dtype=np.float32)
        at[np.arange(self.hits.size), (1 - self.halves) + 2 * self.hits] = 1
        shares = (self.agrees @ at / at.sum(axis=0)).reshape(-1, 2, 2)
        return np.argsort(shares[:, 0] - shares[:, 1], axis=0, kind="stable").T.astype(np.int64)

    def with_own(self, own: FloatArray, counts: IntArray, k: int) -> IntArray:
        """Levels of own confidence and agreement together, shape ``(draws, n)``: one regression for all draws."""
        step = np.rint(own * _STEPS).astype(np.int64)
        cell = step * (k + 1) + counts  # (draws, n)
        n_cells, n_folds = (_STEPS + 1) * (k + 1), self.task.n_folds
        at = (self.folds * 2 + self.hits) * n_cells + cell
        table = np.bincount(at.ravel(), minlength=2 * n_cells * n_folds).reshape(n_folds, 2, n_cells) / len(
            counts
        )
        seen = np.flatnonzero(table.sum(axis=(0, 1)))
        x = _columns([seen // (k + 1) / _STEPS], [seen % (k + 1) / k], table[:, :, seen].sum(axis=(0, 1)))
        right = np.repeat([False, True], seen.size)
        inside = table[:, :, seen].reshape(n_folds, -1)
        scores = np.zeros((n_folds, n_cells))
        scores[:, seen] = _scores_of_folds(
            np.vstack([x, x]), right, inside.sum(axis=0) - inside, inside.sum(axis=0)
        )[:, : seen.size]
        levels = rankdata(scores, method="dense", axis=1).astype(np.int64) - 1
        return np.asarray(levels[self.folds, cell])

    def fitted(self, own: list[FloatArray], others: list[FloatArray]) -> FloatArray:
        """Log-odds by logistic regressions on other folds, their constants left out, shape ``(n,)``."""
        inside = self.folds == np.arange(self.task.n_folds)[:, None]
        every = np.ones(self.hits.size)
        scores = _scores_of_folds(
            _columns(own, others, every), self.hits, (~inside).astype(np.float64), every
        )
        return np.asarray(scores[self.folds, np.arange(self.hits.size)])

    def row(
        self, name: str, k: int, way: _Way | None, own: _Way | None, cost: float, flag: str
    ) -> dict[str, Any]:
        made: dict[str, Any] = {"way": name, "k": k, "n_known": self.hits.size, "tokens": cost, "flag": flag}
        if way is None:
            return made
        made |= area_of("auroc2", way.placed, self.hits)
        made |= {"least": float(way.areas.min()), "most": float(way.areas.max())}
        made |= dict(zip(COLUMNS[13:16], map(float, way.caught), strict=True))
        if own is not None and own is not way:
            gap, half = own.area - way.area, half_width(own.placed - way.placed, self.hits)
            made |= ended("own_less", gap, gap - half, gap + half)
        return made

    def worth(self, own: _Way | None, curve: list[tuple[int, _Way]]) -> dict[str, Any]:
        """Second opinions that own confidence is worth."""
        if own is None or not curve:
            return {"flag": "own confidence orders nothing" if own is None else "nobody else could be asked"}
        ks = np.array([k for k, _ in curve], dtype=np.float64)
        gaps = np.array([own.area - way.area for _, way in curve])
        halves = np.array([half_width(own.placed - way.placed, self.hits) for _, way in curve])
        value, lower, upper = (_first_below(ks, gaps + side * halves) for side in (0, -1, 1))
        said = f"fewer than {ks[0]:.0f}" if value == 0 else f"more than {ks[-1]:.0f}"
        return {
            "own": own.area,
            **ended("worth", value, lower, upper),
            "said": said if value in (0, np.inf) else f"{value:.1f}",
            "flag": "",
        }


def _first_below(ks: FloatArray, gaps: FloatArray) -> float:
    """The k at which a curve first falls to 0, straight in log k; 0 before the first, infinite after the last."""
    under = np.flatnonzero(gaps <= 0)
    if not under.size:
        return float("inf")
    at = int(under[0])
    if at == 0:
        return 0.0 if gaps[0] < 0 else float(ks[0])
    share = gaps[at - 1] / (gaps[at - 1] - gaps[at])
    return float(np.exp(np.log(ks[at - 1]) + share * np.log(ks[at] / ks[at - 1])))


def _columns(own: list[FloatArray], others: list[FloatArray], weights: FloatArray) -> FloatArray:
    """The constant, each signal, its square, and products of the first own signal with the others'."""

    def standard(x: FloatArray) -> FloatArray:
        centred = x - np.average(x, weights=weights)
        sd = float(np.sqrt(np.average(centred**2, weights=weights)))
        return centred / sd if sd > 1e-9 else np.zeros_like(centred)

    parts = [standard(x) for x in (*own, *others)]
    bends = [standard(x**2) for x in parts]
    products = [standard(parts[0] * x) for x in parts[len(own) :]] if own else []
    return np.stack([np.ones(len(parts[0])), *parts, *bends, *products], axis=1)


def _scores_of_folds(
    columns: FloatArray, right: NDArray[np.bool_], outside: FloatArray, every: FloatArray
) -> FloatArray:
    """Log-odds less their constant by fits to what lies outside each fold, ``(folds, n)``."""
    penalty = np.full(columns.shape[1], _PENALTY)
    penalty[0] = 0.0
    whole = fit_ridge_logistic(columns, right, penalty, every)
    betas = [fit_ridge_logistic(columns, right, penalty, weights, start=whole) for weights in outside]
    return np.asarray(np.stack(betas)[:, 1:] @ columns[:, 1:].T)
