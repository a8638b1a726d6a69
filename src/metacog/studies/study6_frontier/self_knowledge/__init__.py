"""Is it self-knowledge?"""
