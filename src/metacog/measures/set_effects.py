"""Effects of a whole set of models and items: one number each, over models, with an interval over items.

What :mod:`metacog.measures.rivals`, :mod:`metacog.measures.remainder` and
:mod:`metacog.measures.cross_prediction` say of each model is averaged over models here, so that two sets of unlike
models and items can be set side by side. Models of one family count together as one, and runs of the same weights as
one of their family. All resamples of items are the same for all models, and every area moves with them by its first
derivative: 83 models on 12,000 items take a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.measures.confidence_factors import confidence_factors
from metacog.measures.model_items import MIN_OF_CLASS, FloatArray, ModelItems, others_of, panel
from metacog.measures.remainder import OwnParts, own_parts
from metacog.measures.rivals import halves, median_and_best
from metacog.sdt import InputError
from metacog.sdt.area_contrasts import areas_and_moves
from metacog.sdt.intervals import Z95
from metacog.sdt.over_groups import multiplicative_fit
from metacog.sdt.ranking import rank_sets, significantly_higher
from metacog.sdt.resampling import cluster_weights

#: Differences of AUROC2: own confidence less a single other's, the best single other's, the others' mean, the share of
#: the others that are right; among equally hard items less another family's; less what row and column say.
DIFFERENCES = ("single_median", "single_best", "crowd", "crowd_right", "remains", "diagonal")
#: Of bits: what own confidence adds to the others' answers and mean confidence; to any blend of them and of what they
#: say of the same answer; the share beyond difficulty.
BITS = ("added", "blend", "share")
#: Counts, which depend on how many models and items there are.
COUNTS = ("factors", "apart")


@dataclass(frozen=True)
class SetEffects:
    """Effects of a set.

    ``effects`` has :data:`DIFFERENCES`, and :data:`BITS` if asked for: ``effect, value, lower, upper, n_models,
    n_families``; ``families`` the same of each ``family``; ``counts`` is of :func:`counts_at`, or one row of a set as
    it is, or empty. ``n_models`` are judged, ``n_others`` stand as others, and ``n_rivals`` of them are each model's
    rivals.
    """

    effects: pd.DataFrame = field(repr=False)
    families: pd.DataFrame = field(repr=False)
    counts: pd.DataFrame = field(repr=False)
    n_models: int
    n_families: int
    n_items: int
    n_others: int
    n_rivals: int


@dataclass(frozen=True)
class _Values:
    """An effect by model, ``(M,)``, with resamples ``(M, B)``, and what it is a share of; NaN where there is none."""

    value: FloatArray
    draws: FloatArray
    of: _Values | None = None

    @classmethod
    def none(cls, n_models: int, n_draws: int) -> _Values:
        return cls(np.full(n_models, np.nan), np.full((n_models, n_draws), np.nan))

    @property
    def known(self) -> NDArray[np.bool_]:
        return np.isfinite(self.value)

    def mean(self, share: FloatArray) -> dict[str, float]:
        """Mean by what each model counts, with its interval over items; of shares the ratio of two means."""
        there = share > 0
        value, draws = share[there] @ self.value[there], share[there] @ self.draws[there]
        if self.of is not None:
            value, draws = (
                value / (share[there] @ self.of.value[there]),
                draws / (share[there] @ self.of.draws[there]),
            )
        half = Z95 * float(draws.std(ddof=1))
        return {"value": float(value), "lower": float(value - half), "upper": float(value + half)}


def set_effects(
    items: ModelItems,
    *,
    weights: Sequence[str] | None = None,
    others: Sequence[str] | None = None,
    models: Sequence[str] | None = None,
    information: bool = True,
    most_placebos: int | None = None,
    most_rivals: int | None = None,
    counts: pd.DataFrame | None = None,
    n_resamples: int = 200,
    seed: int = 42,
) -> SetEffects:
    """Effects of a set of models and items.

    Parameters
    ----------
    items : ModelItems
    weights : sequence of str, optional
        The weights that each model runs with, so that variants count as one; each model's own without it.
    others : sequence of str, optional
        Models that stand as others, see :func:`standing`. Without it all are counted on and stand as placebos, and
        those of :func:`metacog.measures.model_items.panel` are rivals, as everywhere.
    models : sequence of str, optional
        Models that are judged; all without it.
    information : bool
        Measure bits as well.
    most_placebos : int, optional
        As for :func:`metacog.measures.remainder.own_parts`.
    most_rivals : int, optional
        A model's rivals, drawn by chance among its others: a mean over more, or the best of more, is better by itself.
    counts : DataFrame, optional
        To go with them.
    n_resamples, seed : int

    Raises
    ------
    InputError
        No item that all others answered, or a model without another of another family among them.

    Notes
    -----
    A model is judged on the items that it and all others answered, against as many others of other families as every
    model can have. Intervals are over items, and about these models.
    """
    drawn = cluster_weights(len(items.items), n_resamples, np.random.default_rng([seed, 0]))
    moved = (drawn - 1).astype(np.float32)
    names = tuple(items.models if others is None else others)
    rivals = [items.models[i] for i in panel(items)[0]] if others is None else names
    judged = tuple(items.models if models is None else models)
    members = np.array([i for i, m in enumerate(items.models) if m in rivals and m not in items.constant])
    n = min(np.intersect1d(items.others(model), members).size for model in items.models)
    n = n if most_rivals is None else min(n, most_rivals)
    found = _against_others(items, judged, members, n, moved, seed)
    found["diagonal"] = _diagonal(items, judged, names, moved)
    parts = own_parts(
        items, models=judged, others=others, information=information, most_placebos=most_placebos, seed=seed
    )
    found |= _within(items, parts, moved)
    effects, families = _summed_up(items, items.models if weights is None else weights, found)
    table = pd.DataFrame() if counts is None else counts
    n_families = len({items.families[items.models.index(model)] for model in judged})
    return SetEffects(effects, families, table, len(judged), n_families, len(items.items), len(names), n)


def standing(items: ModelItems, weights: Sequence[str], most: int) -> tuple[str, ...]:
    """Models that stand as others: of each family the ``most`` that answered most, one of the same weights.

    Of these, those without which (models) times (items that all of them answered) is largest are left out.
    """
    order = np.argsort(-items.answered.sum(axis=1), kind="stable")
    kept: list[int] = []
    for i in order:
        kin = [j for j in kept if items.families[j] == items.families[i]]
        if len(kin) < most and weights[i] not in {weights[j] for j in kept}:
            kept.append(int(i))
    shared = [k * int(items.answered[kept[:k]].all(axis=0).sum()) for k in range(1, len(kept) + 1)]
    return tuple(items.models[i] for i in sorted(kept[: int(np.argmax(shared)) + 1]))


def _against_others(
    items: ModelItems,
    judged: Sequence[str],
    members: NDArray[np.int64],
    n: int,
    moved: NDArray[np.float32],
    seed: int,
) -> dict[str, _Values]:
    """Own confidence against single others', their mean, and their correctness."""
    constant = set(items.constant)
    everyone = items.answered[members].all(axis=0)
    if not n or not everyone.any():
        raise InputError("not every model has another of another family, or the others share no item")
    found = {name: _Values.none(len(items.models), len(moved)) for name in DIFFERENCES[:4]}
    for model in judged:
        i = items.models.index(model)
        kept = everyone & items.answered[i]
        hits = items.right[i, kept]
        if model in constant or min(hits.sum(), hits.size - hits.sum()) < MIN_OF_CLASS:
            continue
        part = items.kept(
            kept, [model, *(items.models[j] for j in others_of(items, model, members, n, seed=seed))]
        )
        some = moved[:, kept]
        columns = np.vstack([hits, np.where(halves(hits.astype(bool), seed), hits, np.nan)])
        means = part.rank_shares()[1:].mean(axis=0), part.right[1:].mean(axis=0)
        own, crowd, crowd_right = (
            _resampled(*areas_and_moves(hits[None], signal), some) for signal in (part.confidence[0], *means)
        )
        singles = [areas_and_moves(columns, signal) for signal in part.confidence[1:]]
        areas = np.array([one for one, _ in singles])
        moves = np.concatenate([one for _, one in singles])
        point, draws = _resampled(areas.ravel(), moves, some)
        singles_of = [
            median_and_best(np.pad(one.reshape(-1, *areas.shape), ((0, 0), (1, 0), (0, 0))))
            for one in (point[None], draws)
        ]
        values = (*singles_of[0][0], crowd[0][0], crowd_right[0][0])
        of_draws = (*singles_of[1].T, crowd[1][:, 0], crowd_right[1][:, 0])
        for name, value, draw in zip(DIFFERENCES[:4], values, of_draws, strict=True):
            found[name].value[i] = own[0][0] - value
            found[name].draws[i] = own[1][:, 0] - draw
    return found


def _resampled(
    areas: FloatArray, moves: FloatArray, moved: NDArray[np.float32]
) -> tuple[FloatArray, FloatArray]:
    """Areas ``(K,)``, and those of resamples ``(B, K)``."""
    return areas, areas + moved @ moves.T.astype(np.float32)


def _diagonal(
    items: ModelItems, judged: Sequence[str], others: Sequence[str], moved: NDArray[np.float32]
) -> _Values:
    """Own area less row times column, fitted to cells of two families one of which is an other's."""
    n = len(items.models)
    areas, draws = np.full((n, n), np.nan), np.full((len(moved), n, n), np.nan)
    standing_there = np.array([model in others for model in items.models])
    wanted = np.array([model in judged for model in items.models]) | standing_there
    families = np.array(items.families)
    fewest = np.zeros((n, n))
    for i in np.flatnonzero(wanted):
        there = items.answered[i]
        right = items.right[:, there]
        fewest[i] = np.minimum((right == 1).sum(axis=1), (right == 0).sum(axis=1))
        areas[i], moves = areas_and_moves(items.right, np.where(there, items.confidence[i], np.nan))
        draws[:, i] = areas[i] + moved @ moves.T.astype(np.float32)
    enough = (fewest >= MIN_OF_CLASS) & wanted[:, None] & wanted
    enough[[model in items.constant for model in items.models]] = False
    used = enough & (families[:, None] != families) & (standing_there[:, None] | standing_there)
    found = _Values.none(n, len(moved))
    if not used.any():
        return found
    own = np.array([model in judged for model in items.models]) & np.diagonal(enough)
    for each, made in ((areas[None], found.value[None]), (draws, found.draws.T)):
        fit = multiplicative_fit(np.where(used, each - 0.5, np.nan), used)
        left = np.diagonal(each - 0.5 - fit, axis1=1, axis2=2)
        made[:, own] = left[:, own]
    return found


def _within(items: ModelItems, parts: Iterable[OwnParts], moved: NDArray[np.float32]) -> dict[str, _Values]:
    """What remains among equally hard items less placebo, and bits."""
    names = ("remains", "information", "beyond", "added", "blend")
    found = {name: _Values.none(len(items.models), len(moved)) for name in names}
    for part in parts:
        i, some = items.models.index(part.model), moved[:, part.kept]
        gap, gaps = part.placebos.gaps(some)
        found["remains"].value[i], found["remains"].draws[i] = np.median(gap), np.median(gaps, axis=1)
        for name, bits in part.gains.items():
            mean = float(bits.mean())
            found[name].value[i] = mean
            found[name].draws[i] = mean + some @ ((bits - mean) / bits.size).astype(np.float32)
    whole, beyond = found.pop("information"), found.pop("beyond")
    return found | {"share": _Values(beyond.value, beyond.draws, whole)}


def _summed_up(
    items: ModelItems, weights: Sequence[str], found: Mapping[str, _Values]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Effects of the set, and of each family."""
    families = np.array(items.families)
    effects, of_families = [], []
    for name in (*DIFFERENCES, *BITS):
        made = found[name]
        known = made.known
        if not known.any():
            continue
        share = model_shares(families, np.array(weights), known)
        of = dict.fromkeys(families[known])
        n_known = {"n_models": int(known.sum()), "n_families": len(of)}
        effects.append({"effect": name, **made.mean(share), **n_known})
        for family in of:
            kin = known & (families == family)
            told = made.mean(np.where(kin, share, 0.0) / share[kin].sum())
            of_families.append({"effect": name, "family": family, **told, "n_models": int(kin.sum())})
    return pd.DataFrame(effects), pd.DataFrame(of_families)


def model_shares(
    families: NDArray[np.str_], weights: NDArray[np.str_], known: NDArray[np.bool_]
) -> FloatArray:
    """What each model counts in a mean over runs of the same weights, a family's weights, and families."""
    share = np.zeros(known.size)
    of = np.unique(families[known])
    for family in of:
        kin = known & (families == family)
        _, each, size = np.unique(weights[kin], return_inverse=True, return_counts=True)
        share[kin] = 1 / (len(of) * size.size * size[each])
    return share


# Counts, which depend on how many models and items there are: at a given size, drawn again and again.


def counted(items: ModelItems, *, seed: int = 42) -> dict[str, float]:
    """Counts of a set as it is.

    ``factors`` of the models' confidences beyond chance, and the ``first_share`` of the first; ``apart``, the share of
    pairs of models whose AUROC2 differ when all are judged together; ``may_lead``, the models that may be first.
    """
    made = confidence_factors(items, n_permutations=20, seed=seed)
    higher = apart(items, seed=seed)
    n = len(higher)
    return {
        "factors": float(made.n_factors),
        "first_share": made.first_share,
        "apart": float(higher.sum() / (n * (n - 1) / 2)),
        "may_lead": float((rank_sets(higher)[0] == 1).sum()),
    }


def apart(items: ModelItems, *, seed: int = 42) -> NDArray[np.bool_]:
    """Whether the AUROC2 of a row's model is significantly higher than that of a column's, all pairs judged together.

    Models that have too few right or wrong answers, or one confidence throughout, are left out.
    """
    drawn = cluster_weights(len(items.items), 2000, np.random.default_rng([seed, 6]))
    areas, moves = [], []
    for right, sure in zip(items.right, items.confidence, strict=True):
        area, move = areas_and_moves(right[None], sure)
        if min((right == 1).sum(), (right == 0).sum()) >= MIN_OF_CLASS and move.any():
            areas.append(area[0])
            moves.append(move[0])
    value = np.array(areas)
    draws = value[:, None] + np.array(moves, dtype=np.float32) @ (drawn - 1).astype(np.float32).T
    return significantly_higher(value, draws.astype(np.float64))


def counts_at(
    items: ModelItems,
    weights: Sequence[str],
    n_models: int,
    n_items: int,
    *,
    n_draws: int = 40,
    seed: int = 42,
) -> pd.DataFrame:
    """:func:`counted` of so many models, no two of the same weights, and items, drawn again and again."""
    rng = np.random.default_rng([seed, 8])
    found = []
    for _ in range(n_draws):
        order = rng.permutation(len(items.models))
        first = np.unique(np.array(weights)[order], return_index=True)[1]
        names = [items.models[i] for i in order[np.sort(first)][:n_models]]
        some = np.sort(rng.choice(len(items.items), min(n_items, len(items.items)), replace=False))
        found.append(counted(items.kept(some, names), seed=seed))
    return pd.DataFrame(found)
