"""What does DMC compute, where does it differ from maximum likelihood, and what stays flat over abilities?"""
