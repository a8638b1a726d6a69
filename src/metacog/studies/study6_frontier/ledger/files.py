"""Where the atlas's 34 files are: the data folder, the download cache, or the author's repository."""

from __future__ import annotations

import pandas as pd

from metacog.collect.questions import FileSet
from metacog.core.frames import committed_table

#: What ``metacog data fetch`` calls them.
NAME = "atlas"
#: The list of them, below the project's root.
LIST = "data/atlas/files.csv"
#: Where the author publishes them, at the commit whose files were read; ``files.csv`` pins each file's checksum. The
#: commit is known by its first seven digits, which this address takes and passes on to where the files lie.
URL = "https://github.com/synthiumjp/metacognitive-profile-atlas/raw/ca31180/data/raw/"


def listed() -> pd.DataFrame:
    """``file, bytes, sha256, rows, model`` of every file."""
    return committed_table(LIST)


def _checksums() -> dict[str, str]:
    table = listed()
    return dict(zip(table["file"], table["sha256"], strict=True))


FILES = FileSet(NAME, "atlas/raw", URL, _checksums)
