"""Figures of the author's run with thinking on and off, from its counts by four ratings.

The counts give accuracy, d', meta-d', M-ratio and the number of malformed replies. AUROC2 is printed for the
raw confidence, of which four ratings keep the order alone: it is bounded
(:func:`metacog.forensics.tables.auroc2_bounds`). Differences and what domains add up to are arithmetic of the
print. All else, the intervals too (raw confidence, over questions that both modes answered), waits for the
trials by question.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.forensics.tables import auroc2_bounds
from metacog.ledger.entry import Kind, Value
from metacog.sdt.intervals import Z95
from metacog.sdt.meta_d import fit_meta_d
from metacog.sdt.type2 import auroc2_from_counts, auroc2_variance
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.ledger.rows import estimated, from_print, recounted

IntArray = NDArray[np.int64]

FROM_THINKING = "counts with thinking on and off"
FROM_PRINT = "the printed files of the run with thinking on and off"
#: What the author adds to every cell before meta-d' is fitted (Hautus 1995).
PADDING = 0.5
RATINGS = (1, 2, 3, 4)
#: Figures of Qwen3-8B in the file of differences, which the abstract rounds, by claim.
DELTAS = {"th_delta": "delta_auroc2", "th_delta_lower": "ci_lower", "th_delta_upper": "ci_upper"}
#: Standard deviations of a 95 % interval.


@dataclass(frozen=True)
class Mode:
    """One model with thinking on or off, as the files name them: replies by rating, lowest confidence first."""

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
    """The six tables of counts by (model, mode)."""
    found = {}
    for (model, mode), rows in paper.as_numbers(paper.THINKING_COUNTS).groupby(["model", "mode"], sort=False):
        if sorted(rows["bin"]) != list(RATINGS):
            raise MetacogError(f"cacioli_thinking_counts.csv: {model}, {mode} does not have ratings 1 to 4")
        rows = rows.sort_values("bin", kind="stable")
        wrong, right = (rows[name].to_numpy(dtype=np.int64) for name in ("incorrect", "correct"))
        found[str(model), str(mode)] = Mode(str(model), str(mode), wrong, right)
    return found


def thinking_figures() -> pd.DataFrame:
    """Every printed figure of the run that its counts or its print give, or bound."""
    modes = list(counts().values())
    # right answers in place of S2
    fits = [fit_meta_d(mode.wrong + PADDING, mode.right + PADDING) for mode in modes]
    own = [(mode.model, mode.mode, mode.n, int(mode.right.sum())) for mode in modes]
    whole = paper.as_numbers("thinking_aggregate").merge(
        pd.DataFrame(own, columns=["model", "mode", "ours", "right"]), on=["model", "mode"], how="right"
    )
    ours, source = whole["ours"], FROM_THINKING
    counted = whole.assign(n_total=ours + whole["n_malformed"], n_malformed=whole["n_total"] - ours)
    counted = counted.assign(accuracy=whole["right"] / ours)
    made = whole.assign(
        d_prime=[fit.d_prime for fit in fits],
        meta_d_prime=[fit.meta_d for fit in fits],
        m_ratio=[fit.m_ratio for fit in fits],
        converged=[fit.converged for fit in fits],
        auroc2=np.nan,
    )
    ends = [tuple(map(float, auroc2_bounds(mode.wrong, mode.right))) for mode in modes]
    notes = [f"ours: d' {f.d_prime:.3f}, meta-d' {f.meta_d:.3f}, M-ratio {f.m_ratio:.3f}" for f in fits]
    table, fitted_ones = "thinking_aggregate", ("d_prime", "meta_d_prime", "m_ratio")
    areas = whole.pivot(index="model", columns="mode", values="auroc2")
    areas["delta_auroc2"] = areas["thinking"] - areas["non_thinking"]
    marking = paper.as_numbers("thinking_marking").merge(whole[["model", "mode", "ours", "right"]])
    strict = marking.assign(
        accuracy_strict=(marking["right"] - marking["n_by_containment"]) / marking["ours"],
        n_by_containment=marking["right"] - marking["accuracy_strict"] * marking["ours"],
    )
    parts = [
        recounted(table, counted, ("n_total", "n_malformed", "accuracy"), source=source),
        estimated(table, made, fitted_ones, source=source),
        estimated(table, made, ("converged",), source=source, note=notes),
        estimated(table, made, ("auroc2",), source=source, bounds=ends),
        from_print("thinking_deltas", areas.reset_index(), ("delta_auroc2",), source=FROM_PRINT),
        recounted("thinking_marking", strict, ("accuracy_strict", "n_by_containment"), source=source),
        _domains(),
    ]
    return pd.concat(parts, ignore_index=True)


def _domains() -> pd.DataFrame:
    """n and accuracy of each domain as what the others leave of the whole: one test for all of them."""
    parts = []
    for (model, mode), rows in paper.as_numbers("thinking_domains").groupby(["model", "mode"]):
        whole = counts()[str(model), str(mode)]
        right = rows["n"] * rows["accuracy"]
        n = whole.n - (rows["n"].sum() - rows["n"])
        parts.append(rows.assign(n=n, accuracy=(whole.right.sum() - (right.to_numpy().sum() - right)) / n))
    note = "what the other domains leave of the counts"
    return recounted("thinking_domains", pd.concat(parts), ("n", "accuracy"), source=FROM_THINKING, note=note)


def claims() -> dict[str, Value | None]:
    """What the counts or the file of differences give for the claims of the abstract, by id."""
    both = {
        name: (counts()[name, "thinking"], counts()[name, "non_thinking"]) for name in paper.THINKING_MODELS
    }
    falls, lower = 0, []
    for name, modes in both.items():
        on, off = modes
        gap = auroc2_from_counts(on.wrong, on.right) - auroc2_from_counts(off.wrong, off.right)
        error = np.sqrt(sum(auroc2_variance(mode.wrong, mode.right) for mode in modes))
        falls += int(gap + Z95 * error < 0)
        lower += [paper.THINKING_MODELS[name]] if on.accuracy <= off.accuracy else []
    of_qwen = {
        quantity: paper.printed("thinking_deltas")[("qwen3-8b",), quantity] for quantity in DELTAS.values()
    }
    samples, but = (
        "on the four ratings, modes as independent samples",
        f"not of {', '.join(lower)}" if lower else "",
    )
    return {
        "th_auroc2": Value(float(falls), FROM_THINKING, note=samples, kind=Kind.ESTIMATED),
        "th_accuracy": Value(float(len(both) - len(lower)), FROM_THINKING, note=but, kind=Kind.RECOUNTED),
        **{one: Value(of_qwen[quantity], FROM_PRINT, kind=Kind.PRINTED) for one, quantity in DELTAS.items()},
        "th_variance": None,
    }
