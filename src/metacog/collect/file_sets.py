"""Other people's data that come as many files, each with its checksum: found where they lie, or downloaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from metacog.collect.downloads import fetch
from metacog.core.errors import MetacogError
from metacog.core.paths import caches, data_home


@dataclass(frozen=True)
class FileSet:
    """Files of one publisher that belong together."""

    #: What ``metacog data fetch`` calls them.
    name: str
    #: Their folder below ``METACOG_DATA_HOME``, and below ``data`` in the cache.
    place: str
    url: str
    #: Gives the SHA-256 of each file by its name, which may hold folders.
    checksums: Callable[[], Mapping[str, str]]

    def find(self) -> Path | None:
        places = [home / self.place for home in (data_home(), *(one / "data" for one in caches())) if home]
        return next((p for p in places if all((p / file).is_file() for file in self.checksums())), None)

    def fetch(self) -> Path:
        """The folder of the files; those that are not here are downloaded."""
        found = {
            fetch(self.url + quote(file), f"{self.place}/{file}", sha256, self.name).parents[file.count("/")]
            for file, sha256 in self.checksums().items()
        }
        if len(found) > 1:
            here, there = sorted(map(str, found))
            raise MetacogError(
                f"{self.name}: some files are in {here} and others in {there}: complete the first, or take it away"
            )
        return found.pop()
