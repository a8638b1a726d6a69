"""Two simulated models that answer the same questions, with known parts of the information.

Questions have a difficulty u that both models meet; each has a private state v for every question. An answer
is known with log-odds a - b u + c v, and confidence reads -r u + s v + noise. A draw at a high temperature is
the usual answer or another one, which may be right by chance, and the confidence of the draw reads which.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from .information import binary_entropy
from .information_parts import against
from .tables import FloatArray

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(40)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()
_GRID = np.linspace(-7, 7, 1401)


@dataclass(frozen=True)
class Draw:
    """Draws at a high temperature.

    Attributes
    ----------
    usual, usual_slope : float
        Log-odds that a draw is the usual answer, at mean confidence and by standard deviation of it.
    reads : float
        How far the confidence of other answers lies below that of usual ones, which have the confidence at
        the reference on average, in units of the noise that is added.
    by_chance : float
        Share of other answers that are right.
    """

    usual: float = 0.0
    usual_slope: float = 0.0
    reads: float = 0.0
    by_chance: float = 0.0


@dataclass(frozen=True)
class TwoAnswerers:
    """Two models; each attribute but ``draw`` holds a number for either.

    Attributes
    ----------
    ability, slope, state_slope : pair of float
        a, b and c of the log-odds of knowing the answer.
    reads_difficulty, reads_state, noise : pair of float
        r, s and the standard deviation of the noise of confidence at the reference.
    draw : Draw, optional
        None: answers at the reference itself.
    """

    ability: tuple[float, float] = (-0.5, -0.5)
    slope: tuple[float, float] = (1.0, 1.0)
    state_slope: tuple[float, float] = (0.0, 0.0)
    reads_difficulty: tuple[float, float] = (1.0, 1.0)
    reads_state: tuple[float, float] = (0.0, 0.0)
    noise: tuple[float, float] = (0.0, 0.0)
    draw: Draw | None = None

    def answers(self, n: int, rng: np.random.Generator) -> SimulatedAnswers:
        """Answers to n questions by both models."""
        u, v, e = rng.normal(size=n), rng.normal(size=(2, n)), rng.normal(size=(2, n))
        a, b, c = (np.array(x)[:, None] for x in (self.ability, self.slope, self.state_slope))
        r, s, t = (np.array(x)[:, None] for x in (self.reads_difficulty, self.reads_state, self.noise))
        correct = rng.random((2, n)) < expit(a - b * u + c * v)
        sure = -r * u + s * v + t * e
        if self.draw is None:
            return SimulatedAnswers(correct, sure, None)
        sd = self._sd()[:, None]
        usual = rng.random((2, n)) < expit(self.draw.usual + self.draw.usual_slope * sure / sd)
        correct = np.where(usual, correct, rng.random((2, n)) < self.draw.by_chance)
        drawn = sure + sd * (self.draw.reads * (usual - 1.0) + rng.normal(size=(2, n)))
        return SimulatedAnswers(correct, sure, drawn)

    def known_parts(self, *, n: int = 1_000_000, seed: int = 42) -> tuple[FloatArray, float]:
        """Parts of the first model in bits, and H(right).

        Parameters
        ----------
        n, seed : int
            Simulated questions; on each the probability of a right answer given the signals is exact (one-
            dimensional Gaussian integrals), and the mean of its entropy is taken.

        Returns
        -------
        bits : array, shape ``(2,)`` or ``(3,)``
            I(right; D), I(right; S | D) and, with draws, I(right; L | D, S).
        entropy : float
        """
        chances = self._chances(self.answers(n, np.random.default_rng(seed)))
        entropies = np.array([binary_entropy(p).mean() for p in chances])
        return np.maximum(-np.diff(entropies), 0.0), float(entropies[0])

    def least_share_sd(self, n_questions: int, *, n: int = 1_000_000, seed: int = 42) -> FloatArray:
        """Standard deviation of the shares that no regular estimator is below, shape ``(2,)`` or ``(3,)``.

        That of the efficient influence function, the share's combination of true log-loss differences, over
        the square root of the questions (Williamson et al. 2023, theorem 1).
        """
        made = self.answers(n, np.random.default_rng(seed))
        right = made.correct[0]
        losses = np.stack([-np.log2(np.where(right, p, 1 - p)) for p in self._chances(made)], axis=1)
        gained = -np.diff(losses, axis=1)
        total = gained.sum(axis=1)
        shares = gained.mean(axis=0) / total.mean()
        return np.asarray(
            (gained - shares * total[:, None]).std(axis=0) / total.mean() / np.sqrt(n_questions)
        )

    def _chances(self, made: SimulatedAnswers) -> list[FloatArray]:
        """Probability that the first model is right: of all, given D, given D and S, given D, S and L."""
        own, other = made.sure
        covariance, towards = self._second_moments()
        weight = np.asarray(np.linalg.solve(covariance, towards), dtype=np.float64)
        left = float(self.slope[0] ** 2 + self.state_slope[0] ** 2 - towards @ weight)
        known = _by_index(self.ability[0] + weight @ np.stack([own, other]), left)
        by_both = self._right(known, own)
        by_other = self._given_other(other, covariance, weight, left)
        chances = [np.full(own.size, by_other.mean()), by_other, by_both]
        if made.drawn is not None:
            chances.append(self._given_draw(known, own, made.drawn[0]))
        return chances

    def _sd(self) -> FloatArray:
        r, s, t = (np.array(x) for x in (self.reads_difficulty, self.reads_state, self.noise))
        return np.asarray(np.sqrt(r**2 + s**2 + t**2))

    def _second_moments(self) -> tuple[FloatArray, FloatArray]:
        """Covariance of own and other confidence, and of either with the first model's log-odds."""
        shared = self.reads_difficulty[0] * self.reads_difficulty[1]
        covariance = np.diag(self._sd() ** 2) + shared * np.array([[0.0, 1.0], [1.0, 0.0]])
        towards = self.slope[0] * np.array(self.reads_difficulty)
        towards[0] += self.state_slope[0] * self.reads_state[0]
        return covariance, towards

    def _right(self, known: FloatArray, own: FloatArray) -> FloatArray:
        """Probability of a right answer from that of knowing it, and own confidence."""
        if self.draw is None:
            return known
        usual = expit(self.draw.usual + self.draw.usual_slope * own / self._sd()[0])
        return np.asarray(usual * known + (1 - usual) * self.draw.by_chance)

    def _given_other(
        self, other: FloatArray, covariance: FloatArray, weight: FloatArray, left: float
    ) -> FloatArray:
        """Probability of a right answer given the other's confidence: own confidence is integrated out."""
        at = _GRID * np.sqrt(covariance[1, 1])
        sd = np.sqrt(max(covariance[0, 0] - covariance[0, 1] ** 2 / covariance[1, 1], 0.0))
        own = (at * covariance[0, 1] / covariance[1, 1])[:, None] + sd * _NODES
        known = _by_index(self.ability[0] + weight[0] * own + weight[1] * at[:, None], left)
        return np.interp(other, at, self._right(known, own) @ _WEIGHTS)

    def _given_draw(self, known: FloatArray, own: FloatArray, drawn: FloatArray) -> FloatArray:
        assert self.draw is not None
        sd = self._sd()[0]
        prior = self.draw.usual + self.draw.usual_slope * own / sd
        change = (drawn - own) / sd
        usual = expit(prior + self.draw.reads * (change + self.draw.reads / 2))
        return np.asarray(usual * known + (1 - usual) * self.draw.by_chance)


@dataclass(frozen=True)
class SimulatedAnswers:
    """Answers of two models to the same questions, the first model in the first row.

    Attributes
    ----------
    correct : array of bool, shape ``(2, n)``
    sure : array, shape ``(2, n)``
        Confidence at the reference.
    drawn : array, shape ``(2, n)``, or None
        Confidence of the draws that ``correct`` is about, where they are not the answers at the reference.
    """

    correct: NDArray[np.bool_]
    sure: FloatArray
    drawn: FloatArray | None

    def signals(self) -> dict[str, FloatArray]:
        """Signals of the first model in the order D, S, L."""
        found = {"difficulty": self.sure[1], "own state": self.sure[0]}
        return found if self.drawn is None else found | {"draw": against(self.drawn[0], self.sure[0])}


def _by_index(mean: FloatArray, variance: float) -> FloatArray:
    """E expit(x) of Gaussian x, by quadrature on a grid of means."""
    sd = np.sqrt(max(variance, 0.0))
    low, high = float(np.min(mean)), float(np.max(mean))
    at = np.linspace(low, high, 4001)
    return np.interp(mean, at, expit(at[:, None] + sd * _NODES) @ _WEIGHTS)
