"""Are the items sound, as far as that can be told without asking anybody?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest, chisquare

from metacog.studies.study import analysis
from metacog.studies.study5_battery.asking.items import battery
from metacog.studies.study5_battery.asking.items.item import BatteryItem
from metacog.studies.study5_battery.asking.items.written import FILES
from metacog.studies.study5_battery.paper import TRACKS

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


@analysis(files=FILES)
def replication_items(inputs: Inputs) -> dict[str, Any]:
    """Are the items sound, as far as it can be determined without asking anybody?"""
    items = battery()
    return {
        "table": quality(items),
        "items": len(items),
        "kinds": len({(item.track, item.item_type) for item in items}),
    }


def quality(items: Sequence[BatteryItem]) -> pd.DataFrame:
    """What might give an answer away, or make items count twice, by track.

    ``keys``: how often each letter is right; ``p_keys``: chi-squared test that all are alike. ``longest``: share of
    items whose right option is the only longest one, beside what it is if length tells nothing, with an exact binomial
    test. ``stems``: items whose question another one has too; ``named``: items that name the right option, and no
    other, in the question.
    """
    rows = []
    for track in TRACKS:
        own = [item for item in items if item.track == track]
        if not own:
            continue
        letters = own[0].letters
        keys, stems = Counter(item.key for item in own), Counter(item.question for item in own)
        counts = [keys[letter] for letter in letters]
        single = [_longest(item) == item.key for item in own if _longest(item) is not None]
        rows.append(
            {
                "track": track,
                "n": len(own),
                "kinds": len({item.item_type for item in own}),
                "keys": " ".join(f"{letter} {n}" for letter, n in zip(letters, counts, strict=True)),
                "p_keys": float(chisquare(counts).pvalue),
                "longest": np.mean(single) if single else np.nan,
                "chance_longest": 1 / len(letters),
                "p_longest": (
                    float(binomtest(sum(single), len(single), 1 / len(letters)).pvalue) if single else np.nan
                ),
                "stems": sum(n for n in stems.values() if n > 1),
                "named": sum(_named(item) for item in own),
            }
        )
    return pd.DataFrame(rows)


def _longest(item: BatteryItem) -> str | None:
    """Letter of the one longest option; None if two are of that length."""
    lengths = [len(o) for o in item.options]
    top = [k for k, n in enumerate(lengths) if n == max(lengths)]
    return item.letters[top[0]] if len(top) == 1 else None


def _named(item: BatteryItem) -> bool:
    named = [
        a for a, o in zip(item.letters, item.options, strict=True) if o.casefold() in item.question.casefold()
    ]
    return named == [item.key]


ANALYSES = (replication_items,)
