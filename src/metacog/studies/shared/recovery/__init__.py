"""Does the estimator find what was put in? Simulated deciders whose values are known."""
