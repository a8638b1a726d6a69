"""Can the confidence of a model be used: how often is it right, where to draw the line, which signal to take?"""
