"""The tables that the explorers of the book can load, as a script that pages read without a network.

Browsers refuse pages opened from a disk to fetch data, so it is a classic script that sets one variable.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.core.config import Profile
from metacog.core.files import replacing
from metacog.studies import studies
from metacog.studies.reference import shown
from metacog.studies.results import result, runs
from metacog.studies.study import Study

#: Below ``_static_generated``.
SCRIPT = "explorer-data.js"
#: What the page's own script reads.
VARIABLE = "METACOG_TABLES"
#: Analyses that return :class:`metacog.studies.contributions.RatingTables`.
PUBLISHED, OF_RUN = "published_tables", "run_tables"


def write_explorer_data(profile: Profile, folder: Path) -> None:
    """Write the script with every table: published, of the reference run, and of the profile's own."""
    tables = [table for study in studies() for table in tables_of(study, profile)]
    text = json.dumps(tables, ensure_ascii=True, separators=(",", ":"))
    with replacing(folder / SCRIPT) as handle:
        handle.write(f"window.{VARIABLE} = {text};\n")


def tables_of(study: Study, profile: Profile) -> Iterator[dict[str, Any]]:
    """A study's tables: ``group``, ``name``, ``decision``, ``pad``, ``s1`` and ``s2``, published ones first."""
    short = study.title.partition(":")[0]
    names = {analysis.name for analysis in study.analyses}
    both = shown(profile, study)
    if PUBLISHED in names:
        record = result(study, both.lead, study.analysis(PUBLISHED), {})
        yield from _tables(record, f"{short}, published")
    if OF_RUN in names and runs(profile, study):
        for run in both.profiles:
            record = result(study, run, study.analysis(OF_RUN), {})
            whose = "the reference run" if run.name == profile.reference else "your run"
            yield from _tables(record, f"{short}, {whose} (profile {run.name})")


def _tables(record: Any, group: str) -> Iterator[dict[str, Any]]:
    for name, rows in record.counts.groupby("name", sort=False):
        ordered: pd.DataFrame = rows.sort_values("rating", kind="stable")
        yield {
            "group": group,
            "name": str(name),
            "decision": bool(ordered["decision"].iloc[0]),
            "pad": float(ordered["pad"].iloc[0]),
            "s1": ordered["nR_S1"].tolist(),
            "s2": ordered["nR_S2"].tolist(),
        }
