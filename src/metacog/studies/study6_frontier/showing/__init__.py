"""Columns, looks and words that pages of study 6 share."""
