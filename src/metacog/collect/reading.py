"""From raw replies to trials: read again in seconds whenever marking, parsing or a schema changes."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pandera.pandas as pa

from metacog.collect.collection import Collection
from metacog.collect.manifest import LEFT_OUT, Manifest
from metacog.collect.plan import Plan
from metacog.collect.replies import Known, read_part
from metacog.core.code import code_digest
from metacog.core.config import digest
from metacog.core.errors import MetacogError
from metacog.engines import next_question
from metacog.engines.requests import Choose, Conversation, Generate, Request
from metacog.trials import SCHEMA, validate

#: What a row of trials holds where the study says nothing of it.
BLANK: dict[str, Any] = {
    "domain": "",
    "text": "",
    "answer": "",
    "n_tokens": 0,
    "sum_logprob": math.nan,
    "nlp": math.nan,
    "confidence": math.nan,
    "correct": False,
    "match": "given",
    "similarity": math.nan,
    "matched_alias": "",
    "refusal": False,
    "truncated": False,
    "ran_on": "",
}


@dataclass(frozen=True)
class Reading:
    """Trials and what was met on the way."""

    trials: pd.DataFrame
    n_items: int
    #: Items whose conversation would now be led another way; left out, never mixed in.
    diverged: tuple[str, ...]
    #: Items without replies (a collection that needs others' trials may come to pick other items).
    unasked: tuple[str, ...]
    n_unparsed: int
    left_out: str = ""

    @property
    def counts(self) -> dict[str, int]:
        """Items asked now, those that were asked ``otherwise``, and those ``unasked``."""
        return {"items": self.n_items, "otherwise": len(self.diverged), "unasked": len(self.unasked)}

    def remarks(self) -> list[str]:
        """Sentences about what the trials lack; none if all is well."""
        found = [f"left out: {self.left_out}"] if self.left_out else []
        if self.diverged:
            found.append(
                f"{len(self.diverged)} of {self.n_items} conversations would now be led another way and are "
                f"left out (first: {self.diverged[0]}); `metacog collect` asks them again"
            )
        if self.unasked:
            found.append(
                f"{len(self.unasked)} of {self.n_items} items that the trials of today pick were not asked, "
                "since those trials were read in another way then; delete the run's folder to ask all again"
            )
        if self.n_unparsed:
            found.append(f"{self.n_unparsed} of {len(self.trials)} replies could not be parsed")
        return found


def replies_digest(folders: Iterable[Path]) -> str:
    """Digest of all replies below some run folders (their parts' checksums)."""
    stored = (
        sorted(Manifest.stored(folder)["parts"].items(), key=lambda kv: int(kv[0])) for folder in folders
    )
    return digest([[block, part["sha256"]] for parts in stored for block, part in parts])


def read_replies(plans: Iterable[tuple[Plan, Path]], *, packed: bool = False) -> Reading:
    """Read a set's trials from the parts of its shards.

    ``plans``: shards and their run folders, in order; ``packed``: the replies come from a pack and may be to
    requests of another day: items without one are left out.
    """
    rows: list[dict[str, Any]] = []
    diverged: list[str] = []
    unasked: list[str] = []
    n_items, plan, left_out = 0, None, ""
    for plan, folder in plans:
        manifest = Manifest.stored(folder)
        if manifest["status"] == LEFT_OUT:
            left_out = str(manifest["left_out"])
            continue
        known = stored_replies(plan, folder, packed=packed)
        for number in plan.shard_numbers:
            item, n_items = plan.items[number], n_items + 1
            if item.id not in known:
                unasked.append(item.id)
                continue
            talk = plan.conversation(number)
            if not talk.told_whole_by(known[item.id]):
                diverged.append(item.id)
                continue
            rows += _rows(plan, number, talk)
    if plan is None:
        raise MetacogError("no run was named to read trials from")
    if diverged and not rows:
        raise MetacogError(
            f"{plan.title}: none of the stored replies answers what is asked today ({len(diverged)} of {n_items} "
            "items were asked in another way): `metacog collect` asks again"
        )
    trials = _table(plan, rows)
    unparsed = int((trials["parse_status"] != "ok").sum()) if "parse_status" in trials else 0
    return Reading(trials, n_items, tuple(diverged), tuple(unasked), unparsed, left_out)


def trials_of(plan: Plan, talks: Iterable[tuple[int, Conversation]]) -> pd.DataFrame:
    """Trials of conversations that have ended, each with the number of its item."""
    return _table(plan, [row for number, talk in talks for row in _rows(plan, number, talk)])


def _rows(plan: Plan, number: int, talk: Conversation) -> Iterator[dict[str, Any]]:
    item, first = plan.items[number], talk.exchanges[0].request
    for row in plan.collection.read(item, talk.replies, plan.settings):
        yield {**_identity(plan, item, number, first), **row}


def stored_replies(plan: Plan, folder: Path, *, packed: bool = False) -> dict[str, Known]:
    """All replies of a run that is whole, by item."""
    manifest = Manifest.stored(folder)
    parts = [folder / "parts" / part["file"] for part in manifest["parts"].values()]
    wanted = len(manifest["parts"]) if plan.collection.needs or packed else len(plan.blocks)
    missing = wanted - sum(part.is_file() for part in parts)
    if missing > 0 or manifest["status"] != "complete":
        raise MetacogError(f"{folder}: {missing} parts are missing; run `metacog collect`")
    found: dict[str, Known] = {}
    for part in parts:
        found.update(read_part(part))
    return found


def _identity(plan: Plan, item: Any, number: int, first: Request) -> dict[str, Any]:
    index = getattr(item, "index", None)
    temperature, seed = 0.0, 0
    if isinstance(first, Generate) and first.seeds:
        temperature, seed = first.temperatures[0], first.seeds[0]
    elif isinstance(first, Choose):
        temperature, seed = first.temperature, first.seed or 0
    return {
        "study": plan.study,
        "model": plan.entry.name,
        "dataset": plan.dataset,
        "question_id": item.id,
        "question_index": number if index is None else index,
        "temperature": float(temperature),
        "seed": seed,
        "prompt_id": plan.prompt.id,
        **BLANK,
        "domain": getattr(item, "domain", ""),
    }


def _table(plan: Plan, rows: list[dict[str, Any]]) -> pd.DataFrame:
    schema = SCHEMA.add_columns(plan.collection.block.columns)
    trials = pd.DataFrame(rows, columns=list(schema.columns))
    if not rows:
        trials = trials.astype({name: _dtype(column) for name, column in schema.columns.items()})
    for name, value in [("temperature", 0.0), *BLANK.items()]:
        if isinstance(value, float):
            trials[name] = trials[name].astype("float64")
    return validate(
        trials, block=plan.collection.block, key=("study", "model", "dataset", *plan.collection.key)
    )


def _dtype(column: pa.Column) -> Any:
    """What a column of an empty table is made of, which no value tells."""
    made = column.dtype.type
    return "str" if getattr(made, "kind", "") == "U" else made


def reading_key(plan: Plan, replies: str) -> str:
    """Key of a reading: the replies and the code that ``read`` imports."""
    return digest([replies, reading_code(plan.collection)])


def reading_code(collection: Collection) -> str:
    """Digest of the module that holds ``read``, of the one that cuts replies, and of all of ours that they import."""
    modules = type(collection).__module__, next_question.__name__
    files = (Path(str(sys.modules[module].__file__)) for module in modules)
    tops = modules[0].partition(".")[0], modules[1].partition(".")[0]
    return digest(
        [
            next_question.token_texts_digest(),
            *(code_digest(f, tops=(top,)) for f, top in zip(files, tops, strict=True)),
        ]
    )
