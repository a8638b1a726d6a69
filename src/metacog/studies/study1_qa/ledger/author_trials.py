"""The author's own 224,000 trials, where a reader has fetched them.

``m1_trial_data.csv`` holds one row per trial with the columns model, dataset, temperature,
question_index, nlp, correct, domain. The file is downloaded, never part of the repository; without
it the ledger's rows that rest on it wait.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import caches, data_home

NAME = "cacioli-trials"
#: Below ``METACOG_DATA_HOME``, and below ``data`` in the cache.
FILE = "cacioli/m1_trial_data.csv"
#: Where the author publishes it.
URL = "https://raw.githubusercontent.com/synthiumjp/sdt_calibration/main/m1_type2/m1_trial_data.csv"
#: No checksum of the file is known yet; the first download's is recorded and held to.
SHA256: str | None = None

KEY = ("model", "dataset", "temperature", "question_index")
COLUMNS = (*KEY, "nlp", "correct", "domain")
UNCLASSIFIED = "Unclassified"
#: Domains the study counts as Unclassified.
NOT_ANALYSED = ("Sports", "Pop Culture")


def find_author_trials() -> Path | None:
    home = data_home()
    places = [home / FILE, home / Path(FILE).name] if home else []
    places += [one / "data" / FILE for one in caches()]
    return next((p for p in places if p.is_file()), None)


def fetch_and_check() -> str:
    """Find the file or download it once, and read it; says how many trials it holds, and where it lies."""
    from metacog.collect.downloads import fetch

    path = find_author_trials() or fetch(URL, FILE, SHA256, NAME)
    return f"{len(load_author_trials(path)):,} trials ready at {path}"


def load_author_trials(path: Path | str) -> pd.DataFrame:
    """Read and check the trials: :data:`COLUMNS`, one row per trial.

    Rows that repeat model, dataset, temperature and question index are dropped (the first stays);
    Sports, Pop Culture and missing domains count as Unclassified.
    """
    path = Path(path)
    try:
        raw = pd.read_csv(path, dtype={"model": str, "dataset": str, "domain": str})
    except FileNotFoundError:
        raise MetacogError(f"there is no file {path}: run `metacog data fetch {NAME}`") from None
    except (OSError, UnicodeDecodeError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise MetacogError(f"{path} cannot be read as CSV ({error}); delete it and fetch it again") from None
    if missing := [c for c in COLUMNS if c not in raw.columns]:
        raise MetacogError(
            f"{path} lacks the columns {', '.join(missing)}; the author's file has {', '.join(COLUMNS)}"
        )
    trials = raw[list(COLUMNS)].copy()
    trials["correct"] = _as_bool(trials["correct"], path)
    for column in ("temperature", "question_index", "nlp"):
        trials[column] = pd.to_numeric(trials[column], errors="coerce")
    if trials[["temperature", "question_index"]].isna().to_numpy().any():
        raise MetacogError(f"{path}: temperature and question_index must be numbers in every row")
    if np.isinf(trials["nlp"].to_numpy(dtype=float)).any():
        raise MetacogError(f"{path}: nlp holds infinite values")
    trials["question_index"] = trials["question_index"].astype("int64")
    trials = trials.drop_duplicates(list(KEY), ignore_index=True)
    unclassified = trials["domain"].isna() | trials["domain"].isin(NOT_ANALYSED)
    trials["domain"] = trials["domain"].mask(unclassified, UNCLASSIFIED)
    if SHA256 is not None and hashlib.sha256(path.read_bytes()).hexdigest() != SHA256:
        raise MetacogError(f"{path} is not the published file (checksum differs); delete it and fetch again")
    return trials


def _as_bool(column: pd.Series, path: Path) -> pd.Series:
    if column.dtype == bool:
        return column
    text = column.astype(str).str.strip().str.lower()
    known = {"1": True, "0": False, "1.0": True, "0.0": False, "true": True, "false": False}
    values = text.map(known)
    if values.isna().any():
        example = column[values.isna()].iloc[0]
        raise MetacogError(f"{path}: correct must be 0/1 or True/False in every row, found {example!r}")
    return values.astype(bool)
