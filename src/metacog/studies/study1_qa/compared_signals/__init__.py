"""What is lost without log-probabilities?"""
