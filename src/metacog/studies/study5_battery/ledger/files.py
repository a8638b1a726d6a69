"""Where the author's 120 response files are: the data folder, the download cache, or his repository."""

from __future__ import annotations

from metacog.collect.questions import FileSet
from metacog.studies.study5_battery.ledger.published import committed

#: What ``metacog data fetch`` calls them.
NAME = "battery-responses"
#: Where the author publishes them; ``files.csv`` pins each file's checksum.
URL = "https://raw.githubusercontent.com/synthiumjp/metacognitive-monitoring-battery/main/data/csvs/"


def _checksums() -> dict[str, str]:
    """SHA-256 by file, as ``files.csv`` has them."""
    listed = committed("files")
    return dict(zip(listed["file"], listed["sha256"], strict=True))


FILES = FileSet(NAME, "battery/csvs", URL, _checksums)
find_files, fetch_files = FILES.find, FILES.fetch
