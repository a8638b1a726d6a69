"""Do thinking and tuning help a model to know itself? How it is told."""

from __future__ import annotations

from typing import Any

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.thinking.judging import ASKED


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
    judged = [r for r in rows_of(result.marking) if r.lower == r.lower]
    turned = [r for r in judged if r.difference * r.usual < 0 and (r.lower > 0 or r.upper < 0)]
    return (
        f"Marked more strictly, with fewer right answers, the change turns round in {len(turned)} of "
        f"{plural(len(judged), 'model')} that can be judged."
    )


def tuned(result: Any) -> str:
    """Whether tuning changes accuracy, and how well confidence tells right from wrong, in the published pair."""
    of = result.triviaqa.set_index("measure")
    more, knows = (
        int(of.loc[row, "lower"] > 0) - int(of.loc[row, "upper"] < 0) for row in ("accuracy", "AUROC2")
    )
    knew = {
        1: "made it more often right",
        -1: "made it less often right",
        0: "did not clearly change how often it is right",
    }
    told = {
        1: "made its confidence tell right from wrong better",
        -1: "made its confidence tell right from wrong worse",
        0: "did not clearly change how well its confidence tells right from wrong",
    }
    join = "and" if (more == 0) == (knows == 0) else "but"
    return f"In the one published pair tuning {knew[more]} {join} {told[knows]}."


VIEWS = (
    Views(
        "thinking",
        sentences={"answer": answer, "note": note},
        claims={
            **{name: f"thinking raises {measure}" for name, measure in ASKED.items()},
            "worth": "most of the change is in what a rating is worth",
            "left_out": "no replies left out could turn the change",
        },
    ),
    Views("instruct_base", names=NAMES, sentences={"answer": tuned}),
)
