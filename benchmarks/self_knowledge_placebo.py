"""Is what remains of confidence, less what remains of another family's in its place, self-knowledge?

33 simulated models answer 1,500 questions (``answerers.py``); some of them are judged by
``metacog.measures.remainder``. Writes one row for each world and judged model, and the advantage of the diagonal of
``metacog.measures.cross_prediction`` in worlds without self-knowledge, one row for each world, size and sort of
confidence::

    python benchmarks/self_knowledge_placebo.py --out data/simulations/self_knowledge_placebo.csv

The effects of whole sets (``metacog.measures.set_effects``) at the size of the second set, 83 models and 12,032
questions, 50 of the models variants of others, are in ``self_knowledge_sets.csv`` beside it, one row for each world.
The diagonal's table is ``self_knowledge_diagonal.csv`` beside it. Single runs lie in ``--runs`` and are kept there, so
that it can be stopped and started again; without that option in ``results/simulations``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from answerers import FAMILY_SIZES, NOISE, ManyAnswers, simulated_answers
from recording import note, parsed

from metacog.core.provenance import provenance
from metacog.measures.cross_prediction import cross_prediction
from metacog.measures.model_items import ModelItems
from metacog.measures.remainder import remainder
from metacog.measures.set_effects import set_effects, standing
from metacog.studies.study7_mmlu_pro.replication import EFFECTS
from metacog.verdicts.bounds import ABOVE, found
from metacog.verdicts.self_knowledge import OVER_MODELS, units_of

#: Judged: accuracies of about .59 and .89, and one whose blend of two difficulties is farthest from the others'.
LOW, HIGH, FAR = "family 1/model 7", "family 3/model 19", "family 6/model 32"
#: Worlds by name: kind of observer, share of self-knowledge, judged models, runs. In those of plausible answers
#: confidence is how plausible anybody finds the answer given; their noise is in :data:`NOISES`.
WORLDS = {
    "two difficulties, families unlike": ("two difficulties", 0.0, (LOW, FAR), 12),
    "two difficulties, families alike": ("two difficulties alike", 0.0, (LOW, FAR), 12),
    "one difficulty": ("difficulty", 0.0, (LOW, HIGH), 12),
    "wrong keys": ("wrong keys", 0.0, (LOW, HIGH), 12),
    "shared misconceptions": ("misconceptions", 0.0, (LOW, HIGH), 12),
    "plausible answers, little noise": ("plausible answers", 0.0, (LOW, HIGH), 12),
    "plausible answers, as much noise": ("plausible answers", 0.0, (LOW, HIGH), 12),
    "plausible answers, much noise": ("plausible answers", 0.0, (LOW, HIGH), 12),
    "plausible questions": ("plausible questions", 0.0, (LOW, HIGH), 12),
    "plausible answers, little noise, nine models": ("plausible answers", 0.0, (LOW, HIGH), 12),
    "plausible answers, as much noise, nine models": ("plausible answers", 0.0, (LOW, HIGH), 12),
    "a fifth own state": ("mixture", 0.2, (LOW, HIGH), 12),
    "own state alone": ("own state", 1.0, (LOW, HIGH), 12),
}
#: Standard deviation of the noise where it is not the usual one, that of the plausibility being 1.
NOISES = {
    "plausible answers, little noise": 0.25,
    "plausible answers, as much noise": 1.0,
    "plausible answers, much noise": 4.0,
    "plausible questions": 1.0,
    "plausible answers, little noise, nine models": 0.25,
    "plausible answers, as much noise, nine models": 1.0,
}
#: Of all 33 models, those of a world of nine: some of every family.
NINE = (0, 5, 6, 9, 14, 18, 23, 27, 32)
#: Worlds without self-knowledge, numbers of models and sorts of confidence for the diagonal, and its runs. With fewer
#: questions its mean stays; what chance adds there, the interval over items holds.
DIAGONAL = (("two difficulties", "two difficulties alike"), (33, 20, 12, 6), ("graded", "two"))
DIAGONAL_RUNS = 12
DESIGN = ("kind", "n_models", "values")
#: Worlds of whole sets: kind of observer, share of self-knowledge, runs.
SETS = {
    "one difficulty": ("difficulty", 0.0, 8),
    "two difficulties, families unlike": ("two difficulties", 0.0, 2),
    "two difficulties, families alike": ("two difficulties alike", 0.0, 2),
    "wrong keys": ("wrong keys", 0.0, 8),
    "shared misconceptions": ("misconceptions", 0.0, 8),
    "plausible answers, little noise": ("plausible answers", 0.0, 2),
    "plausible answers, as much noise": ("plausible answers", 0.0, 2),
    "a fifth own state": ("mixture", 0.2, 2),
}
SET_MODELS, SET_ITEMS, SET_OF_FAMILY, SET_RIVALS, SET_PLACEBOS = 83, 12_032, 6, 16, 6
#: Share of the items that a variant answers anew, and variants that are of the first family.
ANEW, OF_FIRST = 0.15, 27
N_RESAMPLES = 200
KEPT = (
    "n_wrong", "corrected", "corrected_lower", "placebo", "placebo_best", "own_less_placebo",
    "own_less_placebo_lower", "own_less_placebo_upper", "own_less_best", "own_less_best_lower", "own_less_best_upper",
    "added", "added_lower", "added_upper", "blend", "blend_lower", "blend_upper",
)  # fmt: skip


def answers_of(world: str, kind: str, share: float, run: int, n_items: int = 1500) -> ManyAnswers:
    """One run of a world."""
    noise = NOISES.get(world, NOISE)
    return simulated_answers(kind, self_share=share, noise=noise, n_items=n_items, seed=run)


def judged(world: str, run: int) -> list[dict[str, object]]:
    """What is found of the judged models of one world."""
    kind, share, models, _ = WORLDS[world]
    some = np.array(NINE) if world.endswith("nine models") else None
    items = answers_of(world, kind, share, run).arranged(some)
    table = remainder(items, models=models, seed=run, n_resamples=N_RESAMPLES)
    called = [
        u.holds is True
        for u in units_of(table.assign(n_others_within=table["n_others"]), *OVER_MODELS["remains"])
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
            | {"n_models": len(NINE) if str(world).endswith("nine models") else sum(FAMILY_SIZES)}
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
        items = simulated_answers(kind, self_share=0.0, seed=run).arranged(rows, values)
        found.append(cross_prediction(items, n_resamples=2, n_permutations=1).mean_advantage)
    ends = np.quantile(found, [0.0, 0.5, 0.95, 1.0])
    return dict(zip(DESIGN, design, strict=True)) | {
        "n_runs": runs,
        "mean": float(np.mean(found)),
        "sd": float(np.std(found, ddof=1)),
        **dict(zip(("least", "median", "q95", "most"), map(float, ends), strict=True)),
    }


def with_variants(items: ModelItems, n_models: int, seed: int) -> tuple[ModelItems, list[str]]:
    """Models with variants of them, and the weights of each: a variant deals its answers to some items anew."""
    rng = np.random.default_rng([seed, 11])
    base, n = len(items.models), len(items.items)
    first = np.flatnonzero(np.array(items.families) == items.families[0])
    of = list(range(base)) + [
        int(rng.choice(first)) if k < OF_FIRST else int(rng.integers(base)) for k in range(n_models - base)
    ]
    assert items.answer is not None and items.key is not None
    right, sure, shift = items.right[of], items.confidence[of], (items.answer - items.key)[of]
    for row in range(base, n_models):
        new = np.flatnonzero(rng.random(n) < ANEW)
        from_there = rng.permutation(new)
        for one in (right, sure, shift):
            one[row, new] = one[row, from_there]
    names = [items.models[i] + (f" variant {k}" if k >= base else "") for k, i in enumerate(of)]
    made = replace(
        items,
        models=tuple(names),
        right=right,
        confidence=sure,
        families=tuple(items.families[i] for i in of),
        answer=(items.key + shift) % len(items.answers),
    )
    return made, [items.models[i] for i in of]


def whole_set(world: str, run: int) -> list[dict[str, object]]:
    """The effects of one simulated set, and whether two of them call it self-knowing."""
    kind, share, _ = SETS[world]
    simulated = answers_of(world, kind, share, run, SET_ITEMS)
    items, weights = with_variants(simulated.arranged(), SET_MODELS, run)
    others = standing(items, weights, SET_OF_FAMILY)
    made = set_effects(
        items,
        weights=weights,
        others=others,
        models=others,
        most_placebos=SET_PLACEBOS,
        most_rivals=SET_RIVALS,
        seed=run,
    )
    return [
        {"world": world, "self_share": share, "run": run, **row} for row in made.effects.to_dict("records")
    ]


def sets_summary(runs: pd.DataFrame) -> pd.DataFrame:
    """One row for each world and effect: its mean, runs above and below 0, and runs called self-knowing by the rule."""
    rule = {effect.name: effect for effect in EFFECTS}
    above = [
        effect not in rule or found(rule[effect], lower, upper) == ABOVE
        for effect, lower, upper in runs[["effect", "lower", "upper"]].to_numpy().tolist()
    ]
    says = runs.assign(above=above).pivot(index=["world", "run"], columns="effect", values="above")
    called = says["remains"] & says["blend"]
    rows = []
    for (world, effect), own in runs.groupby(["world", "effect"], sort=False):
        rows.append(
            {"world": world, "self_share": own["self_share"].iloc[0], "effect": effect, "n_runs": len(own)}
            | {"mean": own["value"].mean(), "sd": own["value"].std(ddof=1)}
            | {"half_width": ((own["upper"] - own["lower"]) / 2).mean()}
            | {"above_0": int((own["lower"] > 0).sum()), "below_0": int((own["upper"] < 0).sum())}
            | {"called_self_knowing": int(called[str(world)].sum())}
        )  # fmt: skip
    return pd.DataFrame(rows)


def main() -> None:
    """Run what the tables lack, until the time is up."""
    runs = {"type": Path, "default": Path("results/simulations/self_knowledge_placebo.csv")}
    given = parsed(__file__, runs=runs, minutes=40.0, sets=False)
    made_by = provenance(seed=0)  # before the tables it writes count as changes
    until = 60 * given.minutes
    given.runs.parent.mkdir(parents=True, exist_ok=True)
    if not given.sets:
        parts = {design: partial(diagonal, design, DIAGONAL_RUNS) for design in product(*DIAGONAL)}
        given.completed(parts, list(DESIGN), out=given.out.with_name("self_knowledge_diagonal.csv"))
        for done in in_turns(given.runs, WORLDS, judged, lambda: given.passed() < until):
            made = summary(done)
            made = made.iloc[np.argsort(made["world"].map(list(WORLDS).index), kind="stable")]
            made.to_csv(given.out, index=False, float_format="%.4f")
    sets = given.out.with_name("self_knowledge_sets.csv")
    for done in in_turns(given.runs.with_name(sets.name), SETS, whole_set, lambda: given.passed() < until):
        sets_summary(done).to_csv(sets, index=False, float_format="%.4f")
    command = f"python benchmarks/self_knowledge_placebo.py --out {given.out}" + " --sets" * given.sets
    note(sets if given.sets else given.out, {"command": command, "made_by": made_by})


def in_turns(
    path: Path, worlds: dict[str, tuple], make: Callable[[str, int], list], going: Callable[[], bool]
) -> Iterator[pd.DataFrame]:
    """All runs so far, after each: worlds take turns, so that a table whose making stops knows something of each."""
    done = pd.read_csv(path).to_dict("records") if path.exists() else []
    seen = {(r["world"], r["run"]) for r in done}
    for run in range(max(size for *_, size in worlds.values())):
        for world, (*_, size) in worlds.items():
            if run < size and (world, run) not in seen and going():
                done += make(world, run)
                pd.DataFrame(done).to_csv(path, index=False)
                yield pd.DataFrame(done)


if __name__ == "__main__":
    main()
