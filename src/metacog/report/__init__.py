"""Figures, tables and the ledger of published against reproduced figures."""
