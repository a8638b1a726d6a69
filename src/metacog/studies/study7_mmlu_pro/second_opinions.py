"""Whom should one ask whether a model is right: the model, or others? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table, with_ends
from metacog.measures.model_items import ModelItems
from metacog.measures.whom_to_ask import KS, LEAST_SHARED, WhomToAsk, whom_to_ask
from metacog.studies.study import analysis
from metacog.studies.study7_mmlu_pro.rows import CALLED, FILES, STATED, TOKENS, TONE, Rows, counted, load
from metacog.verdicts.rules import beyond, judged
from metacog.verdicts.verdict import Kind, Verdict, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metacog.studies.results import Inputs


#: A model of at most so many thousand millions of parameters is small.
SMALL = 8
#: What the ways of :func:`metacog.measures.whom_to_ask.whom_to_ask` are, as readers know them; own ones by themselves.
OWN = {"own": CALLED[STATED], TOKENS: CALLED[TOKENS], TONE: CALLED[TONE]}
ASKED = {
    "agreement": "same answer of others",
    "small": "same answer of small others",
    "best": "same answer of the best others",
    "their_confidence": "stated confidence of others",
    "own_and_agreement": "own word and same answer of others",
}
TOGETHER = "together"
#: Columns of the table of models: way and number of others asked.
SHOWN = {
    "one": ("agreement", 1),
    "four": ("agreement", 4),
    "sixteen": ("agreement", 16),
    "small": ("small", 4),
    "tone": (TONE, 0),
}
#: Who is asked, as the figure calls it.
POINTS = {
    "own": "its own stated confidence",
    "one": "one other model's answer",
    "sixteen": "sixteen others' answers",
}
#: Of whom one other model is asked: of all other makers' models, or of those whose accuracy is at most the judged
#: model's, or differs from it by at most :data:`NEAR`. With fewer than :data:`FEWEST_OTHERS` a model is left out.
POOLS = {"any": "all", "weaker": "those no more accurate", "equal": "those about as accurate"}
NEAR, FEWEST_OTHERS = 0.05, 3
#: Simulated models whose own word tells as much as an equally accurate other's answer.
SIMULATED = "data/simulations/whom_to_ask.csv"
#: Parts of the models by accuracy, of equal size.
THIRDS = ("least accurate third", "middle third", "most accurate third")


@dataclass(frozen=True)
class SecondOpinions:
    """What asking the model, and asking others, tells of whether it is right.

    Attributes
    ----------
    curve : DataFrame
        By way and number of others asked, over the counted models: ``way`` (as readers know it), ``k`` (0: nobody is
        asked), ``models``, medians ``auroc2, caught_80, tokens``, and the middle half of models (``low``, ``high``);
        ``complete`` where others are asked, and all models can be judged.
    models : DataFrame
        One row per run: ``model, family, accuracy, third`` (of accuracy), ``stands`` (whether it stands for its
        weights: of runs of the same weights the one that answered most), ``own`` (AUROC2), ``one, four, sixteen``
        (the same of agreement with so many others), ``small`` (with four small ones), ``tone, together``;
        ``one_less_own`` with ends; ``worth`` with ends (second opinions that its own word is worth; infinite for more
        than sixteen), ``worth_said``;
        ``better`` (whom to ask first: yes where one other tells more, no where the own word does, open otherwise) and
        ``better_wrong``, the same where a reply without an answer counts as wrong; ``weaker, equal``, the same with
        one of these :data:`POOLS` (empty where there are too few).
    points : DataFrame
        The same in long form: ``model, accuracy, asked`` (:data:`POINTS`), ``auroc2``.
    pools : DataFrame
        By ``others`` (:data:`POOLS`) that are asked: ``runs``, of how many of them one other tells more (``better``)
        and of how many the own word does (``own_better``); ``weights, better_weights, own_better_weights``, the same
        of the runs that stand for their weights.
    simulated : DataFrame
        Of ``whom_to_ask.csv``, simulated models whose own word tells as much as an equal's answer: ``judged, pool,
        n_runs, above_0, below_0``.
    families, thirds : DataFrame
        ``family, models, better``: of how many of its models one other tells more; the same by :data:`THIRDS` of
        accuracy (``third``), and ``own_better``, of how many the own word does.
    verdicts : tuple of Verdict
    n_models, n_families, n_better, n_families_better, n_small, n_worth_most, n_changed : int
        ``n_families_better``: of most of whose models one other tells more; ``n_worth_most``: models whose own word is
        worth more than sixteen opinions; ``n_changed``: models for which the other reading of missing answers says
        something else.
    median_own, median_one, median_sixteen, median_together : float
        AUROC2.
    """

    curve: pd.DataFrame
    models: pd.DataFrame
    points: pd.DataFrame
    pools: pd.DataFrame
    simulated: pd.DataFrame
    families: pd.DataFrame
    thirds: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    n_models: int
    n_families: int
    n_better: int
    n_families_better: int
    n_small: int
    n_worth_most: int
    n_changed: int
    median_own: float
    median_one: float
    median_sixteen: float
    median_together: float


def curve_of(table: pd.DataFrame) -> pd.DataFrame:
    """Medians over models by way and number asked: :attr:`SecondOpinions.curve`."""
    named = table.assign(way=table["way"].map({**OWN, **ASKED})).dropna(subset=["way", "auroc2"])
    parts = named.groupby(["way", "k"], sort=False)
    made = parts.agg(
        models=("model", "size"),
        auroc2=("auroc2", "median"),
        low=("auroc2", lambda x: x.quantile(0.25)),
        high=("auroc2", lambda x: x.quantile(0.75)),
        caught_80=("caught_80", "median"),
        tokens=("tokens", "median"),
    )
    made = made.reset_index()
    return made.assign(complete=(made["k"] > 0) & (made["models"] == named["model"].nunique()))


def models_of(found: WhomToAsk, other: WhomToAsk, accuracy: pd.Series) -> pd.DataFrame:
    """One row per model: :attr:`SecondOpinions.models`; ``other`` has missing answers as wrong."""
    table, worth = found.table, found.worth.set_index("model")
    by = table.pivot_table(index="model", columns=["way", "k"], values="auroc2")
    made = pd.DataFrame(
        {"family": worth["family"], "accuracy": accuracy.reindex(worth.index), "own": worth["own"]}
    )
    for name, column in SHOWN.items():
        made[name] = by[column].reindex(made.index) if column in by else np.nan
    made["together"] = table[table["way"] == TOGETHER].set_index("model")["auroc2"].reindex(made.index)
    gap = _gap(found)
    made[list(with_ends("one_less_own"))] = gap
    made[list(with_ends("worth"))] = worth[list(with_ends("worth"))]
    made["worth_said"] = worth["said"]
    made["better"], made["better_wrong"] = _says(gap), _says(_gap(other))
    return made.reset_index(names="model")


def _gap(found: WhomToAsk) -> pd.DataFrame:
    """AUROC2 of agreement with one other less that of own confidence, with ends, by model."""
    one = found.table[(found.table["way"] == "agreement") & (found.table["k"] == 1)].set_index("model")
    ends = -one[["own_less", "own_less_upper", "own_less_lower"]]
    return ends.set_axis(list(with_ends("one_less_own")), axis=1)


def one_of(items: ModelItems, pool: str, models: Sequence[str]) -> pd.DataFrame:
    """AUROC2 of agreement with one other of a pool (the mean over them) less own confidence's, with ends, by model."""
    accuracy, there = np.nanmean(items.right, axis=1), items.answered
    assert items.answer is not None
    rows = {}
    for model in models:
        own, others = items.models.index(model), items.others(model)
        far = accuracy[others] - accuracy[own]
        among = {"any": far < np.inf, "weaker": far <= 0, "equal": np.abs(far) <= NEAR}[pool]
        shared = (items.answer[np.ix_(others, there[own])] >= 0).mean(axis=1) >= LEAST_SHARED
        asked = [items.models[j] for j in others[among & shared]]
        if len(asked) >= FEWEST_OTHERS:
            found = whom_to_ask(items.kept(models=[model, *asked]), models=[model], ks=KS[:1], n_draws=2)
            rows[model] = _gap(found).loc[model]
    return pd.DataFrame(rows, index=list(with_ends("one_less_own"))).T


def simulated_pools() -> pd.DataFrame:
    """:attr:`SecondOpinions.simulated`."""
    table = committed_table(SIMULATED)
    made = table[table["measure"] == "pools"]
    named = made["quantity"].str.extract(r"(?P<judged>\w+): (?P<pool>\w+)")
    return pd.concat([named, made[["n_runs", "above_0", "below_0"]]], axis=1).reset_index(drop=True)


def pools_of(models: pd.DataFrame) -> pd.DataFrame:
    """Of how many runs, and sets of weights, one other tells more, by who is asked: :attr:`SecondOpinions.pools`."""
    rows = []
    for pool, column in zip(POOLS, ("better", "weaker", "equal"), strict=True):
        said = models[models[column] != ""]
        row: dict[str, object] = {"pool": pool, "others": POOLS[pool]}
        for name, some in (("runs", said), ("weights", said[said["stands"]])):
            end = "" if name == "runs" else "_weights"
            row |= {name: len(some), f"better{end}": int((some[column] == "yes").sum())}
            row[f"own_better{end}"] = int((some[column] == "no").sum())
        rows.append(row)
    return pd.DataFrame(rows)


def _says(gap: pd.DataFrame) -> pd.Series:
    lower, upper = gap["one_less_own_lower"], gap["one_less_own_upper"]
    return pd.Series(np.select([lower > 0, upper < 0], ["yes", "no"], "open"), index=gap.index)


def _counts(models: pd.DataFrame, by: pd.Series) -> pd.DataFrame:
    """Of how many models one other tells more, and of how many the own word, by a property of them."""
    says = pd.DataFrame({"better": models["better"] == "yes", "own_better": models["better"] == "no"})
    return (
        says.groupby(by)
        .agg(models=("better", "size"), better=("better", "sum"), own_better=("own_better", "sum"))
        .reset_index()
    )


def one_other_verdict(models: pd.DataFrame) -> Verdict:
    """Whether one other model tells more than the model's own word, for most of some models."""
    units = [
        beyond(r["model"], r["one_less_own_lower"], r["one_less_own_upper"], 0.0)
        for r in models.to_dict("records")
    ]
    return judged(
        units,
        "second opinion",
        Kind.EXPLORATORY,
        "For more than half of the counted sets of weights (of each, the run that answered most), whether one model of "
        "another maker, any of those in the table, gave the same answer tells right answers from wrong ones better "
        "than the model's own stated confidence: the 95 % interval over questions of the paired difference in AUROC2, "
        "the mean over these others, lies above 0.",
        name="one_other",
        k=len(units) // 2 + 1,
        holding=int((models["better"] == "yes").sum()),
        against=int((models["better"] == "no").sum()),
        of=len(models),
    )


def examine(rows: Rows, *, n_draws: int = 50, seed: int = 42, verdicts: bool = True) -> SecondOpinions:
    """Own words against second opinions, among some rows."""
    models, names = rows.models, counted(rows)
    small = [
        m for m, size in zip(models["model"], models["billions"], strict=True) if size <= SMALL and m in names
    ]
    kept = models["model"].isin(names).to_numpy()
    signals = {signal: rows.usable(signal)[kept] for signal in (TOKENS, TONE)}
    tokens = rows.n_tokens[kept].mean(axis=1)
    left_out, as_wrong = (
        rows.model_items(unanswered=way).kept(models=names) for way in ("left out", "wrong")
    )
    found = whom_to_ask(left_out, small=small, signals=signals, tokens=tokens, n_draws=n_draws, seed=seed)
    other = whom_to_ask(as_wrong, ks=KS[:1], n_draws=n_draws, seed=seed)
    accuracy = pd.Series(np.nanmean(left_out.right, axis=1), index=list(left_out.models))
    made = models_of(found, other, accuracy)
    answered = left_out.answered.sum(axis=1)
    weights = rows.models.set_index("model")["weights"].reindex(left_out.models).to_numpy()
    made["stands"] = made["model"].isin(pd.Series(answered, left_out.models).groupby(weights).idxmax())
    for pool in ("weaker", "equal"):
        made[pool] = made["model"].map(_says(one_of(left_out, pool, list(made["model"])))).fillna("")
    better = made["better"] == "yes"
    families = _counts(made, made["family"]).drop(columns="own_better")
    third = pd.cut(made["accuracy"].rank(method="first"), 3, labels=list(THIRDS)).astype(str).rename("third")
    thirds = _counts(made, third).sort_values("third", key=lambda x: x.map(THIRDS.index), kind="stable")
    return SecondOpinions(
        curve=curve_of(found.table),
        models=made.assign(third=third)
        .sort_values("accuracy", ascending=False, kind="stable")
        .reset_index(drop=True),
        points=made.melt(["model", "accuracy"], list(POINTS), "asked", "auroc2").replace({"asked": POINTS}),
        pools=pools_of(made),
        simulated=simulated_pools(),
        families=families,
        thirds=thirds.reset_index(drop=True),
        verdicts=drawn(one_other_verdict(made[made["stands"]])) if verdicts else (),
        n_models=len(made),
        n_families=len(families),
        n_better=int(better.sum()),
        n_families_better=int((families["better"] > families["models"] / 2).sum()),
        n_small=len(small),
        n_worth_most=int(np.isinf(made["worth"]).sum()),
        n_changed=int((made["better"] != made["better_wrong"]).sum()),
        median_own=float(made["own"].median()),
        median_one=float(made["one"].median()),
        median_sixteen=float(made["sixteen"].median()),
        median_together=float(made["together"].median()),
    )


@analysis(returns=SecondOpinions, files=(*FILES, SIMULATED))
def second_opinions(
    inputs: Inputs, *, n_draws: int = 50, seed: int = 42, verdicts: bool = True
) -> SecondOpinions:
    """Should one ask a model how sure it is, or ask other models?"""
    return examine(load(), n_draws=n_draws, seed=seed, verdicts=verdicts)
