"""Published tables the tests of the estimators compare with."""

import csv
import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


def published_path(name: str) -> Path:
    """A published table: in the repository, or next to the data the environment points at."""
    places = [ROOT / "data" / "published", ROOT.parent / "shared" / "published"]
    if "METACOG_DATA_HOME" in os.environ:
        places.append(Path(os.environ["METACOG_DATA_HOME"]).parent / "published")
    for place in places:
        if (place / name).is_file():
            return place / name
    pytest.skip(f"{name} is not in data/published")


def published(name: str) -> list[dict[str, str]]:
    """Rows of a published table as text."""
    with open(published_path(name), newline="") as handle:
        return list(csv.DictReader(handle))


@cache
def cacioli_cells() -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray]]:
    """(incorrect, correct) by rating of the eight model x dataset cells at T = 1."""
    cells: dict[tuple[str, str], dict[int, tuple[int, int]]] = {}
    for row in published("cacioli_counts_T1.csv"):
        key = row["model"], row["dataset"]
        cells.setdefault(key, {})[int(row["rating"])] = int(row["n_incorrect"]), int(row["n_correct"])
    return {k: tuple(np.array([v[r] for r in range(1, 9)]).T) for k, v in cells.items()}
