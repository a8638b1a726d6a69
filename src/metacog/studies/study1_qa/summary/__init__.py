"""What did this run find?"""
