"""What study 4 published: figures and claims, and the rows of the ledger that compare them."""
