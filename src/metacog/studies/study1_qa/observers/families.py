"""Seven more families of simulated answerers: each loses strength in its own way, or has another strength."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np
from scipy.special import gammaln

from metacog.core.errors import MetacogError
from metacog.sdt.information import plugin_meta_i
from metacog.studies.study1_qa.observers.answerers import N_RATINGS, Answerer, FloatArray, Law, law_of

#: Degrees of freedom of the heavy-tailed family.
TAIL = 1.5


def _spread(law: Law, shares: FloatArray, mean: FloatArray, sd: FloatArray) -> Law:
    """The law's parts, each split over nodes of these shares; means and sds: ``(nodes, P)``."""
    return law_of(shares[:, None] * law.weight, mean, sd)


@dataclass(frozen=True, kw_only=True)
class Lapses(Answerer):
    """Family 2: with probability ``noise`` confidence is the strength of another trial."""

    TOP: ClassVar[float] = 0.999

    def confidence(self) -> tuple[Law, Law]:
        """y of wrong and of right answers."""
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


@dataclass(frozen=True, kw_only=True)
class Graded(Answerer):
    """Family 3: y = m + (x - m) exp(noise Z), m the median strength: the side of m is always right."""

    TOP: ClassVar[float] = 8.0

    @property
    def middle(self) -> float:
        """Median of x."""
        return _median(self.accuracy, self.signal)

    def confidence(self) -> tuple[Law, Law]:
        """y of wrong and of right answers."""
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
        """Confidence from strength, drawn."""
        return self.middle + (x - self.middle) * np.exp(self.noise * rng.standard_normal(x.shape))


@dataclass(frozen=True, kw_only=True)
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
        """Confidence from strength, drawn."""
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
        """Share of questions that are known."""
        return (self.accuracy - self.guess_right) / (self.known_right - self.guess_right)

    def strength(self) -> tuple[Law, Law]:
        """x of wrong and of right answers: known questions first."""
        right = np.array([self.known * self.known_right, (1 - self.known) * self.guess_right])
        wrong = np.array([self.known, 1 - self.known]) - right
        mean = np.array([self.signal, 0.0])
        return law_of(wrong / wrong.sum(), mean, 1.0), law_of(right / right.sum(), mean, 1.0)


@dataclass(frozen=True, kw_only=True)
class OneSided(Answerer):
    """Family 6: y = x - noise Exp(1) (``down``), or x + noise Exp(1)."""

    down: bool = True

    def confidence(self) -> tuple[Law, Law]:
        """y of wrong and of right answers."""
        wrong, right = (replace(s, lag=-self.noise if self.down else self.noise) for s in self.strength())
        return wrong, right

    def blur(self, x: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Confidence from strength, drawn."""
        return x + (-self.noise if self.down else self.noise) * rng.standard_exponential(x.shape)


@dataclass(frozen=True, kw_only=True)
class Unequal(Answerer):
    """Family 7: wrong answers' strength has standard deviation ``spread``; y = x + noise Z."""

    spread: float = 1.4

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.spread <= 0:
            raise MetacogError("an answerer needs a positive spread")

    def strength(self) -> tuple[Law, Law]:
        """x of wrong and of right answers."""
        return law_of(1.0, 0.0, self.spread), law_of(1.0, self.signal, 1.0)


@dataclass(frozen=True, kw_only=True)
class Levels(Answerer):
    """Family 8: x + noise Z cut to ``levels`` levels of equal width over its middle 95 %.

    Equal levels keep one rating: as in the study, a value on a quantile goes up.
    """

    levels: int = 5

    @property
    def uncut(self) -> Answerer:
        """The same answerer before the cut."""
        return Answerer(accuracy=self.accuracy, signal=self.signal, noise=self.noise)

    def borders(self) -> FloatArray:
        """Where one level ends and the next begins."""
        low, high = self.quantiles([0.025, 0.975])
        return low + (high - low) * np.arange(1, self.levels) / self.levels

    def information(self) -> float:
        """I(Y; level) in bits."""
        return float(plugin_meta_i(*self.cut(self.borders())))

    @property
    def available(self) -> float:
        """I(Y; x) in bits, of the strength before noise and cut."""
        return self.uncut.available

    def table(self, n_ratings: int = N_RATINGS) -> tuple[FloatArray, FloatArray]:
        """Expected shares by rating."""
        wrong, right = (v[None] for v in self.cut(self.borders()))
        wrong, right = _rated(wrong, right, n_ratings)
        return wrong[0], right[0]

    def tables(
        self, n_trials: int, n_repetitions: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray]:
        """Wrong and right answers by rating, ``(n_repetitions, 8)`` each; edges at sample quantiles."""
        right, y = self.sample((n_repetitions, n_trials), rng)
        level = np.searchsorted(self.borders(), y, side="right")
        at = [level == i for i in range(self.levels)]
        hits = np.stack([(right & here).sum(axis=1) for here in at], axis=1).astype(np.float64)
        total = np.stack([here.sum(axis=1) for here in at], axis=1).astype(np.float64)
        return _rated(total - hits, hits, N_RATINGS)


def _rated(wrong: FloatArray, right: FloatArray, n_ratings: int) -> tuple[FloatArray, FloatArray]:
    """Tables by level, shape ``(B, levels)``, as tables by rating: edges at quantiles, ties go up."""
    total = wrong + right
    below = np.cumsum(total, axis=1) / total.sum(axis=1, keepdims=True)
    rating = np.minimum(np.floor(n_ratings * below + 1e-9).astype(int), n_ratings - 1)
    place = rating[:, :, None] == np.arange(n_ratings)
    return np.einsum("bl,blr->br", wrong, place), np.einsum("bl,blr->br", right, place)
