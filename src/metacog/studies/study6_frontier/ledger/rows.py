"""The atlas's rows: the committed table, and the trials that are left when repeated rows are dropped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.measures.model_items import ModelItems
from metacog.studies.study6_frontier.paper import FAMILIES, IMPUTED, as_text
from metacog.trials import copies, counted_by, repeated

#: Where the rows lie, below the project's root.
TABLE = "data/atlas/atlas_rows.parquet"
#: Columns of the table.
COLUMNS = (
    "file",
    "model",
    "item_id",
    "subject",
    "domain",
    "answer",
    "correct_answer",
    "is_correct",
    "confidence",
)
#: An answer that is none of the four options: no letter was found in the reply.
NO_ANSWER = "X"


@dataclass(frozen=True)
class Rows:
    """The rows of the atlas, one a model and item, and how many repeat another in all but the file (``copied``: whose).

    ``score`` is from 0 to 100; ``stated`` is False where the number is known to have been put in by the parser of the
    replies.
    """

    trials: pd.DataFrame
    n_read: int
    n_copies: int
    copied: str

    @property
    def stated(self) -> pd.DataFrame:
        """What every chapter computes from: :func:`stated` of the trials. The ledger alone counts all, as printed."""
        return stated(self.trials)


def stated(trials: pd.DataFrame) -> pd.DataFrame:
    """The trials without those whose confidence the parser put in: it is nobody's, and says nothing of the model."""
    return trials[trials["stated"]]


def partly_stated(trials: pd.DataFrame | None = None) -> tuple[str, ...]:
    """Models that stated a confidence in some replies alone: pages show them hollow and give them no rank."""
    rows = load().trials if trials is None else trials
    return tuple(sorted(rows.loc[~rows["stated"], "model"].unique()))


def committed() -> pd.DataFrame:
    """The committed table, as the files have it: :data:`COLUMNS`, text but for ``is_correct`` and the numbers."""
    path = project_root() / TABLE
    if not path.is_file():
        raise MetacogError(f"{TABLE} is missing: restore it from the repository")
    table = pd.read_parquet(path)
    if missing := [c for c in COLUMNS if c not in table]:
        raise MetacogError(f"{TABLE} lacks the column {', '.join(missing)}: restore it from the repository")
    text = [c for c in COLUMNS if isinstance(table[c].dtype, pd.CategoricalDtype)]
    return table[list(COLUMNS)].astype(dict.fromkeys(text, str))


@cache
def _load() -> Rows:
    return read(committed())


def load() -> Rows:
    """The committed rows without their repeats."""
    made = _load()
    return Rows(made.trials.copy(), made.n_read, made.n_copies, made.copied)


def read(table: pd.DataFrame) -> Rows:
    """Drop copies, count and name them, and give rows the names that readers know; refuse damaged rows."""
    again = copies(table, apart_from=["file"])
    kept = table[~again]
    known = as_text("models").set_index("model")
    names = table["model"].map(known["short"])
    if names.isna().any():
        raise MetacogError(f"{table.loc[names.isna(), 'model'].iloc[0]} is no model of the atlas")
    _check(kept)
    trials = pd.DataFrame(
        {
            "model": names[~again],
            "family": kept["model"].map(known["family"]).replace(FAMILIES),
            "question_id": kept["item_id"].map("{:04d}".format),
            "subject": kept["subject"],
            "domain": kept["domain"],
            "answer": kept["answer"],
            "key": kept["correct_answer"],
            "correct": kept["is_correct"].astype(bool),
            "score": kept["confidence"].astype(float),
            "confidence": kept["confidence"].astype(float) / 100,
        }
    ).reset_index(drop=True)
    model, value = IMPUTED
    trials["stated"] = ~(trials["model"].eq(model) & trials["score"].eq(value))
    named = counted_by(table[again].assign(model=names[again]), "model") if again.any() else ""
    return Rows(trials, len(table), int(again.sum()), named)


def _check(rows: pd.DataFrame) -> None:
    """Raise what is wrong with rows without copies."""
    twice = repeated(rows, ["model", "item_id"])
    odd = rows["is_correct"].astype(bool) != (rows["answer"] == rows["correct_answer"])
    wrong = {
        "rows repeat an item of the same model": twice,
        "marks are not what answer and key say": odd,
        "confidences are not between 0 and 100": ~rows["confidence"].between(0, 100),
    }
    for what, found in wrong.items():
        if found.any():
            first = rows[found].iloc[0]
            raise MetacogError(
                f"{TABLE}: {int(found.sum())} {what}, first {first['model']}, {first['item_id']}; restore it from the "
                "repository"
            )


def model_items(trials: pd.DataFrame | None = None) -> ModelItems:
    """Trials as models by items, with families, subjects, answers and key; models in alphabetical order.

    Without those whose confidence was put in (:func:`stated`).
    """
    rows = stated(load().trials if trials is None else trials)
    return ModelItems.of(
        rows.sort_values(["model", "question_id"], kind="stable"),
        family="family",
        stratum="subject",
        answer="answer",
        key="key",
    )
