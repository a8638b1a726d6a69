"""H3: is meta-d' stable across temperatures?"""
