"""Study 1: Do LLMs know what they know? (Cacioli 2026, arXiv 2603.25112), as pre-registered and corrected."""
