"""Does thinking help a model to know itself? How it is told."""

from __future__ import annotations

from metacog.report.views import Views
from metacog.studies.study1_qa.thinking import judging, words

VIEWS = Views(
    "thinking",
    sentences={
        "answer": words.answer,
        "note": words.note,
        "marked_strictly": words.marked_strictly,
        "without_trace": words.without_trace,
    },
    verdicts={
        **{name: words.raises(measure) for name, measure in judging.ASKED.items()},
        "worth": words.worth,
        "left_out": words.left_out_verdict,
    },
    claims={
        **{name: f"thinking raises {measure}" for name, measure in judging.ASKED.items()},
        "worth": "most of the change is in what a rating is worth",
        "left_out": "no replies left out could turn the change",
    },
    rules=judging.RULES,
)
