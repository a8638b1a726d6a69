"""What is it good for?"""
