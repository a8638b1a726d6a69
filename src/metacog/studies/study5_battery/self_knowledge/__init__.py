"""Is what the probes say knowledge of oneself?"""
