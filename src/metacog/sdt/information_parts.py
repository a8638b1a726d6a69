"""What each of several signals adds to what is known of right and wrong, in bits, in a given order.

The model is a logistic regression with a ridge penalty, of splines of normal scores and their products,
fitted to many subsets of the same trials; one step of Newton is fast enough for thousands of permutations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, ndtri, stdtrit

from metacog.sdt.checks import FloatArray, InputError, as_correct, average_ranks, check_level, cluster_index
from metacog.sdt.information import binary_entropy

_STEPS = 60
_HALVINGS = 30
_SMALL = 1e-9  # fall of the objective in nats, over all trials, that the last step of a fit promises
_CHORDS, _TINY = 20, 1e-18  # steps with one curvature, and the fall at which they end


def fit_ridge_logistic(
    columns: FloatArray,
    correct: NDArray[np.bool_],
    penalty: FloatArray,
    weights: FloatArray,
    *,
    start: FloatArray | None = None,
    offset: FloatArray | None = None,
) -> FloatArray:
    """Coefficients that minimise -sum w log p(y) + sum penalty beta^2 / 2, by Newton's method.

    ``penalty`` ``(p,)`` holds inverse variances of a Gaussian prior on each coefficient, 0 for the constant; a
    weight of 0 leaves a trial out; ``offset`` are log-odds that are known and added. The objective is convex; a
    step that raises it is halved, so that the iteration cannot diverge.
    """
    y = correct.astype(np.float64)
    beta = np.zeros(columns.shape[1]) if start is None else start.copy()
    known = np.zeros(len(columns)) if offset is None else offset
    log_odds = columns @ beta + known
    value = _objective(beta, log_odds, y, penalty, weights)
    for _ in range(_STEPS):
        p = expit(log_odds)
        gradient = columns.T @ (weights * (p - y)) + penalty * beta
        curvature = (columns * (weights * p * (1 - p))[:, None]).T @ columns
        curvature[np.diag_indices_from(curvature)] += penalty + 1e-10
        step = np.linalg.solve(curvature, gradient)
        if float(gradient @ step) < _SMALL:  # whole: that it lowers the objective could be lost in rounding
            return beta - step
        for _ in range(_HALVINGS):
            moved = beta - step
            then = columns @ moved + known
            new = _objective(moved, then, y, penalty, weights)
            if new <= value:
                beta, log_odds, value = moved, then, new
                break
            step = step / 2
    return beta


def fits_without(
    columns: FloatArray,
    correct: NDArray[np.bool_],
    penalty: FloatArray,
    whole: FloatArray,
    left_out: NDArray[np.bool_],
    *,
    offset: FloatArray | None = None,
    one_step: bool = False,
) -> FloatArray:
    """Coefficients of :func:`fit_ridge_logistic` without each of several sets of trials ``(F, n)``, shape ``(F, p)``.

    Curvature is that at ``whole``, the coefficients with all trials, where each set's is all trials' less its
    own part. It stays in all further steps (none with ``one_step``), so that these need gradients alone; where
    it is too far off for them to end, the set is fitted by itself.
    """
    y, known = correct.astype(np.float64), 0.0 if offset is None else offset
    p = expit(columns @ whole + known)
    gap, w = p - y, p * (1 - p)
    gradient, curvature = columns.T @ gap + penalty * whole, columns.T @ (columns * w[:, None])
    curvature[np.diag_indices_from(curvature)] += penalty + 1e-10
    betas, inverse = np.empty((len(left_out), whole.size)), np.empty((len(left_out), whole.size, whole.size))
    for k, out in enumerate(left_out):
        some = columns[out]
        inverse[k] = np.linalg.inv(curvature - some.T @ (some * w[out][:, None]))
        betas[k] = whole - inverse[k] @ (gradient - some.T @ gap[out])
    todo = np.arange(0 if one_step else len(left_out))
    for _ in range(_CHORDS):
        if not todo.size:
            break
        apart = np.where(left_out[todo], 0.0, expit(betas[todo] @ columns.T + known) - y)
        slope = apart @ columns + penalty * betas[todo]
        step = (inverse[todo] @ slope[:, :, None])[:, :, 0]
        betas[todo] -= step
        todo = todo[~((slope * step).sum(axis=1) < _TINY)]
    for k in todo.tolist():
        kept = (~left_out[k]).astype(np.float64)
        betas[k] = fit_ridge_logistic(columns, correct, penalty, kept, offset=offset)
    return betas


def log_loss_bits(log_odds: FloatArray, correct: NDArray[np.bool_]) -> FloatArray:
    """-log2 of the probability given to what happened, for each trial."""
    return np.asarray(np.logaddexp(0.0, np.where(correct, -log_odds, log_odds))) / np.log(2.0)


def _objective(
    beta: FloatArray, log_odds: FloatArray, y: FloatArray, penalty: FloatArray, weights: FloatArray
) -> float:
    return float(weights @ (np.logaddexp(0.0, log_odds) - y * log_odds) + 0.5 * penalty @ beta**2)


#: Quantiles of the normal scores at which the natural cubic splines have their knots.
KNOTS = (0.03, 0.27, 0.5, 0.73, 0.97)
#: Columns of one signal that have splines and products of their own; a wider one is summed up by its mean.
MOST_SEPARATE = 4
#: Prior standard deviations of coefficients, in log-odds: of a straight line, and of bends and products.
LINE_SD, BEND_SD = 2.0, 1.0


@dataclass(frozen=True)
class Columns:
    """Columns ``(n, p)`` of nested models: the first ``ends[j]`` belong to that of the first j signals."""

    values: FloatArray
    penalty: FloatArray
    ends: tuple[int, ...]


def normal_scores(signal: FloatArray) -> FloatArray:
    """Van der Waerden's scores: mid-ranks as normal quantiles, standardised; columns without spread dropped.

    Information does not depend on a strictly rising change of scale, so the order is all that is kept.
    """
    varies = signal[:, np.ptp(signal, axis=0) > 0]
    return _standard(ndtri((average_ranks(varies, axis=0) - 0.5) / len(signal)))


def nested_columns(signals: list[FloatArray]) -> Columns:
    """Columns of the models of the first, the first two, ... signals, ``(n, k)`` each.

    Every column of a signal has a line and, from three distinct values on, a natural cubic spline in its normal
    scores (three bends with five knots); products of pairs of columns come with the later signal. A signal of
    more than :data:`MOST_SEPARATE` columns has a line for each, but bends and products of their mean.
    """
    n = len(signals[0])
    values, sds, ends = [np.ones((n, 1))], [np.inf], [1]
    before: list[FloatArray] = []
    for signal in signals:
        scores = normal_scores(signal)
        separate = (
            scores if scores.shape[1] <= MOST_SEPARATE else _standard(scores.mean(axis=1, keepdims=True))
        )
        bends = [_bends(column) for column in separate.T]
        mine = list(separate.T)
        products = [a * b for i, a in enumerate(mine) for b in before + mine[:i]]
        curved = [*bends, *(_standard(product[:, None]) for product in products)]
        n_curved = sum(c.shape[1] for c in curved)
        values += [scores, *curved]
        sds += [LINE_SD] * scores.shape[1] + [BEND_SD] * n_curved
        ends.append(ends[-1] + scores.shape[1] + n_curved)
        before += mine
    return Columns(np.hstack(values), 1 / np.asarray(sds) ** 2, tuple(ends))


def _bends(score: FloatArray) -> FloatArray:
    """What a natural cubic spline has beyond a line, shape ``(n, 0 to 3)`` (Hastie et al. 2009, eq. 5.4)."""
    knots = np.unique(np.quantile(score, KNOTS))
    if np.unique(score).size < 3 or knots.size < 3:
        return np.empty((score.size, 0))
    last = knots[-1]

    def cut(knot: float) -> FloatArray:
        above = np.maximum(score - knot, 0.0) ** 3 - np.maximum(score - last, 0.0) ** 3
        return np.asarray(above / (last - knot))

    raw = np.stack([cut(knot) - cut(knots[-2]) for knot in knots[:-2]], axis=1)
    line = np.stack([np.ones_like(score), score], axis=1)
    return _standard(raw - line @ np.linalg.lstsq(line, raw)[0])


def _standard(columns: FloatArray) -> FloatArray:
    """Mean 0 and standard deviation 1; a column without spread is left out."""
    centred = columns - columns.mean(axis=0)
    sd = centred.std(axis=0)
    kept = sd > 1e-9
    return np.asarray(centred[:, kept] / sd[kept])


#: Units with a trial of each class without which nothing is estimated.
FEWEST_OF_A_CLASS = 20
#: Random divisions into folds that are averaged.
N_DIVISIONS = 3
SMALL_TOTAL = "the interval of the sum of the parts contains 0, so that it has no shares"


@dataclass(frozen=True)
class InformationParts:
    """Parts of the information about right and wrong, in the order in which the signals were given.

    Attributes
    ----------
    names : tuple of str
    bits, lower, upper : arrays, shape ``(k,)``
        I(right; first), I(right; second | first), ... with intervals. A part whose interval holds 0 is not
        shown to be there. Estimates may lie below 0; the information itself cannot.
    shares, share_lower, share_upper : arrays, shape ``(k,)``
        Of the sum of the parts; NaN where that is not shown to differ from 0.
    total, total_lower, total_upper : float
        I(right; all signals), the sum of the parts.
    entropy : float
        H(right), which the total cannot exceed.
    n, n_clusters : int
    why : str
        Why nothing, or no shares, can be estimated; empty otherwise.
    """

    names: tuple[str, ...]
    bits: FloatArray
    lower: FloatArray
    upper: FloatArray
    shares: FloatArray
    share_lower: FloatArray
    share_upper: FloatArray
    total: float
    total_lower: float
    total_upper: float
    entropy: float
    n: int
    n_clusters: int
    why: str = ""


@dataclass(frozen=True)
class NestedGains:
    """What each of k signals adds, trial by trial.

    ``bits`` ``(n, k)``: fall of each trial's log-loss, the mean of that of models fitted to all trials and to
    other units'; its mean over trials is the part of the signal. ``cost`` ``(k,)``: bits, summed over trials,
    by which the loss of fitted trials lies below that of other ones.
    """

    names: tuple[str, ...]
    bits: FloatArray
    cost: FloatArray


def nested_gains(
    correct: ArrayLike,
    signals: Mapping[str, ArrayLike],
    *,
    clusters: ArrayLike | None = None,
    offset: ArrayLike | None = None,
    n_folds: int = 10,
    seed: int = 42,
    one_step: bool = False,
) -> NestedGains:
    """The gains of single trials behind :func:`information_parts`.

    ``offset`` holds log-odds that are known beforehand and belong to every model. The part of a last signal
    then is what it says beyond them: the Kullback-Leibler divergence from the model with the offset and the
    earlier signals. With ``one_step``, of one division, models without one fold are reached by one step of
    Newton from that of all trials: of thousands of trials as exact as one needs, in a tenth of the time.
    """
    hits = as_correct(correct)
    names, values = checked_signals(signals, hits.size)
    unit, _ = fold_units(clusters, hits.size, n_folds)
    known = np.zeros(hits.size) if offset is None else np.asarray(offset, dtype=np.float64)
    if known.shape != hits.shape or not np.isfinite(known).all():
        raise InputError(f"offset must hold one finite number for each of the {hits.size} trials")
    columns = nested_columns(values)
    fitted, held_out = _losses(columns, hits, unit, n_folds, np.random.default_rng(seed), known, one_step)
    return NestedGains(
        names,
        -np.diff((fitted + held_out) / 2, axis=1),
        np.maximum(-np.diff((fitted - held_out).sum(axis=0)), 0.0),
    )


def fold_units(clusters: ArrayLike | None, n: int, n_folds: int) -> tuple[NDArray[np.int64], int]:
    """Cluster of each trial and their number, which ``n_folds`` must not exceed."""
    unit = cluster_index(clusters, n)
    n_clusters = int(unit.max()) + 1
    if not 2 <= n_folds <= n_clusters:
        raise InputError(
            f"n_folds must lie between 2 and the number of clusters ({n_clusters}), got {n_folds}"
        )
    return unit, n_clusters


def least_variance(cost: FloatArray, n: int) -> FloatArray:
    """Variance of a part of 0 whose estimation costs ``cost`` bits over n trials: k / 2 (n ln 2)^-2."""
    return np.asarray(cost / (2 * np.log(2.0)) / n**2)


def information_parts(
    correct: ArrayLike,
    signals: Mapping[str, ArrayLike],
    *,
    clusters: ArrayLike | None = None,
    n_folds: int = 10,
    seed: int = 42,
    level: float = 0.95,
) -> InformationParts:
    """I(right; first), I(right; second | first), I(right; third | first, second), ... cross-fitted by unit.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    signals : mapping of str to array, shape ``(n,)`` or ``(n, k)``
        In the order wanted: what a later signal shares with an earlier one counts for the earlier.
    clusters : array of labels, shape ``(n,)``, optional
        The question of each trial, where questions repeat: trials of one question are never in the fitted
        and the held-out part at once, and intervals are over questions.
    n_folds : int
    seed : int
        Of the division into folds.
    level : float

    Returns
    -------
    InformationParts
        Without numbers, and with the reason, where fewer than `FEWEST_OF_A_CLASS` units have a right
        or a wrong trial.

    Raises
    ------
    InputError
        No signal, arrays of different length, values that are missing.

    Notes
    -----
    A part is the fall of the mean log-loss between two nested probability models of a trial being right
    (logistic regression on splines of the signals' normal scores and their products, with Gaussian priors of
    fixed width, so that the penalty vanishes as trials become many). The loss of models that were fitted to
    other questions is too large by what estimating them costs, the loss on the fitted questions too small by
    as much, to first order (Efron 1986, JASA 81, 461-470): the mean of both is taken, over
    `N_DIVISIONS` divisions, and a signal that adds nothing has a part of mean 0.

    Intervals rest on the spread over units of the loss differences, the influence function of a difference
    of predictiveness (Williamson, Gilbert, Simon & Carone 2023, JASA 118, 1645-1658); those of shares on the
    delta method. Where a part is 0 that spread is itself of the order of 1/n and can be small by chance: its
    variance is never taken to be less than that of half a chi-squared with as many degrees of freedom as the
    part costs, k / 2 (n ln 2)^-2. There intervals hold 0 more often than ``level`` says
    (``benchmarks/self_knowledge.py``).

    In simulated runs of 1,304 questions with .1 to .3 bits in all, shares are off by less than .01 on
    average, by .027 where the probability rises so steeply that splines cannot follow. Their standard
    deviation is .03 to .06, about the least that any regular estimator can have (``least_sd`` in
    ``data/simulations/self_knowledge.csv``), so a single run does not know a share better than that.

    The parts are those of the best model of this family. Signals that say the same thing with independent
    noise are only partly separated: a noisy earlier signal leaves some of what it reads to a later one. If
    what matters is how near two signals are, give the later one as `against` makes it.

    Examples
    --------
    >>> import numpy as np
    >>> from metacog.sdt import information_parts
    >>> rng = np.random.default_rng(1)
    >>> difficulty, own = rng.normal(size=(2, 400))
    >>> correct = difficulty + own + rng.normal(size=400) > 0
    >>> found = information_parts(correct, {"difficulty": difficulty, "own": own})
    >>> found.names
    ('difficulty', 'own')
    >>> found.bits.round(2)
    array([0.16, 0.26])
    >>> found.shares.round(2)
    array([0.38, 0.62])
    """
    hits = as_correct(correct)
    names, _ = checked_signals(signals, hits.size)
    unit, n_clusters = fold_units(clusters, hits.size, n_folds)
    check_level(level)
    about = float(binary_entropy(hits.mean())), hits.size, n_clusters
    nothing = np.full((6, len(names)), np.nan)
    for side, name in ((hits, "right"), (~hits, "wrong")):
        held = int(np.unique(unit[side]).size)
        if held < FEWEST_OF_A_CLASS:
            why = f"questions with a {name} answer: {held}, fewer than {FEWEST_OF_A_CLASS}"
            return InformationParts(names, *nothing, *(np.nan,) * 3, *about, why)  # type: ignore[call-arg]
    made = nested_gains(hits, signals, clusters=clusters, n_folds=n_folds, seed=seed)
    floor = least_variance(np.append(made.cost, made.cost.sum()), hits.size)
    gained = np.column_stack([made.bits, made.bits.sum(axis=1)])
    bits = gained.mean(axis=0)
    t = float(stdtrit(n_clusters - 1, (1 + level) / 2))
    spread = _per_unit(gained - bits, unit)
    half = t * np.sqrt(np.maximum(_variance(spread), floor))
    limits = np.stack([bits, bits - half, bits + half])
    shares, why = nothing[:3], SMALL_TOTAL
    if limits[1, -1] > 0:
        share, why = bits[:-1] / bits[-1], ""
        moved = (spread[:, :-1] - share * spread[:, -1:]) / bits[-1]
        room = t * np.sqrt(np.maximum(_variance(moved), _share_floor(floor[:-1], share, bits[-1])))
        shares = np.stack([share, share - room, share + room])
    whole = (float(limit) for limit in limits[:, -1])
    return InformationParts(names, *limits[:, :-1], *shares, *whole, *about, why)  # type: ignore[call-arg]


def against(later: ArrayLike, earlier: ArrayLike) -> FloatArray:
    """A signal with how far it lies from an earlier one on the same scale, and in size; shape ``(n, 3)``.

    Given the earlier signal the two columns that are added say nothing new, so that the information of the
    three is that of the later signal alone. A smooth model finds it better where nearness is what matters: a
    draw whose confidence equals that of the usual answer is that answer.
    """
    after, before = np.asarray(later, dtype=np.float64), np.asarray(earlier, dtype=np.float64)
    return np.stack([after, after - before, np.abs(after - before)], axis=1)


def _losses(
    columns: Columns,
    hits: NDArray[np.bool_],
    unit: NDArray[np.int64],
    n_folds: int,
    rng: np.random.Generator,
    offset: FloatArray,
    one_step: bool = False,
) -> tuple[FloatArray, FloatArray]:
    """Log-loss in bits of each trial under each nested model, fitted to all trials and to other units'."""
    n = hits.size
    fitted, held_out = np.zeros((n, len(columns.ends))), np.zeros((n, len(columns.ends)))
    n_clusters = int(unit.max()) + 1
    divisions = range(1 if one_step else N_DIVISIONS)
    folds = [(rng.permutation(n_clusters) % n_folds)[unit] for _ in divisions]
    left_out = np.concatenate([fold == np.arange(n_folds)[:, None] for fold in folds])
    for model, end in enumerate(columns.ends):
        x, penalty = columns.values[:, :end], columns.penalty[:end]
        whole = fit_ridge_logistic(x, hits, penalty, np.ones(n), offset=offset)
        fitted[:, model] = log_loss_bits(x @ whole + offset, hits)
        betas = fits_without(x, hits, penalty, whole, left_out, offset=offset, one_step=one_step)
        for fold, beta in zip(folds, betas.reshape(len(folds), n_folds, end), strict=True):
            log_odds = np.einsum("np,np->n", x, beta[fold]) + offset
            held_out[:, model] += log_loss_bits(log_odds, hits) / len(folds)
    return fitted, held_out


def _per_unit(gap: FloatArray, unit: NDArray[np.int64]) -> FloatArray:
    """Sums over the trials of each unit, as contributions to the mean over trials; shape ``(units, k)``."""
    sums = np.zeros((int(unit.max()) + 1, gap.shape[1]))
    np.add.at(sums, unit, gap)
    return sums / len(gap)


def _variance(spread: FloatArray) -> FloatArray:
    n = len(spread)
    return np.asarray(n / (n - 1) * (spread**2).sum(axis=0))


def _share_floor(floor: FloatArray, shares: FloatArray, total: float) -> FloatArray:
    """Least variance of each share: that of its own part and of the others, at 0."""
    return np.asarray((floor * (1 - shares) ** 2 + shares**2 * (floor.sum() - floor)) / total**2)


def checked_signals(signals: Mapping[str, ArrayLike], n: int) -> tuple[tuple[str, ...], list[FloatArray]]:
    """Names of signals and their values as arrays of shape ``(n, k)``; raises where they cannot be used."""
    if not signals:
        raise InputError("at least one signal is wanted")
    values = []
    for name, signal in signals.items():
        array = np.asarray(signal, dtype=np.float64)
        array = array[:, None] if array.ndim == 1 else array
        if array.ndim != 2 or len(array) != n or array.shape[1] == 0:
            raise InputError(f"{name} must have shape ({n},) or ({n}, k), got {np.shape(signal)}")
        if not np.isfinite(array).all():
            raise InputError(f"{name} holds NaN or infinite values; drop those trials first and count them")
        values.append(array)
    return tuple(signals), values


# What columns add to a logistic model, by one step of Newton: fast enough for thousands of permutations.


class OneStepGain:
    """Gain of the last signal's columns over the model of the earlier ones, for many sets of answers.

    The model of the earlier signals is fitted to ``correct``. Other answers must leave its probabilities as
    they are, as permuting answers within strata does where earlier signals are constant; or the probabilities
    with which they were dealt are given to :meth:`bits`.

    With efficient columns Z (their regression on the earlier ones, weighted by p (1 - p), taken out), score U =
    Z'(y - p) and information J = Z'WZ the gain of fitted answers is U'b - b'Jb/2 at b = (J + prior)^-1 U, and
    that of a fold held out the same with its own U, a J of its size and b from the others. The mean of both has
    mean near 0 where the columns say nothing, as :func:`metacog.sdt.information_parts.information_parts` has.
    """

    def __init__(
        self,
        correct: NDArray[np.bool_],
        signals: Mapping[str, ArrayLike],
        *,
        n_folds: int = 10,
        seed: int = 42,
    ) -> None:
        if len(signals) < 2:
            raise InputError("a gain over earlier signals needs at least two signals")
        columns = nested_columns(checked_signals(signals, correct.size)[1])
        first = columns.ends[-2]
        base, added = columns.values[:, :first], columns.values[:, first:]
        beta = fit_ridge_logistic(base, correct, columns.penalty[:first], np.ones(len(base)))
        self.p = expit(base @ beta)
        w = (self.p * (1 - self.p))[:, None]
        curve = base.T @ (w * base)
        curve[np.diag_indices_from(curve)] += columns.penalty[:first] + 1e-10
        self.z = added - base @ np.linalg.solve(curve, base.T @ (w * added))
        self.information = self.z.T @ (w * self.z)
        self.prior = np.diag(columns.penalty[first:])
        self.fold = np.random.default_rng(seed).permutation(len(base)) % n_folds
        self.n_folds = n_folds

    def bits(self, correct: NDArray[np.bool_], *, expected: FloatArray | None = None) -> FloatArray:
        """Mean gain in bits of each set of answers ``(B, n)``.

        ``expected`` ``(n,)``: probabilities with which they were dealt, where those are not the earlier
        signals' own, as in strata within which earlier signals vary.
        """
        n, k = correct.shape[1], self.n_folds
        gap = correct - (self.p if expected is None else expected)
        scores = np.stack(
            [gap[:, self.fold == f] @ self.z[self.fold == f] for f in range(k)]
        )  # (folds, B, columns)
        total = scores.sum(axis=0)
        whole = np.linalg.solve(self.information + self.prior, total.T).T
        fitted = _gain(total, whole, self.information)
        part = np.linalg.inv(self.information * (1 - 1 / k) + self.prior)
        held_out = sum(_gain(s, (total - s) @ part, self.information / k) for s in scores)
        return np.asarray((fitted + held_out) / (2 * n * np.log(2.0)))


def _gain(score: FloatArray, beta: FloatArray, information: FloatArray) -> FloatArray:
    return np.asarray((score * beta).sum(axis=1) - 0.5 * ((beta @ information) * beta).sum(axis=1))
