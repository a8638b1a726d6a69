"""Where the author's 120 response files are: the data folder, the download cache, or his repository."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import cache_dir, data_home, published_file
from metacog.studies.study5_battery.ledger.published import FOLDER

#: What ``metacog data fetch`` calls them.
NAME = "battery-responses"
#: Below ``METACOG_DATA_HOME``, and below ``data`` in the cache.
PLACE = "battery/csvs"
#: Where the author publishes them; ``files.csv`` pins each file's checksum.
URL = "https://raw.githubusercontent.com/synthiumjp/metacognitive-monitoring-battery/main/data/csvs/"


def find_files() -> Path | None:
    """The folder that holds all the files, if they are here."""
    home = data_home()
    places = [home / PLACE] if home else []
    places.append(cache_dir() / "data" / PLACE)
    wanted = [row["file"] for row in _listed()]
    return next((p for p in places if all((p / file).is_file() for file in wanted)), None)


def fetch_files() -> Path:
    """The folder of the files; those that are not here are downloaded.

    Raises
    ------
    MetacogError
        If a file cannot be downloaded or is not the one whose checksum ``files.csv`` gives, or if some lie
        in the data folder and some do not.
    """
    from metacog.collect.downloads import fetch

    results = {
        fetch(URL + quote(row["file"]), f"{PLACE}/{row['file']}", row["sha256"], NAME).parents[1]
        for row in _listed()
    }
    if len(results) > 1:
        here, there = sorted(map(str, results))
        raise MetacogError(
            f"{NAME}: some files are in {here} and others in {there}: complete the first, or take it away"
        )
    return results.pop()


def committed(name: str) -> pd.DataFrame:
    """A table that the project commits, all entries text."""
    return pd.read_csv(published_file(f"{FOLDER}/{name}.csv"), dtype=str, keep_default_na=False)


def _listed() -> list[dict[str, str]]:
    """The files of ``files.csv``."""
    return [{str(k): str(v) for k, v in row.items()} for row in committed("files").to_dict("records")]
