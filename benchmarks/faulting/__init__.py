"""What `benchmarks/faults.py` breaks: commands whose writes are numbered, and ways in which one of them goes wrong."""
