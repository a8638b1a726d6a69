"""What a model is asked: one question and the lines behind it, as they are sent."""
