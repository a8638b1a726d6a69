"""What study 5 published: figures, claims and responses, and the rows of the ledger that compare them."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """``LEDGER``, imported when it is asked for: its rows are computed by what reads the published files."""
    if name == "LEDGER":
        from metacog.studies.study5_battery.ledger.entries import LEDGER

        return LEDGER
    raise AttributeError(name)
