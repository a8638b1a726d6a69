"""``python3 -m metacog.install``: what ``make setup`` calls."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.install.stages import Options, set_up


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make setup", description="Make .venv and build llama.cpp in it.")
    parser.add_argument("--venv", type=Path, default=Path(".venv"), help="the environment's folder")
    parser.add_argument(
        "--log", type=Path, default=Path("results/logs/setup.log"), help="where all chatter goes"
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--portable", action="store_true", default=None, help="build for any processor")
    choice.add_argument("--native", dest="portable", action="store_false", help="build for this processor")
    parser.add_argument("-v", "--verbose", action="store_true", help="print the log, too")
    given = parser.parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is ended, too
    try:
        root = project_root()
        # not resolve(): an interpreter or environment may be reached through a link on purpose
        set_up(Options(root, root / given.venv, root / given.log, given.portable, given.verbose))
    except MetacogError as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nset-up was stopped; run it again to go on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
