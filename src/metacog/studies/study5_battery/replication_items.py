"""Are the items sound, as far as that can be told without asking anybody?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest, chisquare

from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery.asking.items import battery
from metacog.studies.study5_battery.asking.items.item import BatteryItem
from metacog.studies.study5_battery.asking.items.written import FILES
from metacog.studies.study5_battery.paper import TRACKS


@analysis(files=FILES)
def replication_items(inputs: Inputs) -> dict[str, Any]:
    """Are the items sound, as far as it can be determined without asking anybody?"""
    items = battery()
    return {
        "table": quality(items),
        "n_items": len(items),
        "kinds": len({(item.track, item.item_type) for item in items}),
    }


def quality(items: Sequence[BatteryItem]) -> pd.DataFrame:
    """What might give an answer away, by track.

    ``p_keys``: chi-squared test that all letters are right alike often. ``longest``: share of items whose right option
    is the only longest one, beside what it is if length tells nothing, with an exact binomial test.
    """
    rows = []
    for track in TRACKS:
        own = [item for item in items if item.track == track]
        if not own:
            continue
        keys, chance = Counter(item.key for item in own), 1 / len(own[0].letters)
        single = [longest == item.key for item in own if (longest := _longest(item))]
        rows.append(
            {
                "track": track,
                "n": len(own),
                "kinds": len({item.item_type for item in own}),
                "p_keys": float(chisquare([keys[letter] for letter in own[0].letters]).pvalue),
                "longest": np.mean(single) if single else np.nan,
                "chance_longest": chance,
                "p_longest": float(binomtest(sum(single), len(single), chance).pvalue) if single else np.nan,
            }
        )
    return pd.DataFrame(rows)


def _longest(item: BatteryItem) -> str:
    """Letter of the one longest option; empty if two are of that length."""
    lengths = [len(o) for o in item.options]
    return item.letters[lengths.index(max(lengths))] if lengths.count(max(lengths)) == 1 else ""


ANALYSES = (replication_items,)
