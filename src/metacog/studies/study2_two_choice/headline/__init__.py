"""The study's result of each model in one number, for the page of a model."""
