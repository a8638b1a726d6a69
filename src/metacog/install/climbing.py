"""Down the ladder: build, install, prove; the next safer build where a proof fails."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metacog.core.death import signal_name
from metacog.core.errors import MetacogError
from metacog.install.running import Failed, Log, inherited
from metacog.install.variants import Variant

#: Names a command to run in place of the proof: tests let builds "die" with it. The variant's name is in
#: METACOG_SETUP_VARIANT; it prints and exits as ``metacog.collect.proving`` does.
STAND_IN = "METACOG_SETUP_PROOF"

#: Signals that another build may be spared. Others (KILL: no memory; TERM, INT: somebody) it would not.
_BUILD_FAULT = {"SIGILL", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGABRT", "SIGTRAP"}

#: Seconds for the proof of all models.
_PATIENCE = 900.0


@dataclass(frozen=True)
class Climbed:
    """Where the ladder held: the variant, a proof a model, and the variants that failed before, and why."""

    variant: Variant
    proofs: tuple[dict[str, Any], ...]
    passed_over: tuple[str, ...]


def climb(
    variants: Sequence[Variant],
    place: Callable[[Variant], object],
    prove: Callable[[Variant], Sequence[Mapping[str, Any]]],
    echo: Callable[[str], object],
) -> Climbed:
    """Try variants, the best first, until one is proved; end where the trouble is one that no other build mends.

    ``place`` builds a variant and installs it; ``prove`` gives one proof per model, as ``metacog.collect.proving``
    prints them.
    """
    passed_over: list[str] = []
    for number, variant in enumerate(variants):
        try:
            place(variant)
            proofs = tuple(dict(proof) for proof in prove(variant))
            trouble = trouble_in(proofs)
        except Failed as failure:
            if failure.hopeless:
                raise
            trouble = str(failure)
        if not trouble:
            return Climbed(variant, proofs, tuple(passed_over))
        passed_over.append(f"{variant.title}: {trouble}")
        echo(f"      llama.cpp built {variant.title} will not do here: {trouble}")
        if number + 1 < len(variants):
            echo(f"      building the next safer one, {variants[number + 1].title}")
    raise MetacogError("\n  ".join(["llama.cpp works in none of the ways it can be built:", *passed_over]))


def trouble_in(proofs: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with the build, as the first failed proof tells it; empty if nothing is.

    Trouble that is not the build's fails without hope.
    """
    if not proofs:
        return "the check gave no result"
    failed = next((proof for proof in proofs if proof.get("outcome") != "right"), None)
    if failed is None:
        return ""
    why, outcome = f"{failed['model']} {failed['why']}", failed["outcome"]
    if outcome == "unfit":
        raise Failed(f"the check could not be made: {failed['why']}", hopeless=True)
    if outcome == "died" and failed["signal"] not in _BUILD_FAULT:
        hint = ": too little memory, most likely" if failed["signal"] == "SIGKILL" else ""
        raise Failed(f"{why}{hint}", hopeless=True)
    if outcome == "stuck":
        busy = "end what keeps the processor busy and run make setup again"
        raise Failed(f"{why}: {busy}; if nothing does, make setup PORTABLE=1", hopeless=True)
    return why


def prove_in(python: Path, root: Path, log: Log, variant: Variant) -> list[dict[str, Any]]:
    """Run the proof with the environment's Python, or the stand-in that :data:`STAND_IN` names."""
    stand_in = os.environ.get(STAND_IN, "")
    command = shlex.split(stand_in) or [str(python), "-m", "metacog.collect.proving"]
    log.write(f"$ {shlex.join(command)}")
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env={**inherited(), "METACOG_SETUP_VARIANT": variant.name},
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return [_outcome("stuck", f"did not answer within {_PATIENCE:.0f} seconds")]
    except OSError as error:
        return [_outcome("failed", f"could not be run ({error.strerror})")]
    for line in (done.stdout + done.stderr).splitlines():
        log.write(line)
    if done.returncode < 0:
        ended = signal_name(-done.returncode)
        return [_outcome("died", f"died with {ended}", ended)]
    proofs = [_parsed(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 and all(proof["outcome"] == "right" for proof in proofs):
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        return [_outcome("failed", f"could not be run: {last}")]
    return proofs


def _parsed(line: str) -> dict[str, Any]:
    try:
        proof = json.loads(line)
        return {**proof, "outcome": str(proof["outcome"])}
    except (ValueError, KeyError, TypeError):
        return _outcome("failed", f"gave an answer that cannot be read: {line[:80]}")


def _outcome(outcome: str, why: str, ended: str = "") -> dict[str, Any]:
    return {"model": "the check", "outcome": outcome, "why": why, "signal": ended}
