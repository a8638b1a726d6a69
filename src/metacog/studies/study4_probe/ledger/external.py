"""Rows of study 4 on what lies outside it: benchmarks (tables 7 and 8) and the human panel (table 9)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.ledger.entry import entries_of
from metacog.ledger.judging import agreement
from metacog.ledger.tolerances import half_last_digit
from metacog.studies.study4_probe import benchmarks, paper, reliability
from metacog.studies.study4_probe.benchmarks import COMPOSITES
from metacog.studies.study4_probe.ledger import solved
from metacog.studies.study4_probe.ledger.roles import FROM_END, SOLVED_FROM, STUDY, beside, table_name
from metacog.studies.study4_probe.paper import short

NEEDS_PEOPLE = "the answers of the human panel"
NEEDS_SCORES = "the models' scores on the benchmark"
#: The composite that table 8 is about, and a quantity that a chapter looks up.
COMPOSITE = "composite_15_slot"
WITH_COMPOSITE = "rho with the composite"


def judged_benchmarks() -> pd.DataFrame:
    """:func:`.benchmarks.recomputed_benchmarks`, and by which composite a printed correlation is reproduced.

    ``composite_15_slot_agrees`` is what the ledger says of table 8, and ``NAME_agrees`` what it would say with
    another composite in place of that one.
    """
    frame = benchmarks.recomputed_benchmarks()
    for name in COMPOSITES:
        agreed = agreement(entries_of(validity(name), STUDY))[table_name("8")].unstack("quantity")[
            WITH_COMPOSITE
        ]
        frame[f"{name}_agrees"] = agreed[frame["benchmark"]].to_numpy(dtype=bool)
    return frame


def validity(composite: str = COMPOSITE) -> pd.DataFrame:
    """Table 8, with the correlation of one of the composites."""
    ends = {"lower": "lower end", "upper": "upper end"}
    names = {"rho": WITH_COMPOSITE} | ends
    own = benchmarks.recomputed_benchmarks().set_index("benchmark")
    source = "the one ranking that gives the benchmark's column of table 7, and the 15-slot composite"
    return beside(
        "8",
        paper.as_text("external_validity").set_index("benchmark")[list(names)].rename(columns=names),
        own[[*ends]]
        .rename(columns=ends)
        .assign(**{WITH_COMPOSITE: own[composite].where(own["rankings"] == 1)}),
        source={WITH_COMPOSITE: source} | dict.fromkeys(ends.values(), "the printed rho and 8 models"),
        reach=dict.fromkeys(ends.values(), half_last_digit("0.001")),
        precision=dict.fromkeys(ends.values(), half_last_digit("0.01")),
        needs={WITH_COMPOSITE: NEEDS_SCORES},
    )


def task_correlations() -> pd.DataFrame:
    """Table 7: correlations of each task with each benchmark."""
    printed = paper.as_text("table7_external_by_task").set_index("task").rename(index=short)
    found = benchmarks.recomputed_benchmarks().set_index("benchmark")["rankings"] == 1
    own = printed.astype(float).where(found[printed.columns], axis=1)
    named = "rho with {}".format
    return beside(
        "7",
        printed.rename(columns=named),
        own.rename(columns=named),
        by_column=True,
        source="itself",
        role=SOLVED_FROM,
        needs=NEEDS_SCORES,
    )


def hypotheses() -> pd.DataFrame:
    """Table 9: statistics, their intervals and verdicts."""
    frame: Any = paper.as_text("table9_hypotheses").set_index("id")
    names = {"value": "value", "lower": "ci_lo", "upper": "ci_hi"}
    people = {one: solved.upper_end(one) for one in ("H1", "H2")}
    known = [one for one, (sizes, _, _) in people.items() if sizes]
    sources = {one: f"{people[one][0][0]} to {people[one][0][-1]} people" for one in known}
    ends = {
        "ci_lo": {one: float(frame["lower"][one]) for one in known},
        "ci_hi": {one: (people[one][1] + people[one][2]) / 2 for one in known},
    }
    who = {
        one: f"the printed statistic and {said}, whom the lower end stands for"
        for one, said in sources.items()
    }
    rows = beside(
        "9",
        frame[list(names)].rename(columns=names),
        pd.DataFrame(ends),
        source=pd.DataFrame({"ci_lo": dict.fromkeys(known, "itself"), "ci_hi": who}),
        reach=pd.DataFrame({"ci_hi": {one: (people[one][2] - people[one][1]) / 2 for one in known}}),
        role=pd.DataFrame({"ci_lo": dict.fromkeys(known, FROM_END)}),
        needs=NEEDS_PEOPLE,
    )
    first, second = (frame.loc[h, ["value", "lower", "upper"]].astype(float) for h in ("H1", "H2"))
    held = {
        "H1": first["value"] <= 0.40 and first["lower"] <= 0 <= first["upper"],
        "H2": not second["value"] >= 0.30,
        "H3": reliability.partial(reliability.reliability_table()),
    }
    verdicts = beside(
        "9",
        pd.DataFrame({"verdict": dict.fromkeys(held, "True")}),
        pd.DataFrame({"verdict": held}).astype(float),
        source="the printed figures and bars",
        in_words=True,
    )
    return pd.concat(
        [
            rows.assign(quantity=rows["item"].map(frame["statistic"]) + ", " + rows["quantity"]),
            verdicts.assign(quantity="verdict: " + verdicts["item"].map(frame["verdict"])),
        ]
    )
