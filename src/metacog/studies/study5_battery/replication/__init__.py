"""The battery on the models of the run."""
