"""What each headline of the study reads as published and corrected, and whether it concludes something else."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.sdt.correlation import spearman_brown
from metacog.studies.study5_battery.measures.integrity import MENDED, PUBLISHED
from metacog.studies.study5_battery.regulation.contrasts import CLAIMED_ON, FAMILIES, course_of
from metacog.studies.study5_battery.responses import headlines as by

#: A Cohen's d that is called large.
LARGE = 0.8


def named(facts: pd.DataFrame, digits: int) -> str:
    """``GLM-5 (0.94)``."""
    return f"{facts['name'].iloc[0]} ({facts['value'].iloc[0]:.{digits}f})"


def with_limits(facts: pd.DataFrame) -> str:
    """``0.17 (-0.29 to 0.57)``."""
    one = facts.iloc[0]
    return f"{one['value']:.2f} ({one['lower']:.2f} to {one['upper']:.2f})"


def course(facts: pd.DataFrame) -> str:
    """Deltas over size, and what they do."""
    values = [float(v) for v in facts["value"]]
    known = ", ".join("-" if not np.isfinite(v) else f"{v:.1f}" for v in values)
    return f"{course_of(values) or 'not known'} ({known})"


def halves(facts: pd.DataFrame) -> str:
    """The correlation of two halves, and of two whole batteries."""
    r, n = float(facts["value"].iloc[0]), facts["n"].iloc[0]
    return f"{r:.2f}, {spearman_brown(r):.2f} (n = {n:.0f})"


#: Titles of the headlines, and what each cell reads.
HEADLINES = {
    by.COMPLETE: ("models with all five deltas", lambda facts: f"{facts['value'].iloc[0]:.0f}"),
    by.TOP_DELTA: ("highest mean withdraw delta", lambda facts: named(facts, 1)),
    by.TOP_ACCURACY: ("highest accuracy, T1 to T5", lambda facts: named(facts, 3)),
    by.LEADERS: ("leader on each track", lambda facts: listed(dict.fromkeys(facts["name"]))),
    by.LOWEST: ("lowest T6 score", lambda facts: named(facts, 3)),
    by.HIGHEST: ("highest T6 score", lambda facts: named(facts, 3)),
    by.INVERSION: ("rank correlation of accuracy and delta", with_limits),
    by.DISSOCIATION: ("correlation of delta and answering directly", with_limits),
    by.HALVES: ("how two halves of the battery correlate, and two batteries", halves),
    by.APART: ("distance of profiles C and A (Cohen's d)", lambda facts: f"{facts['value'].iloc[0]:.2f}"),
    by.PROFILES: (
        "profiles by rule",
        lambda facts: ", ".join(f"{r.name} {r.value:.0f}" for r in rows_of(facts)),
    ),
    **{by.COURSE + f.name: (f"{CLAIMED_ON} over size, {f.name}", course) for f in FAMILIES},
}


def who(facts: pd.DataFrame) -> tuple[str, ...]:
    """Whom a headline names."""
    return tuple(facts["name"])


def side_of_zero(facts: pd.DataFrame) -> str:
    """On which side of 0 a correlation lies with its entire interval."""
    one = facts.iloc[0]
    return "above" if one["lower"] > 0 else "below" if one["upper"] < 0 else "open"


def course_alone(facts: pd.DataFrame) -> str:
    """What deltas do over size."""
    return course_of([float(v) for v in facts["value"]]) or "not known"


#: What a headline concludes from its numbers: whom it names, on which side of 0 it lies, which way it goes. A number
#: of models concludes nothing.
CONCLUSIONS: Mapping[str, Callable[[pd.DataFrame], Hashable]] = {
    **dict.fromkeys((by.TOP_DELTA, by.TOP_ACCURACY, by.LEADERS, by.LOWEST, by.HIGHEST), who),
    **dict.fromkeys((by.INVERSION, by.DISSOCIATION, by.HALVES), side_of_zero),
    by.APART: lambda facts: bool(facts["value"].iloc[0] >= LARGE),
    by.PROFILES: lambda facts: tuple(facts.loc[facts["value"] > 0, "name"]),
    **{by.COURSE + f.name: course_alone for f in FAMILIES},
}


def conclusions(facts: pd.DataFrame) -> pd.DataFrame:
    """One row per headline: what it reads in each variant, and what becomes of it.

    ``changes`` names the variants in which it reads otherwise, ``concludes`` says whether it concludes something else
    with everything corrected.
    """
    rows = []
    for key, (title, write) in HEADLINES.items():
        of = facts[facts["headline"] == key]
        variants = {name: of[of["variant"] == name] for name in dict.fromkeys(facts["variant"])}
        cells = {name: write(part) for name, part in variants.items()}
        changed = [name for name, cell in cells.items() if cell != cells[PUBLISHED]]
        concludes = CONCLUSIONS.get(key, lambda _: None)
        other = concludes(variants[PUBLISHED]) != concludes(variants[MENDED])
        row = {"headline": title, **cells, "changes": listed(changed)}
        rows.append(row | {"concludes": "something else" if other else "the same"})
    return pd.DataFrame(rows)
