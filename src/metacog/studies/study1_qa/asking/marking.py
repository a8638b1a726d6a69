"""The pre-registered rule by which the study marks answers (Cacioli 2026, arXiv 2603.25112)."""

from __future__ import annotations

import re

from metacog.collect.scoring import Marking

#: At the very start of the text, before white space is stripped and without a word boundary, as the
#: original does it; similar from 0.85 (robustness: 0.80 and 0.90).
MARKING = Marking(
    preamble=re.compile(
        r"^(?:the answer is|sure[,!.]?|i think|i believe|it'?s|here'?s)\s*[:.]?\s*", re.IGNORECASE
    ),
    threshold=0.85,
)
