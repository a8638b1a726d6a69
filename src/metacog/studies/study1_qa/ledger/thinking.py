"""Figures of the author's run with thinking on and off, from its counts by four ratings.

The counts give accuracy, d', meta-d', M-ratio and the number of malformed replies. AUROC2 is printed for the
raw confidence, of which four ratings keep the order alone: it is bounded
(:func:`metacog.forensics.tables.auroc2_bounds`). Differences and what domains add up to are arithmetic of the
print. All else, the intervals too (raw confidence, over questions that both modes answered), waits for the
trials by question.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.forensics.tables import auroc2_bounds
from metacog.ledger.entry import Value
from metacog.ledger.judging import agrees
from metacog.sdt.meta_d import MetaDFit, fit_meta_d
from metacog.sdt.type2 import auroc2_from_counts, auroc2_variance
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.ledger.cells import estimated, from_print, recounted
from metacog.studies.study1_qa.ledger.rows import Values

IntArray = NDArray[np.int64]

FROM_THINKING = "counts with thinking on and off"
FROM_PRINT = "the printed files of the run with thinking on and off"
#: What the author adds to every cell before meta-d' is fitted (Hautus 1995).
PADDING = 0.5
RATINGS = (1, 2, 3, 4)
#: Standard deviations of a 95 % interval.
Z = 1.959963984540054


@dataclass(frozen=True)
class Mode:
    """One model with thinking on or off.

    Attributes
    ----------
    model, mode : str
        As the files name them.
    wrong, right : int arrays, shape ``(4,)``
        Wrong and right replies by rating, lowest confidence first.
    """

    model: str
    mode: str
    wrong: IntArray
    right: IntArray

    @property
    def n(self) -> int:
        """Replies that are not malformed."""
        return int(self.wrong.sum() + self.right.sum())

    @property
    def accuracy(self) -> float:
        """Share of them that is right."""
        return float(self.right.sum() / self.n)


@cache
def counts() -> dict[tuple[str, str], Mode]:
    """The six tables of counts by (model, mode).

    Raises
    ------
    MetacogError
        If a table lacks one of its four ratings.
    """
    found = {}
    for (model, mode), rows in paper.as_numbers(paper.THINKING_COUNTS).groupby(["model", "mode"], sort=False):
        if sorted(rows["bin"]) != list(RATINGS):
            raise MetacogError(f"cacioli_thinking_counts.csv: {model}, {mode} does not have ratings 1 to 4")
        rows = rows.sort_values("bin", kind="stable")
        wrong, right = (rows[name].to_numpy(dtype=np.int64) for name in ("incorrect", "correct"))
        found[str(model), str(mode)] = Mode(str(model), str(mode), wrong, right)
    return found


def fitted(mode: Mode, padding: float = PADDING) -> MetaDFit:
    """d' and meta-d' of one table, right answers in place of S2, with ``padding`` added to every cell."""
    return fit_meta_d(mode.wrong + padding, mode.right + padding)


def thinking_values() -> Values:
    """Every printed figure of the run that its counts or its print give, or bound."""
    return {**_aggregates(), **_differences(), **_domains(), **_marking()}


def _aggregates() -> Values:
    values: Values = {}
    printed = _printed("thinking_aggregate")
    for keys, mode in counts().items():
        fit = fitted(mode)
        low, high = (float(end) for end in auroc2_bounds(mode.wrong, mode.right))
        total, malformed = (float(printed[keys, name]) for name in ("n_total", "n_malformed"))
        found = {
            "n_total": recounted(mode.n + malformed, FROM_THINKING),
            "n_malformed": recounted(total - mode.n, FROM_THINKING),
            "accuracy": recounted(mode.accuracy, FROM_THINKING),
            "auroc2": estimated(float("nan"), FROM_THINKING, bounds=(low, high)),
            "d_prime": estimated(fit.d_prime, FROM_THINKING),
            "meta_d_prime": estimated(fit.meta_d, FROM_THINKING),
            "m_ratio": estimated(fit.m_ratio, FROM_THINKING),
            "converged": estimated(float(fit.converged), FROM_THINKING, note=_of_fit(fit)),
        }
        values |= {("thinking_aggregate", keys, name): value for name, value in found.items()}
    return values


def _of_fit(fit: MetaDFit) -> str:
    return f"ours: d' {fit.d_prime:.3f}, meta-d' {fit.meta_d:.3f}, M-ratio {fit.m_ratio:.3f}"


def _differences() -> Values:
    printed = _printed("thinking_aggregate")
    values: Values = {}
    for model in paper.THINKING_MODELS:
        on, off = (float(printed[(model, mode), "auroc2"]) for mode in ("thinking", "non_thinking"))
        values["thinking_deltas", (model,), "delta_auroc2"] = from_print(on - off, FROM_PRINT)
    return values


def _domains() -> Values:
    """n and accuracy of each domain as what the others leave of the whole: one test for all of them."""
    values: Values = {}
    for (model, mode), rows in paper.as_numbers("thinking_domains").groupby(["model", "mode"]):
        whole = counts()[str(model), str(mode)]
        right = (rows["n"] * rows["accuracy"]).to_numpy(dtype=np.float64)
        note = "what the other domains leave of the counts"
        for row, own in zip(rows_of(rows), right, strict=True):
            n = float(whole.n - (rows["n"].sum() - row.n))
            share = float(whole.right.sum() - (right.sum() - own)) / n
            keys = (str(model), str(row.domain), str(mode))
            values["thinking_domains", keys, "n"] = recounted(n, FROM_THINKING, note=note)
            values["thinking_domains", keys, "accuracy"] = recounted(share, FROM_THINKING, note=note)
    return values


def _marking() -> Values:
    """Accuracy without replies that only contain an accepted answer: the counts less these."""
    values: Values = {}
    printed = _printed("thinking_marking")
    for keys, mode in counts().items():
        contained, strict = (float(printed[keys, name]) for name in ("n_by_containment", "accuracy_strict"))
        share = (mode.right.sum() - contained) / mode.n
        values["thinking_marking", keys, "accuracy_strict"] = recounted(float(share), FROM_THINKING)
        values["thinking_marking", keys, "n_by_containment"] = recounted(
            float(mode.right.sum() - strict * mode.n), FROM_THINKING
        )
    return values


@cache
def _printed(table: str) -> dict[tuple[tuple[str, ...], str], str]:
    """Printed figures of a table as text, by (keys, quantity)."""
    return {(f.keys, f.quantity): f.text for f in paper.figures(table)}


# ---------------------------------------------------------------------------- claims of the abstract


def falls() -> Value:
    """In how many models AUROC2 of the four ratings is lower with thinking, its 95 % interval below 0."""
    found = 0
    for model in paper.THINKING_MODELS:
        on, off = (counts()[model, mode] for mode in ("thinking", "non_thinking"))
        gap = auroc2_from_counts(on.wrong, on.right) - auroc2_from_counts(off.wrong, off.right)
        error = np.sqrt(sum(auroc2_variance(mode.wrong, mode.right) for mode in (on, off)))
        found += int(gap + Z * error < 0)
    return estimated(float(found), FROM_THINKING, note="on the four ratings, modes as independent samples")


def rises() -> Value:
    """In how many models accuracy is higher with thinking."""
    lower = [
        name
        for model, name in paper.THINKING_MODELS.items()
        if counts()[model, "thinking"].accuracy <= counts()[model, "non_thinking"].accuracy
    ]
    note = f"not of {', '.join(lower)}" if lower else ""
    return recounted(float(len(paper.THINKING_MODELS) - len(lower)), FROM_THINKING, note=note)


def of_deltas(quantity: str) -> Value:
    """A figure of Qwen3-8B in the file of differences, which the abstract rounds."""
    return from_print(float(_printed("thinking_deltas")[("qwen3-8b",), quantity]), FROM_PRINT)


# ---------------------------------------------------------------------------- print against itself


def pairs_of(table: str) -> Iterator[tuple[str, float, float]]:
    """Printed AUROC2 as text, the number of pairs behind it, and how many of them it says are won.

    Yields
    ------
    text, pairs, won
        ``pairs`` of a right and a wrong answer follow from n and accuracy.
    """
    text = paper.as_text(table)
    numbers = paper.as_numbers(table)
    sizes = numbers["n"] if "n" in numbers else [counts()[r.model, r.mode].n for r in rows_of(numbers)]
    for shown, row, n in zip(text["auroc2"], rows_of(numbers), sizes, strict=True):
        right = round(row.accuracy * n)
        pairs = float(right * (n - right))
        yield str(shown), pairs, row.auroc2 * pairs


def whole_pairs() -> pd.DataFrame:
    """How many printed AUROC2 are a whole number of won pairs, ties counting one half.

    Returns
    -------
    DataFrame
        ``table, n, whole, by_chance``: figures, those that are, and how many would be by chance alone (twice
        the precision of a file over the spacing of half pairs, added up).
    """
    rows = []
    for table in ("thinking_aggregate", "thinking_domains"):
        found, chance = [], 0.0
        for text, pairs, won in pairs_of(table):
            found.append(bool(agrees(text, round(2 * won) / (2 * pairs), paper.THINKING_PRECISION)))
            chance += min(1.0, 4 * pairs * paper.THINKING_PRECISION)
        rows.append(
            {
                "table": paper.TABLES[table].title,
                "n": len(found),
                "whole": sum(found),
                "by_chance": chance,
            }
        )
    return pd.DataFrame(rows)
