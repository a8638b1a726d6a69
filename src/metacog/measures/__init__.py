"""Counts and trials -> one table of estimates with intervals and flags; differences between models."""

from metacog.measures.tidy import measures_of

__all__ = ["measures_of"]
