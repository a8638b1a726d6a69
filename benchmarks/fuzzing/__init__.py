"""Inputs that nobody means well: what is read of others (`targets`), small sound inputs (`seeds/`), how these are
changed (`inputs`), those that once were breaches (`found`), and what counts as one (`judging`). `benchmarks/fuzz.py`
runs it."""
