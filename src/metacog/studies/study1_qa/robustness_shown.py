"""R1 to R6: do the results rest on settings that could have been chosen otherwise? How it is shown."""

from __future__ import annotations

from typing import Any

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study1_qa.paper import NAMES
from metacog.verdicts.levels import FOUND

#: The answer, by whether pairs of the paper's models turn with unequal spread, and on other questions.
ANSWERS = {
    (False, False): (
        "With unequal spread or other questions, no pair of the paper's models is shown to change its order by M-ratio."
    ),
    (False, True): (
        "On other questions {R4} of the paper's models change their order by M-ratio{all}; "
        "with unequal spread none is shown to."
    ),
    (True, False): (
        "With unequal spread {R2} of the paper's models change their order by M-ratio{all}; "
        "on other questions none is shown to."
    ),
    (True, True): (
        "With unequal spread {R2} of the paper's models change their order by M-ratio, on other questions {R4}."
    ),
}


def answer(result: Any) -> str:
    """Which pairs of the paper's models unequal spread and other questions turn round by M-ratio."""
    checks = {v.hypothesis: v.values["turned"] for v in result.verdicts if v.topic == "published"}
    if not checks:
        return "This run is too small to judge the checks; the default book does."
    pairs = {check: {name.rsplit(" (", 1)[0] for name in turned} for check, turned in checks.items()}
    models = [set(pair.split(" with ")) for found in pairs.values() for pair in found]
    common = set.intersection(*models) if len(models) > 1 else set()
    counted = {check: plural(len(found), "pair") for check, found in pairs.items()}
    return ANSWERS[bool(pairs["R2"]), bool(pairs["R4"])].format(
        **counted, all=f", all with {min(common)}" if common else ""
    )


def needed(result: Any) -> str:
    """How often matching for difficulty finds a difference of two models in simulated runs in which there is one."""
    found = float(result.power["right_supported"].iloc[0])
    said = f"In simulated runs whose models differ, this check shows it in {100 * found:.0f} %"
    return f"{said}: where it stays undecided, that says little." if found < FOUND else f"{said}."


VIEWS = Views("robustness", names=NAMES, sentences={"answer": answer, "needed": needed})
