"""What the audit of the published figures finds, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study4_probe.measures import shown as shared
from metacog.studies.study4_probe.published.analysis import Published
from metacog.studies.study4_probe.published.analysis_panel import PublishedPanel
from metacog.studies.study4_probe.published.benchmarks import COMPOSITES
from metacog.studies.study4_probe.published.rank_agreement import ALPHA as LEVEL
from metacog.studies.study4_probe.published.rank_agreement import TASK_PAIRS
from metacog.studies.study4_probe.published.rank_tests import N
from metacog.studies.study4_probe.published.reliability import AGREEMENT, ALPHA


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


def sweep_agreement(result: Published) -> str:
    """How far the scores of the printed items and the printed scores reach."""
    frame = result.sweep
    return (
        f"By the formula the score lies between {frame['score'].min():.1f} and {frame['score'].max():.1f} whichever "
        f"thresholds of the band are taken; printed are {frame['printed'].min():.0f} to {frame['printed'].max():.0f}."
    )


def constant_confidence(result: Published) -> str:
    """Which printed scores are those of a confidence that never moves, and which cannot be."""
    frame = result.constant
    full = frame[frame["right_at_100"].notna()]
    named = listed(f"{r.model} with {r.right_at_100:.0f}" for r in rows_of(full))
    return (
        f"{len(full)} of {len(frame)} printed scores are those of twelve answers at confidence 100: {named} right."
        + "".join(
            f" The text, however, prints {r.right:.0f} of 12 right for {r.model}; with so few, one confidence gives no "
            f"more than {r.most:.1f}, and {r.score:.0f} is printed."
            for r in rows_of(frame[~frame["fits"]])
            if r.right == r.right
        )
    )


def granularity(result: Published) -> str:
    """How many printed scores are shares of their task's items."""
    frame = result.granular
    return (
        f"Where an item is scored 0 or 1, a score is a share of the task's items: {int(frame['fits'].sum())} of "
        f"{int(frame['models'].sum())} printed scores of such tasks {'is' if frame['fits'].sum() == 1 else 'are'}."
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


def reliability_bars(result: Published) -> str:
    """Which tasks meet which bar."""
    frame = result.reliability
    agree, both = int(frame["agrees"].sum()), int((frame["agrees"] & frame["reliable"]).sum())
    return (
        f"Of {len(frame)} tasks {agree or 'none'} reach the agreement of {AGREEMENT:.2f} that the paper asks for, "
        f"{int(frame['reliable'].sum()) or 'none'} the alpha of {ALPHA:.2f}, and {both or 'none'} both."
    )


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


def people(result: PublishedPanel) -> str:
    """How many people the printed intervals of both hypotheses correspond to."""
    first, second = result.sizes.values()
    both = sorted({*first} & {*second})
    end = f"{_span(both)} would fit both" if both else "no number of people fits both"
    return (
        "By the usual formulas (Fisher's z for r, Fieller's variance for tau-b) the interval printed for the first "
        f"hypothesis is that of {_span(first)}, and the second's that of {_span(second)}: {end}."
    )


def _span(found: Sequence[int]) -> str:
    if not found:
        return "no number of people"
    ends = str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"
    return f"{ends} people"


def lineages_left_out(result: PublishedPanel) -> str:
    """How far the correlation of two tasks depends on one family, and whether the printed one is that without it."""
    whole, each = result.lineages.iloc[0], result.lineages.iloc[1:]
    done = each[each["r"].notna()]
    return (
        f"The correlation of confidence out of 10 with flaws in arguments is {whole['r']:.2f} over all models and "
        f"between {done['r'].min():.2f} and {done['r'].max():.2f} with a family left out. "
        f"{shared.printed_correlation(result.without_dropped)}"
    )


def murphy_loss(result: PublishedPanel) -> str:
    """What most of Flash's loss is."""
    return shared.murphy_loss(result.murphy)


VIEWS = (
    Views(
        "published",
        sentences={
            "answer": page_answer,
            "sweep_agreement": sweep_agreement,
            "constant_confidence": constant_confidence,
            "test_sizes": test_sizes,
            "external_orders": external_orders,
            "reliability_bars": reliability_bars,
            "granularity": granularity,
        },
    ),
    Views(
        "published_panel",
        sentences={
            "rank_agreement": rank_agreement,
            "people": people,
            "lineages_left_out": lineages_left_out,
            "murphy_loss": murphy_loss,
        },
    ),
)
