"""What can M-ratio show for open answers, and what does version 2 measure instead?"""
