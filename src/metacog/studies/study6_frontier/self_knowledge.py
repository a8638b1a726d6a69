"""Is it self-knowledge? How much of the atlas's models' confidence is knowledge of themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table
from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import CUTS, DIAGONAL, own_and_others
from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study6_frontier.ledger.rows import model_items, partly_stated
from metacog.studies.study6_frontier.paper import FILES
from metacog.verdicts.self_knowledge import diagonal_of, judge
from metacog.verdicts.self_knowledge_words import VERDICTS

#: Made by ``benchmarks/self_knowledge_placebo.py``: simulated leaderboards of 33 models and 1,500 items.
WORLDS = "data/simulations/self_knowledge_placebo.csv"


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
        "passes": passes(made.n_ahead, made.n_better, made.n_ranked),
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


#: The two steps of the test, and columns of the simulated worlds that say in how many runs a model passes them.
STEPS = {
    "beats another model's confidence": "own_less_placebo_above_0",
    "still helps once we know what others answered": "called_self_knowing",
}
#: Simulated models of whom it is told how many pass.
KNOWING, LOOKING = "simulated: they know themselves", "simulated: they see what looks plausible to anybody"


def passes(n_ahead: int, n_better: int, n_ranked: int) -> pd.DataFrame:
    """Who passes either step: ``step, whose``, ``k`` of ``n``, and the share ``passed`` with Wilson's 95 % limits.

    Real models, simulated ones that know something of themselves, and simulated ones that see how plausible an answer
    looks to anybody.
    """
    table = worlds()
    looks = table["world"].str.startswith("plausible answers") & (table["self_share"] == 0)
    rows = []
    for (step, column), real in zip(STEPS.items(), (n_ahead, n_better), strict=True):
        counts = [("the large models of this page", real, n_ranked)]
        for whose, of in ((KNOWING, table["self_share"] > 0), (LOOKING, looks)):
            counts.append((whose, int(table.loc[of, column].sum()), int(table.loc[of, "n_runs"].sum())))
        rows += [{"step": step, "whose": whose, "k": k, "n": n} for whose, k, n in counts]
    made = pd.DataFrame(rows)
    made["passed"] = made["k"] / made["n"]
    made["passed_lower"], made["passed_upper"] = wilson(made["passed"], made["n"])
    return made


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need: bits added, shares, the diagonal, and how often simulated models are called."""
    counted = result.compared[~result.compared["uncounted"]].dropna(subset=["blend"])
    diagonal: Any = diagonal_of(result.means) if len(result.means) else {}
    called, runs = "called_self_knowing", "n_runs"
    table = result.worlds.groupby(["world", "self_share"], sort=False)[[called, runs]].sum().reset_index()
    without, known = table[table["self_share"] == 0], table[table["self_share"] > 0]
    at = int((without[called] / without[runs]).to_numpy().argmax())
    (ahead, left), by = STEPS, result.passes.set_index(["step", "whose"])[["k", "n"]]
    worst, rest = without.iloc[at], without.drop(index=without.index[at])
    return {
        "placebo": float(counted["placebo"].median()),
        "placebo_simulated": float(result.worlds["placebo"].max()),
        "pass_knowing": float(known[called].sum() / known[runs].sum()),
        "pass_unknowing": float(without[called].sum() / without[runs].sum()),
        "added": float(result.models.set_index("model").loc[counted["model"], "added"].mean()),
        "bits_left": round(float(counted["blend"].mean()), 4) + 0.0,
        "n_left": int((counted["blend_lower"] > 0).sum()),
        "by_chance": len(counted) / 40,
        "share": float(result.models["share"].median()),
        **{f"diagonal_{name}": float(diagonal.get(name, np.nan)) for name in ("mean", "lower", "upper")},
        "worst_world": str(worst["world"]),
        "worst_called": int(worst[called]),
        "worst_runs": int(worst[runs]),
        "rest_called": int(rest[called].sum()),
        "rest_runs": int(rest[runs].sum()),
        "seen": int(by.loc[(left, KNOWING), "k"]),
        "known": int(by.loc[(left, KNOWING), "n"]),
        "known_ahead": int(by.loc[(ahead, KNOWING), "k"]),
        "looks_ahead": int(by.loc[(ahead, LOOKING), "k"]),
        "looks_runs": int(by.loc[(ahead, LOOKING), "n"]),
        "looks_called": int(by.loc[(left, LOOKING), "k"]),
    }


VIEWS = Views("self_knowledge", numbers=numbers, verdicts=VERDICTS)
