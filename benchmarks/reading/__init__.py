"""Logs that other programs write of invented tasks, for `benchmarks/log_readers.py`."""
