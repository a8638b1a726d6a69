"""Decoding entropy of an answer: how torn a model is between texts when it writes its answer line.

The Monte-Carlo estimate of length-normalised predictive entropy (Malinin & Gales 2021): over draws of the
answer line at temperature 1, the mean of minus the log-probability per token. The line ends before CONFIDENCE,
so that doubt about which number to state is not mixed in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from metacog.engines.base import Generation
from metacog.studies.study4_probe.asking.items import ProbeItem
from metacog.studies.study4_probe.asking.marking import mark_reply

#: Share of the draws that must hold an answer with log-probabilities.
LEAST_USED = 0.5


def decoding_entropy(item: ProbeItem, draws: Sequence[Generation]) -> dict[str, Any]:
    """Entropy of an item's answer line, in nats per token, and what it rests on.

    A draw without an answer (no such line, or no number where one is asked for) is left out and counted, as
    is one without log-probabilities.

    Returns
    -------
    dict
        ``entropy`` (NaN where less than half of the draws could be used), ``entropy_asked, entropy_read``
        (draws with an answer), ``entropy_used`` (those with log-probabilities).
    """
    read = [d for d in draws if "ANSWER" not in mark_reply(item, d.text).unread]
    nlp = [d.nlp for d in read if d.n_tokens and math.isfinite(d.nlp)]
    enough = bool(nlp) and len(nlp) >= LEAST_USED * len(draws)
    return {
        "entropy": max(0.0, -math.fsum(nlp) / len(nlp)) if enough else math.nan,
        "entropy_asked": len(draws),
        "entropy_read": len(read),
        "entropy_used": len(nlp),
    }
