"""Is what the probes say knowledge of oneself? What is said of it."""

from __future__ import annotations

from metacog.report.views import Views
from metacog.verdicts.self_knowledge_words import READING, against, headline, like_these

VIEWS = (
    Views(
        "probes_self_knowledge",
        sentences={
            "answer": lambda result: headline(result.keep),
            "keep_against": lambda result: against(result.keep),
            "could_be_seen": lambda result: like_these(result.keep, result.simulated),
            "reading": lambda _: READING,
        },
    ),
)
