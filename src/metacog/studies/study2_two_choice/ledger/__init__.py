"""What study 2 published, and its rows of the ledger."""

from metacog.studies.study2_two_choice.ledger.entries import LEDGER as LEDGER
