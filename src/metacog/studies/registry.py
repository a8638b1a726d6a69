"""The list of studies. It imports nothing, so that who reads it hangs on no study's code."""

from __future__ import annotations

#: Packages that hold a ``STUDY``; a study more is a line more.
STUDIES: list[str] = [
    "metacog.studies.study1_qa",
    "metacog.studies.study2_two_choice",
    "metacog.studies.study3_dmc",
    "metacog.studies.study4_probe",
    "metacog.studies.study5_battery",
    "metacog.studies.shared",
]
