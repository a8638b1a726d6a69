"""Is what remains of confidence within difficulty self-knowledge, and how much of it can be seen?

33 simulated models answer 1,500 questions (``answerers.py``); some of them are judged by
``metacog.measures.remainder``. Writes one row for each kind of observer, share of self-knowledge and judged model::

    python benchmarks/self_knowledge_frontier.py --out data/simulations/self_knowledge_frontier.csv

Sections that the table has are kept.
Sections: difficulty alone; two kinds of difficulty; mixtures of difficulty and own state (recovery and power); own
state alone; misconceptions and wrong keys, with and without suspected questions; coverage of intervals of areas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd
from answerers import KINDS, ManyAnswers, models_like_a_leaderboard, simulated_answers
from recording import Given, parsed

from metacog.measures.model_items import ModelItems
from metacog.measures.remainder import remainder
from metacog.measures.suspected_keys import suspected_items
from metacog.sdt import auroc2_interval
from metacog.sdt.resampling import cluster_weights
from metacog.sdt.within_strata import StratifiedAnswers

#: Judged models: about 75, 170 and 620 wrong answers of 1,500.
JUDGED = ("family 4/model 21", "family 3/model 19", "family 1/model 7")
#: True shares of the state in what confidence reads, for recovery and power.
SHARES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75)
#: Share of other families' models that give one and the same wrong answer, from which a key is suspected.
SUSPECTED = 0.8
SECTIONS = (
    "difficulty",
    "two difficulties",
    "mixtures",
    "own state",
    "misconceptions",
    "wrong keys",
    "coverage",
)
#: Runs, by what the option calls them: observers without self-knowledge; mixtures, two difficulties and own state;
#: misconceptions and wrong keys; coverage of intervals.
RUNS = {"runs": 200, "mixtures": 100, "odd": 8, "coverage": 1000}
N_RESAMPLES = 300


def at_every_share(made: Mapping[str, ManyAnswers], model: str) -> ModelItems:
    """Models of other families, and the judged one once for each of some leaderboards, by their name.

    These differ in what confidence reads alone, so that the same answers are right in all of them.
    """
    first = next(iter(made.values()))
    own = [one.name for one in first.models].index(model)
    others = [i for i, one in enumerate(first.models) if one.family != first.models[own].family]
    return ModelItems(
        (*(first.models[i].name for i in others), *made),
        first.item_names(),
        np.vstack([first.right[others], *(one.right[own] for one in made.values())]).astype(np.float64),
        np.vstack([first.confidence[others], *(one.confidence[own] for one in made.values())]),
        (*(first.models[i].family for i in others), *(first.models[own].family for _ in made)),
        ("",) * first.key.size,
    )


def judged(items: ModelItems, models: Sequence[str], seed: int) -> pd.DataFrame:
    """What remains; nothing that is stored rests on permutations, so that there are but two."""
    return remainder(items, models=models, seed=seed, n_resamples=N_RESAMPLES)


def recovery_rows(
    kind: str, shares: Sequence[float], runs: int, seed: int, models: Sequence[str]
) -> Iterator[dict[str, object]]:
    """Estimates and intervals against the truth, and how often an interval excludes 0."""
    found: dict[float, list[pd.DataFrame]] = {share: [] for share in shares}
    for one in range(seed * 10_000, seed * 10_000 + runs):
        made = {f"{share:g}": simulated_answers(kind, self_share=share, seed=one) for share in shares}
        for model in models:
            table = judged(at_every_share(made, model), list(made), one).assign(model=model)
            for i, share in enumerate(shares):
                found[share].append(table.iloc[[i]])
    for share, tables in found.items():
        known = {m.name: m.known_information() for m in models_like_a_leaderboard(share)}
        yield from summaries({"kind": kind, "self_share": share}, tables, known)


def summaries(
    labels: dict[str, object], found: list[pd.DataFrame], known: dict[str, tuple[float, float]]
) -> Iterator[dict[str, object]]:
    for model, table in pd.concat(found).groupby("model", sort=False):
        whole, rest = known[str(model)]
        low, high = table["corrected_lower"], table["corrected_upper"]
        bits_low, bits_high = table["beyond_lower"], table["beyond_upper"]
        shares = table.dropna(subset=["share"])
        covers = (shares["share_lower"] <= rest / whole) & (rest / whole <= shares["share_upper"])
        yield labels | {
            "model": model,
            "n_runs": len(table),
            "n_wrong": table["n_wrong"].mean(),
            "auroc2": table["auroc2"].mean(),
            "within": table["within"].mean(),
            "by_difficulty": table["by_difficulty"].mean(),
            "corrected": table["corrected"].mean(),
            "corrected_sd": table["corrected"].std(ddof=1),
            "holds_0": int(((low <= 0) & (high >= 0)).sum()),
            "above_0": int((low > 0).sum()),
            "uncorrected_above_half": int((table["within_lower"] > 0.5).sum()),
            "true_information": whole,
            "information": table["information"].mean(),
            "true_share": rest / whole,
            "share": shares["share"].mean(),
            "share_bias": shares["share"].mean() - rest / whole,
            "share_sd": shares["share"].std(ddof=1),
            "share_covers": int(covers.sum()),
            "n_shares": len(shares),
            "beyond_holds_0": int(((bits_low <= 0) & (bits_high >= 0)).sum()),
            "beyond_above_0": int((bits_low > 0).sum()),
            "uncorrected_share": table["remaining"].mean() / table["information"].mean(),
        }


def odd_rows(kind: str, runs: int, seed: int, models: Sequence[str]) -> Iterator[dict[str, object]]:
    """With all questions, without suspected ones, and without those that are odd in truth."""
    share = KINDS[kind]
    known = {m.name: m.known_information() for m in models_like_a_leaderboard(share)}
    found: dict[str, list[pd.DataFrame]] = {"all": [], "not suspected": [], "not odd": []}
    left_out, caught = [], []
    for one in range(seed * 10_000, seed * 10_000 + runs):
        made = simulated_answers(kind, seed=one)
        items = made.arranged()
        found["all"].append(judged(items, models, one))
        found["not odd"].append(judged(items.kept(~made.odd), models, one))
        for model in models:
            out = suspected_items(items, model, SUSPECTED)
            left_out.append(out.sum())
            caught.append((out & made.odd).sum())
            found["not suspected"].append(judged(items.kept(~out), [model], one))
    for used, tables in found.items():
        for row in summaries({"kind": kind, "self_share": share, "questions": used}, tables, known):
            yield row | (
                {"n_suspected": np.mean(left_out), "n_suspected_odd": np.mean(caught)}
                if used == "not suspected"
                else {}
            )


def coverage_rows(runs: int, seed: int, models: Sequence[str]) -> Iterator[dict[str, object]]:
    """How often the intervals of AUROC2 and of AUROC2 within strata hold the mean over runs."""
    found = []
    for one in range(seed * 10_000, seed * 10_000 + runs):
        items = simulated_answers("mixture", seed=one).arranged()
        for model in models:
            own = items.models.index(model)
            hits, sure = items.right[own] > 0, items.confidence[own]
            count = items.right[items.others(model)].sum(axis=0)
            found.append({"model": model, "n_wrong": int((~hits).sum())} | _ends(hits, sure, count, one))
    table = pd.DataFrame(found)
    for name, mine in table.groupby("model", sort=False):
        for what in ("auroc2", "within"):
            truth = mine[what].mean()
            inside = (mine[f"{what}_lower"] <= truth) & (truth <= mine[f"{what}_upper"])
            yield {
                "kind": "coverage",
                "questions": what,
                "self_share": KINDS["mixture"],
                "model": name,
                "n_runs": len(mine),
                "n_wrong": mine["n_wrong"].mean(),
                what: truth,
                "coverage": inside.mean(),
            }


def _ends(hits: np.ndarray, sure: np.ndarray, count: np.ndarray, seed: int) -> dict[str, float]:
    whole = auroc2_interval(hits, sure)
    answers = StratifiedAnswers.of(hits, sure, count)
    weights = cluster_weights(hits.size, N_RESAMPLES, np.random.default_rng(seed))
    within = answers.interval(answers.areas(weights))
    return {
        "auroc2": whole.estimate,
        "auroc2_lower": whole.lower,
        "auroc2_upper": whole.upper,
        "within": within.estimate,
        "within_lower": within.lower,
        "within_upper": within.upper,
    }


def main() -> None:
    """Make the sections that the table lacks."""
    given = parsed(__file__, **RUNS, seed=42)
    parts = {(section,): partial(section_rows, section, given) for section in SECTIONS}
    given.write(given.completed(parts, ["section"]), seed=given.seed)


def section_rows(section: str, given: Given) -> pd.DataFrame:
    """Rows of one section, which their last column names."""
    return pd.DataFrame(list(rows_of(section, given))).assign(section=section)


def rows_of(section: str, given: Given) -> Iterator[dict[str, object]]:
    """Rows of one section of the table."""
    seed = given.seed
    if section == "difficulty":
        yield from recovery_rows("difficulty", [0.0], given.runs, seed, JUDGED)
    elif section == "two difficulties":
        yield from recovery_rows(section, [0.0], given.mixtures, seed, JUDGED)
    elif section == "mixtures":
        yield from recovery_rows("mixture", SHARES, given.mixtures, seed, JUDGED)
    elif section == "own state":
        yield from recovery_rows(section, [1.0], given.mixtures, seed, JUDGED)
    elif section == "coverage":
        yield from coverage_rows(given.coverage, seed, JUDGED)
    else:
        yield from odd_rows(section, given.odd, seed, JUDGED)


if __name__ == "__main__":
    main()
