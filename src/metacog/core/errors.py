"""The one exception that users see: what is wrong, and what to do about it."""

import importlib.metadata
import re
from importlib.util import find_spec

#: Letters that a message has at most, but for the dots in its middle.
LONGEST = 3000
_STEERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class MetacogError(Exception):
    """A problem the user can mend.

    The command line prints the message without a traceback and exits with :attr:`exit_status`,
    so the message must say what is wrong *and* what to do. Names that stand in it may be anybody's: what would
    steer a terminal is left out, and of more than :data:`LONGEST` letters the middle.
    """

    #: Exit status of a command that ends with this error.
    exit_status = 2

    def __init__(self, message: object = "") -> None:
        text = _STEERS.sub("\ufffd", str(message))
        half = LONGEST // 2
        super().__init__(text if len(text) <= LONGEST else f"{text[:half]} ... {text[-half:]}")


def extra_for(module: str) -> str:
    """The extra that brings a module, as this package's own metadata say; empty if none does."""
    try:
        requirements = importlib.metadata.requires("metacog") or []
    except importlib.metadata.PackageNotFoundError:
        return ""
    package = module.partition(".")[0].replace("_", "-")
    named = re.compile(
        rf"{re.escape(package)}(?![A-Za-z0-9]).*extra == .(bayes|ask|book|lab)\b", re.IGNORECASE
    )
    return next((found[1] for line in requirements if (found := named.match(line))), "")


def lacks(module: str) -> bool:
    """Whether a module is not installed, without importing it."""
    try:
        return find_spec(module) is None
    except ModuleNotFoundError:
        return True


class Stopped(MetacogError):
    """The user stopped the work (Ctrl-C, or a signal that asks a process to end)."""

    exit_status = 130
