"""Every model of the book in one table."""
