"""Counts and trials -> one table of estimates with intervals and flags; differences between models."""
