"""The lines of the collection benchmark: what each measures, and what is made of it."""
