"""Do replies that were collected again agree with those that are stored?

The same items are put to the same model a second time, perhaps on another processor and certainly in another
batch, whose kernels round differently. Closed choices, scores of given texts, drawn texts and the accuracy of
trials are compared, item by item, with tolerances that were fixed beforehand (:data:`TOLERANCES`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.sdt.checks import InputError
from metacog.sdt.intervals import Interval, percentile_interval
from metacog.sdt.resampling import weight_chunks

#: What identifies a part of a reply: an option, a sample, or a text that was scored.
PART = ("item", "step", "index", "part")
#: Columns of a table of replies.
COLUMNS = (*PART, "kind", "request", "temperature", "text", "chosen", "probability")
KINDS = ("choose", "generate", "score")


@dataclass(frozen=True)
class Tolerances:
    """What may differ, fixed before anything was collected again.

    ``same_option`` is the least share of closed choices that take the same option; ``probability`` the largest mean
    absolute difference of probability, of an option among its options and of a token of a text that was scored (the
    geometric mean over its tokens); ``level`` that of the interval of the paired difference in accuracy, which must
    hold 0.
    """

    same_option: float = 0.95
    probability: float = 0.02
    level: float = 0.95


TOLERANCES = Tolerances()


@dataclass(frozen=True)
class Quantity:
    """One comparison of ``n`` choices, options, texts or trials.

    ``tolerance`` is in words, empty where nothing is asked of it; ``holds`` is None there, and where it cannot be
    told.
    """

    name: str
    value: float
    n: int
    tolerance: str = ""
    holds: bool | None = None
    lower: float = float("nan")
    upper: float = float("nan")


@dataclass(frozen=True)
class Reproduction:
    """What was compared, and how many items are in both sets."""

    quantities: tuple[Quantity, ...]
    n_items: int

    @property
    def holds(self) -> bool | None:
        """Whether every tolerance holds; None where none is missed and one cannot be told."""
        asked = [one.holds for one in self.quantities if one.tolerance]
        if False in asked:
            return False
        return True if asked and None not in asked else None

    def table(self) -> pd.DataFrame:
        """One row a quantity, with the attributes of :class:`Quantity` as columns."""
        return pd.DataFrame([vars(one) for one in self.quantities])


def reproduction(
    stored: pd.DataFrame,
    again: pd.DataFrame,
    trials_stored: pd.DataFrame,
    trials_again: pd.DataFrame,
    *,
    key: Sequence[str] = ("question_id",),
    tolerances: Tolerances = TOLERANCES,
    n_resamples: int = 10_000,
    seed: int | None = 42,
) -> Reproduction:
    """Compare replies, and the trials read from them, with those collected again.

    Replies have the columns of :data:`COLUMNS`: ``part`` numbers options, samples and scored texts; ``kind`` is one of
    :data:`KINDS`; ``request`` is the same where the same was asked; ``chosen`` marks the option taken; ``probability``
    is the option's among its options, or the geometric mean over a text's tokens (NaN where it is not known). ``key``
    names the columns that identify a trial. Items are resampled for the interval of the difference in accuracy.

    In a conversation of several turns, what is asked later depends on what was answered before. Requests that differ
    for this reason are not compared, and their share is reported.
    """
    both = _joined(stored, again)
    same = both[both["request"] == both["request_again"]]
    n_asked = len(stored.drop_duplicates(["item", "step", "index"]))
    found = [
        Quantity("same request", len(same.drop_duplicates(["item", "step", "index"])) / n_asked, n_asked),
        *_choices(same[same["kind"] == "choose"], tolerances),
        *_scores(same[same["kind"] == "score"], tolerances),
        *_texts(same[same["kind"] == "generate"]),
        *_accuracy(trials_stored, trials_again, list(key), tolerances, n_resamples, seed),
    ]
    return Reproduction(tuple(found), both["item"].nunique())


def _joined(stored: pd.DataFrame, again: pd.DataFrame) -> pd.DataFrame:
    for frame in (stored, again):
        if missing := [name for name in COLUMNS if name not in frame]:
            raise InputError(f"a table of replies lacks the columns {', '.join(missing)}")
        if frame.duplicated(list(PART)).any():
            raise InputError("a part of a reply occurs twice: the table was put together twice")
    both = stored.merge(again, on=list(PART), suffixes=("", "_again"))
    if both.empty:
        raise InputError("the two sets of replies have no item in common")
    return both


def _choices(parts: pd.DataFrame, tolerances: Tolerances) -> Iterator[Quantity]:
    if parts.empty:
        return
    options = parts.assign(agrees=parts["chosen"] == parts["chosen_again"])
    agrees = options.groupby(["item", "step", "index"])["agrees"].all()
    least = tolerances.same_option
    yield Quantity(
        "choices: same option",
        float(agrees.mean()),
        len(agrees),
        f"at least {least:.0%}",
        bool(agrees.mean() >= least),
    )
    yield _probability("choices: difference of an option's probability", parts, tolerances)


def _scores(parts: pd.DataFrame, tolerances: Tolerances) -> Iterator[Quantity]:
    if len(parts):
        yield _probability("scored texts: difference of a token's probability", parts, tolerances)


def _probability(name: str, parts: pd.DataFrame, tolerances: Tolerances) -> Quantity:
    """Mean absolute difference of probability; it cannot be told where no side knows any."""
    gaps = (parts["probability"] - parts["probability_again"]).abs().dropna()
    mean, most = float(gaps.mean()) if len(gaps) else float("nan"), tolerances.probability
    holds = bool(mean <= most) if len(gaps) else None
    return Quantity(name, mean, len(gaps), f"mean at most {most:g}", holds)


def _texts(parts: pd.DataFrame) -> Iterator[Quantity]:
    for drawn, words in ((False, "at temperature 0"), (True, "drawn")):
        of = parts[(parts["temperature"] > 0) == drawn]
        if len(of):
            yield Quantity(
                f"texts {words}: identical", float((of["text"] == of["text_again"]).mean()), len(of)
            )


def _accuracy(
    stored: pd.DataFrame,
    again: pd.DataFrame,
    key: list[str],
    tolerances: Tolerances,
    n_resamples: int,
    seed: int | None,
) -> Iterator[Quantity]:
    names = list(dict.fromkeys(["question_id", *key]))
    for frame in (stored, again):
        if missing := [name for name in (*names, "correct") if name not in frame]:
            raise InputError(f"a table of trials lacks the columns {', '.join(missing)}")
    both = stored[[*names, "correct"]].merge(again[[*names, "correct"]], on=names, suffixes=("", "_again"))
    if both.empty:
        return
    gaps = both["correct_again"].astype(np.float64) - both["correct"].astype(np.float64)
    of_items = gaps.groupby(both["question_id"]).agg(["sum", "size"])
    interval = _difference(of_items, float(gaps.mean()), tolerances.level, n_resamples, seed)
    yield Quantity("trials: right in one set alone", float((gaps != 0).mean()), len(both))
    yield Quantity(
        "trials: difference in accuracy",
        float(gaps.mean()),
        len(both),
        f"{tolerances.level:.0%} interval holds 0",
        None if np.isnan(interval.lower) else not interval.excludes(0.0),
        interval.lower,
        interval.upper,
    )


def _difference(
    of_items: pd.DataFrame, estimate: float, level: float, n_resamples: int, seed: int | None
) -> Interval:
    """Interval of a mean difference by resampling items with all their trials; undefined for a single item."""
    n_items = len(of_items)
    if n_items < 2:
        return Interval(estimate, float("nan"), float("nan"), level)
    sums, sizes = of_items["sum"].to_numpy(dtype=np.float64), of_items["size"].to_numpy(dtype=np.float64)
    draws = [w @ sums / (w @ sizes) for w in weight_chunks(n_items, n_resamples, seed, n_items)]
    return percentile_interval(np.concatenate(draws), estimate, level=level)
