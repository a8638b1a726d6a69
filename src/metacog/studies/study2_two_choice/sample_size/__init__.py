"""How many trials does an M-ratio take?"""
