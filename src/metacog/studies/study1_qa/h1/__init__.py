"""H1: is M-ratio below 1 in every model?"""
