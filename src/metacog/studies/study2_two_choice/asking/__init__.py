"""What study 2 asks: sentences, their wordings, and the two collections."""
