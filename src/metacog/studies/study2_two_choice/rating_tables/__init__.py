"""Tables of two-choice decisions by rating, for readers to load."""
