"""placeholder"""
SCHEDULE = 1
