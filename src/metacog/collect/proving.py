"""Does llama.cpp compute here? A decode in a process of its own, and what became of it.

The process may die (an instruction this processor lacks, a miscompiled kernel); this one lives and says
why. Nothing here loads llama.cpp. As a program it proves the models that have recorded values, prints
one line of JSON for each and leaves with 0 if all are right::

    python -m metacog.collect.proving [MODEL ...]
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from metacog.collect.models import get_model, is_here, locate
from metacog.core.death import signal_name
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

#: Seconds after which a decode that takes two is given up.
PATIENCE = 300.0


@dataclass(frozen=True)
class Proof:
    """What became of a proof."""

    model: str
    #: ``right``; ``wrong`` (other log-probabilities than recorded, or senseless ones); ``died``; ``stuck``;
    #: ``failed`` (llama.cpp cannot be loaded); ``unfit`` (the model's file is at fault).
    outcome: str
    #: Completes a sentence that begins with the model; empty if right.
    why: str = ""
    signal: str = ""
    n_tokens: int = 0
    mean_difference: float | None = None
    largest_difference: float | None = None
    mean_logprob: float | None = None
    seconds: float = 0.0

    @property
    def right(self) -> bool:
        return self.outcome == "right"


def records_folder() -> Path:
    return project_root() / "data" / "proof"


def recorded_models() -> list[str]:
    """Models whose log-probabilities are recorded and whose files are here; none is fetched for it."""
    return [
        name
        for name in sorted(path.stem for path in records_folder().glob("*.json"))
        if is_here(get_model(name))
    ]


def prove_model(name: str) -> Proof:
    try:
        path, _ = locate(get_model(name))
    except MetacogError as error:
        return Proof(name, "unfit", str(error))
    record = records_folder() / f"{name}.json"
    return prove_file(path, record=record if record.is_file() else None, name=name)


def prove_file(
    path: Path,
    *,
    record: Path | None = None,
    name: str = "",
    n_gpu_layers: int = 0,
    command: Sequence[str] = (),
) -> Proof:
    """Prove a GGUF file; never raises for what happens in the process that tries it.

    ``record``: recorded values; without, log-probabilities must be finite and better than chance.
    """
    words = list(command) or [sys.executable, "-m", "metacog.engines.llama.proof"]
    words += [str(path), "--n-gpu-layers", str(n_gpu_layers)]
    words += ["--record", str(record)] if record else []
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return Proof(name or path.name, "stuck", f"did not answer within {PATIENCE:.0f} seconds")
    except OSError as error:
        return Proof(name or path.name, "failed", f"could not be tried ({error.strerror})")
    return read_outcome(name or path.name, done.returncode, done.stdout, done.stderr)


def read_outcome(name: str, code: int, out: str, err: str) -> Proof:
    if code < 0:
        ended = signal_name(-code)
        return Proof(name, "died", f"died with {ended} while it decoded", signal=ended)
    last = (out.strip().splitlines() or [""])[-1]
    verdict = None
    with contextlib.suppress(ValueError):
        verdict = json.loads(last)
    if not isinstance(verdict, dict):
        last = (err.strip().splitlines() or ["no reason given"])[-1]
        return Proof(name, "failed", f"could not be tried: {last}")
    if "error" in verdict:
        return Proof(name, "unfit", verdict["error"])
    numbers = {k: verdict[k] for k in ("n_tokens", "mean_difference", "largest_difference", "mean_logprob")}
    outcome = "right" if verdict["right"] else "wrong"
    return Proof(name, outcome, verdict["why"], seconds=verdict["seconds"], **numbers)


def require(proof: Proof) -> None:
    """Raise what is wrong, and what to do, of a proof that is not right."""
    if proof.outcome == "unfit":
        raise MetacogError(proof.why)
    if proof.outcome == "stuck":
        idle = "if nothing does, `metacog doctor` tells whether the embedded models work"
        raise MetacogError(
            f"{proof.model} {proof.why}: end what keeps the processor busy and try again; {idle}"
        )
    if not proof.right:
        raise MetacogError(
            f"{proof.model} {proof.why}: this build of llama.cpp does not compute it rightly here. "
            "`metacog doctor` tells whether the embedded models work; if they do, the file is at fault"
        )


def main(words: Sequence[str] | None = None) -> int:
    """Prove the named models, or all that have a record."""
    names = list(sys.argv[1:] if words is None else words)
    try:
        proofs = [prove_model(name) for name in names or recorded_models()]
        if not proofs:
            raise MetacogError(f"{records_folder()} has no records of log-probabilities: restore them")
    except MetacogError as error:
        proofs = [Proof("-", "unfit", str(error))]
    for proof in proofs:
        print(json.dumps(asdict(proof)), flush=True)
    return 0 if all(proof.right for proof in proofs) else 1


if __name__ == "__main__":
    sys.exit(main())
