"""What study 3's paper published, and its rows of the ledger."""
