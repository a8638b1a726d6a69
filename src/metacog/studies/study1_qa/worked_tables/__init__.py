"""The published tables on which the measures are introduced."""
