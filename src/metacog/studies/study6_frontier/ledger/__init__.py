"""What the atlas printed, and the rows that it was computed from."""
