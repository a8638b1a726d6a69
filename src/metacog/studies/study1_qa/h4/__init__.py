"""H4: do models of similar d' differ in M-ratio?"""
