"""Counts of right and wrong answers by rating, which the questions of study 1 share."""
