"""What does instruction tuning do to metacognition? How it is told."""

from __future__ import annotations

from typing import Any

from metacog.core.words import listed
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.instruct_base.estimates import RULE


def pair_sentence(verdict: Verdict) -> str:
    """Where one model is higher than the other."""
    v = verdict.values
    if v["why"]:
        return f"{v['instruct']} and {v['base']} cannot be compared: {v['why']}."
    up, down = (listed(v[way]) if v[way] else "no measure" for way in ("up", "down"))
    same = f" They are not told apart in {listed(v['same'])}." if v["same"] else ""
    return f"On {v['dataset']} {v['instruct']} is higher than {v['base']} in {up}, and lower in {down}.{same}"


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


VIEWS = Views(
    "instruct_base",
    names=NAMES,
    sentences={"answer": answer},
    verdicts={"pair": pair_sentence},
    claims={"pair": ""},
    rules={"pair": RULE},
)
