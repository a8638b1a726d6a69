"""Is it self-knowledge? How much of the atlas's models' confidence is knowledge of themselves."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from metacog.core.frames import committed_table
from metacog.core.words import listed
from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import CUTS, DIAGONAL, own_and_others
from metacog.report.views import Views
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study6_frontier.ledger.rows import model_items, partly_stated
from metacog.studies.study6_frontier.paper import FILES
from metacog.verdicts.self_knowledge import BETTER, judge
from metacog.verdicts.self_knowledge_words import VERDICTS, ahead, diagonal, headline, most_of_it

#: Made by ``benchmarks/self_knowledge_placebo.py``: simulated leaderboards of 33 models and 1,500 items.
WORLDS = "data/simulations/self_knowledge_placebo.csv"
#: Share of runs without self-knowledge in which a model may be called self-knowing.
ALLOWED = 0.05


@analysis(files=(*FILES, DIAGONAL, WORLDS))
def self_knowledge(
    inputs: Inputs,
    items: ModelItems | None = None,
    *,
    n_resamples: int = 1000,
    n_permutations: int = 200,
    seed: int = 42,
    verdicts: bool = True,
    n_cuts: int = len(CUTS),
) -> dict[str, Any]:
    """How much of large models' confidence is knowledge of themselves?

    Difficulty is cut in ``n_cuts`` ways, the main one first. Models that state a confidence in some replies alone are
    shown and take no part in counts of models.
    """
    found = own_and_others(
        items or model_items(),
        cuts=CUTS[:n_cuts],
        n_resamples=n_resamples,
        n_permutations=n_permutations,
        seed=seed,
    )
    made = judge(found, verdicts=verdicts, uncounted=partly_stated())
    return {
        "models": made.models,
        "means": made.means,
        "ways": made.ways,
        "compared": made.compared,
        "claims": made.claims,
        "worlds": worlds(),
        "outcomes": made.outcomes,
        "diagonal_without": made.diagonal_without,
        "n_models": made.n_models,
        "n_items": made.n_items,
        "n_ranked": made.n_ranked,
        "n_better": made.n_better,
        "n_worse": made.n_worse,
        "n_open": made.n_open,
        "n_ahead": made.n_ahead,
    }


def worlds() -> pd.DataFrame:
    """How often a model is called self-knowing in simulated worlds of as many models as the atlas has."""
    table = committed_table(WORLDS)
    return table[table["n_models"] == table["n_models"].max()].reset_index(drop=True)


def left(result: Result) -> str:
    """What own confidence adds to all that the others say, in bits: in which models, and on average."""
    table = result.compared[~result.compared["uncounted"]].dropna(subset=["blend"])
    shown = table[table["outcome"] == BETTER].sort_values("blend", ascending=False)
    named = [
        f"{row.model} ({row.blend:.4f} bits, {row.blend_lower:.4f} to {row.blend_upper:.4f})"
        for row in shown.itertuples()
    ]
    some = int((table["blend_lower"] > 0).sum())
    alone = result.models.set_index("model").loc[table["model"], "added"].mean()
    rest = round(table["blend"].mean(), 4) + 0.0
    return (
        f"To what others say of the question own confidence adds {alone:.4f} bits an answer, on average over "
        f"{len(table)} models; to what they say of the same answer as well, {rest:.4f}. Of these "
        f"intervals {some or 'none'} {'lies' if some == 1 else 'lie'} above 0, where chance alone puts "
        f"{len(table) / 40:.1f}. Where own confidence also does better than another model's, it is shown for "
        f"{listed(named) if named else 'no model'}."
    )


def power(result: Result) -> str:
    """How often simulated models are called self-knowing: without self-knowledge, in the worst world, and with it."""
    called, runs = "called_self_knowing", "n_runs"
    table = result.worlds.groupby(["world", "self_share"], sort=False)[[called, runs]].sum().reset_index()
    without, known = table[table["self_share"] == 0], table[table["self_share"] > 0]
    at = int((without[called] / without[runs]).to_numpy().argmax())
    worst, rest = without.iloc[at], without.drop(index=without.index[at])
    seen, asked = known[called].sum(), known[runs].sum()
    return (
        f"Of simulated models that know nothing of themselves, {worst[called]} of {worst[runs]} are called "
        f"self-knowing in the worst world ({worst['world']}), where {ALLOWED:.0%} is allowed, and "
        f"{rest[called].sum()} of {rest[runs].sum()} in the others. Of those that do know something, {seen} of {asked} "
        "are" + (": that nothing is left shows no lack of self-knowledge." if seen < 0.8 * asked else ".")
    )


VIEWS = Views(
    "self_knowledge",
    sentences={
        "answer": partial(headline, models="large models"),
        "ahead": ahead,
        "most_of_it": most_of_it,
        "diagonal": diagonal,
        "left": left,
        "power": power,
    },
    verdicts=VERDICTS,
)
