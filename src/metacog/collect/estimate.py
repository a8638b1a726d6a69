"""What a run would take: a small probe of the engine, extrapolated."""

from __future__ import annotations

import math
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from metacog.collect.asked_twice import drawn, n_more, share_of
from metacog.collect.manifest import LEFT_OUT, Manifest
from metacog.collect.models import ModelEntry, file_size, is_here, load_models
from metacog.collect.plan import (
    Plan,
    StudyLike,
    check_form,
    make_plan,
    open_engine,
    settings_of,
    why_left_out,
)
from metacog.collect.replies import n_answers, to_table
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.core.machine import memory_held
from metacog.engines.base import Spent
from metacog.engines.budget import Budget, Tally
from metacog.engines.engine import Engine
from metacog.engines.requests import Conversation

#: Most conversations of a probe.
PROBE_ITEMS = 10
#: What a probe of one collection may take after its first conversation, if that shows the others' speed.
PROBE_SECONDS = 4.0
#: What a probe of a server may take while it is being found how many requests in flight make it faster.
WIDTH_SECONDS = 60.0
#: What a job of a cluster is to be given over the estimate: times its time, minutes to start, times its memory.
ROOM_TIME, START_MINUTES, ROOM_MEMORY = 2.0, 5, 1.5


@dataclass(frozen=True)
class Estimate:
    """What a run would take."""

    name: str
    n_items: int
    n_done: int
    #: From a probe of :data:`PROBE_ITEMS` items on this machine, or more of a server (:func:`_probed`).
    items_per_second: float = 0.0
    seconds: float = 0.0
    bytes_on_disk: int = 0
    bytes_free: int = 0
    #: Expected for what is missing, one to each sample.
    answers: int = 0
    #: Requests, tokens and cost expected for what is missing, items asked twice included; no requests and no cost
    #: of a model on this machine. None where nothing is missing.
    takes: Tally | None = None
    sampled: Tally | None = None
    priced: bool = False
    #: Why nothing would be asked; empty if something would be.
    left_out: str = ""
    n_probed: int = 0
    #: Requests in flight at most, of a server; 0 of a model on this machine.
    in_flight: int = 0
    #: Bytes that this process held with the model, after the probe; 0 if the system does not tell.
    memory: int = 0
    #: Model that was probed where the run's own is not here; its times are the other's by the sizes of their files.
    probed: str = ""

    def text(self) -> str:
        if self.left_out:
            return f"{self.name}: left out ({self.left_out})"
        if self.n_done == self.n_items:
            return f"{self.name}: {self.n_items} items, all done already"
        width = f", up to {self.in_flight} requests in flight" if self.in_flight else ""
        cost = ""
        if self.takes and self.sampled:
            paid = f" and cost {self.sampled.cost:.2g}" if self.priced else ""
            took = f", which took {self.sampled.requests} requests{paid}" if self.sampled.requests else ""
            cost = f"; {in_words(self.answers, self.takes, self.priced)}: an estimate from the probe{took}"
        of = f" of {self.probed}, by the sizes of both files" if self.probed else ""
        return (
            f"{self.name}: {self.n_items} items, {self.n_done} done already; "
            f"{in_time(self.seconds)} for the rest ({self.items_per_second:.2g} items/s in a "
            f"probe of {self.n_probed} items{of}{width}, usually faster in full blocks); "
            f"{self.bytes_on_disk / 1e6:.1f} MB of {self.bytes_free / 1e9:.1f} GB free disk{cost}"
        )

    def of_shard(self, name: str, n_items: int, n_done: int) -> Estimate:
        """What another shard of the same set takes, by the probe of this one."""
        factor = (n_items - n_done) / (self.n_items - self.n_done)
        return replace(
            self,
            name=name,
            n_items=n_items,
            n_done=n_done,
            seconds=factor * self.seconds,
            bytes_on_disk=round(self.bytes_on_disk * n_items / self.n_items),
            answers=round(factor * self.answers),
            takes=self.takes.times(factor) if self.takes else None,
            sampled=Tally() if self.sampled else None,
        )


def in_time(seconds: float) -> str:
    if math.isnan(seconds):
        return "a time that cannot be told without the size of the model's file"
    return f"about {seconds / 60:.1f} min" if seconds < 7200 else f"about {seconds / 3600:.1f} hours"


def in_words(answers: int, takes: Tally, priced: bool = False) -> str:
    tokens = f"{takes.read:,} prompt and {takes.written:,} answer tokens"
    if takes.hidden:
        tokens += f" ({takes.hidden:,} of them hidden reasoning)"
    if takes.uncounted:
        tokens = f"at most {tokens} (the server does not count all of them)"
    cost = f" and {takes.cost:.4g} in cost at the entry's prices" if priced else ""
    asked = f" in about {takes.requests:,} requests" if takes.requests else ""
    return f"about {answers:,} answers{asked}, {tokens}{cost}"


def in_shards(found: Sequence[Estimate]) -> Estimate:
    """What the shards of one set would take together."""
    left = [one for one in found if one.takes] or found
    takes, sampled = Tally(), Tally()
    for one in left:
        takes.add(one.takes or Tally())
        sampled.add(one.sampled or Tally())
    told = bool(left[0].takes)
    return replace(
        left[0],
        n_items=sum(one.n_items for one in found),
        n_done=sum(one.n_done for one in found),
        seconds=sum(one.seconds for one in left),
        bytes_on_disk=sum(one.bytes_on_disk for one in left),
        answers=sum(one.answers for one in left),
        takes=takes if told else None,
        sampled=sampled if told else None,
    )


def all_told(found: Sequence[Estimate]) -> str:
    """What several runs would take together, in a line; empty for one."""
    takes, left = Tally(), [one for one in found if one.takes]
    for one in left:
        takes.add(one.takes or Tally())
    if len(left) < 2:
        return ""
    items, answers = sum(one.n_items - one.n_done for one in left), sum(one.answers for one in left)
    size = sum(one.bytes_on_disk for one in left)
    return (
        f"all together: {items:,} items, {in_time(sum(one.seconds for one in left))}, {size / 1e6:,.1f} MB of replies, "
        f"{in_words(answers, takes, any(one.priced for one in left))}"
    )


def _taken(engine: Engine) -> Tally:
    budget: Budget | None = getattr(engine, "budget", None)
    if budget is not None:
        return replace(budget.spent)
    spent: Spent | None = getattr(engine, "spent", None)
    return Tally(0, spent.sent, spent.written, spent.hidden) if spent else Tally()


def probed_model(entry: ModelEntry) -> tuple[ModelEntry, float]:
    """The model that a dry run asks, and how many times its size the one has that is meant.

    The model itself where it is here or served; else the smallest that is here, and NaN if the other's size is unknown.
    """
    if entry.is_endpoint or is_here(entry):
        return entry, 1.0
    here = [one for one in load_models().values() if not one.is_endpoint and is_here(one)]
    smallest = min(here, key=file_size, default=entry)
    return smallest, file_size(entry) / file_size(smallest)


def estimate(
    plan: Plan, folder: Path, opener: Callable[..., Any] = open_engine, like: Estimate | None = None
) -> Estimate:
    """Probe the engine with a few items and extrapolate; where nothing is to be asked, it is not opened.

    Nor is it where ``like`` tells what another shard of the same set takes. A model that is not here is not fetched:
    another is probed in its place (:func:`probed_model`).
    """
    numbers, done = plan.shard_numbers, 0
    if (folder / "manifest.json").is_file():
        stored = Manifest(folder, plan.config, plan.config_hash).data
        done = sum(len(plan.numbers(int(block))) for block in stored["parts"])
        if done == len(numbers) or stored["status"] == LEFT_OUT:
            return Estimate(plan.title, len(numbers), done, left_out=stored.get("left_out", ""))
    if like is not None and like.n_probed and numbers:
        return like.of_shard(plan.title, len(numbers), done)
    if not numbers:
        return Estimate(plan.title, 0, 0)
    check_form(plan)
    entry, times = probed_model(plan.entry)
    engine = opener(entry, plan.profile.engine)
    try:
        if why := why_left_out(plan, engine.info.capabilities):
            return Estimate(plan.title, len(numbers), done, left_out=why)
        engine.serve([plan.conversation(n) for n in numbers[:1]])  # the first call pays for start-up
        asked, talks, seconds, took = _probed(plan, engine)
        sampled = _taken(engine)
        memory = memory_held()
    finally:
        engine.close()
    table = to_table((plan.items[n].id, n, talk) for n, talk in zip(asked, talks, strict=True))
    rate = len(asked) / seconds
    # parquet packs about 4:1
    item_bytes = int(table.memory_usage(deep=True, index=False).sum() / max(1, len(asked)) / 4)
    free = shutil.disk_usage(next(place for place in (folder, *folder.parents) if place.exists())).free
    total = len(numbers)
    twice = n_more(plan, drawn(plan, share_of(plan))) if done < total else 0
    per_item = took.requests / len(asked) or 1.0
    factor = (total - done + twice / per_item) / len(asked)
    return Estimate(
        plan.title,
        total,
        done,
        rate / times,
        factor * seconds * times,
        item_bytes * total,
        free,
        round(factor * n_answers(talks)),
        took.times(factor),
        sampled,
        bool(plan.entry.prices),
        n_probed=len(asked),
        in_flight=getattr(engine, "in_flight", 0),
        memory=memory if entry is plan.entry or math.isnan(times) else memory + round(file_size(plan.entry)),
        probed="" if entry is plan.entry else entry.name,
    )


def _probed(plan: Plan, engine: Engine) -> tuple[Sequence[int], list[Conversation], float, Tally]:
    """Ask some items together: their numbers, conversations, time, and what they took.

    Of a server that costs nothing ever more of them are asked, and the last tell, until it is found how many requests
    in flight make it faster: a big one answers ten items no faster than a small one.
    """
    first, size, begun = 0, PROBE_ITEMS, time.perf_counter()
    while True:
        asked = plan.shard_numbers[first : first + size]
        talks = [plan.conversation(n) for n in asked]
        before = _taken(engine)
        seconds = _timed(engine, talks)
        took = _taken(engine).since(before)
        first, size = first + len(asked), 2 * size
        more = getattr(engine, "finds_width", False) and not plan.entry.prices
        if not more or first + size > len(plan.shard_numbers) or time.perf_counter() - begun > WIDTH_SECONDS:
            return asked, talks, seconds, took


def needs_of_jobs(jobs: Mapping[str, Sequence[Estimate]]) -> list[str]:
    """What each job of a cluster would need, and what to write into the cluster's profile, line by line.

    ``jobs``: sets that one job asks, by the job's name; it loads the model once for them.
    """
    found = {
        name: (math.ceil(sum(s.seconds for s in sets) / 60), math.ceil(max(s.memory for s in sets) / 1e6))
        for name, sets in jobs.items()
        if any(s.seconds for s in sets)
    }
    if not found:
        return []
    minutes, megabytes = (max(one[k] for one in found.values()) for k in (0, 1))
    runtime, mem_mb = math.ceil(ROOM_TIME * minutes + START_MINUTES), math.ceil(ROOM_MEMORY * megabytes)
    told = (
        f"mem_mb: {mem_mb}"
        if megabytes
        else "mem_mb as the model's file needs (this system does not tell memory)"
    )
    return [
        "jobs of a cluster, one for each collection, model and shard:",
        *(
            f"  {name}: {time} min" + f", {memory} MB" * bool(memory)
            for name, (time, memory) in found.items()
        ),
        f"in its profile: runtime: {runtime}, {told} ({ROOM_TIME:g} times the longest and {START_MINUTES} "
        f"minutes to start; {ROOM_MEMORY:g} times the most memory); the times are this machine's",
    ]


@dataclass(frozen=True)
class StudyTime:
    """What collecting a study would take of one model."""

    study: str
    #: Items of all collections that can be counted; 0 if the profile does not ask the study of this model.
    n_items: int
    seconds: float
    #: Collections whose items depend on replies that are not there yet.
    uncounted: tuple[str, ...] = ()
    why: str = ""
    left_out: tuple[str, ...] = ()
    answers: int = 0
    #: Requests and tokens expected of them, items asked twice included.
    takes: Tally = field(default_factory=Tally)


def study_time(study: StudyLike, profile: Profile, entry: ModelEntry, engine: Engine) -> StudyTime:
    """Time a few items of each of a study's collections on an engine that is open, and extrapolate.

    Small blocks are slower than full ones, so it usually takes less. Where a set cannot be read or the engine
    cannot serve what is asked, the time says why.
    """
    n_items, seconds, answers, takes, uncounted, skipped = 0, 0.0, 0, Tally(), [], []
    try:
        settings = settings_of(study, profile)
        for asked in study.collections:
            if engine.info.capabilities.lacking(asked.requires):
                skipped.append(asked.name)
            elif asked.needs:
                uncounted.append(asked.name)
            else:
                plans = [make_plan(study, asked.name, profile, entry, name) for name in asked.sets(settings)]
                items = [(plan, number) for plan in plans for number in range(len(plan.items))]
                n_items += len(items)
                before = _taken(engine)
                each, talks = _seconds_per_item(items, engine)
                took, factor = _taken(engine).since(before), len(items) / len(talks)
                twice = sum(n_more(plan, drawn(plan, share_of(plan))) for plan in plans)
                seconds += len(items) * each
                answers += round(factor * n_answers(talks))
                takes.add(took.times(factor + twice / max(took.requests, 1)))
    except MetacogError as error:
        return StudyTime(study.name, 0, 0.0, why=str(error))
    return StudyTime(study.name, n_items, seconds, tuple(uncounted), "", tuple(skipped), answers, takes)


def _seconds_per_item(items: Sequence[tuple[Plan, int]], engine: Engine) -> tuple[float, list[Conversation]]:
    """Time of one item, by as many from all places of a collection as there is time for, asked together; and these."""
    step = max(1, len(items) // PROBE_ITEMS)
    talks = [plan.conversation(number) for plan, number in items[::step][:PROBE_ITEMS]]
    seconds = _timed(engine, talks[:1])  # pays for start-up
    others = talks[1:][: int(PROBE_SECONDS / max(seconds, 1e-9))]
    return (_timed(engine, others) / len(others) if others else seconds), talks[: 1 + len(others)]


def _timed(engine: Engine, talks: Sequence[Conversation]) -> float:
    started = time.perf_counter()
    engine.serve(talks)
    return time.perf_counter() - started
