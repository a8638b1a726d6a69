"""The sweep over every verdict: simulated runs, what is read from results, and which null belongs to which."""
