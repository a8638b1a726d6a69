"""H2: does M-ratio differ between domains?"""
