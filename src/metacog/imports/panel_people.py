"""People of a panel: who is looked for, which items they are given, and what their answers say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.words import listed, plural
from metacog.imports.panel import Bank, part_of
from metacog.raters.reliability import krippendorff_alpha, pairwise_agreement
from metacog.sdt.checks import FloatArray, average_ranks
from metacog.sdt.correlations import correlation
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.kendall_tau import kendall

#: Resamples of people for the interval of confidence with being right.
N_RESAMPLES = 2_000


@dataclass(frozen=True)
class Bars:
    """What the hypotheses of the probe's paper ask for (its table 9)."""

    #: Most that two parts may correlate over people, with 0 inside the interval.
    r: float = 0.40
    #: Least tau-b of an ordered column of the people with their share right.
    tau: float = 0.30
    #: Least agreement and Krippendorff's alpha of a part.
    agreement: float = 0.90
    alpha: float = 0.25


def balanced(bank: Bank, n_items: int, seed: int = 42) -> Bank:
    """The bank with ``n_items`` drawn items, equally many of each part as far as the parts have them.

    Everybody answers the same items, so that people can be compared and their agreement needs no gaps.
    """
    parts: dict[str, list[str]] = {}
    for name, item in bank.items.items():
        parts.setdefault(part_of(item), []).append(name)
    if not len(parts) <= n_items <= len(bank.items):
        raise MetacogError(
            f"{plural(n_items, 'item')} cannot be drawn: there are {len(bank.items)}, of {plural(len(parts), 'part')}"
        )
    rng = np.random.default_rng([seed, 0])
    drawn = {part: list(rng.permutation(names)) for part, names in parts.items()}
    kept: set[str] = set()
    while len(kept) < n_items:  # one of each part in turn
        for names in drawn.values():
            if names and len(kept) < n_items:
                kept.add(names.pop())
    return replace(bank, items={name: item for name, item in bank.items.items() if name in kept})


def quotas_of(texts: Sequence[str]) -> dict[str, dict[str, float]]:
    """Quotas as ``education=school:25,bachelor:25,advanced:50``: shares of each group by column, which sum to 1."""
    found: dict[str, dict[str, float]] = {}
    for text in texts:
        name, _, groups = text.partition("=")
        try:
            shares = {k.strip(): float(v) for k, v in (one.split(":") for one in groups.split(","))}
        except ValueError:
            shares = {}
        if not name.strip() or not shares or min(shares.values()) < 0 or not sum(shares.values()) > 0:
            raise MetacogError(f"--quota {text!r} is not of the form column=group:share,group:share")
        total = sum(shares.values())
        found[name.strip()] = {k: v / total for k, v in shares.items()}
    return found


def wanted_people(people: Sequence[str], quotas: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """A row a person to be found, with the group that each quota asks for: every combination in its share.

    What does not divide evenly goes to the combinations that miss most (largest remainders).
    """
    cells = list(product(*quotas.values()))
    shares = [float(np.prod([quotas[q][g] for q, g in zip(quotas, cell, strict=True)])) for cell in cells]
    due = np.array(shares) * len(people)
    counts = np.floor(due + 1e-9).astype(int)
    for place in np.argsort(counts - due, kind="stable")[: len(people) - counts.sum()]:
        counts[place] += 1
    groups = [cell for cell, n in zip(cells, counts, strict=True) for _ in range(n)]
    table = pd.DataFrame(groups, columns=list(quotas))
    table.insert(0, "person", list(people))
    return table


def with_people(trials: pd.DataFrame, about: pd.DataFrame) -> pd.DataFrame:
    """Marked answers with what is known of each person, by the column ``person``."""
    if "person" not in about:
        raise MetacogError(
            f"the table of people has no column 'person'; it has: {', '.join(map(str, about))}"
        )
    if about["person"].duplicated().any():
        raise MetacogError(
            f"{about['person'][about['person'].duplicated()].iloc[0]!r} stands twice among the people"
        )
    if lost := sorted(set(trials["person"]) - set(about["person"])):
        raise MetacogError(f"the table of people has no row for {listed(lost[:3])}")
    new = [name for name in about if name == "person" or name not in trials]
    return trials.merge(about[new], on="person", how="left")


def panel_tests(
    trials: pd.DataFrame,
    *,
    parts: tuple[str, str] | None = None,
    order: tuple[str, Sequence[str]] | None = None,
    models: pd.DataFrame | None = None,
    bars: Bars | None = None,
    seed: int = 42,
) -> pd.DataFrame:
    """What marked answers say of people: ``what, value, lower, upper, n, asked, met``, a row each.

    ``trials``: ``person, item, part, correct, confidence`` of each answer, and columns of the people; ``parts``: two
    whose shares of right answers are correlated over people (H1); ``order``: a column of the people and its groups from
    lowest to highest, held against the share right (H2); ``models``: ``part, correct`` of models' answers to the same
    items: are the same parts hard for people?

    A figure is held against its bar as it is (``met``); how sure that is, its 95 % interval says. That of confidence
    with being right resamples people, since one person's answers go together.
    """
    bars = bars or Bars()
    rows = [] if parts is None else [_unrelated(trials, parts, bars)]
    rows += [] if order is None else [_ordered(trials, order, bars)]
    rows += [row for part, own in trials.groupby("part", sort=False) for row in _alike(str(part), own, bars)]
    rows += [row for part, own in trials.groupby("part", sort=False) if (row := _sure(str(part), own, seed))]
    rows += [] if models is None else [_same_order(trials, models)]
    return pd.DataFrame(rows, columns=["what", "value", "lower", "upper", "n", "asked", "met"])


def _unrelated(trials: pd.DataFrame, parts: tuple[str, str], bars: Bars) -> tuple[object, ...]:
    wide = trials.pivot_table(index="person", columns="part", values="correct", aggfunc="mean")
    if lost := [part for part in parts if part not in wide]:
        raise MetacogError(f"nobody answered items of {listed(lost)}; there are: {', '.join(map(str, wide))}")
    found = correlation(wide[parts[0]], wide[parts[1]])
    met = found.r <= bars.r and found.lower <= 0 <= found.upper
    what = f"r of {parts[0]} and {parts[1]} over people"
    return what, found.r, found.lower, found.upper, found.n, f"at most {bars.r:g}, 0 in the interval", met


def _ordered(trials: pd.DataFrame, order: tuple[str, Sequence[str]], bars: Bars) -> tuple[object, ...]:
    name, groups = order
    if name not in trials:
        raise MetacogError(f"the people have no column {name!r}: name their table with --about")
    ranks = {group: place for place, group in enumerate(groups)}
    people = trials.groupby("person").agg(group=(name, "first"), share=("correct", "mean"))
    if other := sorted(set(people["group"].dropna()) - set(ranks)):
        raise MetacogError(f"{name} of some people is {listed(other)}, which the order leaves out")
    people = people.dropna()
    found = kendall(people["group"].map(ranks), people["share"])
    what = f"tau-b of {name} and the share right"
    return what, found.tau, found.lower, found.upper, found.n, f"at least {bars.tau:g}", found.tau >= bars.tau


def _alike(part: str, own: pd.DataFrame, bars: Bars) -> list[tuple[object, ...]]:
    table = own.pivot(index="item", columns="person", values="correct")
    if min(table.shape) < 2:
        return []
    nan = float("nan")
    found = {"agreement": pairwise_agreement(table), "Krippendorff's alpha": krippendorff_alpha(table)}
    asked = (bars.agreement, bars.alpha)
    return [
        (f"{name}, {part}", value, nan, nan, table.shape[1], f"at least {bar:g}", value >= bar)
        for (name, value), bar in zip(found.items(), asked, strict=True)
    ]


def _sure(part: str, own: pd.DataFrame, seed: int) -> tuple[object, ...] | None:
    """Pearson's r of confidence with being right; none where a part asks for no confidence."""
    stated = own.dropna(subset=["confidence"])
    if stated.empty:
        return None
    x, y = stated["confidence"].to_numpy(dtype=float), stated["correct"].to_numpy(dtype=float)
    people = stated["person"].factorize()[0]
    sums = np.zeros((people.max() + 1, 6))
    np.add.at(sums, people, np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y]))
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), N_RESAMPLES)
    draws = _pearson(counts.astype(np.float64) @ sums)
    low, high = percentile_limits(draws) if len(sums) > 2 else (float("nan"),) * 2
    value = float(_pearson(sums.sum(axis=0)[None])[0])
    return f"r of confidence and being right, {part}", value, low, high, len(x), "", None


def _pearson(sums: FloatArray) -> FloatArray:
    """r of rows of the sums n, x, y, xx, yy, xy; NaN where one does not vary."""
    n, x, y, xx, yy, xy = sums.T
    size = np.sqrt(np.maximum(0, n * xx - x * x) * np.maximum(0, n * yy - y * y))
    return np.asarray(np.divide(n * xy - x * y, size, out=np.full_like(size, np.nan), where=size > 1e-9))


def _same_order(trials: pd.DataFrame, models: pd.DataFrame) -> tuple[object, ...]:
    shares = [one.groupby("part")["correct"].mean() for one in (trials, models)]
    means = pd.DataFrame(dict(zip("ab", shares, strict=True))).dropna()
    found = correlation(*(average_ranks(means[one].to_numpy(dtype=float)) for one in ("a", "b")))
    what = "rank correlation of parts, people and models"
    return what, found.r, found.lower, found.upper, found.n, "", None


def lines(table: pd.DataFrame) -> list[str]:
    """Rows of :func:`panel_tests` for a terminal."""
    told = []
    for row in table.to_dict("records"):
        ends = f" [{row['lower']:.2f}, {row['upper']:.2f}]" if row["lower"] == row["lower"] else ""
        bar = f"; asked: {row['asked']}: {'met' if row['met'] else 'not met'}" if row["asked"] else ""
        told.append(f"{row['what']}: {row['value']:.2f}{ends}, n = {row['n']}{bar}")
    return told
