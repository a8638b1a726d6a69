"""The same experiments on the models of the run."""
