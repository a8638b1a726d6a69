"""The rows of 83 models on MMLU-Pro: the committed table, families, and signals as models by items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.collect.file_sets import FileSet
from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.core.paths import project_root
from metacog.measures.model_items import FloatArray, ModelItems
from metacog.sdt import wilson

#: Where the rows lie, below the project's root.
TABLE, ITEMS, FAMILIES, LIST = (
    f"data/mmlu_pro/{name}" for name in ("answers.parquet", "items.csv", "families.csv", "files.csv")
)
#: Files that the analyses read.
FILES = (TABLE, ITEMS, FAMILIES)
#: What ``metacog data fetch`` calls the source's files.
NAME = "mmlu_pro"
URL = "https://raw.githubusercontent.com/Linwei94/LLM-Calibration-Study/ddc349e31695f3c2f8b8dfb2c3376a720914df55/"
LETTERS = tuple("ABCDEFGHIJ")
#: The number that a model wrote, the mean probability of its reply's tokens, and how sure the reply sounds to a judge.
STATED, TOKENS, TONE = "stated", "token_probability", "hedging"
SIGNALS = (STATED, TOKENS, TONE)
#: As readers know them.
CALLED = {STATED: "stated confidence", TOKENS: "token probability", TONE: "how sure it sounds"}


@dataclass(frozen=True)
class Rows:
    """All rows, models (of ``families.csv``) by items; answers and keys are positions in :data:`LETTERS`.

    An answer that was not found is -1, a signal that is missing NaN.
    """

    models: pd.DataFrame
    items: pd.DataFrame
    answer: NDArray[np.int8]
    key: NDArray[np.int8]
    signals: dict[str, FloatArray]
    n_tokens: NDArray[np.int32]

    @property
    def right(self) -> NDArray[np.bool_]:
        """Whether a model's answer is the key, shape ``(M, N)``; an answer that was not found is not."""
        return self.answer == self.key

    def usable(self, signal: str) -> FloatArray:
        """A signal without what lies outside 0 to 1, shape ``(M, N)``."""
        values = self.signals[signal]
        return np.where((values >= 0) & (values <= 1), values, np.nan)

    def model_items(self, signal: str = STATED, *, unanswered: str = "left out") -> ModelItems:
        """One of :data:`SIGNALS` as the confidence of answers; values outside 0 to 1 are missing.

        Replies in which no answer was found are ``"left out"``, or ``"wrong"``.
        """
        if signal not in SIGNALS or unanswered not in ("left out", "wrong"):
            raise ValueError(f"no signal {signal!r}, or unanswered replies cannot be {unanswered!r}")
        level = self.usable(signal)
        there = np.isfinite(level) & ((self.answer >= 0) | (unanswered == "wrong"))
        kept = there.any(axis=1)
        models, there = self.models[kept], there[kept]
        return ModelItems(
            tuple(models["model"]),
            tuple(f"{item:05d}" for item in self.items["item"]),
            np.where(there, self.right[kept], np.nan),
            np.where(there, level[kept], np.nan),
            tuple(models["family"]),
            tuple(self.items["category"]),
            np.where(there, self.answer[kept], -1).astype(np.int64),
            LETTERS,
            self.key.astype(np.int64),
        )


def constant_share(rows: Rows) -> float:
    """Share of items whose key is the commonest letter: what whoever always answers it gets right."""
    return float(np.bincount(rows.key, minlength=len(LETTERS)).max() / rows.key.size)


def at_chance(rows: Rows) -> NDArray[np.bool_]:
    """Runs that do no better than one letter throughout, by Wilson's limit of their found answers, shape ``(M,)``."""
    n = np.maximum((rows.answer >= 0).sum(axis=1), 1)
    return np.asarray(wilson(rows.right.sum(axis=1) / n, n)[0] <= constant_share(rows))


def counted(rows: Rows) -> list[str]:
    """Models that are counted: all but those at chance, whose answers nothing can tell apart."""
    return [str(name) for name in rows.models["model"][~at_chance(rows)]]


@cache
def load() -> Rows:
    """The committed rows."""
    path = project_root() / TABLE
    if not path.is_file():
        raise MetacogError(f"{TABLE} is missing: restore it from the repository")
    table = pd.read_parquet(path)
    families = committed_table(FAMILIES, keep_default_na=False)
    return read(
        table,
        committed_table(ITEMS),
        families.assign(billions=pd.to_numeric(families["billions"], errors="coerce")),
    )


def read(table: pd.DataFrame, items: pd.DataFrame, families: pd.DataFrame) -> Rows:
    """Arrange the rows as models by items; refuse a table that is not one row of each."""
    models = families[families["model"].isin(table["model"].unique())].reset_index(drop=True)
    if lost := sorted(set(table["model"].unique()) - set(models["model"])):
        raise MetacogError(f"{FAMILIES} lacks {', '.join(lost)}: give it a family and a reason")
    who = pd.Categorical(table["model"].astype(str), categories=models["model"]).codes
    where = pd.Index(items["item"]).get_indexer(pd.Index(table["item"]))
    shape = (len(models), len(items))
    at = who.astype(np.int64) * shape[1] + where
    if where.min() < 0 or len(table) != shape[0] * shape[1] or np.unique(at).size != at.size:
        raise MetacogError(f"{TABLE} is not one row of each model and item: restore it from the repository")
    key = pd.Categorical(items["key"], categories=LETTERS).codes
    answer = pd.Categorical(table["answer"].astype("object"), categories=LETTERS).codes
    if key.min() < 0 or (answer < 0).sum() != table["answer"].isna().sum():
        raise MetacogError(f"{TABLE} or {ITEMS} holds an answer that is no letter from A to J")
    place = np.empty(at.size, dtype=np.int64)
    place[at] = np.arange(at.size)

    def grid(values: NDArray) -> NDArray:
        return values[place].reshape(shape)

    return Rows(
        models,
        items,
        grid(answer),
        key,
        {signal: grid(table[signal].to_numpy(dtype=np.float64)) for signal in SIGNALS},
        grid(table["n_tokens"].to_numpy()),
    )


def _checksums() -> dict[str, str]:
    table = committed_table(LIST)
    return dict(zip(table["file"], table["sha256"], strict=True))


SOURCE = FileSet(NAME, NAME, URL, _checksums)


def fetch_and_check() -> str:
    """Get the source's files, held to their checksums; reports how many there are, and where."""
    folder = SOURCE.fetch()
    return f"{len(_checksums())} files ready at {folder}, as listed"
