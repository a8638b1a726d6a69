"""How hard tasks A and C of study 2 are to the reference model, on sentences that are not analysed.

Run: python benchmarks/two_choice_pilot.py             (about three minutes of two processors)
Decisions alone are asked for, as the reference profile asks them. Rows go to
data/simulations/two_choice_pilot.csv, one row per decision; the sidecar holds the command, the share right of every
candidate, what the rule chose, and versions. The rule was written down before the first decision:
of the candidates of a task, the first whose share right lies in WANTED; where none does, the one nearest to its
middle. An answer that cannot be read counts as wrong.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.collect.labelled import load_labelled
from metacog.collect.models import get_model
from metacog.collect.plan import open_engine, settings_of
from metacog.collect.prompts import load_prompt
from metacog.core.config import load_profile
from metacog.engines.conversation import Conversation
from metacog.studies import get_study
from metacog.studies.study2_two_choice.asking.collections import RiskDecision
from metacog.studies.study2_two_choice.asking.sentences import sentences
from metacog.studies.study2_two_choice.settings import Settings

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "two_choice_pilot.csv"
MODEL = "qwen2.5-coder-1.5b"
#: Share right that leaves room for confidence to be right or wrong.
WANTED = (0.65, 0.85)
#: Candidates of task A: sets, the larger first, with the kinds of sentence they hold (all if empty).
SETS: dict[str, tuple[str, ...]] = {"sentiment-hard": (), "sentiment-hardest": ("implied", "irony")}
#: Candidates of task C: how many "the" are deleted, the paper's one first.
DELETED = (1, 2, 3)
#: Sentences of task C, the same ones for every candidate, half of them with a deletion.
N_ARTICLES = 20


def asked(settings: Settings) -> dict[str, Settings]:
    """Settings of every batch of the pilot, by its name."""
    alone = replace(settings, risks=("None",))
    several = {
        f"C, {n} deleted": replace(alone, n_sentences=N_ARTICLES, balanced=True, n_deleted=n).of(
            "C", "articles-pilot"
        )
        for n in DELETED
    }
    return {"A": replace(alone, n_sentences=None).of("A", "sentiment-hard-pilot"), **several}


def candidates(rows: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Share right of every candidate, by task, in the order of the rule."""
    a, c = rows[rows["task"] == "A"], rows[rows["task"] == "C"]
    of_sets = {name: a[a["kind"].isin(kinds)] if kinds else a for name, kinds in SETS.items()}
    of_numbers = {str(n): c[c["n_deleted"] == n] for n in DELETED}
    return {
        task: {name: float(part["correct"].mean()) for name, part in parts.items()}
        for task, parts in (("A", of_sets), ("C", of_numbers))
    }


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
        rows.append(
            {
                "id": item.id,
                "kind": kinds[item.id.removesuffix("-the")],
                "n_deleted": settings.n_deleted,
                **row,
            }
        )
    columns = ["task", "n_deleted", "kind", "id", "stimulus", "response", "correct", "p_decision"]
    return pd.DataFrame(rows)[columns]


def main(out: Path) -> None:
    """Ask, and apply the rule."""
    began = time.perf_counter()
    settings = settings_of(get_study("study2_two_choice"), load_profile("reference"))
    engine = open_engine(get_model(MODEL))
    try:
        rows = pd.concat([decisions(engine, one) for one in asked(settings).values()], ignore_index=True)
    finally:
        engine.close()
    rows.round({"p_decision": 4}).to_csv(out, index=False)
    shares = candidates(rows)
    facts = {
        "command": "python benchmarks/two_choice_pilot.py",
        "model": MODEL,
        "wanted": WANTED,
        "share_right": {t: {name: round(s, 3) for name, s in of.items()} for t, of in shares.items()},
        "chosen": {task: chosen(of) for task, of in shares.items()},
        "seconds": round(time.perf_counter() - began),
        "versions": {"llama-cpp-python": version("llama-cpp-python")},
    }
    out.with_suffix(".json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(facts, indent=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT)
    main(parser.parse_args().out)
