"""What the audit of the published figures finds, in sentences."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.studies.study4_probe.published import ALPHA as LEVEL
from metacog.studies.study4_probe.published import TASK_PAIRS, Published, PublishedPanel
from metacog.studies.study4_probe.rank_tests import COMPOSITES, N


def page_answer(result: Published) -> str:
    """Whether what is printed can rest on what is printed next to it."""
    follow, n = int(result.sweep["follows"].sum()), len(result.sweep)
    if follow < n:
        return (
            f"No: of {n} scores that the paper prints for one model, {follow or 'none'} "
            f"{'follows' if follow == 1 else 'follow'} from the twelve answers printed beside them."
        )
    if (result.tests["sizes_ci"] == str(N)).all():
        return f"Yes, where it can be checked: all {n} scores of one model follow from its twelve printed answers."
    return (
        "Not all: one model's scores follow from its printed answers, but intervals are those of fewer items."
    )


def test_sizes(result: Published) -> str:
    """Which number of items stands behind the intervals, and which behind the p-values."""
    frame = result.tests
    ends = frame["sizes_ci"].value_counts()
    common, n_ends = str(ends.index[0]), int(ends.iloc[0])
    first = (
        f"No number of items gives the printed intervals of {n_ends} of {len(frame)} models."
        if common == "none"
        else f"The printed intervals of {n_ends} of {len(frame)} models are those of {common} items; the task has {N}."
    )
    return f"{first} Of the printed p-values {int(frame['p_agrees'].sum())} of {len(frame)} are those of {N} items."


def external_orders(result: Published) -> str:
    """How many rankings were found, and whether the printed composites' correlations follow from them."""
    frame = result.external
    one = frame[frame["rankings"] == 1]
    near = {name: int(one[f"{name}_agrees"].sum()) for name in COMPOSITES}
    best = max(near, key=lambda name: near[name])
    words = (
        f"For {len(one)} of {len(frame)} benchmarks exactly one order of the models gives all five printed "
        f"correlations of the tasks. With these orders, the {COMPOSITES[best]} gives the printed correlation of the "
        f"composite in {near[best]} of {len(one)} cases."
    )
    for row in rows_of(one[~one[f"{best}_agrees"]]):
        again = getattr(row, best)
        words += f" The exception is {row.benchmark}: {row.printed:.3f} is printed, {again:.3f} recomputed."
    return words


def rank_agreement(result: PublishedPanel) -> str:
    """How far the five tasks rank the models alike."""
    frame = result.ranks[result.ranks["kind"] == TASK_PAIRS]
    alone, all_ = frame[frame["p"] < LEVEL], frame[frame["p"] < LEVEL / len(frame)]
    if len(all_):
        return f"In {len(all_)} of {len(frame)} pairs two tasks rank eight models alike, or opposite, beyond chance."
    tail = f", {len(alone)} when judged alone" if len(alone) else ""
    return (
        f"Eight models leave it open: none of {len(frame)} pairs of tasks ranks them alike, or opposite, beyond chance "
        f"when all are judged together{tail}."
    )


VIEWS = (
    Views(
        "published",
        sentences={
            "answer": page_answer,
            "test_sizes": test_sizes,
            "external_orders": external_orders,
        },
    ),
    Views(
        "published_panel",
        sentences={
            "rank_agreement": rank_agreement,
        },
    ),
)
