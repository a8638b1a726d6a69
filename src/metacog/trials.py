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

#: Ways in which a text can have been marked; ``near``: similar, but with another number, numeral or single letter, and
#: so wrong; ``unanswered``: the model was still thinking when it ended.
MATCHES = ("exact", "similar", "near", "none", "refusal", "empty", "unanswered", "given")


def loosely_right(trials: pd.DataFrame) -> pd.Series:
    """Whether each answer is right if similarity overrides numbers, numerals and single letters."""
    return trials["correct"] | (trials["match"] == "near")


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
    """Check a trial table, with a study's own columns (``block``), and give it back; no two rows may share the
    ``key``.

    Raises
    ------
    MetacogError
        Naming the first columns that are missing or hold wrong values, or the number of repeated trials.
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
    """Write a table atomically (temporary name, flush to disk, rename), with ``metadata`` in the parquet footer.

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


# What confidence in open answers was taken from, and the number that it is measured by.

NLP, VERBAL, P_TRUE, AGREEMENT = SIGNALS = ("nlp", "verbal", "p-true", "agreement")
#: Each signal in words that finish "confidence is ...".
WORDS = {
    NLP: "the mean log-probability of an answer's own words (the papers' NLP)",
    VERBAL: "the percentage that the model writes when it is asked how likely its answer is right",
    P_TRUE: "the probability that the model gives to True when its answer is proposed to it",
    AGREEMENT: "the share of further answers to the same question that are the same answer",
}
#: Column of a trial's signal; trials without it are of NLP.
SIGNAL = "signal"
#: Column of the number that orders trials by confidence.
SCORE = "score"


def scored(trials: pd.DataFrame) -> pd.DataFrame:
    """Trials with the column ``score``: NLP where it is the signal, else the trial's confidence.

    A table that has the column keeps it.
    """
    if SCORE in trials:
        return trials
    if SIGNAL not in trials:
        return trials.assign(**{SCORE: trials["nlp"]})
    return trials.assign(**{SCORE: trials["nlp"].where(trials[SIGNAL] == NLP, trials["confidence"])})


def signals_of(trials: pd.DataFrame) -> dict[str, str]:
    """Each model's signal, in the order in which the models come."""
    if SIGNAL not in trials:
        return dict.fromkeys(trials["model"].unique(), NLP)
    first = trials.drop_duplicates("model")
    return dict(zip(first["model"], first[SIGNAL], strict=True))


#: Models named in a count at most.
_NAMED = 3


def copies(table: pd.DataFrame, *, apart_from: Sequence[str] = ()) -> pd.Series:
    """Which rows repeat an earlier row wholly, compared as text.

    Columns ``apart_from`` may differ, such as the file a row was read from.
    """
    return table.drop(columns=list(apart_from)).astype("string").duplicated()


def repeated(table: pd.DataFrame, key: Sequence[str]) -> pd.Series:
    """Which rows have the key of an earlier row, compared as text, whatever else they hold.

    They may be further samples, a second run, or two models under one name; a table does not tell which.
    """
    return table[list(key)].astype("string").duplicated()


def counted_by(rows: pd.DataFrame, column: str | None) -> str:
    """``1,000 of alpha, 3 of beta``: rows by the entries of a column, the most frequent first.

    Without a column, their number alone.
    """
    if column is None:
        return f"{len(rows):,} rows"
    counts = rows[column].astype(str).value_counts()
    shown = ", ".join(f"{n:,} of {name}" for name, n in counts.head(_NAMED).items())
    rest = len(counts) - _NAMED
    return shown + (f", and {int(counts.iloc[_NAMED:].sum()):,} of {rest} more models" if rest > 0 else "")
