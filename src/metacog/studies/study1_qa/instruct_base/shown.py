"""What does instruction tuning do to metacognition? How it is told."""

from __future__ import annotations

from typing import Any

from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES


def answer(result: Any) -> str:
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


VIEWS = Views("instruct_base", names=NAMES, sentences={"answer": answer})
