"""The one exception that users see: what is wrong, and what to do about it."""


class MetacogError(Exception):
    """A problem the user can mend.

    The command line prints the message without a traceback and exits with status 2,
    so the message must say what is wrong *and* what to do.
    """
