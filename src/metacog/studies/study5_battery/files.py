"""Where the author's 120 response files are: the data folder, the download cache, or his repository."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from urllib.parse import quote

import pandas as pd

from metacog.core.paths import cache_dir, data_home, published_file
from metacog.studies.study5_battery.published import FOLDER

#: Below ``METACOG_DATA_HOME``, and below ``data`` in the cache.
PLACE = "battery/csvs"
#: Where the author publishes them; ``files.csv`` pins each file's checksum.
URL = "https://raw.githubusercontent.com/synthiumjp/metacognitive-monitoring-battery/main/data/csvs/"


def find_files() -> Path | None:
    """The folder that holds all the files, if they are here."""
    home = data_home()
    places = [home / PLACE] if home else []
    places.append(cache_dir() / "data" / PLACE)
    wanted = [str(row["file"]) for row in _listed()]
    return next((p for p in places if all((p / file).is_file() for file in wanted)), None)


def fetch_files() -> Path:
    """The folder of the files; those that are not here are downloaded.

    Raises
    ------
    MetacogError
        If a file cannot be downloaded, or is not the one whose checksum ``files.csv`` gives.
    """
    from metacog.collect.downloads import fetch

    for row in _listed():
        path = fetch(
            URL + quote(str(row["file"])), f"{PLACE}/{row['file']}", str(row["sha256"]), "battery responses"
        )
    return path.parents[1]


def _listed() -> list[dict[Hashable, str]]:
    """The files of ``files.csv``."""
    return pd.read_csv(published_file(f"{FOLDER}/files.csv"), dtype=str).to_dict("records")
