"""What every estimator asks of its input, and the one error it raises."""


class InputError(ValueError):
    """Input an estimator cannot work with: the message says what is wrong and what to do."""
