"""What a run would take: a small probe of the engine, extrapolated."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metacog.collect.manifest import Manifest
from metacog.collect.plan import Plan, open_engine
from metacog.collect.replies import to_table

#: Conversations of the probe behind ``--dry-run``.
PROBE_ITEMS = 10


@dataclass(frozen=True)
class Estimate:
    """What a run would take.

    Attributes
    ----------
    n_items, n_done : int
    items_per_second : float
        From a probe of :data:`PROBE_ITEMS` items on this machine.
    seconds : float
        Expected time for what is missing.
    bytes_on_disk : int
        Expected size of all replies.
    bytes_free : int
    """

    name: str
    n_items: int
    n_done: int
    items_per_second: float
    seconds: float
    bytes_on_disk: int
    bytes_free: int

    def text(self) -> str:
        """One paragraph for the terminal."""
        return (
            f"{self.name}: {self.n_items} items, {self.n_done} done already; "
            f"about {self.seconds / 60:.1f} min for the rest ({self.items_per_second:.2f} items/s in a "
            f"probe of {PROBE_ITEMS} items, usually faster in full blocks); "
            f"{self.bytes_on_disk / 1e6:.1f} MB of {self.bytes_free / 1e9:.1f} GB free disk"
        )


def estimate(plan: Plan, folder: Path, opener: Callable[..., Any] = open_engine) -> Estimate:
    """Probe the engine with a few items and extrapolate."""
    numbers = plan.shard_numbers
    done = 0
    if (folder / "manifest.json").is_file():
        parts = Manifest(folder, plan.config, plan.config_hash).data["parts"]
        done = sum(len(plan.numbers(int(block))) for block in parts)
    engine = opener(plan.entry, plan.profile.engine)
    try:
        engine.serve([plan.conversation(n) for n in numbers[:1]])  # the first call pays for start-up
        asked = numbers[: min(PROBE_ITEMS, len(numbers))]
        talks = [plan.conversation(n) for n in asked]
        started = time.perf_counter()
        engine.serve(talks)
        seconds = time.perf_counter() - started
    finally:
        engine.close()
    table = to_table((plan.items[n].id, n, talk) for n, talk in zip(asked, talks, strict=True))
    rate = len(asked) / seconds
    # parquet packs about 4:1
    item_bytes = int(table.memory_usage(deep=True, index=False).sum() / max(1, len(asked)) / 4)
    existing = folder
    while not existing.exists():
        existing = existing.parent
    free = shutil.disk_usage(existing).free
    total = len(numbers)
    return Estimate(plan.title, total, done, rate, (total - done) / rate, item_bytes * total, free)
