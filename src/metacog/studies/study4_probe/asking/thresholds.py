"""Thresholds of T4-CR for a panel, drawn before any reply is scored.

The paper derives sigma_T and R_T for each panel and hides them until the models have answered. Here the
rule is stated: SHA-256 of item version and panel name, taken as a whole number, picks one of the nine pairs
of the band. It knows no reply. The pair goes into the configuration of a run, which its manifest holds
before the first question is asked; no prompt names it, and the chapter discloses it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from metacog.core.errors import MetacogError
from metacog.studies.study4_probe.measures.range_score import RANGE_BAND, SIGMA_BAND


@dataclass(frozen=True)
class Thresholds:
    """Where the penalties of T4-CR begin: standard deviation and range of confidence, in points."""

    sigma_t: float
    range_t: float


def drawn(version: str, panel: str) -> Thresholds:
    """The pair of a version of the items and a panel's name.

    Raises
    ------
    MetacogError
        If one of them is empty.
    """
    if not version or not panel:
        raise MetacogError("the thresholds of T4-CR are drawn by the items' version and the panel's name")
    pairs = [(s, r) for s in SIGMA_BAND.values() for r in RANGE_BAND.values()]
    number = int.from_bytes(hashlib.sha256(f"{version}\n{panel}".encode()).digest(), "big")
    return Thresholds(*pairs[number % len(pairs)])
