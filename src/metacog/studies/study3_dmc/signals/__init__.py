"""Which signal of confidence tells right answers from wrong ones, and at what cost?"""
