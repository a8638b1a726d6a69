"""What study 3's paper published, and its rows of the ledger."""

from metacog.studies.study3_dmc.ledger.entries import LEDGER

__all__ = ["LEDGER"]
