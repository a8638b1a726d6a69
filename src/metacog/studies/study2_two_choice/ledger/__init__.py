"""What study 2 published, and its rows of the ledger."""
