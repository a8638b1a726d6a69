"""``python -m metacog.book step ...``, what the Snakefile calls, and ``snakemake`` itself."""

from __future__ import annotations

import logging
import os
import sys
from typing import NoReturn

from metacog.core.errors import MetacogError

USAGE = "usage: python -m metacog.book step NAME -- COMMAND... | snakemake OPTIONS..."
#: Seconds that Snakemake has to put its things in order once the program that started it has ended.
GRACE = 10.0


def main(words: list[str]) -> int:
    """Do what the words say; the exit status."""
    if words[:1] == ["step"]:
        from metacog.book.step import main as step

        return step(words[1:])
    if words[:1] == ["snakemake"]:
        from snakemake.cli import main as snakemake

        from metacog.core.supervise import hold_lifeline

        hold_lifeline(hand_on=True, grace=GRACE)  # by itself it would wait for ever for steps that are gone
        try:
            snakemake(words[1:])
        except SystemExit as end:
            _leave(end.code)
        _leave(0)
    raise MetacogError(USAGE)


def _leave(status: object) -> NoReturn:
    """End without waiting for Snakemake's timers, which have nothing left to do."""
    if isinstance(status, str):
        print(status, file=sys.stderr)
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except MetacogError as error:
        sys.exit(f"metacog: {error}")
