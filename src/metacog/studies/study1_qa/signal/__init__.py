"""What was confidence taken from?"""
