"""What is in the rows: repeats, partial runs, replies without an answer, ties."""
