"""What is left of confidence beyond the surface of answers, for simulated answerers of whom it is known.

    python benchmarks/surface_controls.py [--runs 200]

Writes data/simulations/surface_controls.csv: for each answerer and number of questions the truth, and what
metacog.studies.study1_qa.beyond_controls makes of it: AUROC2 among answers alike in length and rarity (alike) and the
share of the information that is left (share), their bias, spread and the coverage of their 95 % intervals.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed
from scipy.special import expit
from scipy.stats import norm, poisson

from metacog.sdt.information import binary_entropy
from metacog.studies.study1_qa.beyond_controls import beyond_controls
from metacog.studies.study1_qa.word_rarity import WordTable

OUT = SIMULATIONS / "surface_controls.csv"
#: Words of one letter each, from common to rare.
LETTERS = "abcdefgh"
WORDS = WordTable({letter: 7.0 - i / 2 for i, letter in enumerate(LETTERS)}, 7.0 - (len(LETTERS) - 1) / 2)
SIZES = (328, 1304)


@dataclass(frozen=True)
class Observer:
    """Right answers have log-odds ``level`` + ``surface`` x s + ``knows`` x k; k is N(0, 1), the observer's own state.

    s is what length (1 + Poisson(2) words) and rarity (one of eight, equally often) say together. Confidence is
    ``reads_surface`` x s, bent, + ``reads_state`` x k + ``noise`` x N(0, 1).
    """

    level: float = 0.3
    surface: float = 1.0
    knows: float = 1.0
    reads_surface: float = 1.0
    reads_state: float = 0.0
    noise: float = 0.3

    def trials(
        self, n: int, seed: int, *, model: str = "one", temperatures: tuple[float, ...] = (1.0,)
    ) -> pd.DataFrame:
        """Answers of several words, all of which are equally rare."""
        rng = np.random.default_rng(seed)
        frames = []
        for temperature in temperatures:
            tokens, rarest = 1 + rng.poisson(2.0, n), rng.integers(0, len(LETTERS), n)
            plain = _plain(tokens, rarest)
            state = rng.normal(size=n)
            right = rng.random(n) < expit(self.level + self.surface * plain + self.knows * state)
            sure = self.read(plain) + self.reads_state * state + self.noise * rng.normal(size=n)
            texts = [" ".join([LETTERS[r]] * t) for r, t in zip(rarest, tokens, strict=True)]
            frames.append(
                pd.DataFrame(
                    {
                        "model": model,
                        "question_id": [f"q{i:04d}" for i in range(n)],
                        "temperature": temperature,
                        "correct": right,
                        "nlp": -np.log1p(np.exp(-sure)),
                        "answer": texts,
                        "n_tokens": tokens,
                    }
                )
            )
        return pd.concat(frames, ignore_index=True)

    def read(self, plain: np.ndarray) -> np.ndarray:
        """What confidence has of the surface."""
        return self.reads_surface * (plain + 0.2 * np.minimum(plain, 0) ** 2)

    @cached_property
    def truth(self) -> dict[str, float]:
        """``alike`` and ``share``, by quadrature over cells of one length and rarity and over confidence."""
        tokens, rarest = (g.ravel() for g in np.meshgrid(np.arange(1, 16), np.arange(len(LETTERS))))
        weight = poisson.pmf(tokens - 1, 2.0) / len(LETTERS)
        weight /= weight.sum()
        plain = _plain(tokens, rarest)
        middle, variance = self.read(plain), self.reads_state**2 + self.noise**2
        sure = np.linspace(middle.min() - 6 * variance**0.5, middle.max() + 6 * variance**0.5, 3001)
        gap = sure - middle[:, None]
        density = norm.pdf(gap, scale=variance**0.5) * (sure[1] - sure[0])
        nodes, at = np.polynomial.hermite_e.hermegauss(31)
        spread = (self.noise**2 / variance) ** 0.5
        state = self.reads_state / variance * gap[..., None] + spread * nodes
        right = expit(self.level + self.surface * plain[:, None, None] + self.knows * state) @ (at / at.sum())
        one, none = density * right, density * (1 - right)
        wins = (one * (np.cumsum(none, axis=1) - none / 2)).sum(axis=1)
        pairs = one.sum(axis=1) * none.sum(axis=1)
        all_one, all_none = weight @ one, weight @ none
        joined = all_one / np.maximum(all_one + all_none, 1e-300)
        entropy = binary_entropy(all_one.sum())
        whole = entropy - (all_one + all_none) @ binary_entropy(joined)
        by_surface = weight @ binary_entropy(one.sum(axis=1))
        left = by_surface - weight @ (density * binary_entropy(right)).sum(axis=1)
        return {"alike": float(weight**2 @ wins / (weight**2 @ pairs)), "share": float(left / whole)}


def _plain(tokens: np.ndarray, rarest: np.ndarray) -> np.ndarray:
    return -(tokens - 3) / 1.7 - (rarest - 3.5) / 2.5


#: Reads nothing but the surface, though the answer rests on something hidden as well.
SURFACE_ONLY = Observer()
#: Neither its answers nor its confidence have to do with the surface.
STATE_ONLY = Observer(surface=0.0, reads_surface=0.0, reads_state=1.0, noise=0.8)
#: Its answers rest on both, its confidence on what it knows alone.
STATE_IN_BOTH = Observer(reads_surface=0.0, reads_state=1.0, noise=0.8)
#: Reads both.
BOTH = Observer(reads_state=1.0, noise=0.5)
OBSERVERS = {
    "reads the surface alone": SURFACE_ONLY,
    "nothing to do with the surface": STATE_ONLY,
    "answers rest on the surface, confidence does not": STATE_IN_BOTH,
    "reads both": BOTH,
}


def signals(trials: pd.DataFrame) -> dict[str, np.ndarray]:
    """Length and rarity, as the book's surface controls take them."""
    characters = trials["answer"].str.len().to_numpy(float)
    return {
        "length": np.stack([trials["n_tokens"].to_numpy(float), characters], axis=1),
        "rarity": WORDS.rarest(trials["answer"]),
    }


def left(observer: Observer, n: int, seed: int, **options: int) -> pd.Series:
    """What is left of one simulated run."""
    trials = observer.trials(n, seed)
    surface = {"surface": ("length", "rarity")}
    return beyond_controls(trials["correct"], trials["nlp"], signals(trials), surface, **options).iloc[0]


def summary(runs: pd.DataFrame, truth: dict[str, float]) -> list[dict[str, object]]:
    """Bias, spread and coverage of both quantities."""
    rows = []
    for quantity, true in truth.items():
        known = runs.dropna(subset=[f"{quantity}_lower"])
        held = (known[f"{quantity}_lower"] < true) & (true < known[f"{quantity}_upper"])
        rows.append(
            {
                "quantity": quantity,
                "truth": true,
                "n_runs": len(known),
                "bias": known[quantity].mean() - true,
                "sd": known[quantity].std(),
                "coverage": held.mean(),
                "rejected": (runs["p_value" if quantity == "alike" else "remaining_p"] <= 0.05).mean(),
            }
        )
    return rows


def main() -> None:
    """Simulate every observer."""
    given = parsed(__file__, out=OUT, runs=200, resamples=400)
    drawn = {"n_resamples": given.resamples, "n_permutations": given.resamples}
    rows = []
    for name, observer in OBSERVERS.items():
        for n in SIZES:
            runs = pd.DataFrame([left(observer, n, seed, **drawn) for seed in range(given.runs)])
            rows += [{"design": name, "n": n, **row} for row in summary(runs, observer.truth)]
            given.tell(f"{name}, {n}")
    told = {name: asdict(observer) for name, observer in OBSERVERS.items()}
    given.write(pd.DataFrame(rows).round(5), None, seed=f"0 to {given.runs - 1}", observers=told)


if __name__ == "__main__":
    main()
