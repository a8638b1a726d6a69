"""What it means when a process dies of a signal, and what to do about it."""

from __future__ import annotations

import signal

#: What mends a build of llama.cpp that does not fit.
REBUILD = (
    "build it again here with `rm -rf .venv && make setup`, or for processors that differ with "
    "`make setup PORTABLE=1`"
)
_COMPILED = (
    "a fault in compiled code, most likely in llama.cpp",
    (f"{REBUILD}; if it comes back, report it with what `metacog doctor` prints"),
)
#: Signal to cause and remedy. By name, since not every system knows every signal.
_MEANINGS = {
    "SIGILL": ("llama.cpp was built for another processor than this one", REBUILD),
    "SIGKILL": (
        "the system ended it, most likely because memory ran out",
        "close other programs, or take a smaller model or a smaller `width` or `n_ctx` in the profile's "
        "engine settings",
    ),
    "SIGSEGV": _COMPILED,
    "SIGFPE": _COMPILED,
    "SIGBUS": (
        "a file it had open was cut short, or the disk is full",
        "make room, then let `metacog doctor` check the models' files",
    ),
    "SIGABRT": ("a library gave up", "the lines printed before say why; `metacog doctor` says what to mend"),
    "SIGTERM": ("somebody asked it to end", "start it again"),
    "SIGHUP": ("its terminal was closed", "start it again"),
    "SIGINT": ("it was interrupted", "start it again"),
}
_UNKNOWN = "nothing more is known", "run `metacog doctor`, and report it with what that prints"


def signal_of(status: int) -> int:
    """The signal that ended a process, 0 if none did; of a status as ``subprocess`` (-4) or a shell (132) gives it."""
    number = -status if status < 0 else status - 128
    return number if 0 < number < 65 else 0


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def obituary(status: int, doing: str) -> str | None:
    """One sentence on a process that a signal ended: cause and remedy; None if it ended by itself.

    The sentence begins with what it did, as in "collecting smollm2-135m on bank".
    """
    number = signal_of(status)
    if not number:
        return None
    name = signal_name(number)
    cause, remedy = _MEANINGS.get(name, _UNKNOWN)
    return f"{doing}: its process died of {name} ({cause}): {remedy}"
