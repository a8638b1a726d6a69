"""What do the first paper's counts show for the same models?"""
