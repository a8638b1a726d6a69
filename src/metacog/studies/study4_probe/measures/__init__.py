"""Scores of the probe and what is computed from them, for this run and for the published panel."""
