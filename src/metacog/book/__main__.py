"""``python -m metacog.book PROFILE RECEIPT``: what a cluster's job does, one task that asks a model."""

from __future__ import annotations

import sys

from metacog.core.errors import MetacogError
from metacog.core.supervise import run_self


def main(words: list[str]) -> int:
    """Ask what the receipt is of, in a process of its own whose death is told; the exit status."""
    from metacog.book.plan import workflow

    if len(words) != 2 or words[1] not in (asked := workflow(words[0]).collected):
        raise MetacogError("usage: python -m metacog.book PROFILE RECEIPT, a receipt of that profile")
    task = asked[words[1]]
    profile, study, collection, model, shard, receipt, _ = task.words
    chosen = ["--study", study, "--collection", collection, "--model", model, "--shard", shard]
    parts = task.parts()
    task.begin()
    status = run_self(
        ["collect", "--profile", profile, *chosen, "--receipt", receipt],
        task.name,
        lambda said: print(f"{task.name}: {said}", file=sys.stderr),
    )
    if status == 0:
        task.keep(parts)
    return status


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except MetacogError as error:
        sys.exit(f"metacog: {error}")
