"""``python -m metacog.book step|render ...``, what the Snakefile calls, ``snakemake`` itself, and ``forkserver``."""

from __future__ import annotations

import sys

from metacog.core.errors import MetacogError

USAGE = "usage: python -m metacog.book step NAME -- COMMAND... | render PROFILE | snakemake OPTIONS..."
#: Seconds that Snakemake has to put its things in order once the program that started it has ended.
GRACE = 10.0


def main(words: list[str]) -> int:
    """Do what the words say; the exit status."""
    if words[:1] == ["step"]:
        from metacog.book.step import main as step

        return step(words[1:])
    if words[:1] == ["forkserver"] and len(words) == 2:
        from metacog.book.forkserver import main as serve

        serve(int(words[1]))
        return 0
    if words[:1] == ["snakemake"]:
        from snakemake.cli import main as snakemake

        from metacog.core.supervise import hold_lifeline

        hold_lifeline(hand_on=True, grace=GRACE)  # by itself it would wait for ever for steps that are gone
        snakemake(words[1:])
        return 0
    if words[:1] == ["render"] and len(words) == 2:
        from metacog.book.rendering import render

        render(words[1])
    else:
        raise MetacogError(USAGE)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except MetacogError as error:
        sys.exit(f"metacog: {error}")
