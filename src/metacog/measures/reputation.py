"""Does a score know of this answer what others' scores of the same answer do not know?

A judge that reads how sure a reply sounds may hear the model's state, or see whether the answer looks right. The
answer's *reputation* knows nothing of this reply: the score of replies of other families' models that gave the same
answer, and how many gave it. Where reputation tells right from wrong as well, the score is about the answer.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit

from metacog.core.frames import ended, with_ends
from metacog.measures.model_items import (
    CONSTANT,
    FEW,
    MIN_OF_CLASS,
    FloatArray,
    ModelItems,
    rank_shares,
    same_answer,
)
from metacog.measures.placements import area_of, half_width, numbers
from metacog.sdt import InputError
from metacog.sdt.area_intervals import placement_values

#: A peer that answered a smaller share of what the judge answered is none.
LEAST_ANSWERED = 0.95
COLUMNS = (
    *("model", "family", "n", "n_wrong", "n_alone", "n_others"),
    *with_ends("own", "of_others", "of_one", "share", "own_less_others", "own_less_one", "own_less_share"),
    "flag",
)
#: Draws of one other for each item.
N_DRAWS = 8
#: Items that two models got wrong with the same answer, and with two, without which nothing is said of the pair.
LEAST_PAIRS = 30
FEW_PAIRS = f"fewer than {LEAST_PAIRS} wrong answers that another model gave too, or did not give"
ALIKE = (
    *("model", "family", "score", "n_others", "same_wrong", "other_wrong", "beyond_same"),
    "beyond_other",
    *with_ends("same_less_other", "falls_more", "in_proportion", "beyond_less"),
    "flag",
)
JUDGED = (
    *("model", "family", "n_wrong", "n_with_judge", "with_judge", "with_peers"),
    *with_ends("difference"),
    "flag",
)


def reputation(
    items: ModelItems, *, score: ArrayLike | None = None, models: Sequence[str] | None = None
) -> pd.DataFrame:
    """AUROC2 of a score, of others' score of the same answer, and of how many gave it.

    Parameters
    ----------
    items : ModelItems
        With answers; families say which models are others.
    score : array, shape ``(M, N)``, optional
        Of each reply, such as how sure it sounds; NaN where there is none. Confidence without it. Its ranks within
        each model are used.
    models : sequence of str, optional
        Models that are judged; all without it.

    Returns
    -------
    DataFrame
        Columns ``COLUMNS``, one row per model. ``n`` items that are marked and scored, with an answer that at
        least one other gave and has a score of: all areas are of these. ``n_alone`` further ones whose answer no
        other gave, or none with a score. ``own`` AUROC2 of the reply's own score, ``of_others`` of the mean rank share
        of the scores of others that gave the same answer, ``of_one`` of the score of one of these drawn by chance,
        ``share`` of the share of the others that gave it; ``own_less_others``, ``own_less_one`` and
        ``own_less_share`` are paired differences. ``flag`` says why values are missing.

    Raises
    ------
    InputError
        No answers, one model alone, a score of another shape or of text, an unknown model.

    Notes
    -----
    A missing answer agrees with nobody: the judged model's reply is left out, another's is none of those that gave the
    answer, and it counts among those that could have. Intervals are DeLong's, over items
    (:func:`metacog.sdt.auroc2_interval`, :func:`metacog.sdt.delong_paired`).

    **What cannot be told.** Two replies with the same answer are both right or both wrong. So a score that reads
    nothing but its own model's state is matched by its reputation too: others who gave a right answer were in a good
    state as well, and the mean of many is less noisy than one (hence ``of_one``). That a score does no better than its
    reputation therefore does not show that it is about the answer; that it does better shows that this reply says
    something which others with the same answer do not. Wrong answers tell the two apart somewhat (:func:`wrong_alike`).

    The one other is drawn anew ``N_DRAWS`` (8) times, and values are means over draws.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson 1988 for the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.measures.model_items import ModelItems
    >>> from metacog.measures.reputation import reputation
    >>> rng = np.random.default_rng(1)
    >>> ease, luck = rng.normal(size=500), rng.normal(size=(6, 500))
    >>> right = ease + luck > 0
    >>> answer = np.where(right, 0, rng.integers(1, 4, size=right.shape))
    >>> names = tuple("abcdef")
    >>> of_answer = (answer == 0) + rng.normal(size=right.shape)  # a judge who sees whether the answer is right
    >>> items = ModelItems(
    ...     names, tuple(map(str, range(500))), right.astype(float), of_answer,
    ...     names, ("",) * 500, answer, tuple("ABCD"),
    ... )
    >>> found = reputation(items, models=["a"]).iloc[0]
    >>> print(f"own {found['own']:.2f}, of others {found['of_others']:.2f}, share {found['share']:.2f}")
    own 0.77, of others 0.86, share 0.89
    """
    ranks = _ranks(items, score)
    rows = [_reputation(items, ranks, model) for model in items.named(models)]
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    table["flag"] = table["flag"].fillna("")
    return table


def _reputation(items: ModelItems, ranks: FloatArray, model: str) -> dict[str, Any]:
    own, others = items.models.index(model), items.others(model)
    assert items.answer is not None
    mine = items.answer[own]
    judged = (mine >= 0) & np.isfinite(items.right[own]) & np.isfinite(ranks[own])
    same = items.answer[others] == mine
    scored = same & np.isfinite(ranks[others])
    share, of_others = same_answer(mine, items.answer[others], ranks[others])
    kept = judged & scored.any(axis=0)
    hits = items.right[own, kept] > 0
    named: dict[str, Any] = {
        "model": model,
        "family": items.families[own],
        "n": hits.size,
        "n_wrong": int((~hits).sum()),
        "n_alone": int((judged & ~kept).sum()),
        "n_others": others.size,
    }
    if min(hits.sum(), (~hits).sum()) < MIN_OF_CLASS:
        return named | {"flag": FEW}
    mine_scored = ranks[own, kept]
    if np.ptp(mine_scored) == 0:
        return named | {"flag": CONSTANT}
    rng = np.random.default_rng(zlib.crc32(model.encode()))
    ones = [_one_of(scored[:, kept], ranks[np.ix_(others, kept)], rng) for _ in range(N_DRAWS)]
    own_placed = placement_values(hits, mine_scored)
    for name, draws in (
        ("own", [mine_scored]),
        ("of_others", [of_others[kept]]),
        ("of_one", ones),
        ("share", [share[kept]]),
    ):
        placed = np.mean([placement_values(hits, draw) for draw in draws], axis=0)
        named |= area_of(name, placed, hits)
        if name != "own":
            gap, half = float((own_placed - placed)[hits].mean()), half_width(own_placed - placed, hits)
            named |= ended(f"own_less_{name.removeprefix('of_')}", gap, gap - half, gap + half)
    return named | {"flag": ""}


@dataclass(frozen=True)
class _Mean:
    """A correlation, mean over others, and what each item adds to its deviation ``(n,)``, in first order."""

    value: float
    moves: FloatArray

    def __sub__(self, other: _Mean) -> _Mean:
        return _Mean(self.value - other.value, self.moves - other.moves)

    def __mul__(self, other: _Mean) -> _Mean:
        return _Mean(self.value * other.value, self.value * other.moves + other.value * self.moves)

    def ended(self, name: str) -> dict[str, Any]:
        """With its interval's ends over items."""
        n = int((self.moves != 0).sum())
        half = (
            float(stdtrit(n - 1, 0.975) * np.sqrt(n / (n - 1) * np.square(self.moves).sum()))
            if n > 1
            else 0.0
        )
        return ended(name, self.value, self.value - half, self.value + half)


def wrong_alike(
    items: ModelItems, scores: Mapping[str, ArrayLike], *, models: Sequence[str] | None = None
) -> pd.DataFrame:
    """Do scores of two models' wrong replies go together more where both give the same wrong answer?

    Parameters
    ----------
    items : ModelItems
        With answers; families say which models are others.
    scores : mapping of str to array, shape ``(M, N)``
        Of each reply; NaN where there is none. Their ranks within each model are used. The first is asked about, the
        rest stand beside it: what the model itself says of its doubt.
    models : sequence of str, optional
        Models that are judged; all without it.

    Returns
    -------
    DataFrame
        Columns ``ALIKE``, one row per model and score. ``same_wrong`` is the correlation of the model's ranks with
        another's on items that both got wrong with the same answer, ``other_wrong`` that where they gave two, each
        the mean over the same ``n_others``: those with 30 items of either kind. ``same_less_other`` is the difference.

        In the row of a score that stands beside the first, on replies that have both: ``falls_more`` is the first one's
        difference less this one's, and ``in_proportion`` the first one's ``same_wrong`` times this one's
        ``other_wrong``, less its ``other_wrong`` times this one's ``same_wrong``: above 0 where two answers in place of
        one take a larger share from the first. ``beyond_same``, ``beyond_other`` and ``beyond_less`` are of partial
        correlations of the first, given this score of both models. ``flag`` says why values are missing.

    Raises
    ------
    InputError
        As :func:`reputation`; no score.

    Notes
    -----
    A score that knows nothing of which wrong answer is given goes together no more where both give the same. But models
    differ in how well a score reads them and in how scattered their errors are, so that the others that gave the same
    answer are other models than those that gave another. Hence each other model is taken by itself.

    A score that reads the model's own doubt *about the answer that it gives* goes together more as well, without any
    judge. Of two scores that read the same doubt, the fainter one falls less, but by as large a share or a larger one.
    So only both together, ``falls_more`` and ``in_proportion``, speak for something that the other score lacks.
    ``beyond_less`` alone does not: a faint score takes away but a part of the doubt. Doubt of the answer that the other
    score does not hold cannot be told from a look at the answer (``data/simulations/whom_to_ask.csv``).

    Intervals are over items, for the same models, from the influence of each item on a correlation,
    x y - r (x^2 + y^2) / 2 of standardised ranks (residuals, of a partial one).

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.measures.model_items import ModelItems
    >>> from metacog.measures.reputation import wrong_alike
    >>> rng = np.random.default_rng(1)
    >>> answer = rng.integers(0, 4, size=(6, 2000))
    >>> looks = rng.normal(size=(4, 2000))  # how an answer looks to anybody
    >>> tone = np.take_along_axis(looks, answer, axis=0) + rng.normal(size=answer.shape)
    >>> stated = rng.normal(size=answer.shape)
    >>> names = tuple("abcdef")
    >>> items = ModelItems(
    ...     names, tuple(map(str, range(2000))), (answer == 0).astype(float), stated,
    ...     names, ("",) * 2000, answer, tuple("ABCD"),
    ... )
    >>> found = wrong_alike(items, {"tone": tone, "stated": stated}, models=["a"])
    >>> found[["score", "same_wrong", "other_wrong"]].round(2)
        score  same_wrong  other_wrong
    0    tone        0.46         0.01
    1  stated        0.00         0.00
    """
    if not scores:
        raise InputError("there is no score")
    ranks = {name: _ranks(items, score) for name, score in scores.items()}
    rows = [row for model in items.named(models) for row in _alike(items, ranks, model)]
    return pd.DataFrame(rows, columns=list(ALIKE))


def _alike(items: ModelItems, ranks: Mapping[str, FloatArray], model: str) -> list[dict[str, Any]]:
    """A row for each score."""
    own, others = items.models.index(model), items.others(model)
    assert items.answer is not None
    first = next(iter(ranks))
    wrong = (items.right[own] == 0) & (items.answer[own] >= 0) & np.isfinite(ranks[first][own])
    grid = np.ix_(others, wrong)
    away = (items.right[grid] == 0) & (items.answer[grid] >= 0) & np.isfinite(ranks[first][grid])
    same = items.answer[grid] == items.answer[own, wrong]
    rows = []
    for name, values in ranks.items():
        known = away & np.isfinite(values[grid]) & np.isfinite(values[own, wrong])
        kinds = np.stack([known & same, known & ~same]).astype(np.float64)
        used = (kinds.sum(axis=2) >= LEAST_PAIRS).all(axis=0)
        row: dict[str, Any] = {
            "model": model,
            "family": items.families[own],
            "score": name,
            "n_others": int(used.sum()),
        }
        rows.append(row)
        row["flag"] = "" if used.any() else FEW_PAIRS
        if used.any() and np.ptp(values[own, wrong & np.isfinite(values[own])]) == 0:
            row["flag"] = CONSTANT
        if row["flag"]:
            continue
        kinds = kinds[:, used]
        mine, theirs = _beside(values, own, others[used], wrong)
        alike, apart = (_correlated(mine, theirs, kind) for kind in kinds)
        row |= {
            "same_wrong": alike.value,
            "other_wrong": apart.value,
            **(alike - apart).ended("same_less_other"),
        }
        if name != first:
            heard = _beside(ranks[first], own, others[used], wrong)
            same_first, other_first = (_correlated(*heard, kind) for kind in kinds)
            row |= (same_first - other_first - (alike - apart)).ended("falls_more")
            row |= (same_first * apart - other_first * alike).ended("in_proportion")
            same_left, other_left = (
                _correlated(
                    _beyond(heard[0], mine, theirs, kind), _beyond(heard[1], mine, theirs, kind), kind
                )
                for kind in kinds
            )
            row |= {"beyond_same": same_left.value, "beyond_other": other_left.value}
            row |= (same_left - other_left).ended("beyond_less")
    return rows


def _beside(
    values: FloatArray, own: int, others: NDArray[np.int64], wrong: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """A model's values and others', of the same shape, 0 where there is none."""
    theirs = np.nan_to_num(values[np.ix_(others, wrong)])
    return np.broadcast_to(np.nan_to_num(values[own, wrong]), theirs.shape), theirs


def _centred(x: FloatArray, kept: FloatArray) -> FloatArray:
    """Less the mean of what is kept in each row (1, or else 0); 0 elsewhere."""
    mean = np.einsum("ij,ij->i", x, kept) / kept.sum(axis=1)
    return np.asarray((x - mean[:, None]) * kept)


def _along(x: FloatArray, z: FloatArray) -> FloatArray:
    """What of ``x`` goes with ``z``, row by row."""
    size = np.einsum("ij,ij->i", z, z)
    return (np.einsum("ij,ij->i", x, z) / np.where(size > 1e-9, size, np.inf))[:, None] * z


def _beyond(x: FloatArray, one: FloatArray, two: FloatArray, kept: FloatArray) -> FloatArray:
    """Residuals of ``x`` given two others, among what is kept in each row."""
    x, one, two = (_centred(each, kept) for each in (x, one, two))
    two = two - _along(two, one)
    return np.asarray(x - _along(x, one) - _along(x, two))


def _correlated(x: FloatArray, y: FloatArray, kept: FloatArray) -> _Mean:
    """Correlation among what is kept in each row, mean over rows; 0 in a row without spread."""
    n = kept.sum(axis=1)[:, None]

    def standardised(values: FloatArray) -> FloatArray:
        values = _centred(values, kept)
        sd = np.sqrt(np.einsum("ij,ij->i", values, values)[:, None] / n)
        return values / np.where(sd > 1e-9, sd, np.inf)

    a, b = standardised(x), standardised(y)
    r = np.einsum("ij,ij->i", a, b)[:, None] / n
    moves = a * b - r / 2 * (a * a + b * b)
    return _Mean(float(r.mean()), (1 / n[:, 0]) @ moves / n.size)


def _one_of(pool: NDArray[np.bool_], values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """The value of one of each column's pool, drawn by chance, shape ``(n,)``; no pool is empty."""
    drawn = np.floor(rng.random(pool.shape[1]) * pool.sum(axis=0)).astype(np.int64)
    at = (np.cumsum(pool, axis=0) > drawn).argmax(axis=0)
    return np.asarray(values[at, np.arange(at.size)])


@dataclass(frozen=True)
class JudgeFollows:
    """Whether a score of wrong answers follows agreement with the judge's model more than with its equals.

    Attributes
    ----------
    table : DataFrame
        Columns ``JUDGED``, one row per judged model: among its ``n_wrong`` wrong answers, ``with_judge`` the chance
        that one which the judge's model gave too (``n_with_judge``) has a higher score than one which it did not, ties
        one half; ``with_peers`` the mean of the same for each peer; their ``difference``.
    judge : str
    peers : tuple of str
        Of each of the families nearest to the judge in accuracy, the model that is nearest.
    accuracy : float
        Of the judge, over all items; ``peer_accuracy`` of the peers, in their order.
    peer_accuracy : tuple of float
    with_judge : float
        Mean of the column over judged models; ``with_each_peer`` the same of each peer: how much equals differ.
    with_each_peer : tuple of float
    difference, lower, upper : float
        Mean difference over judged models, with an interval over items; the peers are taken as given.
    n_models : int
    """

    table: pd.DataFrame = field(repr=False)
    judge: str
    peers: tuple[str, ...]
    accuracy: float
    peer_accuracy: tuple[float, ...]
    with_judge: float
    with_each_peer: tuple[float, ...]
    difference: float
    lower: float
    upper: float
    n_models: int


def judge_follows(
    items: ModelItems,
    judge: str,
    *,
    score: ArrayLike | None = None,
    n_peers: int = 5,
    models: Sequence[str] | None = None,
) -> JudgeFollows:
    """Among wrong answers: does a judge's score follow the judge's own answers more than those of its equals?

    Parameters
    ----------
    items : ModelItems
        With answers. The judge is one of its models.
    judge : str
        The model that gave the scores, or one of its family that stands for it.
    score : array, shape ``(M, N)``, optional
        The judge's scores of each model's replies; confidence without it.
    n_peers : int
        Models of as many other families than the judge's, nearest to it in accuracy.
    models : sequence of str, optional
        Models that are judged; all that are not of the judge's family without it. A peer of a judged model's own
        family does not count for it.

    Returns
    -------
    JudgeFollows

    Raises
    ------
    InputError
        No answers, an unknown judge or model, a score of another shape or of text, no peer, no judged model with ten
        wrong answers that the judge's model gave too and ten that it did not.

    Notes
    -----
    All strong models fall for the same wrong answers, which are plausible, so that any judge that knows something
    scores them high. Agreement with models that are right as often as the judge has all of that; what agreement
    with the judge has beyond it is the judge's own. A difference of 0 does not show that the judge reads the reply. It
    shows that its score of wrong answers is no nearer to its own answers than to those of its equals.

    The interval of a difference is from placement values on the wrong answers that judge and peers were asked; that of
    the mean adds these up by item over the judged models, so that items count once.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson 1988 for the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.measures.model_items import ModelItems
    >>> from metacog.measures.reputation import judge_follows
    >>> rng = np.random.default_rng(1)
    >>> answer = np.where(rng.random((9, 900)) < 0.5, 0, rng.integers(1, 4, size=(9, 900)))
    >>> names = tuple("abcdefghi")
    >>> heard = (answer == answer[0]) + rng.normal(size=answer.shape)  # model a hears its own answers
    >>> items = ModelItems(
    ...     names, tuple(map(str, range(900))), (answer == 0).astype(float), heard,
    ...     names, ("",) * 900, answer, tuple("ABCD"),
    ... )
    >>> found = judge_follows(items, "a", n_peers=3)
    >>> print(f"{found.difference:.2f} [{found.lower:.2f}, {found.upper:.2f}]")
    0.25 [0.23, 0.28]
    """
    ranks = _ranks(items, score)
    if judge not in items.models:
        raise InputError(f"there is no model {judge}, whose scores these are")
    accuracy = np.array([np.nan_to_num(row).sum() / max(row.size, 1) for row in items.right])
    assert items.answer is not None
    at = items.models.index(judge)
    free = items.others(judge)
    free = free[(items.answer[free] >= 0).mean(axis=1) >= LEAST_ANSWERED * (items.answer[at] >= 0).mean()]
    order = free[np.argsort(np.abs(accuracy[free] - accuracy[at]), kind="stable")]
    first = {items.families[j]: j for j in order[::-1]}  # the nearest of each family
    nearest = np.array([j for j in order if first[items.families[j]] == j], dtype=np.int64)[:n_peers]
    if not nearest.size:
        raise InputError(f"no model of another family can stand beside {judge}")
    wanted = items.named(models)
    if models is None:
        wanted = tuple(
            name for name in wanted if items.families[items.models.index(name)] != items.families[at]
        )
    moved = np.zeros(len(items.items))
    rows: list[dict[str, Any]] = []
    each = np.full((len(wanted), len(nearest)), np.nan)
    for i, model in enumerate(wanted):
        row, moves, areas = _follows(items, ranks, model, at, nearest)
        rows.append(row)
        moved += moves
        each[i] = areas
    table = pd.DataFrame(rows, columns=list(JUDGED))
    table["flag"] = table["flag"].fillna("")
    used = table[table["flag"] == ""]
    if used.empty:
        raise InputError(f"no model can be judged; {rows[0]['model']}: {rows[0]['flag']}")
    mean, moved = float(used["difference"].mean()), moved / len(used)
    touched = int((moved != 0).sum())
    half = float(stdtrit(touched - 1, 0.975) * np.sqrt(touched / (touched - 1) * np.square(moved).sum()))
    return JudgeFollows(
        table,
        judge,
        tuple(items.models[j] for j in nearest),
        float(accuracy[at]),
        tuple(float(accuracy[j]) for j in nearest),
        float(used["with_judge"].mean()),
        tuple(float(np.nanmean(column)) if np.isfinite(column).any() else np.nan for column in each.T),
        mean,
        mean - half,
        mean + half,
        len(used),
    )


def _follows(
    items: ModelItems, ranks: FloatArray, model: str, judge: int, nearest: NDArray[np.int64]
) -> tuple[dict[str, Any], FloatArray, FloatArray]:
    """A row, how its difference moves with each item ``(N,)``, and the area with each peer."""
    own = items.models.index(model)
    assert items.answer is not None
    free = np.array([items.families[j] != items.families[own] for j in nearest])
    wrong = (items.right[own] == 0) & (items.answer[own] >= 0) & np.isfinite(ranks[own])
    same = items.answer[np.append(judge, nearest[free])][:, wrong] == items.answer[own, wrong]
    row: dict[str, Any] = {
        "model": model,
        "family": items.families[own],
        "n_wrong": int(wrong.sum()),
        "n_with_judge": int(same[0].sum()),
    }
    moves, each = np.zeros(len(items.items)), np.full(nearest.size, np.nan)
    heard = ranks[own, wrong]
    few = min(min(one.sum(), (~one).sum()) for one in same) < MIN_OF_CLASS
    for bad, flag in (
        (not free.any(), "no peer of another family"),
        (few, f"fewer than {MIN_OF_CLASS} wrong answers that judge or peer gave, or did not give"),
        (not few and np.ptp(heard) == 0, CONSTANT),
    ):
        if bad:
            return row | {"flag": flag}, moves, each
    areas, shifts = zip(*(_area(one, heard) for one in same), strict=True)
    each[free] = areas[1:]
    shift = shifts[0] - np.mean(shifts[1:], axis=0)
    moves[wrong] = shift
    n, with_peers = int(wrong.sum()), float(np.mean(areas[1:]))
    gap = areas[0] - with_peers
    t = float(stdtrit(min(same[0].sum(), (~same[0]).sum()) - 1, 0.975))
    half = t * float(np.sqrt(n / (n - 1) * np.square(shift).sum()))
    row |= {
        "with_judge": areas[0],
        "with_peers": with_peers,
        **ended("difference", gap, gap - half, gap + half),
    }
    return row | {"flag": ""}, moves, each


def _area(label: NDArray[np.bool_], score: FloatArray) -> tuple[float, FloatArray]:
    """Area and what each answer adds to its deviation, in first order."""
    placed = placement_values(label, score)
    area = float(placed[label].mean())
    return area, (placed - area) * np.where(label, 1 / label.sum(), 1 / (~label).sum())


def _ranks(items: ModelItems, score: ArrayLike | None) -> FloatArray:
    """Rank shares of the score within each model; NaN where there is none."""
    if len(items.models) < 2:
        raise InputError(f"there is one model, {items.models[0]}: no other gave an answer")
    if items.answer is None:
        raise InputError("reputation needs the answers: name their column (answer=)")
    raw = items.confidence if score is None else numbers("score", score, items.right.shape)
    return rank_shares(raw)
