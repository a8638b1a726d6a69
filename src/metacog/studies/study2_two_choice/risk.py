"""What does a warning do to the criterion? The published decision-only experiments, from their counts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from metacog.report.views import Views
from metacog.sdt.decisions import NOT_SIGNIFICANT
from metacog.studies.study import Inputs, analysis
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.cells import ROPE, moved, risk_cells, risk_contrasts, wide_z
from metacog.studies.study2_two_choice.ledger.claims import with_names
from metacog.studies.study2_two_choice.ledger.entries import judged_s2

#: The risk configurations in words.
WARNED = {"S1": "warned of the first answer", "None": "no warning", "S2": "warned of the second answer"}


@analysis(files=paper.FILES)
def risk(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> dict[str, Any]:
    """What does a warning do to the criterion?"""
    cells = judged_s2(risk_cells())
    drawn = drawn_halves(paper.risk_counts(), n_resamples, seed)
    return {
        "widths": cells[["task", "model", "risk", "hit_rate", "false_alarm_rate", "c_half"]].assign(
            drawn=drawn
        ),
        "cells": with_names(with_interval_ends(cells)),
        "pairs": with_names(risk_contrasts(cells)),
        "moved": moved(cells),
        "n_cells": len(cells),
        "c_reproduced": int(cells["c_reproduced"].sum()),
        "half_reproduced": int(cells["half_reproduced"].sum()),
        "wide_z": wide_z(),
        "rope": ROPE["c"],
        "trials": int(cells["n"].sum()),
    }


def drawn_halves(counts: pd.DataFrame, n_resamples: int, seed: int) -> list[float]:
    """Half the width of each criterion's 95 % interval where hits and false alarms are drawn anew."""
    rng, found = np.random.default_rng(seed), []
    for hits, misses, alarms, rejections in counts[
        ["hits", "misses", "false_alarms", "correct_rejections"]
    ].to_numpy(dtype=np.int64):
        rates = [
            rng.binomial(yes + no, yes / (yes + no), n_resamples) / (yes + no)
            for yes, no in ((hits, misses), (alarms, rejections))
        ]
        c = -0.5 * (ndtri(rates[0]) + ndtri(rates[1]))
        low, high = np.quantile(c, [0.025, 0.975], method="nearest")  # a rate drawn as 0 or 1 has no z
        found.append(float(high - low) / 2)
    return found


def with_interval_ends(cells: pd.DataFrame) -> pd.DataFrame:
    """The same cells with the ends of c and c', and of c as printed, and ``warned``, the instruction in words."""
    halves = {"c": "c_half", "c_prime": "c_prime_half", "c_printed": "half_printed"}
    ends = {
        f"{name}_{end}": cells[name] + sign * cells[half]
        for name, half in halves.items()
        for end, sign in (("lower", -1), ("upper", 1))
    }
    return cells.assign(**ends, warned=cells["risk"].map(WARNED))


def heeded(pairs: pd.DataFrame) -> dict[str, Any]:
    """In how many pairs the criterion climbs from the first warning to the second, and falls; and where d' differs."""
    of_c, of_d = (pairs[pairs["measure"] == name] for name in ("c", "d_prime"))
    ends = of_c[(of_c["first"] == "S1") & (of_c["second"] == "S2")]
    single = of_c.drop(ends.index)
    clear = single[single["decision_wide"] != NOT_SIGNIFICANT]
    return {
        "n_ends": len(ends) or float("nan"),
        "n_heeded": int(((ends["difference"] < 0) & (ends["decision_wide"] != NOT_SIGNIFICANT)).sum()),
        "n_reversed": int(((ends["difference"] > 0) & (ends["decision_wide"] != NOT_SIGNIFICANT)).sum()),
        "n_single": len(single),
        "n_single_heeded": int((clear["difference"] < 0).sum()),
        "n_against": int((clear["difference"] > 0).sum()),
        "n_of_d": len(of_d),
        "n_d_differs": int((of_d["decision_wide"] != NOT_SIGNIFICANT).sum()),
    }


def figures(result: Any) -> dict[str, Any]:
    """Where warnings are heeded, and how far off the delta method is."""
    apart = 100 * (result.widths["c_half"] / result.widths["drawn"] - 1).abs()
    return {**heeded(result.pairs), "delta_apart": float(apart.max())}


VIEWS = (Views("risk", numbers=figures),)
