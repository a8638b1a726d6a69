"""The battery of 524 items: put together, and drawn from."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

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
    """The items of a form, track by track; those of T2, T3 and T6 are the same in every form."""
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
