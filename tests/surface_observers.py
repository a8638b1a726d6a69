"""Simulated answerers whose confidence reads the surface of their answers, what they know, or both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit

from metacog.measures.answer_words import WordTable

#: Words of one letter each, from common to rare.
LETTERS = "abcdefgh"
WORDS = WordTable({letter: 7.0 - i / 2 for i, letter in enumerate(LETTERS)}, 7.0 - (len(LETTERS) - 1) / 2)


@dataclass(frozen=True)
class Observer:
    """Right answers have log-odds ``level`` + ``surface`` x (plain surface) + ``knows`` x (own state).

    Confidence is ``reads_surface`` x (plain surface, bent) + ``reads_state`` x (own state) + ``noise`` x N(0, 1).
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
        """Answers of ``tokens`` words, all of which are as rare as ``rarest``."""
        rng = np.random.default_rng(seed)
        frames = []
        for temperature in temperatures:
            tokens = 1 + rng.poisson(2.0, n)
            rarest = rng.integers(0, len(LETTERS), n)
            plain = -(tokens - 3) / 1.7 - (rarest - 3.5) / 2.5
            state = rng.normal(size=n)
            right = rng.random(n) < expit(self.level + self.surface * plain + self.knows * state)
            sure = (
                self.reads_surface * (plain + 0.2 * np.minimum(plain, 0) ** 2)
                + self.reads_state * state
                + self.noise * rng.normal(size=n)
            )
            frames.append(
                pd.DataFrame(
                    {
                        "model": model,
                        "question_id": [f"q{i:04d}" for i in range(n)],
                        "temperature": temperature,
                        "correct": right,
                        "nlp": -np.log1p(np.exp(-sure)),
                        "answer": [
                            " ".join([LETTERS[r]] * t) for r, t in zip(rarest, tokens, strict=True)
                        ],
                        "n_tokens": tokens,
                    }
                )
            )
        return pd.concat(frames, ignore_index=True)


#: Reads nothing but the surface, though the answer rests on something hidden as well.
SURFACE_ONLY = Observer()
#: Neither its answers nor its confidence have to do with the surface.
STATE_ONLY = Observer(surface=0.0, reads_surface=0.0, reads_state=1.0, noise=0.8)
#: Its answers rest on both, its confidence on what it knows alone.
STATE_IN_BOTH = Observer(reads_surface=0.0, reads_state=1.0, noise=0.8)
#: Reads both.
BOTH = Observer(reads_state=1.0, noise=0.5)
