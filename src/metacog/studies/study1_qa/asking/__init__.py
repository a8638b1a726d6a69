"""What study 1 asks: its questions, how answers are marked, and the classes of its questions."""
