"""Simulation-based calibration: the models as they are stated, wrong twins of them, and a test of ranks."""
