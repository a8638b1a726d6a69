"""What is in the answers of people and models: what is said of it."""

from __future__ import annotations

from metacog.report.views import Views
from metacog.studies.study8_people.reading import Reading


def uneven(result: Reading) -> str:
    """How much of the table is there."""
    return (
        f"{result.n_all_items} of {result.n_models} models answered all {result.n_items} items, the others the "
        f"{result.n_by_people} that people wrote. {result.n_same_weights} models share their weights with another."
    )


VIEWS = Views("reading", sentences={"uneven": uneven})
