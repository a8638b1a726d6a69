"""Whom should one ask whether a model is right: the model, or others?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table, rows_of, with_ends
from metacog.core.words import listed
from metacog.measures.model_items import FloatArray, ModelItems
from metacog.measures.whom_to_ask import KS, LEAST_SHARED, WhomToAsk, whom_to_ask
from metacog.report.views import Views
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study7_mmlu_pro.rows import CALLED, FILES, STATED, TOKENS, TONE, Rows, counted, load
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.outcomes import counted as how_many
from metacog.verdicts.rules import beyond

if TYPE_CHECKING:
    from collections.abc import Sequence


#: A model of at most so many thousand millions of parameters is small.
SMALL = 8
#: What the ways of :func:`metacog.measures.whom_to_ask.whom_to_ask` are, as readers know them.
WAYS = {
    "own": CALLED[STATED],
    TOKENS: CALLED[TOKENS],
    TONE: CALLED[TONE],
    "agreement": "same answer of others",
    "small": "same answer of small others",
    "best": "same answer of the best others",
    "their_confidence": "stated confidence of others",
    "own_and_agreement": "own word and same answer of others",
}
#: What no way of asking is, beside them: nothing held back, a signal that puts every wrong answer first, and the more
#: accurate model's answers in the place of the model's own (the mean over the others).
ALL_OF_IT, PERFECT, BETTER = (
    "nothing: all answers pass",
    "a perfect signal",
    "the better of it and another: all answers pass",
)
BOUNDS = (ALL_OF_IT, PERFECT, BETTER)
#: The share of a model's answers that is held back.
HELD_BACK = 0.2
#: Columns of the table of models: way and number of others asked.
SHOWN = {
    "reply": (TOKENS, 0),
    "one": ("agreement", 1),
    "four": ("agreement", 4),
    "sixteen": ("agreement", 16),
    "small": ("small", 4),
}
#: What the 95 % interval of the difference says of a run, as the figure calls it.
AHEAD = {"yes": "the other's answer", "open": "cannot be told", "no": "its own number"}
#: Of whom one other model is asked: of all other makers' models, or of those whose accuracy is at most the judged
#: model's, or differs from it by at most :data:`NEAR`. With fewer than :data:`FEWEST_OTHERS` a model is left out.
POOLS = {"any": "all", "weaker": "those no more accurate", "equal": "those about as accurate"}
NEAR, FEWEST_OTHERS = 0.05, 3
#: Accuracy above which runs are told by themselves.
TOP = 0.8
#: Simulated models whose own word tells as much as an equally accurate other's answer.
SIMULATED = "data/simulations/whom_to_ask.csv"
#: Parts of the models by accuracy, of equal size.
THIRDS = ("least accurate third", "middle third", "most accurate third")

RULES = {
    "one_other": Rule(
        "For more than half of the counted sets of weights (of each, the run that answered most), whether one model of "
        "another maker, any of those in the table, gave the same answer tells right answers from wrong ones better "
        "than the model's own stated confidence: the 95 % interval over questions of the paired difference in AUROC2, "
        "the mean over these others, lies above 0.",
        "second opinion",
        no_null="coins and random numbers in test_mmlu_second_opinions.py",
    )
}


@analysis(files=(*FILES, SIMULATED))
def second_opinions(
    inputs: Inputs, rows: Rows | None = None, *, n_draws: int = 50, seed: int = 42, verdicts: bool = True
) -> dict[str, Any]:
    """Should one ask a model how sure it is, or ask other models?"""
    rows = rows or load()
    names = counted(rows)
    kept = rows.models["model"].isin(names).to_numpy()
    small = list(rows.models.loc[kept & (rows.models["billions"] <= SMALL), "model"])
    signals = {signal: rows.usable(signal)[kept] for signal in (TOKENS, TONE)}
    tokens = rows.n_tokens[kept].mean(axis=1)
    left_out, as_wrong = (
        rows.model_items(unanswered=way).kept(models=names) for way in ("left out", "wrong")
    )
    found = whom_to_ask(left_out, small=small, signals=signals, tokens=tokens, n_draws=n_draws, seed=seed)
    other = whom_to_ask(as_wrong, ks=KS[:1], n_draws=n_draws, seed=seed)
    models = models_of(found, other, left_out, rows.models.set_index("model")["weights"])
    return {
        "curve": curve_of(found.table, left_out, tokens),
        "models": models.sort_values("accuracy", ascending=False, kind="stable", ignore_index=True),
        "gaps": gaps_of(models),
        "pools": pools_of(models),
        "simulated": simulated_pools(),
        "outcomes": one_other(models[models["stands"]]) if verdicts else None,
        "n_models": len(models),
        "n_small": len(small),
        "median_own": float(models["own"].median()),
    }


def gaps_of(models: pd.DataFrame) -> pd.DataFrame:
    """By how many pairs of 100 an equally good model's answer is ahead of own confidence, and which of them is."""
    rows = models[models["equal"].isin(list(AHEAD))]
    gap = 100 * (rows["one_equal"] - rows["own"])
    made = rows[["model", "accuracy"]].assign(gap=gap, ahead=rows["equal"].map(AHEAD))
    order = made["ahead"].map(list(AHEAD.values()).index)
    return made.iloc[order.argsort(kind="stable")].reset_index(drop=True)


def curve_of(table: pd.DataFrame, items: ModelItems, tokens: FloatArray) -> pd.DataFrame:
    """Medians over models by way and number asked, with the middle half of models (``low``, ``high``).

    ``right``: of the answers that pass, where the fifth that is trusted least is held back. :data:`BOUNDS` come last.
    ``complete`` where others are asked, and all models can be judged.
    """
    named = table.assign(way=table["way"].map(WAYS)).dropna(subset=["way", "auroc2"])
    own = table[(table["way"] == "own") & table["auroc2"].notna()]
    accuracy = dict(zip(items.models, np.nanmean(items.right, axis=1), strict=True))
    price = dict(zip(items.models, tokens, strict=True))
    others = {model: [items.models[j] for j in items.others(model)] for model in own["model"]}
    better = [np.mean([max(accuracy[m], accuracy[j]) for j in others[m]]) for m in others]
    whole = own.assign(k=0, auroc2=np.nan, caught_80=np.nan, tokens=0.0, right=1 - own["n_wrong"] / own["n"])
    paid = [np.mean([price[j] for j in others[m]]) for m in others]
    caught = np.minimum(1.0, HELD_BACK * own["n"] / own["n_wrong"])
    named = pd.concat([named, own.assign(way=PERFECT, k=0, auroc2=1.0, caught_80=caught, tokens=np.nan)])
    passing = 1 - named["n_wrong"] / named["n"] * (1 - named["caught_80"]) / (1 - HELD_BACK)
    bounds = [whole.assign(way=ALL_OF_IT), whole.assign(way=BETTER, k=1, right=better, tokens=paid)]
    named = pd.concat([named.assign(right=passing), *bounds])
    parts = named.groupby(["way", "k"], sort=False)
    made = parts.agg(
        models=("model", "size"),
        auroc2=("auroc2", "median"),
        low=("auroc2", lambda x: x.quantile(0.25)),
        high=("auroc2", lambda x: x.quantile(0.75)),
        caught_80=("caught_80", "median"),
        right=("right", "median"),
        tokens=("tokens", "median"),
    )
    made = made.reset_index()
    asked = (made["k"] > 0) & ~made["way"].isin(BOUNDS)
    made.loc[made["way"] == CALLED[TONE], "tokens"] = np.nan  # a judge reads each reply
    return made.assign(complete=asked & (made["models"] == named["model"].nunique()))


def models_of(found: WhomToAsk, other: WhomToAsk, items: ModelItems, weights: pd.Series) -> pd.DataFrame:
    """One row a run: AUROC2 by whom one asks (:data:`SHOWN`), and who tells more.

    ``stands`` says whether it stands for its weights: of their runs the one that answered most. ``better`` is yes where
    one other tells more, no where the own word does, open otherwise; ``better_wrong`` the same in ``other``, which has
    missing answers as wrong; ``weaker`` and ``equal`` with one of these :data:`POOLS`, empty where they are too few;
    ``one_equal`` is AUROC2 with one that is about as accurate.
    """
    table, worth = found.table, found.worth.set_index("model")
    by = table.pivot_table(index="model", columns=["way", "k"], values="auroc2")
    accuracy = pd.Series(np.nanmean(items.right, axis=1), index=list(items.models))
    made = pd.DataFrame(
        {"family": worth["family"], "accuracy": accuracy.reindex(worth.index), "own": worth["own"]}
    )
    for name, column in SHOWN.items():
        made[name] = by[column].reindex(made.index) if column in by else np.nan
    made["together"] = table[table["way"] == "together"].set_index("model")["auroc2"].reindex(made.index)
    gap = _gap(found)
    made = made.join(gap)
    made["worth"], made["worth_said"] = worth["worth"], worth["said"]
    made["better"], made["better_wrong"] = _says(gap), _says(_gap(other))
    made = made.reset_index(names="model")
    answered = pd.Series(items.answered.sum(axis=1), items.models)
    made["stands"] = made["model"].isin(answered.groupby(weights.reindex(items.models).to_numpy()).idxmax())
    for pool in ("weaker", "equal"):
        gaps = one_of(items, pool, list(made["model"]))
        made[pool] = made["model"].map(_says(gaps)).fillna("")
    made["one_equal"] = made["own"] + made["model"].map(gaps["one_less_own"])
    made["third"] = pd.cut(made["accuracy"].rank(method="first"), 3, labels=list(THIRDS)).astype(str)
    return made


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


def _says(gap: pd.DataFrame) -> pd.Series:
    lower, upper = gap["one_less_own_lower"], gap["one_less_own_upper"]
    return pd.Series(np.select([lower > 0, upper < 0], ["yes", "no"], "open"), index=gap.index)


def simulated_pools() -> pd.DataFrame:
    """Simulated models whose own word tells as much as an equal's answer, by what is ``judged`` and the pool asked."""
    table = committed_table(SIMULATED)
    made = table[table["measure"] == "pools"]
    named = made["quantity"].str.extract(r"(?P<judged>\w+): (?P<pool>\w+)")
    return pd.concat([named, made[["n_runs", "above_0", "below_0"]]], axis=1).reset_index(drop=True)


def pools_of(models: pd.DataFrame) -> pd.DataFrame:
    """Of how many runs, and sets of weights, one other tells more, and the own word does, by who is asked."""
    rows = []
    for pool, column in zip(POOLS, ("better", "weaker", "equal"), strict=True):
        said = models[models[column] != ""]
        row: dict[str, object] = {"pool": pool, "others": POOLS[pool]}
        for name, end, some in (("runs", "", said), ("weights", "_weights", said[said["stands"]])):
            row |= {name: len(some), f"better{end}": int((some[column] == "yes").sum())}
            row[f"own_better{end}"] = int((some[column] == "no").sum())
        rows.append(row)
    return pd.DataFrame(rows)


def one_other(models: pd.DataFrame) -> pd.DataFrame:
    """Whether one other model tells more than the model's own word, for most of some models."""
    ends = models[["model", "one_less_own_lower", "one_less_own_upper"]]
    units = [beyond(model, lower, upper, 0.0) for model, lower, upper in ends.itertuples(index=False)]
    return outcomes("one_other", units, len(units) // 2 + 1)


def _pool(result: Result, name: str) -> Any:
    return next(row for row in rows_of(result.pools) if row.pool == name)


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need: who tells more, by accuracy and by who is asked, and in simulated models."""
    models, named = result.models, {"any": "all", "weaker": "weaker", "equal": "equal"}
    made: dict[str, Any] = {}
    for part, third in zip(("weak", "middle", "strong"), THIRDS, strict=True):
        own = models[models["third"] == third]
        made |= {f"{part}_runs": len(own), f"{part}_own": int((own["better"] == "no").sum())}
        made |= {f"{part}_other": int((own["better"] == "yes").sum())}
        made |= {f"{part}_small": int((own["small"] > own["own"]).sum())}
        says = own.loc[own["stands"], "equal"]
        made |= {
            f"{part}_equal_other": int((says == "yes").sum()),
            f"{part}_equal_own": int((says == "no").sum()),
        }
        made[f"{part}_equal_of"] = int((says != "").sum())
    for pool, name in named.items():
        row = _pool(result, pool)
        made |= {f"{name}_of": row.weights, f"{name}_better": row.better_weights}
        made |= {f"{name}_own_better": row.own_better_weights}
    for name in ("one", "sixteen"):
        made[f"median_{name}"] = float(models[name].median())
    both = models.dropna(subset=["own", "reply"])
    made |= {"n_replies": len(both), "stated_better": int((both["own"] > both["reply"]).sum())}
    made |= {"replies_stated": float(both["own"].median()), "replies_tokens": float(both["reply"].median())}
    with_one = result.curve.set_index(["way", "k"])["auroc2"]
    made["with_one"] = float(with_one.get((WAYS["own_and_agreement"], 1), np.nan))
    alone = result.curve.set_index("way")["auroc2"]
    made |= {"tone_alone": float(alone[CALLED[TONE]]), "own_alone": float(alone[WAYS["own"]])}
    at = result.curve.set_index("way")["right"]
    made |= {
        "right_all": 100 * at[ALL_OF_IT],
        "right_better": 100 * at[BETTER],
        "right_own": 100 * at[WAYS["own"]],
    }
    made |= {"right_perfect": 100 * at[PERFECT]}
    top = result.gaps[result.gaps["accuracy"] > TOP]
    made |= {"top_of": len(top), "top_own": int((top["ahead"] == AHEAD["no"]).sum())}
    made["strong_from"] = float(models.loc[models["third"] == THIRDS[-1], "accuracy"].min())
    share = (models["better"] == "yes").groupby(models["family"]).mean()
    by = result.simulated.set_index(["pool", "judged"])
    equal = by.loc["equal"]
    return made | {
        "over_sixteen": int(np.isinf(models["worth"]).sum()),
        "makers": len(share),
        "makers_most": int((share > 0.5).sum()),
        "makers_never": listed(share.index[share == 0]),
        "changed": int((models["better"] != models["better_wrong"]).sum()),
        "simulated_another": int(equal["above_0"].sum()),
        "simulated_either": int(equal[["above_0", "below_0"]].to_numpy().sum()),
        "simulated_equal": int(equal["n_runs"].sum()),
        "simulated_weak": int(by.loc[("any", "weak"), "above_0"]),
        "simulated_weak_of": int(by.loc[("any", "weak"), "n_runs"]),
        "simulated_strong": int(by.loc[("any", "strong"), "below_0"]),
        "simulated_strong_of": int(by.loc[("any", "strong"), "n_runs"]),
    }


VIEWS = Views(
    "second_opinions",
    numbers=numbers,
    verdicts={"one_other": lambda result: how_many(result.outcomes, "one_other")},
)
