"""How many trials does an M-ratio take? In words."""

from __future__ import annotations

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study2_two_choice.sample_size import SampleSize


def trials_needed(result: SampleSize) -> str:
    """How many trials each observer takes."""
    drawn = result.needed[result.needed["fitted_to"] == "as drawn"]
    parts = [f"{n:,} trials at {name}" for name, n in zip(drawn["observer"], drawn["trials"], strict=True)]
    return f"For an M-ratio interval of half-width {result.half_width:g} it takes {listed(parts)}."


VIEWS = Views("sample_size", sentences={"trials_needed": trials_needed})
