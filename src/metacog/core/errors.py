"""The one exception that users see: what is wrong, and what to do about it."""


class MetacogError(Exception):
    """A problem the user can mend.

    The command line prints the message without a traceback and exits with :attr:`exit_status`,
    so the message must say what is wrong *and* what to do.
    """

    #: Exit status of a command that ends with this error.
    exit_status = 2


class Stopped(MetacogError):
    """The user stopped the work (Ctrl-C, or a signal that asks a process to end)."""

    exit_status = 130
