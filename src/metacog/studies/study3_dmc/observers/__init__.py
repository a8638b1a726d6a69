"""Simulated observers of study 3."""
