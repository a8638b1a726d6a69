"""Do the ratings behave as ratings should?"""
