"""What study 3 asks: collections, binary questions, and the names of the ways of asking."""
