"""Does thinking help a model to know itself?"""
