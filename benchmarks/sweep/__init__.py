"""The sweep over every verdict: simulated runs, what is read from results, and each verdict's null."""
