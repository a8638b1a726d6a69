"""Do thinking and tuning help a model to know itself? How it is told."""

from __future__ import annotations

from typing import Any

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.study1_qa.cells import MIN_CLASS
from metacog.studies.study1_qa.thinking import ASKED


def answer(result: Any) -> str:
    """Whether thinking makes confidence tell right from wrong better or worse."""
    rows = result.differences[result.differences["quantity"] == "auroc2"]
    better, worse = int((rows["lower"] > 0).sum()), int((rows["upper"] < 0).sum())
    guide = "the probability of a model's words a {} guide to being right"
    if not better and not worse:
        return f"No change is shown: thinking may make {guide.format('better or a worse')}."
    if better and worse:
        return f"Thinking made {guide.format('better')} in {better} models and a worse one in {worse}."
    how = "better" if better else "worse"
    return f"Thinking made {guide.format(how)} in {better or worse} of {plural(len(rows), 'model')}."


def note(result: Any) -> str:
    """In how many models the change turns if a reply is right only where it is little more than an answer."""
    classes = ["right_off", "wrong_off", "right_on", "wrong_on"]
    every = len(result.marking)
    judged = rows_of(result.marking[(result.marking[classes] >= MIN_CLASS).all(axis=1)])
    kept, turned = (
        [r.model for r in judged if sign * r.difference * r.usual > 0 and (r.lower > 0 or r.upper < 0)]
        for sign in (1, -1)
    )
    told = [
        f"it {did} in {listed(models)}"
        for did, models in (("stays", kept), ("turns round", turned))
        if models
    ]
    if not told:
        return f"Marked more strictly, no change is shown: {len(judged)} of {every} models can be judged."
    can = f"the change can be judged in {len(judged)} of {plural(every, 'model')}"
    return f"Marked more strictly, {can}; {' and '.join(told)}."


def trace(result: Any) -> str:
    """Whether confidence tells better again without the trace before the answer, and where it is below chance."""
    rows = rows_of(result.raw)
    better = [r.model for r in rows if r.no_trace_lower > r.auroc2_on_upper]
    worse = [r.model for r in rows if r.no_trace_upper < r.auroc2_on_lower]
    told = {
        (True, False): f"Without the trace confidence tells right from wrong better in {listed(better)}.",
        (False, True): f"It is not: without the trace confidence tells still worse in {listed(worse)}.",
        (True, True): f"Not in every model: without the trace confidence tells right from wrong better in "
        f"{listed(better)}, and still worse in {listed(worse)}.",
        (
            False,
            False,
        ): "Not shown: without the trace confidence tells right from wrong about as well as with it.",
    }[bool(better), bool(worse)]
    below = [f"{r.model} with the trace" for r in rows if r.auroc2_on_upper < 0.5]
    below += [f"{r.model} without it" for r in rows if r.no_trace_upper < 0.5]
    return told + (
        f" Wrong replies carry more confidence than right ones in {listed(below)}." if below else ""
    )


VIEWS = (
    Views(
        "thinking",
        sentences={"answer": answer, "note": note, "trace": trace},
        claims={
            **{name: f"thinking raises {measure}" for name, measure in ASKED.items()},
            "worth": "most of the change is in what a rating is worth",
            "left_out": "no replies left out could turn the change",
        },
    ),
)
