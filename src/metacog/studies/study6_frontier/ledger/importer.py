"""From the atlas's 34 files to the table of rows that the project commits.

``python -m metacog.studies.study6_frontier.ledger.importer`` writes it again, from the data folder, the download cache
or the author's repository (``metacog data fetch atlas``). The question texts are left out.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from metacog.collect.file_sets import FileSet
from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.core.paths import project_root
from metacog.studies.study6_frontier.ledger.rows import COLUMNS, TABLE, committed
from metacog.trials import write_parquet

#: What ``metacog data fetch`` calls the files.
NAME = "atlas"
#: Where the author publishes them, at the commit whose files were read; ``files.csv`` pins each file's checksum. The
#: commit is known by its first seven digits, which this address takes and passes on to where the files lie.
URL = "https://github.com/synthiumjp/metacognitive-profile-atlas/raw/ca31180/data/raw/"
#: What to do about a file that is not as the author published it.
REMEDY = f"delete it and fetch it again (`metacog data fetch {NAME}`)"


def listed() -> pd.DataFrame:
    """``file, bytes, sha256, rows, model`` of every file."""
    return committed_table("data/atlas/files.csv")


FILES = FileSet(NAME, "atlas/raw", URL, lambda: dict(listed()[["file", "sha256"]].itertuples(index=False)))


def read_file(path: Path) -> pd.DataFrame:
    """The rows of one of the files, with :data:`.rows.COLUMNS`; refuses one that is damaged."""
    try:
        raw = pd.read_csv(path, dtype=str, keep_default_na=False)
    except (OSError, UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise MetacogError(f"{path.name} cannot be read as CSV ({error}); {REMEDY}") from None
    if missing := [c for c in COLUMNS[1:] if c not in raw]:
        raise MetacogError(f"{path.name} lacks the column {', '.join(missing)}; {REMEDY}")
    marks = raw["is_correct"].map({"True": True, "False": False})
    numbers = raw[["item_id", "confidence"]].apply(pd.to_numeric, errors="coerce")
    if marks.isna().any() or numbers.isna().to_numpy().any():
        raise MetacogError(f"{path.name} holds a mark, an item or a confidence that is none; {REMEDY}")
    rows = raw.assign(file=path.name, is_correct=marks.astype(bool))
    rows["item_id"] = numbers["item_id"].astype("int16")
    rows["confidence"] = numbers["confidence"].astype("float64")
    return rows[list(COLUMNS)]


def read_files(folder: Path) -> pd.DataFrame:
    """All rows of the files, in the order of ``files.csv``, which says how many each has, and of which model."""
    parts = []
    for one in listed().to_dict("records"):
        rows = read_file(folder / one["file"])
        if len(rows) != one["rows"] or set(rows["model"]) != {one["model"]}:
            raise MetacogError(f"{one['file']} has not the {one['rows']} rows of {one['model']}; {REMEDY}")
        parts.append(rows)
    return pd.concat(parts, ignore_index=True)


def fetch_and_check() -> str:
    """Get the files and read them again; reports how many rows they hold, and where they are."""
    folder = FILES.fetch()
    made = read_files(folder)
    if not made.equals(committed()):
        raise MetacogError(
            f"{TABLE} is not what the files in {folder} give: restore it from the repository, or make it again "
            "with `python -m metacog.studies.study6_frontier.ledger.importer`"
        )
    return f"{len(made):,} rows ready at {folder}, as committed"


def write(rows: pd.DataFrame, path: Path) -> None:
    """Write the table, with its texts as categories."""
    text = [c for c in COLUMNS if rows[c].dtype == object or isinstance(rows[c].dtype, pd.StringDtype)]
    write_parquet(rows.astype(dict.fromkeys(text, "category")), path)


if __name__ == "__main__":
    write(read_files(FILES.fetch()), project_root() / TABLE)
