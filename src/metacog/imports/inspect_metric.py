"""AUROC2 as a metric of Inspect, which shows it beside accuracy in its viewer.

Inspect finds it as ``metacog/auroc2`` where both are installed, by the entry point in ``pyproject.toml``.
"""

from __future__ import annotations

from inspect_ai.scorer import Metric, SampleScore, metric

from metacog import sdt
from metacog.imports.inspect_files import Sample
from metacog.imports.inspect_logs import _RIGHT, as_number, confidence


@metric(scores="unreduced")
def auroc2() -> Metric:
    """How well stated confidence tells right from wrong answers, each epoch being an answer of its own.

    Returns
    -------
    Metric
        AUROC2 of the answers that are right or wrong and have a confidence, in their score's value or metadata or in
        their sample's metadata. NaN where all of them are right, or all wrong, or they state it in different places.
    """

    def of(scores: list[SampleScore]) -> float:
        right, sure, places = [], [], set()
        for one in scores:
            value = one.score.value
            if isinstance(value, dict):
                value = next((value[key] for key in _RIGHT if key in value), None)
            told = {"value": one.score.value, "metadata": one.score.metadata}
            found, place = confidence(Sample({"metadata": one.sample_metadata}, str), told, set())
            if place and (number := as_number(value)) in (0.0, 1.0):
                right.append(number)
                sure.append(found)
                places.add(place)
        if len(places) > 1 or len(set(right)) < 2:
            return float("nan")
        return sdt.auroc2(right, sure)

    return of
