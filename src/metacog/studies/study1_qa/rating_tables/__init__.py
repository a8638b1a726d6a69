"""Tables of right and wrong answers by rating, for readers to load."""
