"""What is said to hold, by which rule, of whom, and who is undecided: judged here, shown by ``metacog.report``."""
