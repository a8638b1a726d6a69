"""Simulated answerers whose metacognitive efficiency is known, in eight families.

An answer is right (Y = 1) with a fixed probability. A latent strength x separates right answers from wrong ones: x
is N(0, 1) when wrong and N(signal, 1) when right, unless the family says otherwise. Confidence y is x after the
family's own kind of loss, whose size is ``noise``; at 0 nothing is lost. What x carries about correctness is I(Y; x)
bits, what confidence carries is I(Y; y) bits, and

    efficiency = I(Y; y) / I(Y; x).

Given correctness, confidence is a mixture of normals (one family adds an exponential lag), so that its densities and
its expected table of correctness by rating are computed, not simulated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import gammaln, log_ndtr, ndtr

from metacog.core.errors import MetacogError
from metacog.sdt.information import binary_entropy, plugin_meta_i

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
One = TypeVar("One", bound="Answerer")

N_RATINGS = 8


class Unreachable(MetacogError):
    """No amount of a family's noise gives the efficiency that was asked for; ``left`` is what it leaves."""

    def __init__(self, message: str, left: float) -> None:
        super().__init__(message)
        self.left = left


@dataclass(frozen=True)
class Law:
    """A mixture of normals, each with the same exponential lag added: ``normal + lag * Exp(1)``; a negative one points
    down.
    """

    weight: FloatArray
    mean: FloatArray
    sd: FloatArray
    lag: float = 0.0

    def pdf(self, y: ArrayLike) -> FloatArray:
        return self._both(y)[0]

    def cdf(self, y: ArrayLike) -> FloatArray:
        return self._both(y)[1]

    def _both(self, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
        sign = -1.0 if self.lag < 0 else 1.0
        away = sign * (np.asarray(y, dtype=np.float64)[..., None] - self.mean)
        z = away / self.sd
        below = ndtr(z)
        if self.lag:
            lag = abs(self.lag)
            k = self.sd / lag
            late = np.exp(0.5 * k**2 - away / lag + log_ndtr(z - k))
            density, below = late / lag, below - late
        else:
            density = np.exp(-0.5 * z**2) / (self.sd * np.sqrt(2 * np.pi))
        total = below @ self.weight
        return density @ self.weight, total if sign > 0 else self.weight.sum() - total


def law_of(weight: ArrayLike, mean: ArrayLike, sd: ArrayLike) -> Law:
    w, m, s = np.broadcast_arrays(*(np.asarray(v, dtype=np.float64) for v in (weight, mean, sd)))
    return Law(w.ravel(), m.ravel(), s.ravel())


@dataclass(frozen=True, kw_only=True)
class Answerer:
    """Family 1, *additive*: y = x + noise Z. The other families change what they name.

    ``signal`` is the mean strength of right answers, that of wrong ones being 0, and ``noise`` the size of the loss.
    """

    accuracy: float = 0.43
    signal: float = 1.6
    noise: float = 0.0
    #: Largest noise that is tried when one is looked for.
    TOP: ClassVar[float] = 400.0

    def __post_init__(self) -> None:
        if not 0 < self.accuracy < 1 or self.noise < 0:
            raise MetacogError("an answerer needs 0 < accuracy < 1 and noise >= 0")

    def strength(self) -> tuple[Law, Law]:
        """x of wrong and of right answers."""
        return law_of(1.0, 0.0, 1.0), law_of(1.0, self.signal, 1.0)

    def confidence(self) -> tuple[Law, Law]:
        wrong, right = (law_of(s.weight, s.mean, np.hypot(s.sd, self.noise)) for s in self.strength())
        return wrong, right

    def blur(self, x: FloatArray, rng: np.random.Generator) -> FloatArray:
        return x + self.noise * rng.standard_normal(x.shape)

    def sample(self, shape: tuple[int, int], rng: np.random.Generator) -> tuple[BoolArray, FloatArray]:
        """Correctness and confidence of trials, arrays of the given shape (repetitions, trials)."""
        right = rng.random(shape) < self.accuracy
        x = rng.standard_normal(shape)
        wrong, known = self.strength()
        a, b = self._parts(wrong, shape, rng), self._parts(known, shape, rng)
        mean = np.where(right, known.mean[b], wrong.mean[a])
        return right, self.blur(mean + np.where(right, known.sd[b], wrong.sd[a]) * x, rng)

    @staticmethod
    def _parts(law: Law, shape: tuple[int, int], rng: np.random.Generator) -> NDArray[np.int64] | int:
        return np.searchsorted(np.cumsum(law.weight)[:-1], rng.random(shape)) if len(law.weight) > 1 else 0

    def grid(self) -> tuple[FloatArray, FloatArray]:
        """Places to integrate over confidence, and their weights; dense in the middle."""
        laws = self.confidence()
        mean, sd = (np.concatenate([getattr(law, f) for law in laws]) for f in ("mean", "sd"))
        reach = float(np.max(np.abs(mean) + 10 * sd) + 40 * abs(laws[0].lag))
        u = np.linspace(-1, 1, 1201) * np.arcsinh(reach)
        return np.sinh(u), np.cosh(u) * (u[1] - u[0])

    def information(self) -> float:
        """I(Y; y) in bits, by quadrature."""
        y, weight = self.grid()
        wrong, right = (law.pdf(y) for law in self.confidence())
        a, b = (1 - self.accuracy) * wrong, self.accuracy * right
        total = np.maximum(a + b, 1e-300)
        remaining = float((weight * total) @ binary_entropy(np.clip(b / total, 0.0, 1.0)))
        return float(binary_entropy(self.accuracy)) - remaining

    @property
    def available(self) -> float:
        return _bits(replace(self, noise=0.0))

    @property
    def efficiency(self) -> float:
        return _bits(self) / self.available

    def quantiles(self, shares: ArrayLike) -> FloatArray:
        """Confidence below which these shares of all answers lie, by bisection."""
        wanted = np.asarray(shares, dtype=np.float64)
        laws, y = self.confidence(), self.grid()[0]

        def below(at: FloatArray) -> FloatArray:
            wrong, right = (law.cdf(at) for law in laws)
            return (1 - self.accuracy) * wrong + self.accuracy * right

        after = np.clip(np.searchsorted(below(y), wanted), 1, y.size - 1)
        low, high = y[after - 1], y[after]
        for _ in range(50):
            middle = 0.5 * (low + high)
            short = below(middle) < wanted
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        return 0.5 * (low + high)

    def cut(self, edges: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Shares of all answers that are wrong, and right, between these edges; they sum to 1."""
        wrong, right = (np.diff(np.concatenate([[0.0], law.cdf(edges), [1.0]])) for law in self.confidence())
        return (1 - self.accuracy) * np.maximum(wrong, 0.0), self.accuracy * np.maximum(right, 0.0)

    def table(self) -> tuple[FloatArray, FloatArray]:
        """Expected shares of wrong and of right answers by rating, cut at quantiles of confidence."""
        return self.cut(self.quantiles(np.arange(1, N_RATINGS) / N_RATINGS))

    def tables(
        self, n_trials: int, n_repetitions: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """Wrong and right answers by rating, ``(n_repetitions, 8)`` each; edges at sample quantiles."""
        right, y = self.sample((n_repetitions, n_trials), rng)
        # confidence is continuous, so quantile bins are equal runs of the sorted trials
        starts = np.round(np.arange(N_RATINGS) * n_trials / N_RATINGS).astype(int)
        order = np.argpartition(y, starts[1:], axis=1)
        hits = np.add.reduceat(np.take_along_axis(right, order, axis=1).astype(np.float64), starts, axis=1)
        total = np.diff(np.append(starts, n_trials)).astype(np.float64)
        return total - hits, hits


@lru_cache(maxsize=2048)
def _bits(answerer: Answerer) -> float:
    return answerer.information()


def at_efficiency(answerer: One, efficiency: float) -> One:
    """The same answerer with the noise that gives this efficiency, in (0, 1]; :class:`Unreachable` if none does."""
    if efficiency == 1:
        return replace(answerer, noise=0.0)
    available = answerer.available

    def gap(log_noise: float) -> float:
        return replace(answerer, noise=float(np.exp(log_noise))).information() / available - efficiency

    top = float(np.log(answerer.TOP))
    left = gap(top)
    if left > 0:
        left += efficiency
        raise Unreachable(f"noise {answerer.TOP:g} still leaves an efficiency of {left:.2f}", left)
    return replace(answerer, noise=float(np.exp(brentq(gap, -8.0, top, xtol=1e-9))))


def same_table(answerer: Answerer, efficiency: float) -> Answerer:
    """An answerer of this efficiency whose confidence is distributed just as an additive one's without noise.

    Strength and noise grow together: x separates better, confidence loses more of it, and the table of correctness by
    rating stays the same.
    """
    have = answerer.available

    def stronger(noise: float) -> Answerer:
        return replace(answerer, signal=answerer.signal * float(np.hypot(1.0, noise)))

    if efficiency >= 1:
        return answerer
    top = 1.0
    while have / stronger(top).available > efficiency:
        top *= 2
    noise = float(brentq(lambda s: have / stronger(s).available - efficiency, 0.0, top, xtol=1e-10))
    return replace(stronger(noise), noise=noise)


# Seven more families of simulated answerers: each loses strength in its own way, or has another strength.

#: Degrees of freedom of the heavy-tailed family.
TAIL = 1.5


def _spread(law: Law, shares: FloatArray, mean: FloatArray, sd: FloatArray) -> Law:
    """The law's parts, each split over nodes of these shares; means and sds: ``(nodes, P)``."""
    return law_of(shares[:, None] * law.weight, mean, sd)


class Lapses(Answerer):
    """Family 2: with probability ``noise`` confidence is the strength of another trial."""

    TOP: ClassVar[float] = 0.999

    def confidence(self) -> tuple[Law, Law]:
        both = self.strength()
        shares = (self.noise * (1 - self.accuracy), self.noise * self.accuracy)
        mean, sd = (np.concatenate([getattr(s, f) for s in both]) for f in ("mean", "sd"))
        weights = [[shares[i] + (1 - self.noise) * (i == j) for i in (0, 1)] for j in (0, 1)]
        wrong, right = (
            law_of(np.concatenate([w * s.weight for w, s in zip(group, both, strict=True)]), mean, sd)
            for group in weights
        )
        return wrong, right

    def blur(self, x: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Confidence from strength, drawn; the neighbour is another trial."""
        return np.where(rng.random(x.shape) < self.noise, np.roll(x, 1, axis=-1), x)


@lru_cache(maxsize=64)
def _median(accuracy: float, signal: float) -> float:
    return float(Answerer(accuracy=accuracy, signal=signal).quantiles(0.5))


class Graded(Answerer):
    """Family 3: y = m + (x - m) exp(noise Z), m the median strength: the side of m is always right."""

    TOP: ClassVar[float] = 8.0

    @property
    def middle(self) -> float:
        return _median(self.accuracy, self.signal)

    def confidence(self) -> tuple[Law, Law]:
        if self.noise == 0:
            return self.strength()
        m, z = self.middle, np.linspace(-7, 7, 141)
        share, scale = np.exp(-0.5 * z**2), np.exp(self.noise * z)[:, None]
        wrong, right = (
            _spread(s, share / share.sum(), m + (s.mean - m) * scale, s.sd * scale) for s in self.strength()
        )
        return wrong, right

    def grid(self) -> tuple[FloatArray, FloatArray]:
        """Places at even steps of the logarithm of the distance from the median."""
        v = np.linspace(-25 - 7 * self.noise, 3 + 7 * self.noise, 601)
        away = np.exp(v)
        step = away * (v[1] - v[0])
        return self.middle + np.concatenate([-away[::-1], away]), np.concatenate([step[::-1], step])

    def blur(self, x: FloatArray, rng: np.random.Generator) -> FloatArray:
        return self.middle + (x - self.middle) * np.exp(self.noise * rng.standard_normal(x.shape))


class HeavyTails(Answerer):
    """Family 4: y = x + noise t, t with 1.5 degrees of freedom."""

    def confidence(self) -> tuple[Law, Law]:
        """y of wrong and of right answers; t is Z over the root of a chi-square share."""
        if self.noise == 0:
            return self.strength()
        u = np.linspace(-28.0, 4.4, 82)  # logarithm of the chi-square over its degrees of freedom
        half = TAIL / 2
        share = np.exp(half * (u + np.log(half)) - half * np.exp(u) - gammaln(half))
        sd = np.hypot(1.0, self.noise * np.exp(-0.5 * u))[:, None]
        wrong, right = (
            _spread(s, share / share.sum(), np.broadcast_to(s.mean, sd.shape), sd) for s in self.strength()
        )
        return wrong, right

    def blur(self, x: FloatArray, rng: np.random.Generator) -> FloatArray:
        return x + self.noise * rng.standard_t(TAIL, x.shape)


@dataclass(frozen=True, kw_only=True)
class Mixture(Answerer):
    """Family 5: a share of questions is known, the rest guessed; y = x + noise Z.

    A known question has x ~ N(signal, 1) and is right with ``known_right``, a guessed one x ~ N(0, 1)
    and right with ``guess_right``. The share that is known follows from the accuracy.
    """

    signal: float = 2.4
    known_right: float = 0.95
    guess_right: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.guess_right < self.accuracy < self.known_right:
            raise MetacogError("a mixture's accuracy lies between those of its two kinds of questions")

    @property
    def known(self) -> float:
        return (self.accuracy - self.guess_right) / (self.known_right - self.guess_right)

    def strength(self) -> tuple[Law, Law]:
        right = np.array([self.known * self.known_right, (1 - self.known) * self.guess_right])
        wrong = np.array([self.known, 1 - self.known]) - right
        mean = np.array([self.signal, 0.0])
        return law_of(wrong / wrong.sum(), mean, 1.0), law_of(right / right.sum(), mean, 1.0)


@dataclass(frozen=True, kw_only=True)
class OneSided(Answerer):
    """Family 6: y = x - noise Exp(1) (``down``), or x + noise Exp(1)."""

    down: bool = True

    def confidence(self) -> tuple[Law, Law]:
        wrong, right = (replace(s, lag=-self.noise if self.down else self.noise) for s in self.strength())
        return wrong, right

    def blur(self, x: FloatArray, rng: np.random.Generator) -> FloatArray:
        return x + (-self.noise if self.down else self.noise) * rng.standard_exponential(x.shape)


@dataclass(frozen=True, kw_only=True)
class Unequal(Answerer):
    """Family 7: wrong answers' strength has standard deviation ``spread``; y = x + noise Z."""

    spread: float = 1.4

    def strength(self) -> tuple[Law, Law]:
        return law_of(1.0, 0.0, self.spread), law_of(1.0, self.signal, 1.0)


@dataclass(frozen=True, kw_only=True)
class Levels(Answerer):
    """Family 8: x + noise Z cut to ``levels`` levels of equal width over its middle 95 %.

    Equal levels keep one rating: as in the study, a value on a quantile goes up.
    """

    levels: int = 5

    @property
    def uncut(self) -> Answerer:
        return Answerer(accuracy=self.accuracy, signal=self.signal, noise=self.noise)

    def borders(self) -> FloatArray:
        low, high = self.quantiles([0.025, 0.975])
        return low + (high - low) * np.arange(1, self.levels) / self.levels

    def information(self) -> float:
        return float(plugin_meta_i(*self.cut(self.borders())))

    @property
    def available(self) -> float:
        return self.uncut.available

    def table(self) -> tuple[FloatArray, FloatArray]:
        wrong, right = _rated(*(v[None] for v in self.cut(self.borders())))
        return wrong[0], right[0]

    def tables(
        self, n_trials: int, n_repetitions: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        right, y = self.sample((n_repetitions, n_trials), rng)
        level = np.searchsorted(self.borders(), y, side="right")
        at = [level == i for i in range(self.levels)]
        hits = np.stack([(right & here).sum(axis=1) for here in at], axis=1).astype(np.float64)
        total = np.stack([here.sum(axis=1) for here in at], axis=1).astype(np.float64)
        return _rated(total - hits, hits)


def _rated(wrong: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Tables by level, shape ``(B, levels)``, as tables by rating: edges at quantiles, ties go up."""
    total = wrong + right
    below = np.cumsum(total, axis=1) / total.sum(axis=1, keepdims=True)
    rating = np.minimum(np.floor(N_RATINGS * below + 1e-9).astype(int), N_RATINGS - 1)
    place = rating[:, :, None] == np.arange(N_RATINGS)
    return np.einsum("bl,blr->br", wrong, place), np.einsum("bl,blr->br", right, place)
