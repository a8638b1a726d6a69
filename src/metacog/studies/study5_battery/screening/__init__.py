"""Are the signals fit to be measured?"""
