"""Is what remains of confidence, less what remains of another family's in its place, self-knowledge?

33 simulated models answer 1,500 questions (``answerers.py``); some of them are judged by
``metacog.measures.remainder``. Writes one row for each world and judged model, and the advantage of the diagonal of
``metacog.measures.cross_prediction`` in worlds without self-knowledge, one row for each world, size and sort of
confidence::

    python benchmarks/self_knowledge_placebo.py --out data/simulations/self_knowledge_placebo.csv

The diagonal's table is ``self_knowledge_diagonal.csv`` beside it. Single runs lie in ``--runs`` and are kept there, so
that it can be stopped and started again; without that option in ``results/simulations``.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from answerers import ManyAnswers, simulated_answers
from numpy.typing import NDArray

from metacog.core.provenance import provenance
from metacog.measures.cross_prediction import cross_prediction
from metacog.measures.model_items import ModelItems
from metacog.measures.remainder import remainder
from metacog.verdicts.self_knowledge import OVER_MODELS, units_of

#: Judged: accuracies of about .59 and .89, and one whose blend of two difficulties is farthest from the others'.
LOW, HIGH, FAR = "family 1/model 7", "family 3/model 19", "family 6/model 32"
#: Worlds by name: kind of observer, share of self-knowledge, judged models, runs.
WORLDS = {
    "two difficulties, families unlike": ("two difficulties", 0.0, (LOW, FAR), 40),
    "two difficulties, families alike": ("two difficulties alike", 0.0, (LOW, FAR), 40),
    "one difficulty": ("difficulty", 0.0, (LOW, HIGH), 12),
    "wrong keys": ("wrong keys", 0.0, (LOW, HIGH), 12),
    "shared misconceptions": ("misconceptions", 0.0, (LOW, HIGH), 12),
    "a fifth own state": ("mixture", 0.2, (LOW, HIGH), 12),
    "own state alone": ("own state", 1.0, (LOW, HIGH), 12),
}
#: Worlds without self-knowledge, numbers of models and sorts of confidence for the diagonal, and its runs. With fewer
#: questions its mean stays; what chance adds there, the interval over items holds.
DIAGONAL = (("two difficulties", "two difficulties alike"), (33, 20, 12, 6), ("graded", "two"))
DIAGONAL_RUNS = 12
DESIGN = ("kind", "n_models", "values")
N_RESAMPLES = 200
KEPT = (
    "n_wrong", "corrected", "corrected_lower", "placebo", "placebo_best", "own_less_placebo",
    "own_less_placebo_lower", "own_less_placebo_upper", "own_less_best", "own_less_best_lower", "own_less_best_upper",
    "added", "added_lower", "added_upper", "blend", "blend_lower", "blend_upper",
)  # fmt: skip


def arranged(
    made: ManyAnswers, models: NDArray[np.int64] | None = None, values: str = "graded"
) -> ModelItems:
    """Simulated models as the measures take them, confidence as stated or whether it is a model's highest."""
    rows = np.arange(len(made.models)) if models is None else models
    sure = made.confidence[rows]
    names = [made.models[i] for i in rows]
    return ModelItems(
        tuple(model.name for model in names),
        tuple(f"q{i + 1:04d}" for i in range(made.key.size)),
        made.right[rows].astype(np.float64),
        sure if values == "graded" else (sure == sure.max(axis=1, keepdims=True)).astype(np.float64),
        tuple(model.family for model in names),
        ("",) * made.key.size,
    )


def judged(world: str, run: int) -> list[dict[str, object]]:
    """What is found of the judged models of one world."""
    kind, share, models, _ = WORLDS[world]
    items = arranged(simulated_answers(kind, self_share=share, seed=run))
    table = remainder(items, models=models, seed=run, n_resamples=N_RESAMPLES, n_permutations=2)
    called = [
        u.holds is True
        for u in units_of(table.assign(n_others_within=table["n_others"]), *OVER_MODELS["remains"][:2])
    ]
    return [
        {"world": world, "run": run, "self_share": share, "model": row["model"], "called": called[i]}
        | {name: row[name] for name in KEPT}
        for i, row in enumerate(table.to_dict("records"))
    ]


def summary(runs: pd.DataFrame) -> pd.DataFrame:
    """One row for each world and judged model."""
    rows = []
    for (world, model), own in runs.groupby(["world", "model"], sort=False):
        truth = own["own_less_placebo"].mean()
        inside = (own["own_less_placebo_lower"] <= truth) & (truth <= own["own_less_placebo_upper"])
        rows.append(
            {"world": world, "self_share": own["self_share"].iloc[0], "model": model, "n_runs": len(own)}
            | {name: own[name].mean() for name in KEPT if not name.endswith(("_lower", "_upper"))}
            | {"sd": own["own_less_placebo"].std(ddof=1), "covers_mean": int(inside.sum())}
            | {f"{name}_above_0": int((own[f"{name}_lower"] > 0).sum())
               for name in ("corrected", "own_less_placebo", "own_less_best", "added", "blend")}
            | {"called_self_knowing": int(own["called"].sum())}
        )  # fmt: skip
    return pd.DataFrame(rows)


def diagonal(design: tuple[str, int, str], runs: int) -> dict[str, object]:
    """The advantage of the diagonal, on average over models, in a world without self-knowledge."""
    kind, n_models, values = design
    rows = np.linspace(0, 32, n_models).round().astype(int)
    found = []
    for run in range(runs):
        made = simulated_answers(kind, self_share=0.0, seed=run)
        items = arranged(made, rows, values)
        found.append(cross_prediction(items, n_resamples=2, n_permutations=1).mean_advantage)
    ends = np.quantile(found, [0.0, 0.5, 0.95, 1.0])
    return dict(zip(DESIGN, design, strict=True)) | {
        "n_runs": runs,
        "mean": float(np.mean(found)),
        "sd": float(np.std(found, ddof=1)),
        **dict(zip(("least", "median", "q95", "most"), map(float, ends), strict=True)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=Path, default=Path("results/simulations/self_knowledge_placebo.csv"))
    parser.add_argument("--minutes", type=float, default=40.0, help="start no run after so many")
    asked = parser.parse_args()
    made_by = provenance(seed=0)  # before the tables it writes count as changes
    started = time.perf_counter()
    until = started + 60 * asked.minutes
    table = asked.out.with_name("self_knowledge_diagonal.csv")
    rows = pd.read_csv(table).to_dict("records") if table.exists() else []
    there = {tuple(r[name] for name in DESIGN) for r in rows}
    for design in product(*DIAGONAL):
        if design not in there and time.perf_counter() < until:
            rows.append(diagonal(design, DIAGONAL_RUNS))
            pd.DataFrame(rows).to_csv(table, index=False, float_format="%.4f")
    path = asked.runs
    path.parent.mkdir(parents=True, exist_ok=True)
    done = pd.read_csv(path).to_dict("records") if path.exists() else []
    seen = {(r["world"], r["run"]) for r in done}
    # Worlds take turns, so that a table whose making is stopped knows something of each.
    for run in range(max(size for *_, size in WORLDS.values())):
        for world, (*_, size) in WORLDS.items():
            if run < size and (world, run) not in seen and time.perf_counter() < until:
                done += judged(world, run)
                pd.DataFrame(done).to_csv(path, index=False)
                made = summary(pd.DataFrame(done))
                made.iloc[np.argsort(made["world"].map(list(WORLDS).index), kind="stable")].to_csv(
                    asked.out, index=False, float_format="%.4f"
                )
    facts = {
        "command": f"python benchmarks/self_knowledge_placebo.py --out {asked.out}",
        "made_by": made_by,
    }
    asked.out.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
