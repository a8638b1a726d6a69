"""How much of confidence could be read from the surface of an answer?"""
