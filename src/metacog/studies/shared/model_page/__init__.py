"""What does one model answer, and how well does it know it?"""
