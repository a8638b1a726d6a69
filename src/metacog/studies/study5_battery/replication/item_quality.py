"""How good a set of items is, as far as it can be told without asking anybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import binomtest, chisquare

from metacog.studies.study5_battery.asking.items.item import BatteryItem
from metacog.studies.study5_battery.ledger.published import TRACKS


def quality(items: Sequence[BatteryItem]) -> pd.DataFrame:
    """What might give an answer away, or make items count twice, by track.

    Returns
    -------
    DataFrame
        ``track, n, kinds, options, keys`` (how often each letter is right), ``p_keys`` (chi-squared test
        that all letters are equally often right), ``longest`` (share of items whose right option is the only
        longest one), ``chance_longest`` (what that share is if length tells nothing), ``p_longest`` (exact
        binomial test), ``stems`` (items whose question another one has too), ``named`` (items that name the
        right option, and no other, in the question).
    """
    rows = []
    for track in TRACKS:
        subset = [i for i in items if i.track == track]
        if not subset:
            continue
        n_options = len(subset[0].options)
        keys = Counter(i.key for i in subset)
        counts = [keys[letter] for letter in subset[0].letters]
        single = [i for i in subset if _longest(i) is not None]
        right = sum(_longest(i) == i.key for i in single)
        stems = Counter(i.question for i in subset)
        rows.append(
            {
                "track": track,
                "n": len(subset),
                "kinds": len({i.item_type for i in subset}),
                "options": n_options,
                "keys": " ".join(f"{a} {n}" for a, n in zip(subset[0].letters, counts, strict=True)),
                "p_keys": float(chisquare(counts).pvalue),
                "longest": right / len(single) if single else np.nan,
                "chance_longest": 1 / n_options,
                "p_longest": float(binomtest(right, len(single), 1 / n_options).pvalue) if single else np.nan,
                "stems": sum(n for n in stems.values() if n > 1),
                "named": sum(_named(i) for i in subset),
            }
        )
    return pd.DataFrame(rows)


def _longest(item: BatteryItem) -> str | None:
    """Letter of the one longest option; None if two are of that length."""
    lengths = [len(o) for o in item.options]
    top = [k for k, n in enumerate(lengths) if n == max(lengths)]
    return item.letters[top[0]] if len(top) == 1 else None


def _named(item: BatteryItem) -> bool:
    results = [
        a for a, o in zip(item.letters, item.options, strict=True) if o.casefold() in item.question.casefold()
    ]
    return results == [item.key]
