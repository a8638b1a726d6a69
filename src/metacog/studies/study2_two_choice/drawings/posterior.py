"""Figures of the posteriors of the published cells."""

from __future__ import annotations

from metacog.report.posterior import forest_of, predictive_of
from metacog.studies.study2_two_choice.comparisons import ROPE

NAMES = ("task", "name")

FIGURES = {
    "posterior.forest": forest_of(
        "cells", NAMES, name="fig-study2-posterior", colour="name", rope=ROPE["m_ratio"]
    ),
    "posterior.predictive": predictive_of("points", NAMES, name="fig-study2-predictive"),
}
