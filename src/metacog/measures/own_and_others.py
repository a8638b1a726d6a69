"""Own confidence against the others': what answers of several models to common items say of self-knowledge.

Everything that is computed of one table: own confidence against the others' confidence and correctness, what remains
of it within difficulty, the matrix of confidences against correctness, and the factors.

How many dimensions do the models' confidences have over items?

If every model's confidence said the same of an item, one factor would carry all of it. The number of factors
is found by parallel analysis: an eigenvalue counts if it exceeds what confidences without any relation between
models reach (Horn 1965, Psychometrika 30, 179-185; Glorfeld 1995 for the 95th percentile).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table
from metacog.measures.cross_prediction import CrossPrediction, cross_prediction
from metacog.measures.model_items import FloatArray, ModelItems, panel
from metacog.measures.remainder import remainder
from metacog.measures.rivals import rivals
from metacog.measures.suspected_keys import without_suspected
from metacog.sdt import InputError

MIN_MODELS = 3


@dataclass(frozen=True)
class ConfidenceFactors:
    """Eigenvalues of the rank correlations between models' confidences.

    Attributes
    ----------
    models : tuple of str
        Models in use, M of them.
    eigenvalues : array, shape ``(M,)``
        Largest first; their sum is M.
    parallel : array, shape ``(M,)``
        95th percentiles of the eigenvalues of shuffled confidences.
    n_factors : int
        Leading eigenvalues above their percentile.
    first_share : float
        The largest eigenvalue as a share of M.
    loadings : array, shape ``(M,)``
        Correlation of each model's confidence with the first factor, positive on the whole.
    mean_correlation : float
        Mean rank correlation of two models.
    n_items, n_models : int
    left_out : tuple of str
        Models that do not enter: short runs, one confidence throughout.
    """

    models: tuple[str, ...] = field(repr=False)
    eigenvalues: FloatArray = field(repr=False)
    parallel: FloatArray = field(repr=False)
    n_factors: int
    first_share: float
    loadings: FloatArray = field(repr=False)
    mean_correlation: float
    n_items: int
    n_models: int
    left_out: tuple[str, ...]


def confidence_factors(items: ModelItems, *, n_permutations: int = 200, seed: int = 42) -> ConfidenceFactors:
    """Eigenvalues of the models' confidences over items, with parallel analysis.

    Parameters
    ----------
    items : ModelItems
        Of which the models and items of :func:`metacog.measures.model_items.panel` are used, so that all models in
        use answered all items in use.
    n_permutations : int
        Each shuffles every model's confidences over the items by itself, which keeps their ties.
    seed : int

    Returns
    -------
    ConfidenceFactors

    Raises
    ------
    InputError
        Fewer than three models, or fewer items than models.

    Notes
    -----
    Spearman correlations, of mid-ranks. Difficulty moves all models' confidence alike, so one large factor is
    what readers of difficulty look like; further factors are what some models share beyond it.
    """
    if n_permutations < 1:
        raise InputError(f"n_permutations must be at least 1, got {n_permutations}")
    members, _ = panel(items, other_families=False)
    everyone = items.answered[members].all(axis=0)
    ranks = items.kept(everyone, [items.models[j] for j in members]).rank_shares()
    varies = np.ptp(ranks, axis=1) > 0
    members, ranks = members[varies], ranks[varies]
    n_models, n_items = ranks.shape
    if n_models < MIN_MODELS or n_items <= n_models:
        raise InputError(
            f"factors need at least {MIN_MODELS} models whose confidence varies and more items than models, "
            f"got {n_models} models and {n_items} items that all of them answered"
        )
    correlations = np.corrcoef(ranks)
    values, vectors = np.linalg.eigh(correlations)
    eigenvalues = values[::-1]
    rng = np.random.default_rng([seed, 4])
    null = np.array(
        [np.linalg.eigvalsh(np.corrcoef(rng.permuted(ranks, axis=1)))[::-1] for _ in range(n_permutations)]
    )
    parallel = np.quantile(null, 0.95, axis=0)
    above = eigenvalues > parallel
    first = vectors[:, -1] * np.sqrt(eigenvalues[0])
    return ConfidenceFactors(
        tuple(items.models[j] for j in members),
        eigenvalues,
        parallel,
        int(above.size if above.all() else above.argmin()),
        float(eigenvalues[0] / n_models),
        first * (1 if first.sum() >= 0 else -1),
        float(correlations[np.triu_indices(n_models, 1)].mean()),
        n_items,
        n_models,
        tuple(name for j, name in enumerate(items.models) if j not in members),
    )


Made = TypeVar("Made")
#: Ways of taking the items: every one, and without those whose key nine tenths of the others contradict.
WITH, WITHOUT = "all items", "without suspected keys"
#: Share of the others from which a key is suspected here.
SUSPECTED = 0.9
#: Levels at which own confidence and the others' mean are compared on equal terms.
LEVELS = 5
#: Ways of cutting difficulty into strata: the exact number of others that are right, fewer classes, and subjects.
EXACT = "exact number"
#: Models, and items that all of them answered, without which a table says nothing of self-knowledge.
LEAST_MODELS, LEAST_ITEMS = 3, 100
#: Pairs of models times items of which no more are used, so that a large table is judged within minutes: a million
#: answers of 83 models are below it. Beyond it items are drawn by chance; no model is left out for it.
MOST_COMPARED = 84_000_000
#: Simulated models of known self-knowledge, few and many, made by ``benchmarks/self_knowledge_sizes.py``; analyses that
#: show them name this file.
SIZES = "data/simulations/self_knowledge_sizes.csv"
#: The diagonal of simulated tables without self-knowledge, made by ``benchmarks/self_knowledge_placebo.py``, and shares
#: with intervals where they are known, made by ``benchmarks/self_knowledge_frontier.py``.
DIAGONAL = "data/simulations/self_knowledge_diagonal.csv"
MIXTURES = "data/simulations/self_knowledge_frontier.csv"
#: Committed tables that every result here reads; an analysis names them among its files.
COMMITTED = (DIAGONAL, MIXTURES)
#: Columns of tables that are empty where their measure cannot be computed; ``least_p`` is the smallest p that so many
#: permutations can give.
MATRIX = ("confidence_of", "correctness_of", "area")
ADVANTAGE = ("model", "own", "advantage", "advantage_lower", "advantage_upper", "p_value", "flag")
MEANS = ("rows", "quantity", "mean", "lower", "upper", "n_models", "p", "least_p")
FACTORS = ("rows", "factor", "eigenvalue", "parallel", "share")
FACTOR_COUNTS = ("rows", "n_models", "n_items", "n_factors", "first_share")


@dataclass(frozen=True)
class Cut:
    """One way of cutting difficulty.

    Attributes
    ----------
    name : str
    n_strata : int or None
        None for the exact number of others that are right.
    subject : bool
        Strata are also those of the items' subjects.
    """

    name: str
    n_strata: int | None = None
    subject: bool = False


#: The main way first.
CUTS = (
    Cut(EXACT),
    Cut("20 classes", 20),
    Cut("10 classes", 10),
    Cut("5 classes", 5),
    Cut("5 classes by subject", 5, True),
)


@dataclass(frozen=True)
class OwnAndOthers:
    """How much of confidence is knowledge of oneself, in numbers.

    Attributes
    ----------
    models : DataFrame
        :func:`merged`: one row per model, on all items and with difficulty cut in the main way.
    rivals, remainders : DataFrame
        :func:`rival_tables` and :func:`remainders`: every way of taking the rows.
    matrix : DataFrame
        ``confidence_of, correctness_of, area`` on all items.
    advantage, means : DataFrame
        What the diagonal has beyond row and column, by model and on average (:func:`mean_table`).
    factors, factor_counts : DataFrame
        :func:`factor_tables`: every way of taking the rows.
    diagonal_without : float
        The most that the diagonal has on average in simulated tables of about as many models that hold two kinds of
        difficulty and no self-knowledge.
    share_held_least, share_held_most : float
        In how many of 100 simulated runs, at least and at most, the 95 % interval of a share holds the true one.
    n_models, n_families, n_items, n_left_out, n_panel, n_others : int
        ``n_families`` equals ``n_models`` where no family is known; ``n_left_out``: items whose key is suspected for
        some model; ``n_panel``: items that all models which stand as others answered, and ``n_others``, how many
        stand for each judged model.
    """

    models: pd.DataFrame = field(repr=False)
    rivals: pd.DataFrame = field(repr=False)
    remainders: pd.DataFrame = field(repr=False)
    matrix: pd.DataFrame = field(repr=False)
    advantage: pd.DataFrame = field(repr=False)
    means: pd.DataFrame = field(repr=False)
    factors: pd.DataFrame = field(repr=False)
    factor_counts: pd.DataFrame = field(repr=False)
    diagonal_without: float
    share_held_least: float
    share_held_most: float
    n_models: int
    n_families: int
    n_items: int
    n_left_out: int
    n_panel: int
    n_others: int


def own_and_others(
    items: ModelItems,
    *,
    cuts: Sequence[Cut] = CUTS,
    levels: Sequence[int] = (LEVELS,),
    n_resamples: int = 1000,
    n_permutations: int = 200,
    seed: int = 42,
) -> OwnAndOthers:
    """Own confidence against the others', in every way.

    Parameters
    ----------
    items : ModelItems
        At least two models. With fewer than three, or too few answers in common, there is no matrix; with fewer
        than three whose confidence varies there are no factors: those tables are empty then.
    cuts : sequence of Cut
        Ways of cutting difficulty, the main one first.
    levels : sequence of int
        Numbers of levels at which own and others' confidence are compared besides the values as they are.
    n_resamples, n_permutations, seed : int

    Returns
    -------
    OwnAndOthers

    Raises
    ------
    InputError
        No two models whose confidence varies answered common items; see :func:`metacog.measures.model_items.panel`.
    """
    drawn = {"n_resamples": n_resamples, "seed": seed}
    rival = rival_tables(items, levels=levels, **drawn)
    rest = remainders(items, n_permutations=n_permutations, cuts=cuts, **drawn)
    matrix = _unless_too_few(matrices, items, n_permutations=n_permutations, **drawn) or {}
    factors, counts = factor_tables(items, n_permutations=min(200, n_permutations), seed=seed)
    main = rival[(rival["rows"] == WITH) & (rival["levels"] == 0)]
    within = rest[(rest["rows"] == WITH) & (rest["cut"] == cuts[0].name)]
    whole = matrix.get(WITH)
    models = merged(items, main, within, whole)
    held = share_held()
    return OwnAndOthers(
        models=models,
        rivals=rival,
        remainders=rest,
        matrix=pd.DataFrame(columns=list(MATRIX)) if whole is None else matrix_table(whole),
        advantage=pd.DataFrame(columns=list(ADVANTAGE)) if whole is None else whole.advantage,
        means=mean_table(matrix),
        factors=factors,
        factor_counts=counts,
        diagonal_without=diagonal_without(models),
        share_held_least=held[0],
        share_held_most=held[1],
        n_models=len(items.models),
        n_families=len(set(items.families)),
        n_items=len(items.items),
        n_left_out=n_lost(items, unsuspected(items)),
        n_panel=int(main["n_panel"].iloc[0]),
        n_others=int(main["n_others"].iloc[0]),
    )


def _unless_too_few(measure: Callable[..., Made], items: ModelItems, **how: int) -> Made | None:
    """A measure of the items; None where models or answers are too few for it."""
    try:
        return measure(items, **how)
    except InputError:
        return None


def sharing(items: ModelItems, *, seed: int = 42) -> ModelItems:
    """The models and items of a table on which own and others' confidence can be compared.

    Parameters
    ----------
    items : ModelItems
    seed : int
        Of the choice among more items than :data:`MOST_COMPARED` allows.

    Returns
    -------
    ModelItems
        The items that those three models answered which have most in common, and the models that answered at
        least :data:`LEAST_ITEMS` of them.

    Raises
    ------
    InputError
        Fewer than :data:`LEAST_MODELS` models, or no three of them answered :data:`LEAST_ITEMS` common items; in
        words that a page can show.
    """
    n = len(items.models)
    if n < LEAST_MODELS:
        raise InputError(
            f"{'one model is' if n == 1 else f'{n} models are'} too few: at least {LEAST_MODELS} that answered the "
            "same items are needed to tell what a model knows of itself from what any model sees"
        )
    answered = items.answered
    three, common = closest_three(answered)
    if common.sum() < LEAST_ITEMS:
        names = [items.models[i] for i in three]
        most = (
            f"most are shared by {', '.join(names[:-1])} and {names[-1]} ({int(common.sum())})"
            if common.any()
            else "no item was answered by three of them"
        )
        raise InputError(
            f"no {LEAST_MODELS} of the {n} models share {LEAST_ITEMS} items that they answered with a confidence: "
            f"{most}"
        )
    places = np.flatnonzero(common)
    n_able = int((answered[:, places].sum(axis=1) >= LEAST_ITEMS).sum())
    n_used = max(LEAST_ITEMS, MOST_COMPARED // n_able**2)
    if places.size > n_used:
        places = np.sort(np.random.default_rng([seed, 5]).choice(places, n_used, replace=False))
    enough = answered[:, places].sum(axis=1) >= LEAST_ITEMS
    return items.kept(places, [model for model, able in zip(items.models, enough, strict=True) if able])


def closest_three(answered: NDArray[np.bool_]) -> tuple[tuple[int, int, int], NDArray[np.bool_]]:
    """The three models that answered most items in common (the first of several), and these items."""
    there = answered.astype(np.float32)
    best, three = -1.0, (0, 1, 2)
    for i in range(len(there) - 2):
        if there[i].sum() <= best:
            continue  # no three with this model first share more
        both = there[i + 1 :] * there[i]
        shared = np.triu(both @ there[i + 1 :].T, 1)
        shared[np.tril_indices(len(shared))] = -1.0
        j, k = np.unravel_index(int(shared.argmax()), shared.shape)
        if shared[j, k] > best:
            best, three = float(shared[j, k]), (i, i + 1 + int(j), i + 1 + int(k))
    return three, np.asarray(answered[list(three)].all(axis=0))


def unsuspected(items: ModelItems) -> ModelItems:
    """Each model without the items whose key its others put in doubt; all of them without answers or a key."""
    return items if items.answer is None or items.key is None else without_suspected(items, SUSPECTED)


def n_lost(items: ModelItems, fewer: ModelItems) -> int:
    """Items that some model answered and has lost."""
    return int((items.answered & ~fewer.answered).any(axis=0).sum())


def ways(items: ModelItems) -> Iterator[tuple[str, ModelItems]]:
    """The items in each way of taking them; the second only where it leaves some out."""
    yield WITH, items
    fewer = unsuspected(items)
    if n_lost(items, fewer):
        yield WITHOUT, fewer


def rival_tables(
    items: ModelItems, *, n_resamples: int, seed: int, levels: Sequence[int] = (LEVELS,)
) -> pd.DataFrame:
    """Own against others' in each way of taking the items, and at equal levels: with ``rows`` and ``levels``."""
    parts = []
    for name, part in ways(items):
        for k in (0, *levels) if name == WITH else (0,):
            made = rivals(part, n_levels=k or None, n_resamples=n_resamples, seed=seed)
            parts.append(made.table.assign(rows=name, levels=k, n_panel=made.n_items))
    return pd.concat(parts, ignore_index=True)


def remainders(
    items: ModelItems, *, n_resamples: int, n_permutations: int, seed: int, cuts: Sequence[Cut] = CUTS
) -> pd.DataFrame:
    """What remains within difficulty, for each way of taking the items and cutting difficulty: ``rows``, ``cut``.

    Without suspected keys difficulty is cut in the main way alone. Bits are measured with the main way of cutting; what
    own confidence adds to the others' answers and confidence does not depend on it.
    """
    parts = []
    for name, part in ways(items):
        added = pd.DataFrame()
        for cut in cuts if name == WITH else cuts[:1]:
            made = remainder(
                part,
                n_strata=cut.n_strata,
                use_strata=cut.subject,
                information=cut == cuts[0],
                n_resamples=n_resamples,
                n_permutations=n_permutations,
                seed=seed,
            )
            if cut == cuts[0]:
                added = made[[c for c in made if str(c).startswith(("added", "blend"))]]
            parts.append(made.assign(rows=name, cut=cut.name, **added))
    return pd.concat(parts, ignore_index=True)


def matrices(
    items: ModelItems, *, n_resamples: int, n_permutations: int, seed: int
) -> dict[str, CrossPrediction]:
    """The matrix of confidences against correctness, in each way of taking the items."""
    return {
        name: cross_prediction(part, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
        for name, part in ways(items)
    }


def matrix_table(made: CrossPrediction) -> pd.DataFrame:
    """The matrix as rows ``confidence_of, correctness_of, area``."""
    m = len(made.models)
    return pd.DataFrame(
        {
            "confidence_of": np.repeat(made.models, m),
            "correctness_of": np.tile(made.models, m),
            "area": made.areas.ravel(),
        }
    )


def mean_table(matrix: dict[str, CrossPrediction]) -> pd.DataFrame:
    """What the diagonal has beyond row and column, on average: columns :data:`MEANS`, empty without a matrix."""
    parts = [pd.DataFrame(columns=list(MEANS))]
    for name, made in matrix.items():
        table = made.means.assign(rows=name, p=np.nan, least_p=1 / (made.n_permutations + 1))
        table.loc[table["quantity"] == "advantage", "p"] = made.p_value
        parts.append(table)
    return pd.concat(parts[1:] or parts, ignore_index=True)


def factor_tables(items: ModelItems, *, n_permutations: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The factors of the models' confidences, in each way of taking the items in which they can be counted.

    Returns
    -------
    factors : DataFrame
        Eigenvalues and what chance would give: columns :data:`FACTORS`.
    counts : DataFrame
        ``rows, n_models, n_items`` in use, ``n_factors`` beyond chance and ``first_share`` of the first: columns
        :data:`FACTOR_COUNTS`.
    """
    tables, counts = [pd.DataFrame(columns=list(FACTORS))], []
    for name, part in ways(items):
        made = _unless_too_few(confidence_factors, part, n_permutations=n_permutations, seed=seed)
        if made is None:
            continue
        tables.append(
            pd.DataFrame(
                {
                    "rows": name,
                    "factor": np.arange(1, made.n_models + 1),
                    "eigenvalue": made.eigenvalues,
                    "parallel": made.parallel,
                    "share": made.eigenvalues / made.eigenvalues.sum(),
                }
            )
        )
        counts.append({"rows": name, **{key: getattr(made, key) for key in FACTOR_COUNTS[1:]}})
    return pd.concat(tables[1:] or tables, ignore_index=True), pd.DataFrame(
        counts, columns=list(FACTOR_COUNTS)
    )


def merged(
    items: ModelItems, rival: pd.DataFrame, rest: pd.DataFrame, matrix: CrossPrediction | None
) -> pd.DataFrame:
    """One row per model: its accuracy, own and others' areas, what remains, and its advantage on the diagonal.

    Raises
    ------
    InputError
        If a table lacks a model.
    """
    accuracy = pd.DataFrame({"model": items.models, "accuracy": np.nanmean(items.right, axis=1)})
    kept = [c for c in rest if c not in ("family", "flag", "rows", "cut")]
    table = accuracy.merge(rival.drop(columns=["rows", "levels"]), on="model").merge(
        rest[[*kept, "flag"]].rename(columns={"flag": "why"}), on="model", suffixes=("", "_within")
    )
    if matrix is not None:
        gain = matrix.advantage[["model", "advantage", "advantage_lower", "advantage_upper", "p_value"]]
        table = table.merge(gain.rename(columns={"p_value": "advantage_p"}), on="model")
    if len(table) != len(items.models):
        raise InputError(f"{len(items.models) - len(table)} models are missing from a table of results")
    return table.sort_values("own", ascending=False, kind="stable").reset_index(drop=True)


def simulated_like(models: pd.DataFrame, n_items: int) -> pd.DataFrame:
    """What simulated models come to whose number, questions and sort of confidence are most like these.

    Parameters
    ----------
    models : DataFrame
        Of :class:`OwnAndOthers`.
    n_items : int

    Returns
    -------
    DataFrame
        One row for each ``kind`` (what confidence reads): ``n_models, n_items, values`` (``graded``, or ``two``),
        ``n_runs``, ``n_judged`` models, for how many of them something seems to remain (``above_0``), in how many runs
        for at least half (``most_above_0``), and the mean of what does (``corrected``).

    Raises
    ------
    MetacogError
        If the committed table is missing.
    """
    table = committed_table(SIZES)
    near = table[table["values"] == _sort_of_confidence(models)]
    for name, wanted in (("n_models", len(models)), ("n_items", n_items)):
        sizes = near[name].unique()
        near = near[near[name] == sizes[np.abs(np.log(sizes / wanted)).argmin()]]
    return near.reset_index(drop=True)


def diagonal_without(models: pd.DataFrame) -> float:
    """The most that the diagonal has on average in the committed tables without self-knowledge most like these."""
    table = committed_table(DIAGONAL)
    near = table[table["values"] == _sort_of_confidence(models)]
    sizes = near["n_models"].unique()
    return float(
        near.loc[near["n_models"] == sizes[np.abs(np.log(sizes / len(models))).argmin()], "most"].max()
    )


def share_held() -> tuple[float, float]:
    """In how many of 100 simulated runs, at least and at most, the 95 % interval of a share holds the true one."""
    table = committed_table(MIXTURES)
    mixed = table[(table["section"] == "mixtures") & (table["n_shares"] > 0)]
    held = 100 * mixed["share_covers"] / mixed["n_shares"]
    return float(held.min()), float(held.max())


def _sort_of_confidence(models: pd.DataFrame) -> str:
    return "two" if models["own_levels"].median() <= 2 else "graded"
