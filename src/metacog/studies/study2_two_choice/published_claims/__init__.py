"""Which of the published verdicts do the counts give?"""
