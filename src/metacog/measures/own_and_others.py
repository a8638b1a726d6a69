"""Own confidence against the others': what answers of several models to common items say of self-knowledge.

Own confidence beside the others' confidence and correctness, what remains of it within difficulty, and what the
diagonal of the matrix of confidences against correctness has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.frames import committed_table
from metacog.measures.cross_prediction import CrossPrediction, cross_prediction
from metacog.measures.model_items import ModelItems
from metacog.measures.remainder import remainder
from metacog.measures.rivals import rivals
from metacog.measures.suspected_keys import without_suspected
from metacog.sdt import InputError

#: Ways of taking the items: every one, and without those whose key nine tenths of the others contradict.
WITH, WITHOUT = "all items", "without suspected keys"
#: Share of the others from which a key is suspected here.
SUSPECTED = 0.9
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
#: The diagonal of simulated tables without self-knowledge, made by ``benchmarks/self_knowledge_placebo.py``: an
#: analysis of own confidence and the others' names it among its files.
DIAGONAL = "data/simulations/self_knowledge_diagonal.csv"


@dataclass(frozen=True)
class Cut:
    """A way of cutting difficulty: into ``n_strata`` (None: the exact number of others that are right), by subject."""

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
        One row per model, on all items and with difficulty cut in the main way: accuracy, :func:`rivals`,
        :func:`remainder` (``why``: its flag) and the advantage on the diagonal of the matrix.
    remainders : DataFrame
        :func:`remainders`: every way of taking the items and cutting difficulty.
    means : DataFrame
        What the diagonal has beyond row and column on average, with its ``p`` and the ``least_p`` that so many
        permutations can give; empty without a matrix.
    diagonal_without : float
        The most that the diagonal has on average in simulated tables of about as many models that hold two kinds of
        difficulty and no self-knowledge.
    n_models, n_items : int
    """

    models: pd.DataFrame = field(repr=False)
    remainders: pd.DataFrame = field(repr=False)
    means: pd.DataFrame = field(repr=False)
    diagonal_without: float
    n_models: int
    n_items: int


def own_and_others(
    items: ModelItems,
    *,
    cuts: Sequence[Cut] = CUTS,
    n_resamples: int = 1000,
    n_permutations: int = 200,
    seed: int = 42,
) -> OwnAndOthers:
    """Own confidence against the others'.

    Parameters
    ----------
    items : ModelItems
        At least two models. With fewer than three, or too few answers in common, there is no matrix.
    cuts : sequence of Cut
        Ways of cutting difficulty, the main one first.
    n_resamples, n_permutations, seed : int

    Raises
    ------
    InputError
        No two models whose confidence varies answered common items; see :func:`metacog.measures.model_items.panel`.
    """
    rival = rivals(items, n_resamples=n_resamples, seed=seed)
    rest = remainders(items, cuts, n_resamples=n_resamples, seed=seed)
    try:
        matrix = cross_prediction(items, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
        means = matrix.means.assign(least_p=1 / (n_permutations + 1))
        means["p"] = np.where(means["quantity"] == "advantage", matrix.p_value, np.nan)
    except InputError:
        matrix, means = None, pd.DataFrame()
    models = merged(items, rival, rest[(rest["rows"] == WITH) & (rest["cut"] == cuts[0].name)], matrix)
    return OwnAndOthers(
        models,
        rest,
        means,
        diagonal_without(models),
        len(items.models),
        len(items.items),
    )


def sharing(items: ModelItems, *, seed: int = 42) -> ModelItems:
    """The models and items of a table on which own and others' confidence can be compared.

    The items that those three models answered which have most in common (of more than :data:`MOST_COMPARED` allows,
    some drawn by ``seed``), and the models that answered at least :data:`LEAST_ITEMS` of them.

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


def remainders(items: ModelItems, cuts: Sequence[Cut] = CUTS, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """What remains within difficulty, for each way of taking the items and cutting difficulty: ``rows``, ``cut``.

    Without suspected keys difficulty is cut in the main way alone. Bits are measured with the main way of cutting; what
    own confidence adds to the others' answers and confidence does not depend on it.
    """
    parts = []
    for name, part in ways(items):
        added = pd.DataFrame()
        for cut in cuts if name == WITH else cuts[:1]:
            main = cut == cuts[0]
            made = remainder(
                part,
                n_strata=cut.n_strata,
                use_strata=cut.subject,
                information=main,
                n_resamples=n_resamples,
                seed=seed,
            )
            if main:
                added = made[[c for c in made if str(c).startswith(("added", "blend"))]]
            parts.append(made.assign(rows=name, cut=cut.name, **added))
    return pd.concat(parts, ignore_index=True)


def merged(
    items: ModelItems, rival: pd.DataFrame, rest: pd.DataFrame, matrix: CrossPrediction | None
) -> pd.DataFrame:
    """One row per model: its accuracy, own and others' areas, what remains, and its advantage on the diagonal."""
    accuracy = pd.DataFrame({"model": items.models, "accuracy": np.nanmean(items.right, axis=1)})
    kept = [c for c in rest if c not in ("family", "flag", "rows", "cut")]
    table = accuracy.merge(rival, on="model").merge(
        rest[[*kept, "flag"]].rename(columns={"flag": "why"}), on="model", suffixes=("", "_within")
    )
    if matrix is not None:
        gain = matrix.advantage[["model", "advantage", "advantage_lower", "advantage_upper", "p_value"]]
        table = table.merge(gain.rename(columns={"p_value": "advantage_p"}), on="model")
    return table.sort_values("own", ascending=False, kind="stable").reset_index(drop=True)


def simulated_like(models: pd.DataFrame, n_items: int) -> pd.DataFrame:
    """What simulated models come to whose number, questions and sort of confidence are most like these.

    One row for each ``kind`` (what confidence reads): ``n_models, n_items, values`` (``graded``, or ``two``),
    ``n_runs``, ``n_judged`` models, for how many of them something seems to remain (``above_0``), in how many runs for
    at least half (``most_above_0``), and the mean of what does (``corrected``).
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


def _sort_of_confidence(models: pd.DataFrame) -> str:
    return "two" if models["own_levels"].median() <= 2 else "graded"
