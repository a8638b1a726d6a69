"""Faults that are no write's: a manifest cut short, two at once, another model served, and memory that runs out.

A cluster's jobs that are killed are tested with a real Slurm (`tests/real_slurm.py`).
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from faulting.running import HANG, Ran, said
from faulting.scenes import Scene, scene

#: What is left of a manifest, as shares of its bytes.
CUTS = (0.0, 0.1, 0.5, 0.9, 0.99)
#: The request from which a server answers as another model.
TURNS = 20


def told(
    where: Scene, last: Ran, message: str, writer: str, *, times: int = 1, fails: str = ""
) -> dict[str, Any]:
    """A row of the table: how the clone differs, once the last command has ended, and what was said."""
    found = where.difference()
    wrong = [fails, f"does not go on: {said(last.err, where.house)}" if last.status else ""]
    wrong.append("hangs" if last.hung else "")
    wrong.append("traceback" if "Traceback" in last.err + message else "")
    wrong.append(f"other results: {', '.join(found.results[:3])}" if found.results else "")
    return {
        "writer": writer,
        "times": times,
        "lost": found.lost,
        "doubled": found.doubled,
        "changed": found.changed,
        "results": len(found.results),
        "asked_again": 0,
        "left": last.left,
        "wrong": "; ".join(filter(None, wrong)),
        "message": message.replace(str(where.house), "CLONE")[:400],
    }


def half_written_manifest(work: Path, shim: Path) -> dict[str, Any]:
    """A manifest of which a part is there."""
    with scene("collect", work, shim) as where:
        fails = ""
        for share in CUTS:
            where.begin()
            where.run(forked=True)
            (manifest,) = (where.house / "runs").rglob("manifest.json")
            data = manifest.read_bytes()
            manifest.write_bytes(data[: int(share * len(data))])
            last = where.run(forked=True)
            found = where.difference()
            fails = fails or ("replies differ" if found.lost + found.doubled + found.changed else "")
            fails = fails or ("nothing is said" if "damaged" not in last.err else "")
        return told(where, last, last.err.strip(), "manifest.json", times=len(CUTS), fails=fails)


def two(name: str, work: Path, shim: Path) -> dict[str, Any]:
    """The same command twice at once."""
    with scene(name, work, shim) as where:
        where.begin()
        options = {"cwd": where.house, "env": where.environment, "stdin": subprocess.DEVNULL, "text": True}
        both = [
            subprocess.Popen(where.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload]
            for _ in range(2)
        ]
        ends = [(child.communicate(timeout=HANG)[1], child.returncode) for child in both]
        fails = "neither succeeds" if all(status for _, status in ends) else ""
        message = next((err.strip() for err, _ in ends if err.strip()), "")
        return told(where, where.run(), message, "the whole command", fails=fails)


def two_books_at_once(work: Path, shim: Path) -> dict[str, Any]:
    """Two books are made in one folder."""
    return two("book", work, shim)


def two_collections_at_once(work: Path, shim: Path) -> dict[str, Any]:
    """Two processes collect the same run."""
    return two("collect", work, shim)


def another_model_served(work: Path, shim: Path) -> dict[str, Any]:
    """A server answers as another model from some request on, and keeps to that when it is asked again."""
    with scene("served", work, shim) as where:
        where.begin()
        first, alike = where.asked(), "model"
        where.proxy.faults = lambda number, body: alike if number > first + TURNS else ""
        stopped = where.run()
        refused = where.run()
        alike = ""
        fails = "" if stopped.status and refused.status else "it goes on with another model"
        message = f"{said(stopped.err, where.house)} / {said(refused.err, where.house)}"
        return told(where, where.run(), message, "the server", times=2, fails=fails)


def worker_out_of_memory(work: Path, shim: Path) -> dict[str, Any]:
    """The process that asks may have no more memory, or is ended by the system for it."""
    with scene("collect", work, shim) as where:
        where.begin()
        ended = where.run(STANDIN_SIGNAL="SIGKILL", STANDIN_BLOCKS="1")
        refused = where.run(STANDIN_HUNGRY="1")
        both = [said(ran.err, where.house) for ran in (ended, refused)]
        fails = "" if ended.status and refused.status and all("memory" in one for one in both) else "not told"
        fails = fails or ("traceback" if "Traceback" in refused.err else "")
        return told(where, where.run(), " / ".join(both), "the engine", times=2, fails=fails)


#: In the order of their numbers in the table.
OTHERS: tuple[Callable[[Path, Path], dict[str, Any]], ...] = (
    half_written_manifest,
    two_collections_at_once,
    two_books_at_once,
    another_model_served,
    worker_out_of_memory,
)
