"""What was published, and what is wrong with it?"""
