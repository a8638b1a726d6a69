"""``python -m metacog.book step|render|merge ...``, what the Snakefile calls."""

from __future__ import annotations

import sys
from pathlib import Path

from metacog.core.errors import MetacogError

USAGE = "usage: python -m metacog.book step NAME -- COMMAND... | render PROFILE | merge OUT IN..."


def main(words: list[str]) -> int:
    """Do what the words say; the exit status."""
    if words[:1] == ["step"]:
        from metacog.book.step import main as step

        return step(words[1:])
    if words[:1] == ["render"] and len(words) == 2:
        from metacog.book.rendering import render

        render(words[1])
    elif words[:1] == ["merge"] and len(words) >= 3:
        from metacog.trials import read_trials, write_parquet

        write_parquet(read_trials(words[2:]), Path(words[1]))
    else:
        raise MetacogError(USAGE)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except MetacogError as error:
        sys.exit(f"metacog: {error}")
