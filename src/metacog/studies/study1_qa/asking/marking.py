"""The rules by which the study marks answers: the paper's (Cacioli 2026, arXiv 2603.25112), and the book's own."""

from __future__ import annotations

import re
from dataclasses import replace

from metacog.collect.scoring import Marking

#: The pre-registered rule. A preamble stands at the very start of the text, before white space is stripped and
#: without a word boundary, as in the original; similar from 0.85 (robustness: 0.80 and 0.90).
PAPER = Marking(
    preamble=re.compile(
        r"^(?:the answer is|sure[,!.]?|i think|i believe|it'?s|here'?s)\s*[:.]?\s*", re.IGNORECASE
    ),
    threshold=0.85,
)
#: The same, but similarity never overrides another number, numeral or single letter.
MARKING = replace(PAPER, strict=True)
#: Question sets of the paper, which are marked as it marked them.
PAPER_SETS = ("triviaqa", "triviaqa-dev", "nq-open", "nq-open-dev")


def marking_of(dataset: str) -> Marking:
    return PAPER if dataset in PAPER_SETS else MARKING
