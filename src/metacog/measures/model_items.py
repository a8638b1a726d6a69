"""Answers of several models to common items: right or wrong, confidence and answer as models by items.

What one model's confidence says about itself, and what any other model's says as well, can only be asked of a
table in which the models share items. :class:`ModelItems` is that table, checked.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from unicodedata import normalize

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from metacog.sdt import InputError

FloatArray = NDArray[np.float64]
#: Named in a message at most.
_SHOWN = 3


@dataclass(frozen=True)
class ModelItems:
    """Answers of M models to N items.

    Attributes
    ----------
    models : tuple of str
        In the order of the trials.
    items : tuple of str
        Sorted.
    right : array, shape ``(M, N)``
        1 for a right answer, 0 for a wrong one, NaN where there is none (or none with a confidence).
    confidence : array, shape ``(M, N)``
        On any scale of which only the order within a model is used; NaN where ``right`` is.
    families : tuple of str
        The family of each model; its own name where no family is known, so that all others are of another one.
    strata : tuple of str
        A property of each item, such as its subject or domain; all empty where none was named.
    answer : int array, shape ``(M, N)``, or None
        The answer as a position in ``answers``, -1 where there is none.
    answers : tuple of str
    key : int array, shape ``(N,)``, or None
        Position of the right answer in ``answers``.
    """

    models: tuple[str, ...]
    items: tuple[str, ...]
    right: FloatArray = field(repr=False)
    confidence: FloatArray = field(repr=False)
    families: tuple[str, ...] = field(repr=False)
    strata: tuple[str, ...] = field(repr=False)
    answer: NDArray[np.int64] | None = field(default=None, repr=False)
    answers: tuple[str, ...] = field(default=(), repr=False)
    key: NDArray[np.int64] | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls,
        trials: pd.DataFrame,
        *,
        model: str = "model",
        item: str = "question_id",
        correct: str = "correct",
        confidence: str = "confidence",
        family: str | None = None,
        stratum: str | None = None,
        answer: str | None = None,
        key: str | None = None,
        unrated: bool = False,
    ) -> ModelItems:
        """Arrange trials, one of each model and item at most.

        Parameters
        ----------
        trials : DataFrame
            One row per trial.
        model, item, correct, confidence : str
            Names of columns. A trial without a confidence, or marked neither right nor wrong, is left out.
        family, stratum : str, optional
            Columns that hold one value for each model and for each item.
        answer, key : str, optional
            Columns of the answer given and of the right one. A missing answer is none, and is like no other.
        unrated : bool
            Keep marked trials without a confidence too: their answers are second opinions for other models
            (:func:`metacog.measures.whom_to_ask.whom_to_ask`). Most measures want a confidence of each.

        Raises
        ------
        InputError
            A column that is missing, or of text where numbers are wanted; no trial left; a mark other than 0 and 1; a
            model that answers an item twice; one model in two spellings; a model of two families, an item of two
            strata or with two keys.
        """
        wanted = [
            c for c in (model, item, correct, confidence, family, stratum, answer, key) if c is not None
        ]
        if absent := [c for c in wanted if c not in trials]:
            raise InputError(f"the trials have no column {', '.join(absent)}")
        marked = pd.to_numeric(trials[correct].astype("object"), errors="coerce").to_numpy(dtype=np.float64)
        sure = pd.to_numeric(trials[confidence], errors="coerce").to_numpy(dtype=np.float64)
        if odd := sorted({float(v) for v in marked[np.isfinite(marked)]} - {0.0, 1.0})[:_SHOWN]:
            raise InputError(f"{correct} must be 0 or 1, not {', '.join(f'{v:g}' for v in odd)}")
        used = np.isfinite(marked) & (np.isfinite(sure) | unrated)
        rows = trials.loc[used]
        if rows.empty:
            for column, values in ((correct, marked), (confidence, sure)):
                held = trials.loc[~np.isfinite(values), column].dropna()
                if len(held) and not np.isfinite(values).any():
                    raise InputError(f"{column} holds no number, but for instance {held.iloc[0]!r}")
            raise InputError("there is no trial with a mark and a confidence")
        names = rows[model].astype(str).to_numpy()
        asked = rows[item].astype(str).to_numpy()
        models = tuple(dict.fromkeys(names))
        if twins := two_spellings(models):
            raise InputError(
                f"{twins[0]!r} and {twins[1]!r} look like one model in two spellings; give both one name, or "
                "names that differ in letters or digits"
            )
        found, at = np.unique(asked, return_inverse=True)
        items = tuple(str(one) for one in found)
        who = pd.Categorical(names, categories=models).codes
        _answered_once(names, asked)
        shape = (len(models), len(items))
        right, level = np.full(shape, np.nan), np.full(shape, np.nan)
        right[who, at] = marked[used]
        level[who, at] = sure[used]
        given_at: NDArray[np.int64] | None = None
        solution: NDArray[np.int64] | None = None
        texts: tuple[str, ...] = ()
        if answer is not None:
            none = rows[answer].isna().to_numpy()
            given = rows[answer].astype(str).to_numpy()
            true = rows[key].astype(str).to_numpy() if key is not None else given[:0]
            texts = tuple(sorted({*given[~none], *true}))
            given_at = np.full(shape, -1, dtype=np.int64)
            given_at[who, at] = np.where(none, -1, pd.Categorical(given, categories=texts).codes)
            if key is not None:
                each = _one_of(true, asked, items, key)
                solution = pd.Categorical(each, categories=texts).codes.astype(np.int64)
        return cls(
            models,
            items,
            right,
            level,
            models if family is None else _one_of(rows[family].astype(str).to_numpy(), names, models, family),
            ("",) * len(items)
            if stratum is None
            else _one_of(rows[stratum].astype(str).to_numpy(), asked, items, stratum),
            given_at,
            texts,
            solution,
        )

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Whether a model answered an item, shape ``(M, N)``."""
        return np.isfinite(self.right)

    @property
    def constant(self) -> tuple[str, ...]:
        """Models that give one confidence throughout, so that it orders nothing."""
        least, most = np.nanmin(self.confidence, axis=1), np.nanmax(self.confidence, axis=1)
        return tuple(name for name, lo, hi in zip(self.models, least, most, strict=True) if lo == hi)

    def kept(self, items: ArrayLike | None = None, models: Sequence[str] | None = None) -> ModelItems:
        """Some of the items (a mask or positions) and some of the models, the latter in the order given.

        Raises
        ------
        InputError
            An unknown model, or nothing left.
        """
        rows = np.array([self.models.index(m) for m in self.named(models)], dtype=np.int64)
        columns = np.arange(len(self.items))[slice(None) if items is None else np.asarray(items)]
        if not len(rows) or not len(columns):
            raise InputError("no model or no item is left")
        grid = np.ix_(rows, columns)
        return replace(
            self,
            models=tuple(self.models[i] for i in rows),
            items=tuple(self.items[j] for j in columns),
            right=self.right[grid],
            confidence=self.confidence[grid],
            families=tuple(self.families[i] for i in rows),
            strata=tuple(self.strata[j] for j in columns),
            answer=None if self.answer is None else self.answer[grid],
            key=None if self.key is None else self.key[columns],
        )

    def named(self, models: Sequence[str] | None = None) -> tuple[str, ...]:
        """Names of models, all without any; an :class:`InputError` says which there are not."""
        if unknown := [name for name in models or () if name not in self.models]:
            raise InputError(f"there is no model {', '.join(unknown)}")
        return self.models if models is None else tuple(models)

    def shared(self) -> ModelItems:
        """The items that all models answered.

        Raises
        ------
        InputError
            There is none; the message names the model that leaves most out.
        """
        everyone = self.answered.all(axis=0)
        if not everyone.any():
            fewest = int(self.answered.sum(axis=1).argmin())
            raise InputError(
                f"no item was answered by all {len(self.models)} models; {self.models[fewest]} answered fewest "
                f"({int(self.answered[fewest].sum()):,} of {len(self.items):,})"
            )
        return self.kept(everyone)

    def others(self, model: str, *, other_families: bool = True) -> NDArray[np.int64]:
        """Positions of the other models, of other families alone unless told otherwise."""
        own = self.models.index(model)
        family = self.families[own]
        return np.array(
            [
                i
                for i in range(len(self.models))
                if i != own and not (other_families and self.families[i] == family)
            ],
            dtype=np.int64,
        )

    def rank_shares(self) -> FloatArray:
        """Mid-ranks of confidence within each model, from above 0 to below 1, shape ``(M, N)``; NaN kept.

        A scale on which confidences of several models can be averaged: (mid-rank - 1/2) / (number of answers).
        """
        return rank_shares(self.confidence)


def rank_shares(values: FloatArray) -> FloatArray:
    """Mid-ranks within each row as shares, from above 0 to below 1; NaN kept."""
    ranks = np.full(values.shape, np.nan)
    for row, level, there in zip(ranks, values, np.isfinite(values), strict=True):
        row[there] = (rankdata(level[there]) - 0.5) / max(int(there.sum()), 1)
    return ranks


def same_answer(
    mine: NDArray[np.int64], theirs: NDArray[np.int64], ranks: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """By item, the share of others that gave the answer that a model gave, and their mean confidence.

    Answers are positions, ``(n,)`` and ``(k, n)``, -1 where there is none, which is like no other; confidence is in
    shares of ranks, NaN where there is none. The mean is NaN where nobody gave the same.
    """
    same = (theirs == mine) & (mine >= 0)
    heard = same & np.isfinite(ranks)
    n, total = heard.sum(axis=0), np.where(heard, ranks, 0.0).sum(axis=0)
    return same.mean(axis=0), np.where(n > 0, total / np.maximum(n, 1), np.nan)


def two_spellings(models: Iterable[str]) -> tuple[str, str] | None:
    """The first two names that differ in case, blanks, punctuation or the encoding of a letter alone."""
    plain: dict[str, str] = {}
    for name in models:
        first = plain.setdefault(re.sub(r"[\W_]+", "", normalize("NFKC", name)).casefold(), name)
        if first != name:
            return first, name
    return None


def _answered_once(names: NDArray[np.object_], asked: NDArray[np.object_]) -> None:
    twice = pd.DataFrame({"model": names, "item": asked}).duplicated()
    if twice.any():
        first = int(twice.to_numpy().argmax())
        raise InputError(
            f"{int(twice.sum()):,} trials repeat an item of the same model (the first: {names[first]}, "
            f"item {asked[first]}); keep one of each"
        )


def _one_of(
    values: NDArray[np.object_], owners: NDArray[np.object_], order: Sequence[str], column: str
) -> tuple[str, ...]:
    """The one value of each owner, in their order."""
    pairs = pd.DataFrame({"owner": owners, "value": values}).drop_duplicates()
    again = pairs["owner"].duplicated(keep=False)
    if again.any():
        first = pairs[again].sort_values("owner", kind="stable")
        owner = first["owner"].iloc[0]
        both = first.loc[first["owner"] == owner, "value"].tolist()[:2]
        raise InputError(f"{column} of {owner} is both {both[0]} and {both[1]}")
    each = pairs.set_index("owner")["value"]
    return tuple(str(each[name]) for name in order)


# Models that stand as the others, and how hard an item was for them.

#: Fewer right or wrong answers than this carry no estimate.
MIN_OF_CLASS = 10
FEW = f"fewer than {MIN_OF_CLASS} right or wrong answers"
CONSTANT = "one confidence throughout"
SILENT = "no confidence could be read"


def panel(items: ModelItems, *, other_families: bool = True) -> tuple[NDArray[np.int64], int]:
    """Models that stand as the others of every model, by position, and how many others each can have at most.

    Raises
    ------
    InputError
        No set of models gives every model another, or such a set shares no item.

    Notes
    -----
    Means over others need one set of others on every item. Models are taken in the order of how much they
    answered, leaving out those of one confidence throughout, as far as (models) times (items that all of them
    answered) is largest: a model with a short run is judged, and does not stand as one of the others.
    """
    families = np.array(items.families if other_families else items.models)
    able = np.array([name not in items.constant for name in items.models])
    order = np.argsort(-items.answered.sum(axis=1), kind="stable")
    order = order[able[order]]

    def fewest(members: NDArray[np.int64]) -> int:
        return int((families[members] != families[:, None]).sum(axis=1).min())

    best, size = 0, 0
    for k in range(1, order.size + 1):
        shared = k * int(items.answered[order[:k]].all(axis=0).sum())
        if shared > best and fewest(order[:k]):
            best, size = shared, k
    if not fewest(order):
        kind = "another of another family" if other_families else "another"
        raise InputError(
            f"not every model has {kind} whose confidence varies"
            + ("; other_families=False takes all models" if other_families else "")
        )
    if not size:
        raise InputError("the models that could stand as the others share no item")
    members = np.sort(order[:size])
    return members, fewest(members)


def others_of(
    items: ModelItems, model: str, members: NDArray[np.int64], n: int, *, seed: int
) -> NDArray[np.int64]:
    """``n`` of a model's others of other families among the members of the panel, drawn by seed and its name."""
    mine = np.intersect1d(items.others(model), members)
    rng = np.random.default_rng([seed, zlib.crc32(model.encode())])
    return np.sort(rng.choice(mine, size=n, replace=False)) if n < mine.size else mine


def difficulty(items: ModelItems, model: str, *, other_families: bool = True) -> NDArray[np.int64]:
    """How many of the other models were right on each item, shape ``(N,)``; -1 where none answered.

    Others with a short run leave gaps: an item's share of right answers among those who answered is then
    taken times the number of others and rounded, so that one scale serves all items.
    """
    right = items.right[items.others(model, other_families=other_families)]
    asked = np.isfinite(right).sum(axis=0)
    share = np.nansum(right, axis=0) / np.maximum(asked, 1)
    return np.where(asked > 0, np.rint(share * right.shape[0]), -1).astype(np.int64)
