"""How the audit of the published figures is shown: tables, figures, sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.studies.study4_probe.ledger.entries import sweep_item
from metacog.studies.study4_probe.ledger.published import BENCHMARKS, TASKS, short
from metacog.studies.study4_probe.measures import shown as shared
from metacog.studies.study4_probe.measures.range_score import RANGE_BAND, SIGMA_BAND
from metacog.studies.study4_probe.measures.shown import MODEL, MURPHY, MURPHY_CAPTION, STRATEGY, TASK
from metacog.studies.study4_probe.published import figures
from metacog.studies.study4_probe.published.analysis import Published
from metacog.studies.study4_probe.published.analysis_panel import PublishedPanel
from metacog.studies.study4_probe.published.benchmarks import COMPOSITES
from metacog.studies.study4_probe.published.rank_agreement import ALPHA as LEVEL
from metacog.studies.study4_probe.published.rank_agreement import COMPOSITE_PAIRS, TASK_PAIRS
from metacog.studies.study4_probe.published.rank_tests import N
from metacog.studies.study4_probe.published.reliability import AGREEMENT, ALPHA

PRINTED = "Printed"


def sweep_agreement(result: Published) -> str:
    """How many printed scores at the nine pairs of thresholds follow from the printed items."""
    frame = result.sweep
    good = frame[frame["follows"]]
    where = f" (thresholds: {'; '.join(sweep_item(row) for row in rows_of(good))})" if len(good) else ""
    return (
        f"{len(good)} of {len(frame)} printed scores {'follows' if len(good) == 1 else 'follow'} from the twelve "
        f"printed items{where}. By the "
        f"formula the score lies between {frame['score'].min():.1f} and {frame['score'].max():.1f} "
        f"wherever in the band the thresholds are; printed are {frame['printed'].min():.0f} to "
        f"{frame['printed'].max():.0f}. The band is taken from section E.3 of the paper: "
        f"{_values(SIGMA_BAND)} for the deviation, {_values(RANGE_BAND)} for the range. Section A.5, which prints "
        "the scores, names no thresholds."
    )


def _values(band: Mapping[str, float]) -> str:
    return listed(f"{threshold:g}" for threshold in band.values())


def constant_confidence(result: Published) -> str:
    """Which printed scores are those of a confidence that never moves, and which cannot be."""
    frame = result.constant
    full = frame["right_at_100"].notna()
    named = listed(f"{r.model} with {r.right_at_100:.0f}" for r in rows_of(frame[full]))
    return (
        f"The printed T4-CR of {int(full.sum())} of {plural(len(frame), 'model')} with one confidence throughout is "
        f"that of twelve answers at confidence 100: {named} right."
        + "".join(
            f" The text, however, prints {r.right:.0f} of 12 right for {r.model}; with so few, one confidence gives no "
            f"more than {r.most:.1f}, and {r.score:.0f} is printed."
            for r in rows_of(frame[~frame["fits"]])
            if r.right == r.right
        )
    )


def granularity(result: Published) -> str:
    """Which tasks' printed scores are shares of their items."""
    found = [
        f"{r.fits} of {r.models} scores of {r.task} {'is a share' if r.fits == 1 else 'are shares'} of its {r.items} "
        "items"
        for r in rows_of(result.granular)
    ]
    return f"{listed(found)}; the others are no count of items scored 0 or 1 in one run."


def test_sizes(result: Published) -> str:
    """Which number of items stands behind the intervals, and which behind the p-values."""
    frame = result.tests
    ends = frame["sizes_ci"].value_counts()
    common, n_ends = str(ends.index[0]), int(ends.iloc[0])
    if common == "none":
        words = f"No number of items gives the printed intervals of {n_ends} of {len(frame)} models. "
    else:
        words = (
            f"The printed intervals of {n_ends} of {len(frame)} models are those of {common} items by "
            f"Fisher's z; the task has {N}. "
        )
    off = ~frame["p_agrees"]
    words += f"Of the printed p-values {int((~off).sum())} of {len(frame)} are those of {N} items"
    needs = [f"{r.model} ({r.sizes_p})" for r in rows_of(frame[off])]
    return words + (f"; the number of items that would give the others: {listed(needs)}." if needs else ".")


def external_orders(result: Published) -> str:
    """How many rankings were found, and whether the printed composites' correlations follow from them."""
    frame = result.external
    one = frame[frame["rankings"] == 1]
    near = {name: int(one[f"{name}_agrees"].sum()) for name in COMPOSITES}
    best = max(near, key=lambda name: near[name])
    words = (
        f"For {len(one)} of {len(frame)} benchmarks exactly one order of the models gives all five printed "
        f"correlations of the tasks. With the {COMPOSITES[best]} these orders then give the printed "
        f"correlation of the composite in {near[best]} of {len(one)} cases"
    )
    other = [f"{near[n]} with the {COMPOSITES[n]}" for n in COMPOSITES if n != best]
    words += f" ({listed(other)})."
    for row in rows_of(one[~one[f"{best}_agrees"]]):
        words += (
            f" The exception is {row.benchmark}: {row.printed:.3f} is printed, {getattr(row, best):.3f} recomputed "
            f"(sum of squared rank differences {row.sum_d2:.0f})."
        )
    return words


def reliability_bars(result: Published) -> str:
    """Which tasks meet which bar."""
    frame = result.reliability
    both = int((frame["agrees"] & frame["reliable"]).sum())
    return (
        f"An agreement of {AGREEMENT:.2f} is reached by {_tasks(int(frame['agrees'].sum()))}; "
        f"alpha reaches {ALPHA:.2f} in {listed(frame.loc[frame['reliable'], 'task'])}. Both bars are met by "
        f"{_tasks(both)}."
    )


def _tasks(n: int) -> str:
    return plural(n, "task") if n else "no task"


def page_answer(result: Published) -> str:
    """Whether what is printed can rest on what is printed next to it."""
    follow, n = int(result.sweep["follows"].sum()), len(result.sweep)
    if follow == n and (result.tests["sizes_ci"] == str(N)).all():
        return f"The printed figures agree with one another where they can be checked: all {n} scores of a task follow."
    return (
        f"The printed figures do not all agree with one another: of {n} scores of one task "
        f"{follow or 'none'} {'follows' if follow == 1 else 'follow'} from the answers printed beside them."
    )


def rank_agreement(result: PublishedPanel) -> str:
    """How far the five tasks rank the models alike."""
    frame = result.ranks
    pairs = frame[frame["kind"] == TASK_PAIRS]
    least = LEVEL / len(pairs)
    alone, all_ = pairs[pairs["p"] < LEVEL], pairs[pairs["p"] < least]
    named = f" ({listed(f'{r.first} and {r.second}' for r in rows_of(alone))})" if len(alone) else ""
    h1 = pairs[pairs["hypothesis"] != ""].iloc[0]
    open_ = h1["lower"] <= 0 <= h1["upper"]
    return (
        f"Of {len(pairs)} pairs of tasks {plural(len(alone), 'ranks', 'rank')} the eight models more alike, or less, "
        f"than chance at {LEVEL}{named}. Judged together, at {least:.3f}, {len(all_) or 'none'} do. T1-CC and T2-EV, "
        f"the pair of H1, have tau-b {h1['tau']:.2f} ({h1['lower']:.2f} to {h1['upper']:.2f}, p = {h1['p']:.2f}): "
        f"eight models {'leave open whether' if open_ else 'show that'} the two are related."
    )


def composite_ranks(result: PublishedPanel) -> str:
    """Do the three composites order the models alike?"""
    pairs = result.ranks[result.ranks["kind"] == COMPOSITE_PAIRS]
    named = [f"{r.tau:.2f} for the {r.first} with the {r.second}" for r in rows_of(pairs)]
    return f"{plural(len(pairs), 'pair')} of composites: tau-b is {listed(named)}."


def people(result: PublishedPanel) -> str:
    """How many people the printed intervals of H1 and H2 correspond to."""
    each = [f"that of {hypothesis} is one of {_span(sizes)}" for hypothesis, sizes in result.sizes.items()]
    both = set.intersection(*map(set, result.sizes.values()))
    end = f"{_span(sorted(both))} would fit" if both else "No number of people fits"
    return (
        f"{end} the printed intervals of both {listed(result.sizes)}. By the usual formulas (Fisher's z for r, "
        f"Fieller's variance for tau-b) a printed interval shows how many people it was computed from: {listed(each)}."
    )


def _span(found: Sequence[int]) -> str:
    if not found:
        return "no number of people"
    ends = str(found[0]) if len(found) == 1 else f"{found[0]} to {found[-1]}"
    return f"{ends} people"


def printed_correlation(result: PublishedPanel) -> str:
    """Is the printed correlation of T1-CC with T2-EV that of a panel without some lineage?"""
    return shared.printed_correlation(result.without_dropped)


def item_discrimination(result: PublishedPanel) -> str:
    """Over which items the printed mean discrimination of T3-KB can have been taken."""
    d = result.discriminating
    first = (
        f"allows a mean over all {d.items} items"
        if d.fits
        else f"is that of a mean over {d.discriminating} of {d.items} items alone"
    )
    return (
        f"The printed interval of T3-KB's discrimination {first}. {d.discriminating} of the items are printed as "
        "having a discrimination other than 0. If all models score alike on the others, and these count as 0, the "
        f"upper end of a bootstrap interval of the mean is at most {d.by_models:.2f} with models resampled and "
        f"{d.by_items:.2f} with items; the printed one is {d.printed:.3f}."
    )


def lineages_left_out(result: PublishedPanel) -> str:
    """How far the panel's figures depend on one family."""
    return shared.lineages_left_out(result.lineages)


def murphy_loss(result: PublishedPanel) -> str:
    """What most of Flash's loss on T4-CR is."""
    return shared.murphy_loss(result.murphy)


def lineage_names(rows: pd.DataFrame) -> pd.DataFrame:
    """The names of the models that are left out, as a list in words."""
    return rows.assign(models=[listed(names.split("; ")) if names else "" for names in rows["models"]])


VIEWS = (
    Views(
        "published",
        tables={
            "leaderboard": Schema(
                "leaderboard",
                columns_of(
                    MODEL,
                    [number(task, short(task), 0) for task in TASKS],
                    number("mean_T1_T2_T4_T5", "of four", 2, "Mean"),
                    number("mean_T1_T5", "of five", 2, "Mean"),
                    number("slots", "15-slot composite", 2),
                ),
                "Table 1 of the paper. Both means are recomputed; the composite of fifteen slots is as printed.",
            ),
            "items": Schema(
                "items",
                columns_of(
                    count("item", "Item"), count("correct", "Right"), count("confidence", "Confidence in %")
                ),
                "Gemini 2.5 Flash on the twelve items of T4-CR, as printed.",
            ),
            "constant": Schema(
                "constant",
                columns_of(
                    MODEL,
                    number("score", "T4-CR printed", 0),
                    number("right_at_100", "Right, if always 100 % sure", 0),
                    count("ways", "Ways with any one confidence"),
                    number("right", "Right, as printed", 0),
                    number("most", "Most that these give", 1),
                    answer("fits", "Can be right"),
                ),
                "What a confidence that never moves would need to give the printed score. A dash: the paper does not "
                "print how many answers were right.",
            ),
            "tests": Schema(
                "tests",
                columns_of(
                    MODEL,
                    number("rho", "rho", 3, PRINTED),
                    number("p", "p", 3, PRINTED),
                    number("lower", "from", 2, PRINTED),
                    number("upper", "to", 2, PRINTED),
                    number("p_24", "p", 4, "With 24 items"),
                    limits("lower_24", "upper_24", "With 24 items", 2),
                    text("sizes_p", "Items that give this p"),
                    text("sizes_ci", "Items that give this interval"),
                    number("pearson", "r behind T1-CC", 2),
                ),
                "Spearman's rho of confidence with correctness on T1-CC.",
            ),
            "external": Schema(
                "external",
                columns_of(
                    text("benchmark", "Benchmark"),
                    count("rankings", "Orders that fit"),
                    number("printed", "Printed rho"),
                    [number(name, title, 3, "With the order found") for name, title in COMPOSITES.items()],
                    limits("lower", "upper", "95 % at N = 8", 2),
                    answer("composite_15_slot_agrees", "Reproduced"),
                ),
                "Rank correlation of the composite with five benchmarks.",
            ),
            "rankings": Schema(
                "rankings",
                columns_of(MODEL, [number(name, name, 0) for name in BENCHMARKS]),
                "Places of the models on each benchmark, as the printed correlations fix them.",
            ),
            "loadings": Schema(
                "loadings",
                columns_of(
                    TASK,
                    number("c1", "recomputed", 3, "Component 1"),
                    number("c1_printed", "printed", 3, "Component 1"),
                    number("c2", "recomputed", 3, "Component 2"),
                    number("c2_printed", "printed", 3, "Component 2"),
                ),
                "Loadings of the tasks on the first two components.",
            ),
            "cosines": Schema(
                "cosines",
                columns_of(
                    text("panel", "Panel"),
                    number("raw", "Scores, unadjusted"),
                    number("by_task", "Minus the task's mean"),
                    number("forced", "-1/(n - 1)"),
                    number("by_model", "Minus the model's mean"),
                ),
                "Mean cosine of all pairs of profiles.",
            ),
            "reliability": Schema(
                "reliability",
                columns_of(
                    TASK,
                    number("agreement", "Agreement", 2),
                    number("gap_agreement", "over 0.90", 2),
                    number("alpha", "Krippendorff's alpha", 2),
                    number("gap_alpha", "over 0.25", 2),
                    answer("agrees", "Bar of agreement met"),
                    answer("reliable", "Bar of alpha met"),
                ),
                "Table 2 of the paper against the two bars.",
            ),
        },
        figures={"profiles": figures.profiles, "sweep": figures.thresholds, "tests": figures.tests},
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
        tables={
            "ranks": Schema(
                "ranks",
                columns_of(
                    text("kind", "Pair of"),
                    text("first", "First"),
                    text("second", "Second"),
                    number("tau", "tau-b", 2),
                    limits("lower", "upper", digits=2),
                    number("p", "p over all orders", 4),
                    count("n", "N"),
                    text("hypothesis", "Hypothesis", optional=True),
                ),
                "Kendall's tau-b of printed rankings.",
            ),
            "lineages": Schema(
                "lineages",
                columns_of(
                    text("left_out", "Left out"),
                    text("models", "that is", optional=True),
                    count("n", "Models left"),
                    text("leader", "Leads the mean of four"),
                    number("r", "r of T1-CC and T2-EV", 2),
                    number("tau", "Mean tau-b of tasks", 2),
                    number("share", "Two components, %", 0),
                    number("c1", "first", 2, "Cosine with the whole panel's component"),
                    number("c2", "second", 2, "Cosine with the whole panel's component"),
                ),
                "The panel's figures without each lineage. A dash: fewer than six models are left.",
                pick=lineage_names,
            ),
            "murphy": Schema("murphy", MURPHY, MURPHY_CAPTION),
            "strategy": Schema("strategy", STRATEGY, "How Flash states its confidence on T4-CR."),
        },
        figures={"lineages": figures.lineages},
        sentences={
            "rank_agreement": rank_agreement,
            "composite_ranks": composite_ranks,
            "people": people,
            "lineages_left_out": lineages_left_out,
            "printed_correlation": printed_correlation,
            "murphy_loss": murphy_loss,
            "strategy_rule": shared.strategy_rule,
            "item_discrimination": item_discrimination,
        },
    ),
)
