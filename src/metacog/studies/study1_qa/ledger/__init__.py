"""What study 1 published: figures, claims and trials, and the rows of the ledger that compare them."""
