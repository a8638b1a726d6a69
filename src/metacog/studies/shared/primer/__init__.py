"""The measures built one after the other from one small table."""
