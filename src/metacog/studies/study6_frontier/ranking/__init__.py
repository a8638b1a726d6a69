"""33 models, ranked as far as they can be."""
