"""A share of a collection's items, drawn by seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from metacog.engines.requests import SEEDS, derive_seed

#: Groups of every stratum that are kept at least.
FEWEST = 2


def shared_out(
    items: Sequence[Any], share: float, seed: int, together: Callable[[Any], tuple[str, str]]
) -> tuple[Any, ...]:
    """A share of the items, drawn by seed: of each stratum that share of its groups, two at least, all items of each.

    Whether a group is in depends on its own name, so that collections that ask the same items share out the same.
    """
    strata: dict[str, dict[str, int]] = {}
    for stratum, group in map(together, items):
        strata.setdefault(stratum, {})[group] = derive_seed(seed, "share", group)
    kept = set()
    for groups in strata.values():
        order = sorted(groups, key=groups.__getitem__)
        kept |= {group for group in order if groups[group] < share * SEEDS} | set(order[:FEWEST])
    return tuple(item for item in items if together(item)[1] in kept)
