"""Many simulated models of several families that answer the same four-choice questions, of known self-knowledge.

A question has an ease u that all models meet; every model has a private state v for every question. An answer is
known with log-odds a + b u + c v and otherwise a guess; confidence reads r u + s v + noise and is given as one of
few round numbers. Accuracies, families and ties are like those of a leaderboard of large models.

Two simulated models that answer the same questions, with known parts of the information.

Questions have a difficulty u that both models meet; each has a private state v for every question. An answer
is known with log-odds a - b u + c v, and confidence reads -r u + s v + noise. A draw at a high temperature is
the usual answer or another one, which may be right by chance, and the confidence of the draw reads which.

Many simulated models of several families that answer the same four-choice questions, of known self-knowledge.

A question has an ease u that all models meet; every model has a private state v for every question. An answer is
known with log-odds a + b u + c v and otherwise a guess; confidence reads r u + s v + noise and is given as one of
few round numbers. Accuracies, families and ties are like those of a leaderboard of large models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import expit, logit, ndtr, ndtri

from metacog.measures.model_items import ModelItems
from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.dmc import places, tables_of_matrix
from metacog.sdt.information import binary_entropy
from metacog.sdt.information_parts import against
from metacog.sdt.simulate import _Observer

if TYPE_CHECKING:
    import pandas as pd

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(40)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()
_GRID = np.linspace(-7, 7, 1401)


@dataclass(frozen=True)
class Draw:
    """Draws at a high temperature, each the usual answer or another, of which the share ``by_chance`` is right.

    ``usual`` and ``usual_slope`` are log-odds that a draw is the usual answer, at mean confidence and by standard
    deviation of it. Confidence of other answers lies ``reads`` below that of usual ones, which have the confidence at
    the reference on average, in units of the noise that is added.
    """

    usual: float = 0.0
    usual_slope: float = 0.0
    reads: float = 0.0
    by_chance: float = 0.0


@dataclass(frozen=True)
class TwoAnswerers:
    """Two models; each attribute but ``draw`` holds a number for either.

    ``ability``, ``slope`` and ``state_slope`` are a, b and c of the log-odds of knowing the answer;
    ``reads_difficulty``, ``reads_state`` and ``noise`` are r, s and the standard deviation of the noise of confidence
    at the reference. Without a ``draw`` answers are those at the reference.
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
        """Parts of the first model in bits, I(right; D), I(right; S | D) and, with draws, I(right; L | D, S); and
        H(right).

        On each simulated question the probability of a right answer given the signals is exact (one-dimensional
        Gaussian integrals), and the mean of its entropy is taken.
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

    ``sure`` is confidence at the reference; ``drawn`` that of the draws that ``correct`` is about, where these are not
    the answers at the reference.
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


#: Kinds of observers and the share of the state in the variance of what their confidence reads, noise aside.
KINDS = {
    "difficulty": 0.0,
    "own state": 1.0,
    "mixture": 0.5,
    "two difficulties": 0.0,
    "two difficulties alike": 0.0,
    "misconceptions": 0.5,
    "wrong keys": 0.5,
    "plausible answers": 0.0,
    "plausible questions": 0.0,
}
FAMILY_SIZES = (8, 7, 5, 5, 4, 3, 1)
DOMAINS = 6
GUESS = 0.25
#: Rise of the log-odds of knowing with ease and with the private state, and noise of confidence.
SLOPE, STATE_SLOPE, NOISE = 2.0, 1.5, 0.5
#: Chance of a right answer where a misconception is shared, whatever the ability.
MISLED = 0.12
#: Share of wrong answers that are a question's favourite wrong option, plainly and with a misconception.
FAVOURITE, SHARED_ERROR = 0.6, 0.95
_FINE_NODES, _FINE_WEIGHTS = np.polynomial.hermite_e.hermegauss(60)
_FINE_WEIGHTS = _FINE_WEIGHTS / _FINE_WEIGHTS.sum()


@dataclass(frozen=True)
class SimulatedModel:
    """One model: ``level`` is a of the log-odds of knowing, ``values`` are the confidences in use, with their
    ``shares``.

    ``self_share`` is the share of the state in the variance of what confidence reads, noise aside.
    """

    name: str
    family: str
    level: float
    values: FloatArray
    shares: FloatArray
    self_share: float

    @property
    def reads(self) -> tuple[float, float]:
        """r and s: what confidence reads of ease and of the state."""
        return float(np.sqrt(1 - self.self_share)), float(np.sqrt(self.self_share))

    @property
    def edges(self) -> FloatArray:
        """Values of what is read between which a confidence is given, shape ``(L - 1,)``."""
        return np.asarray(np.sqrt(1 + NOISE**2) * ndtri(np.cumsum(self.shares)[:-1]))

    def known_information(self) -> tuple[float, float]:
        """I(right; confidence) and I(right; confidence | ease) in bits, by Gaussian quadrature."""
        r, s = self.reads
        u, v = _FINE_NODES[:, None], _FINE_NODES[None, :]
        chance = GUESS + (1 - GUESS) * expit(self.level + SLOPE * u + STATE_SLOPE * v)
        through = ndtr((self.edges - (r * u + s * v)[..., None]) / NOISE)
        padded = np.concatenate(
            [np.zeros((*through.shape[:2], 1)), through, np.ones((*through.shape[:2], 1))], -1
        )
        given = np.diff(padded, axis=-1)
        right = np.einsum("uv,uvl,v->ul", chance, given, _FINE_WEIGHTS)
        every = np.einsum("uvl,v->ul", given, _FINE_WEIGHTS)
        return _information(_FINE_WEIGHTS @ right, _FINE_WEIGHTS @ every), float(
            _FINE_WEIGHTS @ np.array([_information(a, b) for a, b in zip(right, every, strict=True)])
        )


def models_like_a_leaderboard(self_share: float) -> list[SimulatedModel]:
    """33 models of 7 families, with accuracies of .95 to .35 and five to thirty confidences, ties at the top."""
    n = sum(FAMILY_SIZES)
    families = np.repeat(np.arange(len(FAMILY_SIZES)), FAMILY_SIZES)
    # The best come first; a stride that is prime to n spreads them over the families.
    place = (np.arange(n) * 10) % n
    sizes = (5, 9, 12, 8, 20, 10, 30)
    made = []
    for j in range(n):
        accuracy = 0.95 - 0.60 * (place[j] / (n - 1)) ** 3
        many = sizes[place[j] % len(sizes)]
        step = 5 if many <= 12 else 2
        values = np.asarray(100 - step * np.arange(many)[::-1], dtype=np.float64)
        top = (0.55, 0.3, 0.05, 0.75)[place[j] % 4]
        rest = np.asarray(0.7 ** np.arange(many - 1), dtype=np.float64)
        shares = np.append((rest / rest.sum() * (1 - top))[::-1], top).astype(np.float64)
        family = f"family {families[j] + 1}"
        made.append(
            SimulatedModel(f"{family}/model {j + 1}", family, level_of(accuracy), values, shares, self_share)
        )
    return made


def level_of(accuracy: float) -> float:
    """a of the log-odds of knowing at which a model has this accuracy."""
    if not GUESS < accuracy < 1:
        raise InputError(f"accuracy must lie between {GUESS:g} and 1, got {accuracy:g}")
    spread = np.hypot(SLOPE, STATE_SLOPE)
    known = (accuracy - GUESS) / (1 - GUESS)
    return float(
        brentq(lambda a: float(_FINE_WEIGHTS @ expit(a + spread * _FINE_NODES)) - known, -30.0, 30.0)
    )


@dataclass(frozen=True)
class ManyAnswers:
    """Answers of M simulated models to the same N questions, ``right`` by the key, each one of four options, 0 to 3.

    ``odd`` marks questions with a misconception or a wrong key.
    """

    models: list[SimulatedModel]
    right: NDArray[np.bool_]
    confidence: FloatArray
    answer: NDArray[np.int64]
    key: NDArray[np.int64]
    odd: NDArray[np.bool_]

    def item_names(self) -> tuple[str, ...]:
        """Names of the questions."""
        return tuple(f"q{i + 1:04d}" for i in range(self.key.size))

    def arranged(self, models: ArrayLike | None = None, values: str = "graded") -> ModelItems:
        """Models as the measures take them, confidence as stated or (``two``) whether it is a model's highest."""
        rows = np.arange(len(self.models)) if models is None else np.asarray(models)
        sure, chosen = self.confidence[rows], [self.models[i] for i in rows]
        return ModelItems(
            tuple(model.name for model in chosen),
            self.item_names(),
            self.right[rows].astype(np.float64),
            sure if values == "graded" else (sure == sure.max(axis=1, keepdims=True)).astype(np.float64),
            tuple(model.family for model in chosen),
            ("",) * self.key.size,
            self.answer[rows],
            tuple("ABCD"),
            self.key,
        )


def simulated_answers(
    kind: str,
    *,
    self_share: float | None = None,
    odd: float = 0.04,
    noise: float = NOISE,
    n_items: int = 1500,
    seed: int = 42,
) -> ManyAnswers:
    """Answers of 33 models to the same questions, of one of :data:`KINDS`.

    ``difficulty``: confidence reads ease alone. ``own state``: it reads the private state alone. ``mixture``: both.
    ``two difficulties``: it reads ease alone, but that is a model's own blend of two kinds of ease, which turns from
    one model to the next, so that families weigh them unlike; ``two difficulties alike``: the same with the blends
    dealt out, so that families weigh them alike on average. ``misconceptions``: a mixture, where on a share ``odd`` of
    questions, which look as easy as others, nearly all models are misled to the same wrong option. ``wrong keys``: a
    mixture, where the key of a share ``odd`` of questions is another option than the right one. ``plausible answers``:
    wrong options attract unequally, and confidence reads how plausible the answer given is to anybody, one function of
    question and answer for all models (the log-odds that a model of mean ability gives it); ``plausible questions``:
    the same answers, and confidence reads how plausible the question's most plausible answer is, whichever was given.

    ``self_share`` is the share of the state in the variance of what confidence reads, noise aside, whose standard
    deviation ``noise`` is; the kind's own without it. With one seed it changes confidence alone: which answers are
    right stays.
    """
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    share = KINDS[kind] if self_share is None else self_share
    if not 0 <= share <= 1 or not 0 <= odd <= 1 or n_items < 1:
        raise InputError("self_share and odd must lie between 0 and 1, and there must be an item")
    rng = np.random.default_rng(seed)
    models = models_like_a_leaderboard(share)
    m, n = len(models), n_items
    ease = _ease(m, n, kind, rng)
    state, errs = rng.normal(size=(2, m, n))
    levels = np.array([model.level for model in models])[:, None]
    chance = GUESS + (1 - GUESS) * expit(levels + SLOPE * ease + STATE_SLOPE * state)
    strange = (
        rng.permutation(n) < round(odd * n) if kind in ("misconceptions", "wrong keys") else np.zeros(n, bool)
    )
    misled = strange & (kind == "misconceptions")
    right = rng.random((m, n)) < np.where(misled, MISLED, chance)
    true = rng.integers(0, 4, n)
    favourite = (true + rng.integers(1, 4, n)) % 4
    other = (true + 1 + (favourite - true - 1 + rng.integers(1, 3, (m, n))) % 3) % 4
    keeps = rng.random((m, n)) < np.where(misled, SHARED_ERROR, FAVOURITE)
    answer = np.where(right, true, np.where(keeps, favourite, other))
    key = np.where(strange & (kind == "wrong keys"), favourite, true)
    plausible = kind.startswith("plausible")
    if plausible:
        known = GUESS + (1 - GUESS) * expit(levels.mean() + SLOPE * ease[0])
        answer, public = _by_appeal(right, true, known, rng)
        seen = (
            np.take_along_axis(public, answer.T, axis=1).T
            if kind == "plausible answers"
            else public.max(axis=1)
        )
        seen = np.broadcast_to((seen - seen.mean()) / seen.std(), (m, n))
    sure = np.empty((m, n))
    for j, model in enumerate(models):
        r, s = model.reads
        read = (seen[j] if plausible else r * ease[j] + s * state[j]) + noise * errs[j]
        sure[j] = model.values[np.searchsorted(model.edges * np.sqrt((1 + noise**2) / (1 + NOISE**2)), read)]
    return ManyAnswers(models, answer == key, sure, answer, key, strange)


def simulated_models(
    kind: str, *, self_share: float | None = None, odd: float = 0.04, n_items: int = 1500, seed: int = 42
) -> pd.DataFrame:
    """The same as :func:`simulated_answers`, as a table of trials; ``odd`` marks a misconception or a wrong key."""
    import pandas as pd  # here, so that importing the package stays quick

    made = simulated_answers(kind, self_share=self_share, odd=odd, n_items=n_items, seed=seed)
    m, n = made.right.shape
    letters = np.array(list("ABCD"))
    names = np.array([f"q{i + 1:04d}" for i in range(n)])
    domains = np.array([f"domain {i % DOMAINS + 1}" for i in range(n)])
    return pd.DataFrame(
        {
            "model": np.repeat([model.name for model in made.models], n),
            "family": np.repeat([model.family for model in made.models], n),
            "item": np.tile(names, m),
            "stratum": np.tile(domains, m),
            "correct": made.right.astype(np.int64).ravel(),
            "confidence": made.confidence.ravel(),
            "answer": letters[made.answer].ravel(),
            "key": np.tile(letters[made.key], m),
            "odd": np.tile(made.odd, m),
        }
    )


def _ease(n_models: int, n_items: int, kind: str, rng: np.random.Generator) -> FloatArray:
    """Ease by model and item: one for all, or blends of two that turn from one model to the next, or are dealt out."""
    both = rng.normal(size=(2, n_items))
    angle = np.linspace(0, np.pi / 3, n_models) if kind.startswith("two difficulties") else np.zeros(n_models)
    if kind == "two difficulties alike":
        angle = angle[np.arange(n_models) * 7 % n_models]  # 7 has no factor in common with the 33 models
    return np.asarray(np.cos(angle)[:, None] * both[0] + np.sin(angle)[:, None] * both[1])


def _by_appeal(
    right: NDArray[np.bool_], true: NDArray[np.int64], known: FloatArray, rng: np.random.Generator
) -> tuple[NDArray[np.int64], FloatArray]:
    """Answers whose wrong options attract unequally, and the log-odds of each option, ``(N, 4)``, to anybody."""
    appeal = rng.normal(size=(true.size, 4))
    at = np.arange(true.size), true
    appeal[at] = -np.inf
    drawn = (appeal + rng.gumbel(size=(*right.shape, 4))).argmax(axis=2)
    share = np.exp(appeal) / np.exp(appeal).sum(axis=1, keepdims=True) * (1 - known)[:, None]
    share[at] = known
    return np.where(right, true, drawn), logit(share)


def _information(right: FloatArray, every: FloatArray) -> float:
    """I(right; confidence) from shares of right and of all answers by confidence."""
    held: NDArray[np.bool_] = every > 1e-300
    return float(binary_entropy(right.sum()) - every[held] @ binary_entropy(right[held] / every[held]))


def dmc_rows(d_star: float, c0: float, axes_A: ArrayLike, axes_B: ArrayLike) -> FloatArray:
    """Row shares of an observer with metacognitive ability ``d_star``: shape ``(4, K)``, TA, FA, TB, FB.

    Areas of N(-d*/2, 1) and N(d*/2, 1) between the axes, given the response (Wang et al. 2025, equations 13 to 19).
    """
    below, above = np.asarray(axes_A, dtype=np.float64), np.asarray(axes_B, dtype=np.float64)
    ladder = np.concatenate([below, [c0], above])
    if below.shape != above.shape or below.ndim != 1 or (np.diff(ladder) < 0).any():
        raise InputError("axes must be as many on both sides and increase through c0.")
    u = np.stack([above - c0, (c0 - below)[::-1]])
    alpha, beta = places(np.array([c0]), np.array([d_star]), "paper")
    a0 = alpha[0] * d_star + beta[0]
    tails = ndtr(a0[..., None] - u[:, None, :]) / np.maximum(ndtr(a0), 1e-300)[..., None]
    cells = -np.diff(tails, prepend=1.0, append=0.0)
    return np.stack([cells[1, 0], cells[1, 1], cells[0, 0], cells[0, 1]])


@dataclass(frozen=True)
class DMCObserver(_Observer):
    """Answers follow type-1 SDT with ``d_hat`` and ``c0``; ratings, given the answer, areas with ``d_star``.

    Where :class:`~.simulate.MetaDObserver` moves the criterion in proportion to meta-d', this one leaves it
    at ``c0`` (Wang et al. 2025). With ``c0 = 0`` the two are one. S1 is truth A.
    """

    d_hat: float
    d_star: float
    c0: float
    axes_A: tuple[float, ...]
    axes_B: tuple[float, ...]
    base_rate: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.base_rate < 1:
            raise InputError("base_rate = P(truth B) must lie between 0 and 1.")
        if self.d_hat == 0:
            raise InputError("d_hat must not be 0: MC is a ratio to it.")

    @property
    def mc(self) -> float:
        """d*/d^."""
        return self.d_star / self.d_hat

    def probabilities(self) -> tuple[FloatArray, FloatArray]:
        """P(rating | truth A) and P(rating | truth B), shape (2K,) each."""
        answers_b = ndtr(np.array([-0.5, 0.5]) * self.d_hat - self.c0)  # of truth A, of truth B
        weight = np.array([1 - answers_b[0], 1 - answers_b[1], answers_b[1], answers_b[0]])  # TA, FA, TB, FB
        return tables_of_matrix(dmc_rows(self.d_star, self.c0, self.axes_A, self.axes_B) * weight[:, None])
