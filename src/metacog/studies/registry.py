"""The list of studies. It names them only, so that whoever reads it does not depend on any study's code."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from metacog.core.errors import MetacogError

if TYPE_CHECKING:
    from metacog.studies.study import Study

#: Packages that hold a ``STUDY``, one line per study.
STUDIES: list[str] = [
    "metacog.studies.study1_qa",
    "metacog.studies.study2_two_choice",
    "metacog.studies.study3_dmc",
    "metacog.studies.study4_probe",
    "metacog.studies.study5_battery",
    "metacog.studies.study6_frontier",
    "metacog.studies.study7_mmlu_pro",
    "metacog.studies.study8_people",
    "metacog.studies.shared",
]


def studies() -> tuple[Study, ...]:
    return tuple(importlib.import_module(package).STUDY for package in STUDIES)


def get_study(name: str) -> Study:
    """A registered study by its name, which is that of its room; no other study is imported."""
    rooms = {package.rpartition(".")[2]: package for package in STUDIES}
    if name not in rooms:
        raise MetacogError(f"there is no study {name!r}; there are: {', '.join(rooms)}")
    study: Study = importlib.import_module(rooms[name]).STUDY
    return study
