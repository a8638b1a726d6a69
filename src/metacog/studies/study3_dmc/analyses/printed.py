"""What study 3 printed, computed again as far as the print allows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.ledger.entry import Status
from metacog.studies.study import analysis
from metacog.studies.study3_dmc import printed as parts
from metacog.studies.study3_dmc import printed_said as said
from metacog.studies.study3_dmc import published
from metacog.studies.study3_dmc.ledger import judged

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@dataclass(frozen=True)
class Printed:
    """Printed averages, CVs and statistics beside those of the printed cells.

    ``figures`` has a row each, ``off`` those that do not come out, ``differing`` the cells that two tables
    print differently. The sentences say what these show.
    """

    figures: pd.DataFrame
    off: pd.DataFrame
    differing: pd.DataFrame
    agreement_said: str
    worst_said: str
    two_prints_said: str
    deviations_said: str
    auroc_said: str
    n_figures: int
    n_off: int


@analysis(returns=Printed, files=("data/published/dmc_*.csv",))
def printed(inputs: Inputs) -> Printed:
    """Which printed figures follow from the printed cells?"""
    rows = judged()
    own = [r for r in rows if not r.repeats]
    frame = said.as_frame(own)
    differs = frame["status"] == Status.DIFFERS
    twice = parts.two_prints()
    return Printed(
        figures=frame,
        off=frame[differs].reset_index(drop=True),
        differing=pd.DataFrame(
            {
                "cell": f"{published.MODELS[t.model]}, {published.METHODS[t.method]}, "
                f"{published.DATASETS[t.dataset]}",
                "table": name,
                "printed": float(text),
                "average": average,
                "cv": cv,
                "printed_average": float(t.average),
                "printed_cv": float(t.cv),
            }
            for t in twice
            for name, text, average, cv in (
                ("table 2", t.in_table2, t.average2, t.cv2),
                ("table 3", t.in_table3, t.average3, t.cv3),
            )
        ),
        agreement_said=said.agreement_said(rows),
        worst_said=said.worst_said(rows),
        two_prints_said=". ".join(t.said for t in twice) + "."
        if twice
        else "Both tables print their cells alike.",
        deviations_said=said.deviations_said(rows),
        auroc_said=said.auroc_said(),
        n_figures=len(own),
        n_off=int(differs.sum()),
    )
