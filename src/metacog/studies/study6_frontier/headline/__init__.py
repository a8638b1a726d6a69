"""The room's result of each model in one number, for the table of all models."""
