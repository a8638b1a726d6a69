"""What is in the atlas's rows: how it is shown."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import Column, Schema, Sort, columns_of, count, number, text
from metacog.report.views import Views
from metacog.studies.study6_frontier.ledger.published import DOMAINS
from metacog.studies.study6_frontier.reading.analysis import Reading

#: A run that lacks other items than it has, below this p, is named.
ALPHA = 0.05


def repeats(result: Reading) -> str:
    """Which rows stand twice, and which replies hold no answer or no confidence."""
    twice = (
        f"{result.n_copies:,} of {result.n_read:,} rows repeat another ({result.copied}) and are dropped once."
        if result.n_copies
        else f"None of the {result.n_read:,} rows repeats another."
    )
    silent = (
        f" {result.n_no_answer} replies name none of the four options; they count as wrong, as published."
    )
    put_in = (
        f" {result.n_imputed:,} confidences of {result.imputed} are 50 because its replies stated none: the parser "
        "put it in. They are left out of whatever is computed of that model; only the ledger, which repeats printed "
        "figures, counts them."
        if result.n_imputed
        else ""
    )
    return twice + silent + put_in


def partial(result: Reading) -> str:
    """Which runs are partial, and whether what they lack is like what they have."""
    short = result.runs[result.runs["missing"] > 0]
    if short.empty:
        return f"All {result.n_models} models answered all {result.n_items:,} items."
    apart = short[short["p_holm"] < ALPHA]
    named = [
        f"{r.model} lacks {'harder' if r.lacking < r.there else 'easier'} items than it has "
        f"({r.lacking:.2f} against {r.there:.2f} right)"
        for r in rows_of(apart)
    ]
    judged = int(short["p_holm"].notna().sum())
    like = (
        f"Judged by the models with whole runs, {listed(named)}."
        if named
        else f"Judged by the models with whole runs, none of the {judged} runs that lack enough items to tell lacks "
        f"harder or easier ones than it has (smallest p after Holm {short['p_holm'].min():.2f})."
    )
    return (
        f"{plural(len(short), 'model')} of {result.n_models} lack items, from {short['missing'].min():,} to "
        f"{short['missing'].max():,}, in stretches of neighbouring items (at most {short['stretches'].max()} a model), "
        f"as runs do that broke off or began late; {result.n_shared:,} items were answered by all. {like}"
    )


def ties(result: Reading) -> str:
    """How many confidences are one of two numbers."""
    most = result.runs.sort_values("top_share").iloc[-1]
    return (
        f"{result.share_at_100:.0%} of the confidences that are stated are exactly 100 and {result.share_at_95:.0%} "
        f"exactly 95. {most['model']} states {most['top']:.0f} in {most['top_share']:.0%} of its replies. "
        "So ranks are full of ties, which count half, and a rating is a stated number rather than a quantile."
    )


def _missing() -> tuple[Column, ...]:
    return tuple(Column(name, short, Sort.COUNT, group="Missing") for name, (short, _) in DOMAINS.items())


VIEWS = Views(
    "reading",
    tables={
        "runs": Schema(
            "runs",
            columns_of(
                text("model", "Model"),
                count("n", "Items"),
                _missing(),
                count("stretches", "Stretches"),
                number("there", "answered", 2, "Others right on items"),
                number("lacking", "missing", 2, "Others right on items"),
                number("p_holm", "p (Holm)", 2),
            ),
            "Partial runs: items that are missing, by domain; and how often the models with whole runs are right on "
            "the items that the model answered and on those that are missing.",
            pick=lambda frame: frame[frame["missing"] > 0],
            empty="Every model answered every item.",
        ),
        "confidences": Schema(
            "runs",
            columns_of(
                text("model", "Model"),
                count("levels", "Different numbers"),
                number("top", "Most frequent", 0),
                number("top_share", "Its share", 2),
                count("no_answer", "No answer"),
            ),
            "The confidences that each model states.",
            pick=lambda frame: frame.sort_values("top_share", ascending=False),
        ),
    },
    sentences={"repeats": repeats, "partial": partial, "ties": ties},
)
