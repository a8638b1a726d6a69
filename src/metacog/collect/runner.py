"""The resumable runner: conversations in, parts of raw replies and a manifest out, for every study alike.

Items are cut into blocks, and a block's conversations are carried on together by the engine. The
schedule of a block depends on the plan alone, so a run that was interrupted anywhere and resumed gives
the same replies as one that was not. A part is written atomically and then vouched for in the manifest;
whatever the manifest does not vouch for is asked again. With an endpoint each reply of an unfinished
block is journalled, and resuming replays the conversations against the journal.

A run's account is ``spent.json`` in its folder, written after every request. So a limit counts what earlier calls of
the command spent, and one that is raised goes on from there. Accounts stay where they were made: packs leave them out.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from math import isnan
from pathlib import Path
from typing import Any

from metacog.collect.asked_twice import ask_twice, drawn, share_of
from metacog.collect.folder_lock import exclusive
from metacog.collect.manifest import LEFT_OUT, Manifest
from metacog.collect.models import ModelEntry
from metacog.collect.packs import take_from
from metacog.collect.plan import Loaded, Plan, check_form, open_engine, why_left_out
from metacog.collect.replies import Journal, n_answers, read_part, to_table
from metacog.core.config import digest
from metacog.core.errors import MetacogError
from metacog.core.progress import Progress
from metacog.core.provenance import commit, versions
from metacog.engines.base import Spent
from metacog.engines.batches import Batch, Deferred
from metacog.engines.budget import Budget, Limits, Prices, Tally
from metacog.engines.capabilities import Capabilities
from metacog.engines.engine import Engine
from metacog.engines.requests import Generated
from metacog.install.processor import this_processor
from metacog.trials import write_parquet

ACCOUNT = "spent.json"


def account(folder: Path) -> Tally:
    path = folder / ACCOUNT
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
        return Tally(**{one.name: known[one.name] for one in fields(Tally)})
    except FileNotFoundError:
        return Tally()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MetacogError(
            f"{path}, which says what the run has spent, cannot be read ({type(error).__name__}): "
            "write down there what you know was spent, or delete it to count from nothing"
        ) from None


class Spending:
    """A command's budget, and the account of the run that is asked now."""

    def __init__(self, limits: Limits | None = None, runs: Iterable[Path] = ()) -> None:
        spent = Tally()
        for folder in set(runs):
            spent.add(account(folder))
        self.budget = Budget(limits, spent)
        self.tally = Tally()

    def open(self, entry: ModelEntry, settings: dict[str, Any] | None = None) -> Engine:
        return open_engine(
            entry, {**(settings or {}), **({"budget": self.budget} if entry.is_endpoint else {})}
        )

    def turn_to(self, entry: ModelEntry, folder: Path | None) -> None:
        """Go on with a run; without a folder its account is kept nowhere (a dry run)."""
        prices = Prices(**entry.prices) if entry.prices else None
        if self.budget.limits.cost is not None and prices is None and entry.is_endpoint:
            raise MetacogError(
                f"--max-cost needs to know what model {entry.name!r} costs: add `prices: {{prompt: ..., answer: ...}}` "
                "(per million tokens) to its file in config/models"
            )
        self.tally = account(folder) if folder else Tally()
        tally = self.tally

        def keep(took: Tally) -> None:
            tally.add(took)
            if folder:
                temporary = folder / f"{ACCOUNT}.tmp{os.getpid()}"
                temporary.write_text(json.dumps(asdict(tally), indent=1) + "\n", encoding="utf-8")
                os.replace(temporary, folder / ACCOUNT)

        self.budget.turn_to(prices, keep)


#: Answers of batches, in the folder of a run that waits for more.
BATCH = "batch.jsonl"


@dataclass(frozen=True)
class RunReport:
    """What a call of :func:`collect` did; ``n_items`` of which ``n_new`` were asked now.

    ``left_out`` says why nothing was asked, where the engine cannot do what the collection requires; ``n_left`` are
    items that wait for answers of a batch.
    """

    folder: Path
    n_items: int
    n_new: int
    n_kept: int
    damaged: list[str]
    changed: list[int]
    seconds: float
    left_out: str = ""
    n_left: int = 0


def collect(
    plan: Plan,
    folder: Path,
    *,
    engine: Engine | None = None,
    models: Loaded | None = None,
    progress: bool = True,
    bar: Progress | None = None,
    packs: Sequence[Path] = (),
    spending: Spending | None = None,
    batch: Batch | None = None,
    wait: float = 0.0,
) -> RunReport:
    """Ask what has no reply yet; parts that are there are verified and kept.

    The plan's model is loaded only if anything is missing (a collection that was left out is settled by what its
    manifest says of the engine): ``engine`` if given, else by ``models``, which keeps it for later runs, else for this
    one. ``bar`` is one bar for this run and others. From ``packs`` blocks are taken before anything is asked; ``batch``
    takes requests to an endpoint, or answers them, in the server's place. ``wait``: seconds to wait for another process
    that holds the folder. Whatever stops it, finished parts stay, and the same call goes on from there.
    """
    with exclusive(folder, wait):
        started = time.time()
        if packs:
            take_from(packs, plan.place, folder)
        manifest = Manifest(folder, plan.config, plan.config_hash)
        if engine is None and manifest.data["status"] == LEFT_OUT and (why := _left_out(plan, manifest)):
            return RunReport(folder, 0, 0, 0, [], [], time.time() - started, left_out=why)
        picked = digest([item.id for item in plan.items])
        whole, damaged = manifest.verify()
        changed = [b for b in plan.blocks if b in whole and _changed(plan, b, manifest.part_path(b))]
        todo = [b for b in plan.blocks if b not in whole or b in changed]
        if plan.collection.needs and manifest.data.get("picked", picked) != picked:
            todo = _picked_otherwise(manifest, plan, damaged)
        kept = len(plan.shard_numbers) - sum(len(plan.numbers(b)) for b in todo)
        if todo:
            check_form(plan)
        left = 0
        what, alone = f"collecting {plan.title}", bar is None
        if bar is not None:
            bar.turn_to(what, kept)
        if todo or _wants_twice(manifest, plan):
            bar = bar or Progress(what, len(plan.shard_numbers), kept, unit="items", show=progress)
            spending = spending or Spending()
            of_this_call = Loaded(spending.open)
            if plan.entry.is_endpoint:
                spending.turn_to(plan.entry, folder)
            engine = engine or (models or of_this_call).engine(plan.entry, plan.profile.engine)
            _use_batch(engine, batch, plan, folder)
            manifest.data["picked"] = picked
            try:
                session = _begin(manifest, engine, started)
                if why := _left_out(plan, manifest):
                    return RunReport(folder, 0, 0, 0, damaged, changed, time.time() - started, left_out=why)
                if todo and share_of(plan):
                    manifest.data.setdefault("twice", {"share": share_of(plan)})
                bar.begin()
                for block in todo:
                    begun, before = time.perf_counter(), getattr(engine, "spent", None)
                    try:
                        answers, facts = _ask_block(plan, block, manifest, engine)
                    except Deferred:
                        left += len(plan.numbers(block))
                        continue
                    seconds = time.perf_counter() - begun
                    session["items"] += len(plan.numbers(block))
                    session["seconds"] = round(time.time() - started, 1)
                    now = getattr(engine, "spent", None)
                    spent = (
                        Spent(*(b - a for a, b in zip(before, now, strict=True))) if before and now else None
                    )
                    manifest.add_part(block, answers, seconds, spent, session["started"], **facts)
                    manifest.part_path(block).with_suffix(".journal").unlink(missing_ok=True)
                    bar.update(len(plan.numbers(block)))
                if not left:
                    _complete(manifest, plan)
                if not left and _wants_twice(manifest, plan):
                    with suppress(Deferred):
                        manifest.data["twice"] |= ask_twice(
                            plan, folder, engine, drawn(plan, manifest.data["twice"]["share"])
                        )
            finally:
                if plan.entry.is_endpoint:
                    manifest.data["spent"] = asdict(spending.tally)
                    manifest.save()
                if alone:
                    bar.close()
                of_this_call.close()
        if not left:
            _complete(manifest, plan)
            if not _wants_twice(manifest, plan):
                (folder / BATCH).unlink(missing_ok=True)
    n_items = len(plan.shard_numbers)
    return RunReport(
        folder, n_items, n_items - kept - left, kept, damaged, changed, time.time() - started, n_left=left
    )


def _complete(manifest: Manifest, plan: Plan) -> None:
    if manifest.data["status"] != "complete":
        manifest.data |= {"status": "complete", "n_items": len(plan.shard_numbers)}
        manifest.save()


def _wants_twice(manifest: Manifest, plan: Plan) -> bool:
    asked = manifest.data.get("twice", {})
    return bool(asked.get("share")) and "items" not in asked and share_of(plan) > 0


def _use_batch(engine: Engine, batch: Batch | None, plan: Plan, folder: Path) -> None:
    if batch is None:
        return
    if not plan.entry.is_endpoint:
        raise MetacogError(f"model {plan.entry.name!r} runs on this machine: batch files are for endpoints")
    batch.turn_to(plan.config_hash, folder / BATCH)
    engine.answer_from(batch)  # type: ignore[attr-defined]


def _begin(manifest: Manifest, engine: Engine, started: float) -> dict[str, Any]:
    """Write down who asks, and open an entry for this session; refuses another model than answered before."""
    info = engine.info
    before = manifest.data.get("engine", {}).get("settings", {}).get("served_model")
    now = str(info.settings.get("served_model", ""))
    if before and now and before != now and any((manifest.folder / "parts").iterdir()):
        raise MetacogError(
            f"{manifest.folder} has replies of {before[:80]!r}, and now {now[:80]!r} answers: have the first served "
            "again, or ask the second under a name of its own in config/models"
        )
    manifest.data.update(
        status="running",
        engine={**asdict(info), "versions": {**versions(), **info.versions}},
        commit=commit(),
    )
    session: dict[str, Any] = {
        "started": round(started, 1),
        "cpus": os.cpu_count(),
        "processor": this_processor().name,
        "commit": commit(),
        "items": 0,
    }
    manifest.data["sessions"].append(session)
    manifest.save()
    return session


def _left_out(plan: Plan, manifest: Manifest) -> str:
    """Why the engine cannot be asked this collection, written down in the manifest; empty if it can."""
    why = why_left_out(plan, Capabilities(**manifest.data["engine"]["capabilities"]))
    manifest.data.pop("left_out", None)
    if why and manifest.data["parts"]:
        raise MetacogError(f"{plan.title}: a part of it was collected, and now it cannot go on: {why}")
    if why:
        manifest.data |= {"status": LEFT_OUT, "left_out": why}
        manifest.save()
    return why


def _ask_block(plan: Plan, block: int, manifest: Manifest, engine: Engine) -> tuple[int, dict[str, Any]]:
    """Carry a block's conversations to their end and write their replies; how many, and facts for the manifest.

    ``censored`` is the number of answers with tokens whose log-probabilities were not told, ``served`` who answered
    and how many requests, ``in_flight`` how many requests at a time a server was sent at most.
    """
    numbers = plan.numbers(block)
    journalled = getattr(engine, "journalled", False)
    journal = Journal(manifest.part_path(block).with_suffix(".journal")) if journalled else None
    try:
        talks = []
        for number in numbers:
            item = plan.items[number].id
            talk = plan.conversation(number, heard=journal.writer(item, number) if journal else None)
            if journal:
                talk.drawn = journal.drawn.get(item, {})
                talk.replay(journal.known.get(item, {}))
            talks.append((item, number, talk))
        engine.serve([talk for _, _, talk in talks])
    finally:
        if journal:
            journal.close()
    write_parquet(to_table(talks), manifest.part_path(block), {"config_hash": plan.config_hash})
    made = [made for _, _, talk in talks for made in talk.exchanges]
    texts = [text for one in made if isinstance(one.reply, Generated) for text in one.reply.samples]
    told = Capabilities(**manifest.data["engine"]["capabilities"]).own_logprobs
    served = Counter(who for one in made for who in one.served)
    facts = {
        "censored": sum(
            text.n_censored > 0 or (told and text.text != "" and isnan(text.sum_logprob)) for text in texts
        ),
        "served": [[*who, n] for who, n in sorted(served.items())],
        "in_flight": getattr(engine, "in_flight", 0),
    }
    return n_answers(talk for _, _, talk in talks), facts


def _picked_otherwise(manifest: Manifest, plan: Plan, damaged: list[str]) -> list[int]:
    """What is to be asked where another collection's trials, read again, now pick other items than were asked.

    Nothing if all was asked: what was asked stays and reading says what it lacks. All, if the run is
    not whole: items of two readings are never mixed.
    """
    if manifest.data["status"] == "complete" and not damaged:
        return []
    manifest.data |= {"parts": {}, "status": "running"}
    return list(plan.blocks)


def _changed(plan: Plan, block: int, part: Path) -> bool:
    """Whether a stored block's conversations would now go another way.

    First requests are in the key, so one-turn collections cannot; those that need others' trials are
    held to the replies they went on from (see :func:`metacog.collect.plan.make_plan`).
    """
    if plan.collection.asked_once(plan.settings) or plan.collection.needs:
        return False
    known = read_part(part)
    return not all(
        plan.conversation(number).told_whole_by(known.get(plan.items[number].id, {}))
        for number in plan.numbers(block)
    )
