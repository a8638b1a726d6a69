"""All ways."""

from __future__ import annotations

from metacog.collect.confidence.consistency import Misleading, Perturbing, SelfRandom
from metacog.collect.confidence.internal import DecodingEntropy, Letters, PTrue, TokenProbability
from metacog.collect.confidence.method import Method
from metacog.collect.confidence.verbal import CotScored, CotWritten, TopKScored, TopKWritten, VanillaScored, VanillaWritten

#: Every way, by name and form. The names of the first six are the paper's on decoupling metacognition.
METHODS: tuple[Method, ...] = (
    VanillaScored(),
    VanillaWritten(),
    CotScored(),
    CotWritten(),
    TopKScored(),
    TopKWritten(),
    SelfRandom(),
    Perturbing(),
    Misleading(),
    TokenProbability(),
    Letters(),
    PTrue(),
    DecodingEntropy(),
)
