"""What remains of a model's confidence among items that are equally hard for other models.

Confidence that only says how hard a question is could be any other model's. Two measures of the rest: of two
answers to equally hard items, is the right one more confident (AUROC2 within strata); and how many bits on right and
wrong does confidence add to the difficulty. Difficulty is counted from others' answers, hence known with error, and
the error leaves some difficulty in the rest: both measures are also given without it.

What remains need not be about oneself either: another family's confidence in the model's place stands beside it
(:mod:`metacog.measures.placebos`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtrit
from scipy.stats import rankdata

from metacog.core.frames import ended, with_ends
from metacog.measures.model_items import ModelItems, same_answer
from metacog.measures.placebos import Placebos, Strata, placebos
from metacog.sdt import InputError, auroc2
from metacog.sdt.checks import FloatArray
from metacog.sdt.ease_alone import EaseAlone
from metacog.sdt.information_parts import FEWEST_OF_A_CLASS, NestedGains, least_variance, nested_gains
from metacog.sdt.item_ease import ItemResponse, item_response
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.within_strata import StratifiedAnswers

# The gain of a signal in bits, and its share in another gain, with intervals over answers.


def last_gain(name: str, gains: NestedGains) -> dict[str, float]:
    """Mean gain of the last signal: ``name, name_lower, name_upper``.

    Intervals rest on the spread of the answers' gains, which is never taken to be less than that of a part of 0, see
    :func:`metacog.sdt.information_parts.information_parts`.
    """
    bits = gains.bits[:, -1]
    floor = float(least_variance(gains.cost[-1:], bits.size)[0])
    return _with_ends(name, float(bits.mean()), bits, floor)


def share_of_gain(name: str, part: NestedGains, whole: NestedGains) -> dict[str, float]:
    """Gain of the last signal of ``part`` as a share of that of ``whole``, on the same answers.

    The interval is by the delta method. It needs a whole that is shown to be above 0.
    """
    n = len(whole.bits)
    total = float(whole.bits[:, -1].mean())
    share = float(part.bits[:, -1].mean()) / total
    moved = (part.bits[:, -1] - share * whole.bits[:, -1]) / total
    floor = least_variance(np.array([part.cost[-1], whole.cost[-1]]), n)
    return _with_ends(name, share, moved, float(floor[0] + share**2 * floor[1]) / total**2)


def _with_ends(name: str, value: float, gains: FloatArray, floor: float) -> dict[str, float]:
    t = float(stdtrit(gains.size - 1, 0.975))
    half = t * float(np.sqrt(max(gains.var(ddof=1) / gains.size, floor)))
    return ended(name, value, value - half, value + half)


#: Right and wrong answers without which nothing is estimated.
FEWEST = 10
ONE_FAMILY = "fewer than two other families, so that no other family's confidence can stand in its place"
#: Share of the judged model's items that another model must have answered to be counted on.
LEAST_SHARED = 0.97
N_FOLDS = 10
#: Confidences, over all models, placebos and items, that are put in the place of a model's own: a larger table has
#: fewer placebos, but not fewer than these.
MOST_PLACED, FEWEST_PLACEBOS = 2_000_000, 6
#: Of more items than this they are related to ease in cells of a stratum within which expected ease differs by less
#: (own less placebo moves by less than .0005 so), and so many times as many confidences can be placed.
LARGE, CELLS, FASTER = 5_000, 0.1, 10
#: Principal components of the others' answers and confidences, after the first, of which own confidence is cleared.
N_COMPONENTS = 2
COLUMNS = (
    *("model", "family", "n", "n_wrong", "n_others", "n_strata", "n_pairs", "auroc2"),
    *with_ends("within"),
    "by_difficulty",
    *with_ends("corrected", "information", "remaining", "beyond", "added", "blend", "share"),
    "n_placebos",
    *with_ends("placebo"),
    "placebo_best",
    *with_ends("own_less_placebo", "own_less_best"),
    *("why_no_placebo", "flag"),
)


def remainder(
    items: ModelItems,
    *,
    models: Sequence[str] | None = None,
    n_strata: int | None = None,
    use_strata: bool = False,
    information: bool = True,
    n_resamples: int = 2000,
    seed: int = 42,
) -> pd.DataFrame:
    """What remains of each model's confidence within difficulty.

    Parameters
    ----------
    items : ModelItems
        A model's others, which are counted on and stand as placebos, are of other families.
    models : sequence of str, optional
        Models that are judged; all without it.
    n_strata : int, optional
        Strata of about equally many items by the number of others that are right. None: that number itself.
    use_strata : bool
        Split strata by the items' property too, such as their subject.
    information : bool
        Measure bits as well; areas alone take a tenth of the time.
    n_resamples, seed : int
        Of items.

    Returns
    -------
    DataFrame
        Columns :data:`COLUMNS`, one row per model, NaN where nothing is estimated and ``flag`` says why.

        ``n`` items that the model and its ``n_others`` answered, with ``n_wrong`` wrong answers; ``n_strata`` that
        occur, ``n_pairs`` of a right and a wrong answer of one stratum.

        ``auroc2`` of all pairs, ``within`` of pairs of one stratum; ``by_difficulty`` the value that confidence would
        have within strata if it read difficulty alone, ``corrected`` = within - by_difficulty.

        In bits: ``information`` I(right; confidence), ``remaining`` I(right; confidence | stratum), ``beyond`` what
        confidence says beyond the stratum and what reading difficulty alone would add to it; ``share`` = beyond /
        information. ``added``: what confidence adds to the number of others that are right and their mean confidence;
        ``blend`` to these, the two principal components of the others' answers and confidences that come next, the
        share of the others that gave this same answer, and their mean confidence in it; NaN where the items hold no
        answers.

        ``n_placebos`` models of other families whose confidence is put in the place of the model's own, on the same
        items, with their family out of the count (:class:`metacog.measures.placebos.Placebos`): ``placebo`` and
        ``placebo_best`` are the median and the largest of what is then left (as ``corrected``), ``own_less_placebo``
        and ``own_less_best`` the median and the least of own less placebo, pair by pair in the same strata;
        ``why_no_placebo`` where there is none.

    Raises
    ------
    InputError
        An unknown model; fewer than two strata or resamples.

    Notes
    -----
    Of more than :data:`LARGE` items resampled areas are those to first order, and all models have the same resamples.

    Others that answered less than :data:`LEAST_SHARED` of the judged model's items are not counted on, so that one
    partial run does not take most items away.

    Intervals of areas use the standard deviation over resampled items (on the scale of log-odds for ``within``) and
    t with one degree of freedom less than the rarer class of answers has members in strata with pairs. Intervals of
    bits rest on the spread of the trials' gains, see :func:`metacog.sdt.information_parts.information_parts`.

    The correction fits an item-response model to the others' answers, relates correctness and confidence each to
    ease (:class:`metacog.sdt.ease_alone.EaseAlone`) and takes off what follows for strata if the two are unrelated
    at any one ease. It takes difficulty to be one thing: what a model and its kind alone find hard counts as the
    model's own. So what remains is compared with what remains of other families' confidence in its place. Where models
    weigh several difficulties unlike, that does not suffice: a model whose weights lie far from most reads its own
    answers better than any of them could. Hence ``blend``: the components in which the others differ show such
    difficulties, and how this model weighs them is learned from other items. And confidence that reads how plausible
    anybody finds the *answer given* says more than any placebo, which has been given to another answer, and more than
    all that is said of the question. Hence the same answer: how many others gave it, and how confident they are. They
    say this with error, so that where nearly nothing but the answer's plausibility is read, a little of it is left.

    In simulated leaderboards of 33 models and 1,500 items (``data/simulations/self_knowledge_placebo.csv``) the
    interval of ``own_less_placebo`` lies above 0 for most models with uncommon weights of two difficulties, and
    hardly ever together with that of ``blend``. Where confidence is how plausible anybody finds the answer, that of
    ``blend`` lies above 0 in 6 of 24 runs if there is next to no noise, and in none of 48 if there is as much noise or
    more; in tables of nine models in 23 and 2 of 24. Where confidence reads the model's own state it does so in only 2
    of 48: who knows how many others give an answer nearly knows whether it is right.

    Shares of the information, where confidence reads a mixture, are between .04 too small and .01 too large
    (``data/simulations/self_knowledge_frontier.csv``; 100 runs each) and their 95 % intervals hold the truth in 75 to
    92 of 100: less often than they say. A model's own state alone can have a share above 1, since given the difficulty
    there is less left to know.
    """
    if n_resamples < 2 or (n_strata is not None and n_strata < 2):
        raise InputError("at least two strata and resamples are wanted")
    task = _Task(items, frozenset(items.models), seed, n_strata, use_strata, information, n_resamples)
    return pd.DataFrame([task.row(model) for model in items.named(models or None)], columns=list(COLUMNS))


@dataclass(frozen=True)
class OwnParts:
    """What is left of one model's confidence on the items ``kept``, ``(N,)``, one by one.

    ``gains``: bits of each item, ``information``, ``beyond``, ``added`` and ``blend`` of :func:`remainder`. Empty if
    not asked for, or where answers are too few.
    """

    model: str
    kept: NDArray[np.bool_]
    placebos: Placebos
    gains: dict[str, FloatArray]


def own_parts(
    items: ModelItems,
    *,
    models: Sequence[str] | None = None,
    others: Sequence[str] | None = None,
    information: bool = True,
    most_placebos: int | None = None,
    seed: int = 42,
) -> Iterator[OwnParts]:
    """What :func:`remainder` sums up, by item; models without a placebo or with too few answers are not among them.

    Strata are related to ease in cells of items, as :func:`remainder` does with many.

    Parameters
    ----------
    items, models, information, seed
        As for :func:`remainder`.
    others : sequence of str, optional
        Models that stand as others (counted on, and as placebos), on the items that all of them answered; without it
        all models, as far as they answered enough.
    most_placebos : int, optional
        Others that stand as placebos at most, drawn by chance; all without it.
    """
    task = _Task(
        items,
        frozenset(items.models if others is None else others),
        seed,
        all_others=others is not None,
        in_cells=True,
        most_placebos=most_placebos,
    )
    for model in items.named(models or None):
        own = items.models.index(model)
        counted, kept = task.asked(own)
        hits, sure = items.right[own, kept] > 0, items.confidence[own, kept]
        if _flag(hits, sure, len(counted)):
            continue
        made = task.placebos(hits, sure, counted, kept, np.zeros(hits.size, dtype=np.int64))
        if made.names:
            gains = task.gains_of(own, hits, sure, counted, kept) if information else {}
            yield OwnParts(model, kept, made, gains)


@dataclass(frozen=True)
class _Task:
    """One call's settings, and what several judged models share."""

    items: ModelItems
    standing_as_others: frozenset[str]
    seed: int
    n_strata: int | None = None
    use_strata: bool = False
    information: bool = True
    n_resamples: int = 2
    all_others: bool = False
    in_cells: bool = False
    most_placebos: int | None = None
    fits: dict[bytes, ItemResponse] = field(default_factory=dict)
    weights: dict[int, FloatArray] = field(default_factory=dict)

    @cached_property
    def ranks(self) -> FloatArray:
        """Confidences as shares of ranks, shape ``(M, N)``."""
        return self.items.rank_shares()

    def row(self, model: str) -> dict[str, object]:
        items, own = self.items, self.items.models.index(model)
        others, kept = self.asked(own)
        hits, sure = items.right[own, kept] > 0, items.confidence[own, kept]
        found: dict[str, object] = {
            "model": model,
            "family": items.families[own],
            "n": int(kept.sum()),
            "n_wrong": int((~hits).sum()),
            "n_others": len(others),
        }
        if flag := _flag(hits, sure, len(others)):
            return found | {"flag": flag}
        kinds = [items.strata[j] for j in np.flatnonzero(kept)] if self.use_strata else [""] * int(kept.sum())
        kind = np.unique(kinds, return_inverse=True)[1]
        group, stratum = self.strata(others, kept, kind)
        answers = StratifiedAnswers.of(hits, sure, stratum)
        found |= {"auroc2": auroc2(hits, sure), "n_strata": answers.n_strata, "n_pairs": answers.n_pairs}
        if answers.n_pairs == 0:
            return found | {"flag": "no stratum holds both a right and a wrong answer"}
        alone = self.alone(answers, others, kept)
        found |= self.areas(answers, alone, kept)
        made = self.placebos(hits, sure, others, kept, kind)
        found |= {"n_placebos": len(made.names), "why_no_placebo": "" if made.names else ONE_FAMILY}
        if made.names:
            found |= made.summary(self.resamples(kept), answers.rarer() - 1)
        if not self.information:
            return found | {"flag": ""}
        signals = {"difficulty": group} | ({"kind": np.eye(kind.max() + 1)[kind]} if kind.max() else {})
        bits = self.bits(answers, signals, alone.log_odds())
        return found | bits | self.added(answers, own, others, kept)

    def asked(self, own: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """A model's others, and the items that it and all of them answered."""
        items, there = self.items, self.items.answered[own]
        others = items.others(items.models[own])
        others = others[[items.models[i] in self.standing_as_others for i in others]]
        if not self.all_others:
            others = others[items.answered[others][:, there].mean(axis=1) >= LEAST_SHARED]
        return others, there & items.answered[others].all(axis=0)

    def cells(self, n: int) -> float | None:
        """Width of the cells in which so many items are related to ease; None where each is by itself."""
        return CELLS if self.in_cells or n > LARGE else None

    def alone(
        self, answers: StratifiedAnswers, others: NDArray[np.int64], kept: NDArray[np.bool_]
    ) -> EaseAlone:
        """What confidence would say within strata if it read ease alone."""
        fit, posterior, cell = self.fitted(others), self.fitted(others).posterior[kept], None
        if width := self.cells(answers.hits.size):
            everyone = np.ones(len(others), dtype=bool)
            right = self.items.right[np.ix_(others, kept)]
            cell, posterior = fit.cells(right, everyone, answers.stratum, width)
        return EaseAlone(posterior, answers.hits, answers.confidence, answers.stratum, cell)

    def added(
        self, answers: StratifiedAnswers, own: int, others: NDArray[np.int64], kept: NDArray[np.bool_]
    ) -> dict[str, object]:
        """Bits of own confidence beyond what the others say, plainly and in any blend."""
        hits = answers.hits
        if min(hits.sum(), (~hits).sum()) < FEWEST_OF_A_CLASS:
            return {}
        made: dict[str, object] = {}
        for name, said in self.said_by_others(own, others, kept).items():
            made |= last_gain(name, self.gains(hits, {**said, "own": answers.confidence}))
        return made

    def said_by_others(
        self, own: int, others: NDArray[np.int64], kept: NDArray[np.bool_]
    ) -> dict[str, dict[str, FloatArray]]:
        """Signals of ``added``, and of ``blend`` where it is known which answers were given."""
        items, grid = self.items, np.ix_(others, kept)
        right, ranks = items.right[grid], self.ranks[grid]
        plain = np.stack([right.sum(axis=0), ranks.mean(axis=0)], axis=1)
        made = {"added": {"others": plain}}
        if items.answer is not None:
            blend = np.hstack([plain, _components(np.vstack([right, ranks]))])
            share, sure = same_answer(items.answer[own, kept], items.answer[grid], ranks)
            given = np.isfinite(sure)
            # of an answer that nobody else gave the share, 0, says so
            sure[~given] = sure[given].mean() if given.any() else 0.0
            made["blend"] = {"others": blend, "same answer": np.stack([share, sure], axis=1)}
        return made

    def gains(
        self, hits: NDArray[np.bool_], signals: dict[str, FloatArray], offset: FloatArray | None = None
    ) -> NestedGains:
        quick = hits.size > LARGE  # of fewer, one division and one step are not exact enough
        return nested_gains(hits, signals, offset=offset, n_folds=N_FOLDS, seed=self.seed, one_step=quick)

    def gains_of(
        self,
        own: int,
        hits: NDArray[np.bool_],
        sure: FloatArray,
        others: NDArray[np.int64],
        kept: NDArray[np.bool_],
    ) -> dict[str, FloatArray]:
        """Bits of each item, for :func:`own_parts`."""
        if min(hits.sum(), (~hits).sum()) < FEWEST_OF_A_CLASS:
            return {}
        group, stratum = self.strata(others, kept, np.zeros(hits.size, dtype=np.int64))
        alone = self.alone(StratifiedAnswers.of(hits, sure, stratum), others, kept)
        made = {
            "information": self.gains(hits, {"own": sure}),
            "beyond": self.gains(hits, {"difficulty": group, "own": sure}, alone.log_odds()),
        }
        for name, said in self.said_by_others(own, others, kept).items():
            made[name] = self.gains(hits, {**said, "own": sure})
        return {name: gains.bits[:, -1] for name, gains in made.items()}

    def strata(
        self, others: NDArray[np.int64], kept: NDArray[np.bool_], kind: NDArray[np.int64]
    ) -> tuple[FloatArray, NDArray[np.int64]]:
        """How hard the kept items are by these others, and the strata of that and of the items' kind."""
        count = self.items.right[np.ix_(others, kept)].sum(axis=0)
        group = count if self.n_strata is None else _grouped(count, self.n_strata)
        return group, np.unique(group, return_inverse=True)[1] * len(kind) + kind

    def placebos(
        self,
        hits: NDArray[np.bool_],
        sure: FloatArray,
        others: NDArray[np.int64],
        kept: NDArray[np.bool_],
        kind: NDArray[np.int64],
    ) -> Placebos:
        items, fit = self.items, self.fitted(others)
        families, right = np.array(items.families), items.right[np.ix_(others, kept)]
        width = self.cells(hits.size)

        def without(family: str) -> Strata | None:
            left = families[others] != family
            if not left.any():
                return None
            stratum = np.unique(self.strata(others[left], kept, kind)[1], return_inverse=True)[1]
            if width:
                cell, posterior = fit.cells(right, left, stratum, width)
                return stratum, posterior, cell
            return stratum, fit.posterior_of(right, left), None

        standing = self.standing(others, kept)
        rows = [(items.models[i], str(families[i]), items.confidence[i, kept]) for i in standing]
        return placebos(hits, sure, rows, without)

    def standing(self, others: NDArray[np.int64], kept: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Others that stand as placebos: all, or as many by chance as a large table can be judged with."""
        n = int(kept.sum())
        able = MOST_PLACED * (FASTER if self.cells(n) else 1)
        most = max(FEWEST_PLACEBOS, int(able / (len(self.items.models) * n)))
        if self.in_cells:
            most = self.most_placebos or len(others)
        if len(others) <= most:
            return others
        return np.sort(np.random.default_rng([self.seed, 7]).choice(others, most, replace=False))

    def fitted(self, others: NDArray[np.int64]) -> ItemResponse:
        """How hard the items are by these others."""
        key = others.tobytes()
        if key not in self.fits:
            start = None
            if self.cells(len(self.items.items)):
                of = np.flatnonzero([m in self.standing_as_others for m in self.items.models])
                if of.tobytes() not in self.fits:
                    self.fits[of.tobytes()] = item_response(self.items.right[of])
                whole, at = self.fits[of.tobytes()], np.searchsorted(of, others)
                start = whole.level[at], whole.slope[at], whole.weights
            self.fits[key] = item_response(self.items.right[others], start)
        return self.fits[key]

    def resamples(self, kept: NDArray[np.bool_]) -> FloatArray:
        """How often each kept item is drawn: of many items the same resamples serve all models."""
        n = int(kept.sum())
        many = self.cells(n) is not None
        key = 0 if many else n
        if key not in self.weights:
            size = kept.size if many else n
            drawn = list(weight_chunks(size, self.n_resamples, self.seed, size))
            self.weights[key] = np.vstack(drawn, dtype=np.float32 if many else np.float64)
        return self.weights[key][:, kept] if many else self.weights[key]

    def areas(
        self, answers: StratifiedAnswers, alone: EaseAlone, kept: NDArray[np.bool_]
    ) -> dict[str, object]:
        n, weights = answers.hits.size, self.resamples(kept)
        if self.cells(n):
            (within, moves), (expected, read) = answers.area_and_influence(), alone.area_and_influence()
            draws, of_draws = (
                one + weights @ each.astype(weights.dtype)
                for one, each in ((within, moves), (expected, read))
            )
        else:
            within, draws = answers.area(), answers.areas(weights)
            expected, of_draws = alone.area(), alone.areas(weights)
        gap = within - expected
        half = answers.t_quantile(0.95) * float(np.nanstd(draws - of_draws, ddof=1))
        return {
            **ended("within", within, *answers.interval(draws).ends),
            "by_difficulty": expected,
            **ended("corrected", gap, gap - half, gap + half),
        }

    def bits(
        self, answers: StratifiedAnswers, signals: dict[str, FloatArray], by_difficulty: FloatArray
    ) -> dict[str, object]:
        hits, sure = answers.hits, answers.confidence
        if (fewest := int(min(hits.sum(), (~hits).sum()))) < FEWEST_OF_A_CLASS:
            return {"flag": f"{fewest} answers of one kind: no information below {FEWEST_OF_A_CLASS}"}
        both = {**signals, "own": sure}
        whole = self.gains(hits, {"own": sure})
        given = self.gains(hits, both)
        beyond = self.gains(hits, both, by_difficulty)
        made: dict[str, object] = {}
        for name, gains in (("information", whole), ("remaining", given), ("beyond", beyond)):
            made |= last_gain(name, gains)
        if not float(made["information_lower"]) > 0:  # type: ignore[arg-type]
            return made | {"flag": "the interval of the information contains 0, so that there is no share"}
        return made | share_of_gain("share", beyond, whole) | {"flag": ""}


def _grouped(counts: FloatArray, n_groups: int) -> FloatArray:
    """Groups 0, 1, ... of about equally many items, equal counts together."""
    share = (rankdata(counts) - 0.5) / counts.size
    return np.asarray(np.unique(np.floor(share * n_groups), return_inverse=True)[1], dtype=np.float64)


def _components(signals: FloatArray) -> FloatArray:
    """The second principal component of signals ``(k, n)`` over items and those after it, ``(n, at most 2)``.

    The first is what their mean and sum say already.
    """
    spread = signals.std(axis=1, keepdims=True)
    varies = spread[:, 0] > 0
    scores = (signals - signals.mean(axis=1, keepdims=True))[varies] / spread[varies]
    return np.asarray(np.linalg.svd(scores, full_matrices=False)[2][1 : 1 + N_COMPONENTS].T)


def _flag(hits: NDArray[np.bool_], sure: FloatArray, n_others: int) -> str:
    if not n_others:
        return "no other model answered enough of the same items"
    for name, n in (("right", int(hits.sum())), ("wrong", int((~hits).sum()))):
        if n < FEWEST:
            return f"{n} {name} answers, fewer than {FEWEST}"
    return "one confidence throughout" if np.ptp(sure) == 0 else ""
