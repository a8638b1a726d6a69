"""What was asked, of whom, and what came back?"""
