"""Ways of asking a model how sure it is, for any binary choice; nothing here knows of a study.

A way (:class:`Method`) is a generator: it yields requests, is sent their replies and returns what came
out (:class:`Elicited`), so asking and reading are one function. :func:`together` asks several ways about one
question in one conversation, :func:`replayed` reads stored replies again. What confidence in an open answer
is taken from is chosen among the signals of :mod:`metacog.collect.confidence.signals`.
"""

from metacog.collect.confidence.asking import replayed, together
from metacog.collect.confidence.consistency import Misleading, Perturbing, SelfRandom
from metacog.collect.confidence.internal import DecodingEntropy, Letters, PTrue, TokenProbability
from metacog.collect.confidence.method import STATUSES, Elicited, Method, Options
from metacog.collect.confidence.parsing import (
    Parsed,
    read_answer_and_probability,
    read_guesses,
    read_percentage,
    read_probability,
    read_reasoned,
)
from metacog.collect.confidence.verbal import (
    CotScored,
    CotWritten,
    TopKScored,
    TopKWritten,
    VanillaScored,
    VanillaWritten,
)
from metacog.collect.confidence.wordings import Wordings, load_wordings

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

__all__ = [
    "METHODS",
    "STATUSES",
    "CotScored",
    "CotWritten",
    "DecodingEntropy",
    "Elicited",
    "Letters",
    "Method",
    "Misleading",
    "Options",
    "PTrue",
    "Parsed",
    "Perturbing",
    "SelfRandom",
    "TokenProbability",
    "TopKScored",
    "TopKWritten",
    "VanillaScored",
    "VanillaWritten",
    "Wordings",
    "load_wordings",
    "read_answer_and_probability",
    "read_guesses",
    "read_percentage",
    "read_probability",
    "read_reasoned",
    "replayed",
    "together",
]
