"""One step of the workflow: runs its command, and tells whoever watches how it began and ended.

Collecting calls its command through here. Below ``metacog book`` the notes go to the
file that the display follows; on a cluster, or from Snakemake called by hand, only the lines printed
remain. Imports little, since it is started for every step.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import deque
from collections.abc import Sequence

from metacog.core.death import obituary
from metacog.core.events import STEP, emit
from metacog.core.supervise import hold_lifeline, run_child

#: Lines of a failed step's output among which its message is looked for.
LAST_LINES = 40


def main(arguments: Sequence[str]) -> int:
    """``python -m metacog.book step NAME -- COMMAND...``; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m metacog.book step", description=__doc__)
    parser.add_argument("name", help="The step in plain words.")
    parser.add_argument("command", nargs="+", help="After --: what to run.")
    given = parser.parse_args(list(arguments))
    return run_step(given.name, given.command)


def run_step(name: str, command: Sequence[str]) -> int:
    """Run a step's command; 0 if it succeeded, else 1."""
    hold_lifeline()
    os.environ[STEP] = f"{os.getpid()}-{time.time_ns()}"
    emit("start", name=name, page="")
    started = time.monotonic()
    last: deque[str] = deque(maxlen=LAST_LINES)

    def copy(line: str) -> None:
        last.append(line)
        print(line, end="", flush=True)

    ended = run_child(command, output=copy)
    seconds = time.monotonic() - started
    if ended.status == 0:
        emit("end", name=name, seconds=seconds)
        print(f"{name} ... {seconds:.0f} s", flush=True)
        return 0
    if ended.stopped:
        print(f"{name} was stopped", flush=True)
        return 1
    message = obituary(ended.status, name) or complaint(last) or f"{name} failed without a word"
    emit("fail", name=name, seconds=seconds, message=message)
    print(f"{name} failed after {seconds:.0f} s: {message}", file=sys.stderr, flush=True)
    return 1


def complaint(lines: Sequence[str]) -> str:
    """The last words of a failed command: our own error if there is one, else its last lines."""
    words = [line.rstrip() for line in lines if line.strip()]
    ours = [k for k, line in enumerate(words) if line.startswith("metacog: ")]
    if ours:
        return "\n".join(words[ours[-1] :]).removeprefix("metacog: ")
    if any(line.startswith("Traceback ") for line in words):
        return words[-1]
    return "\n".join(words[-3:])
