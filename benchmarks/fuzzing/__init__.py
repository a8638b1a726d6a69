"""Inputs that nobody means well: what is read of others (`targets`), from what it is made (`corpus`, `found`), how it
is changed (`mutating`), and what counts as a breach (`judging`). `benchmarks/fuzz.py` runs it."""
