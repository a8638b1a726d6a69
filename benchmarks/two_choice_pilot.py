"""How hard tasks A and C of study 2 are to the reference model, on sentences that are not analysed.

Run: python benchmarks/two_choice_pilot.py             (about three minutes of two processors)
Batches that the table has already are not asked again.
Decisions alone are asked for, as the reference profile asks them. Rows go to
data/simulations/two_choice_pilot.csv, one row per decision; the sidecar holds the command, the share right of every
candidate, what the rule chose, and versions. The rule was written down before the first decision:
of the candidates of a task, the first whose share right lies in WANTED; where none does, the one nearest to its
middle. An answer that cannot be read counts as wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd
from recording import SIMULATIONS, parsed

from metacog.collect.models import get_model
from metacog.collect.plan import open_engine, settings_of
from metacog.collect.prompts import load_prompt
from metacog.collect.questions import load_labelled
from metacog.core.config import load_profile
from metacog.engines.requests import Conversation
from metacog.studies import get_study
from metacog.studies.study2_two_choice.asking.collections import RiskDecision
from metacog.studies.study2_two_choice.asking.sentences import sentences
from metacog.studies.study2_two_choice.settings import Settings

OUT = SIMULATIONS / "two_choice_pilot.csv"
MODEL = "qwen2.5-coder-1.5b"
#: Share right that leaves room for confidence to be right or wrong.
WANTED = (0.65, 0.85)
#: Candidates of task A: the batches whose sentences a set holds, with how many of them, and the kinds left in
#: (all if empty). The last was added when neither of the others was within WANTED.
SETS: dict[str, tuple[dict[str, int], tuple[str, ...]]] = {
    "sentiment-hard": ({"A, hard": 192}, ()),
    "its irony and facts": ({"A, hard": 96}, ("implied", "irony")),
    "sentiment-varied": ({"A, plain": 232, "A, hard": 192}, ()),
}
#: Candidates of task C: how many words are deleted, and which. The last two were added likewise.
DELETED = ((1, "the"), (2, "the"), (3, "the"), (3, "any"), (5, "any"))
#: Sentences of task C, the same ones for every candidate, half of them with a deletion.
N_ARTICLES = 20


def asked(settings: Settings) -> dict[str, Settings]:
    """Settings of every batch of the pilot, by its name."""
    alone = replace(settings, risks=("None",), n_sentences=None, n_warned=None)
    several = {
        batch_of(n, what): replace(alone, n_sentences=N_ARTICLES, n_deleted=n, deleted=what).of(
            "C", "articles-pilot"
        )
        for n, what in DELETED
    }
    plain = {"A, hard": alone.of("A", "sentiment-hard-pilot"), "A, plain": alone.of("A", "sentiment-pilot")}
    return plain | several


def batch_of(n: int, what: str) -> str:
    """Name of a batch of task C."""
    return f"C, {n} {what}"


def candidates(rows: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Share right of every candidate that was asked, by task, in the order of the rule."""
    right = {str(batch): part for batch, part in rows.groupby("batch")}
    of_sets = {}
    for name, (sizes, kinds) in SETS.items():
        if set(sizes) <= set(right):
            parts = {b: right[b][right[b]["kind"].isin(kinds)] if kinds else right[b] for b in sizes}
            weighed = sum(n * float(parts[batch]["correct"].mean()) for batch, n in sizes.items())
            of_sets[name] = weighed / sum(sizes.values())
    batches = [batch_of(*one) for one in DELETED]
    return {"A": of_sets, "C": {b: float(right[b]["correct"].mean()) for b in batches if b in right}}


def chosen(shares: Mapping[str, float]) -> str:
    """What the rule takes of the candidates of a task."""
    low, high = WANTED
    inside = [name for name, share in shares.items() if low <= share <= high]
    return inside[0] if inside else min(shares, key=lambda name: abs(shares[name] - (low + high) / 2))


def decisions(engine: Any, settings: Settings) -> pd.DataFrame:
    """One row per sentence of a batch."""
    entry, ways = get_model(MODEL), RiskDecision()
    form = load_prompt(entry.prompt_id(settings.prompt_set))
    items = sentences(settings)
    talks = [
        Conversation(ways.ask(item, settings), form, seed=(settings.seed, "pilot", settings.task, item.id))
        for item in items
    ]
    engine.serve(talks)
    kinds = {one.id: one.topic for one in load_labelled(settings.source)}
    rows = []
    for item, talk in zip(items, talks, strict=True):
        (row,) = ways.read(item, talk.replies, settings)
        rows.append({"id": item.id, "kind": kinds[item.id.removesuffix("-the")], **row})
    columns = ["task", "kind", "id", "stimulus", "response", "correct", "p_decision"]
    return pd.DataFrame(rows)[columns]


def main() -> None:
    """Ask what the table does not have yet, and apply the rule."""
    given = parsed(__file__, out=OUT)
    settings = settings_of(get_study("study2_two_choice"), load_profile("reference"))
    rows = pd.read_csv(given.out) if given.out.is_file() else pd.DataFrame({"batch": []})
    engine = open_engine(get_model(MODEL))
    try:
        for batch, one in asked(settings).items():
            if batch not in set(rows["batch"]):
                made = decisions(engine, one).round({"p_decision": 4})
                rows = pd.concat([rows, made.assign(batch=batch)], ignore_index=True)
                rows.to_csv(given.out, index=False)
    finally:
        engine.close()
    shares = candidates(rows)
    right = {t: {name: round(s, 3) for name, s in of.items()} for t, of in shares.items()}
    best = {task: chosen(of) for task, of in shares.items()}
    print(best)
    given.write(rows, None, model=MODEL, wanted=WANTED, share_right=right, chosen=best)


if __name__ == "__main__":
    main()
