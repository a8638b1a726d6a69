"""The battery of 524 items: put together, drawn from, and counted."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.studies.study5_battery.asking.items.attention import attention_items
from metacog.studies.study5_battery.asking.items.item import BatteryItem, checked
from metacog.studies.study5_battery.asking.items.magnitudes import magnitude_items
from metacog.studies.study5_battery.asking.items.worlds import world_items
from metacog.studies.study5_battery.asking.items.written import written_items
from metacog.studies.study5_battery.paper import TRACKS

#: Tracks whose items a seed makes, so that there are parallel forms.
GENERATED = {"T1": world_items, "T4": attention_items, "T5": magnitude_items}


def battery(form: int = 1, tracks: Sequence[str] = tuple(TRACKS)) -> list[BatteryItem]:
    """The items of a form, track by track.

    Parameters
    ----------
    form : int
        Seed of the items of T1, T4 and T5; those of T2, T3 and T6 are the same in every form.
    tracks : sequence of str

    Raises
    ------
    MetacogError
        If there is no such track.
    """
    if unknown := [t for t in tracks if t not in TRACKS]:
        raise MetacogError(f"there is no track {', '.join(unknown)}; there are: {', '.join(TRACKS)}")
    items: list[BatteryItem] = []
    for track in (t for t in TRACKS if t in tracks):
        made = GENERATED[track](form) if track in GENERATED else written_items()
        items += [item for item in made if item.track == track]
    return [replace(item, index=i) for i, item in enumerate(checked(items, f"form {form}"))]


def drawn(items: Sequence[BatteryItem], limit: int | None, seed: int) -> list[BatteryItem]:
    """So many items drawn by a seed, tracks in turn so that each has its part; in the battery's order."""
    if limit is None or limit >= len(items):
        return list(items)
    chance = random.Random(seed)
    queues = [
        chance.sample(subset, len(subset))
        for track in TRACKS
        if (subset := [i for i in items if i.track == track])
    ]
    taken: list[BatteryItem] = []
    while len(taken) < limit:
        for queue in queues:
            if queue and len(taken) < limit:
                taken.append(queue.pop())
    return sorted(taken, key=lambda item: item.index)


def difficulty_table(items: Sequence[BatteryItem]) -> pd.DataFrame:
    """How many items there are of each ``track, item_type, level`` and ``difficulty``; forms agree in it."""
    frame = pd.DataFrame(
        [(i.track, i.item_type, i.level, i.difficulty) for i in items],
        columns=["track", "item_type", "level", "difficulty"],
    )
    by = list(frame.columns)
    return frame.groupby(by).size().rename("n").reset_index()
