"""What stands in the environment: which build of llama.cpp, made how, for which processor."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from metacog.core.files import replacing
from metacog.install.processor import Processor, this_processor

#: Lies in the environment's folder, next to the Makefile's stamp.
NAME = ".llama-build.json"


@dataclass(frozen=True)
class BuildRecord:
    """A build that was proved and kept.

    Attributes
    ----------
    variant, title : str
    native : bool
        Whether it holds the instructions of the processor it was built on.
    portable : bool
        Whether a portable build was asked for.
    key : str
        Digest of what made it.
    version, compiler, python : str
    processor : str
        The one it was built on.
    instructions : tuple of str
        That processor's.
    prefix : str
        Where the environment lay.
    passed_over : tuple of str
        Better variants that failed, and why.
    """

    variant: str
    title: str
    native: bool
    portable: bool
    key: str
    version: str
    compiler: str
    python: str
    processor: str
    instructions: tuple[str, ...]
    prefix: str
    passed_over: tuple[str, ...] = ()

    def troubles(self, prefix: Path, processor: Processor | None = None) -> list[str]:
        """What does not fit the machine or the place any more; empty if all does."""
        processor = processor or this_processor()
        found = []
        if os.path.realpath(self.prefix) != os.path.realpath(prefix):
            found.append(f"it was set up in {self.prefix} and has been moved or copied")
        missing = sorted(set(self.instructions) - processor.instructions) if self.native else []
        if missing:
            named = ", ".join(missing[:6]) + (" ..." if len(missing) > 6 else "")
            found.append(f"it was built for {self.processor}; this {processor.name} lacks {named}")
        return found


def read_record(prefix: Path) -> BuildRecord | None:
    """The record in an environment's folder; None where set-up left none."""
    try:
        raw: dict[str, Any] = json.loads((prefix / NAME).read_text(encoding="utf-8"))
        raw |= {name: tuple(raw[name]) for name in ("instructions", "passed_over")}
        return BuildRecord(**raw)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def write_record(prefix: Path, record: BuildRecord) -> None:
    """Write the record, whole or not at all.

    Raises
    ------
    MetacogError
        If it cannot be written.
    """
    with replacing(prefix / NAME) as handle:
        json.dump(asdict(record), handle, indent=1)


def forget_record(prefix: Path) -> None:
    """Remove the record: what stands in the environment is not proved."""
    (prefix / NAME).unlink(missing_ok=True)


def mentions(proofs: Sequence[Mapping[str, Any]]) -> list[str]:
    """One line per model on how near its log-probabilities came to the recorded ones."""
    lines = []
    for proof in proofs:
        if proof.get("mean_difference") is None:
            lines.append(f"{proof['model']} decodes, log-probability {proof['mean_logprob']:.2f} on average")
        else:
            average, most = proof["mean_difference"], proof["largest_difference"]
            lines.append(
                f"{proof['model']} decodes: {proof['n_tokens']} log-probabilities differ from the recorded "
                f"ones by {average:.3f} on average, {most:.2f} at most"
            )
    return lines
