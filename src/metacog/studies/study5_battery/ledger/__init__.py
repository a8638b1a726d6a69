"""What study 5 published: figures, claims and responses, and the rows of the ledger that compare them."""
