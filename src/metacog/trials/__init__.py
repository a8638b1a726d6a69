"""The trial table: one row per trial, one schema for every study.

Everything that flows through the house is this table. It is checked at every door
(:func:`validate`), read and written as parquet (:func:`read_trials`, :func:`write_parquet`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pandera.pandas as pa
import pyarrow as pyarrow
import pyarrow.parquet as pq

from metacog.core.errors import MetacogError
from metacog.core.files import replacing

#: Identity of a trial: no two rows may share it.
KEY = ("study", "model", "dataset", "question_id", "temperature", "seed", "prompt_id")

#: Ways in which a text can have been marked; ``unanswered``: the model was still thinking when it ended.
MATCHES = ("exact", "similar", "none", "refusal", "empty", "unanswered", "given")

_finite = pa.Check(lambda s: np.isfinite(s.dropna().to_numpy(dtype=float)).all(), error="must be finite")

#: Core columns of every trial table. Studies add blocks of columns of their own.
SCHEMA = pa.DataFrameSchema(
    {
        "study": pa.Column(str),
        "model": pa.Column(str),
        "dataset": pa.Column(str),
        "question_id": pa.Column(str),
        "question_index": pa.Column("int64", pa.Check.ge(0)),
        "domain": pa.Column(str),
        "temperature": pa.Column("float64", [pa.Check.ge(0), _finite]),
        "seed": pa.Column("int64"),
        "prompt_id": pa.Column(str),
        "text": pa.Column(str),
        "answer": pa.Column(str),
        "n_tokens": pa.Column("int64", pa.Check.ge(0)),
        "sum_logprob": pa.Column("float64", [pa.Check.le(1e-6), _finite], nullable=True),
        "nlp": pa.Column("float64", [pa.Check.le(1e-6), _finite], nullable=True),
        "confidence": pa.Column("float64", [pa.Check.in_range(0, 1)], nullable=True),
        "correct": pa.Column(bool),
        "match": pa.Column(str, pa.Check.isin(MATCHES)),
        "similarity": pa.Column("float64", [pa.Check.in_range(0, 1)], nullable=True),
        "matched_alias": pa.Column(str),
        "refusal": pa.Column(bool),
        "truncated": pa.Column(bool),
        "ran_on": pa.Column(str),  # the next question that the reply went on into, taken off before marking
    },
    strict=False,
    coerce=False,
)

COLUMNS = tuple(SCHEMA.columns)


def validate(
    trials: pd.DataFrame, *, block: pa.DataFrameSchema | None = None, key: Sequence[str] = KEY
) -> pd.DataFrame:
    """Check a trial table and give it back.

    Parameters
    ----------
    trials : DataFrame
        One row per trial, with at least the columns of :data:`COLUMNS`.
    block : DataFrameSchema, optional
        A study's own columns.
    key : sequence of str
        Columns that no two rows may share; a study names its own.

    Returns
    -------
    DataFrame
        The same table.

    Raises
    ------
    MetacogError
        Naming the first columns that are missing or hold wrong values, or the number of
        repeated trials.
    """
    schema = SCHEMA if block is None else SCHEMA.add_columns(block.columns)
    missing = [c for c in schema.columns if c not in trials.columns]
    if missing:
        raise MetacogError(f"the trial table lacks the columns {', '.join(missing)}")
    try:
        schema.validate(trials, lazy=True)
    except pa.errors.SchemaErrors as error:
        cases = error.failure_cases
        first = cases.drop_duplicates("column").head(3)
        what = "; ".join(
            f"{row['column']}: {row['check']} fails, e.g. {row['failure_case']!r}"
            for _, row in first.iterrows()
        )
        raise MetacogError(f"the trial table is not well formed ({len(cases)} cases): {what}") from None
    repeated = int(trials.duplicated(list(key)).sum())
    if repeated:
        raise MetacogError(
            f"{repeated} trials are repeated (same {', '.join(key)}): the table was put together twice"
        )
    return trials


def write_parquet(trials: pd.DataFrame, path: Path, metadata: dict[str, str] | None = None) -> None:
    """Write a table atomically: temporary name, flush to disk, rename.

    Parameters
    ----------
    trials : DataFrame
    path : Path
        Final name; the folder is made if need be.
    metadata : dict of str, optional
        Stored in the parquet footer under the given keys.

    Raises
    ------
    MetacogError
        If the disk is full or the folder cannot be written; nothing is left behind.
    """
    table = pyarrow.Table.from_pandas(trials, preserve_index=False)
    if metadata:
        footer = {**(table.schema.metadata or {}), **{k.encode(): v.encode() for k, v in metadata.items()}}
        table = table.replace_schema_metadata(footer)
    with replacing(path, "wb") as handle:
        pq.write_table(table, handle, compression="zstd")


def read_trials(paths: Path | str | Iterable[Path | str]) -> pd.DataFrame:
    """Read one or several trial tables and check them.

    Raises
    ------
    MetacogError
        If a file is missing, is not parquet, or the table is not well formed.
    """
    files = [Path(paths)] if isinstance(paths, str | Path) else [Path(p) for p in paths]
    if not files:
        raise MetacogError("no trial table was named")
    frames = []
    for file in files:
        try:
            frames.append(pd.read_parquet(file))
        except FileNotFoundError:
            raise MetacogError(f"there is no trial table at {file}: run `metacog collect` first") from None
        except (OSError, pyarrow.ArrowInvalid) as error:
            raise MetacogError(
                f"{file} is not a readable parquet file ({error}): delete it and collect again"
            ) from None
    return validate(pd.concat(frames, ignore_index=True))
