"""Do the atlas's effects show again in 83 models on the questions of MMLU-Pro? The rule, fixed before any was computed.

Only :data:`LATER` was put in afterwards, when simulated sets without self-knowledge had left something in all other
differences (:func:`metacog.measures.set_effects.set_effects`): it is not counted.

The atlas's questions are MMLU's, and many of MMLU-Pro's were taken over from there. Which ones are the same cannot be
told: neither table holds a text, MMLU-Pro has new options in a new order, and of a question taken over it tells the
subject alone. So what is found is asked once more of the categories that are mostly new, without models of the atlas.

An effect is one number of a whole set of models and items, defined alike for both sets, with a reference value and a
bound around it within which it is no effect. Models of one family count together as one, and runs of the same weights
as one of their family, so that the set's 33 variants of one family weigh no more than three models of another.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy.stats import chi2

from metacog.core.frames import committed_table, rows_of
from metacog.core.words import listed
from metacog.measures.model_items import ModelItems
from metacog.measures.set_effects import BITS, COUNTS, SetEffects, counted, counts_at, set_effects, standing
from metacog.report.views import Views
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study7_mmlu_pro.rows import FILES, Rows, load
from metacog.verdicts.bounds import ABOVE, OPEN, Effect, found

if TYPE_CHECKING:
    from collections.abc import Iterable


#: Runs of one family that stand as others (in crowds, counts of difficulty, and as placebos), one of the same weights:
#: those that answered most.
MOST_OF_FAMILY = 6
#: What the second set says of the atlas's effect.
HOLDS, FAILS, CANNOT_TELL, NOTHING = "holds", "fails", "cannot be told", "nothing to replicate"
#: Differences are of AUROC2, averaged over runs of the same weights, then over weights of a family, then over families,
#: with a 95 % interval over items. Two are of bits and shares of bits. Counts are of as many models and items as the
#: atlas has, drawn from the second set again and again; their interval holds 95 % of the draws.
EFFECTS = (
    Effect("single_median", "better than a typical other model"),
    Effect("single_best", "better than the best other model"),
    Effect("crowd", "better than the others' mean"),
    Effect("crowd_right", "better than how many others are right"),
    Effect("remains", "better than a stranger, among equally hard questions"),
    Effect("diagonal", "better on its own answers than one would expect"),
    Effect("added", "bits that own confidence adds to the others' answers and mean"),
    Effect("blend", "bits that it adds to all that others say, of the same answer too"),
    Effect("share", "share of its bits that is beyond difficulty", 0.5, 0.05),
    Effect("factors", "factors of the models' confidences", 1.5, 0.0),
    Effect("apart", "pairs of models that differ in AUROC2", 0.5, 0.0),
)
BY_NAME = {effect.name: effect for effect in EFFECTS}
#: Put in after the rule was fixed.
LATER = ("blend",)
RULE = (
    "An effect is above (below) its reference where its 95 % interval lies above (below) it and not wholly within the "
    "bound around it; no effect where the interval lies wholly within the bound; open otherwise. An effect of the "
    "atlas holds in the second set where the same is found there, fails where something else is, and cannot be told "
    "where the second set leaves it open. An effect that the atlas leaves open is nothing to replicate."
)


def replicated(first: str, second: str) -> str:
    """What the second set says of what the first found."""
    if first == OPEN:
        return NOTHING
    if second == OPEN:
        return CANNOT_TELL
    return HOLDS if first == second else FAILS


#: Ways of taking replies in which no answer was found.
LEFT_OUT, WRONG = "left out", "wrong"
#: Effects of simulated sets of this size whose self-knowledge is known: ``benchmarks/self_knowledge_placebo.py``.
SETS = "data/simulations/self_knowledge_sets.csv"
#: The atlas's models, as its files call them.
ATLAS = "data/atlas/files.csv"
#: How many questions of each category were taken over from MMLU, whose test questions are so many, as published.
SOURCES = "data/published/mmlu_pro_sources.csv"
N_MMLU = 14_042
#: Columns of an effect on categories that are mostly new.
NEW = {"new": "value", "new_lower": "lower", "new_upper": "upper"}
#: A category of which at most this share is from MMLU is mostly new.
MOSTLY_NEW = 1 / 3
#: By category, and to compare the two, so many models of a family are judged, with so many placebos each.
FEW_OF_FAMILY, FEW_PLACEBOS = 3, 6


@analysis(files=(*FILES, SETS, SOURCES, ATLAS), across="effects")
def replication(
    inputs: Inputs,
    rows: Rows | None = None,
    *,
    n_models: int = 83,
    n_items: int = 12_032,
    n_categories: int = 14,
    n_draws: int = 40,
    n_resamples: int = 200,
    seed: int = 42,
) -> dict[str, Any]:
    """Do the atlas's effects show again in 83 models on the questions of MMLU-Pro?

    Fewer models, items and categories make a trial run.
    """
    (first,) = inputs.across().values()
    rows = rows or load()
    items, weights = some(rows, n_models, n_items, LEFT_OUT, seed)
    others = standing(items, weights, MOST_OF_FAMILY)
    at = [items.models.index(model) for model in others]
    of_others = items.kept(items.answered[at].all(axis=0), others)
    size = min(first.n_models, len(others)), min(first.n_items, len(of_others.items))
    counts = counts_at(of_others, others, *size, n_draws=n_draws, seed=seed)
    measured = partial(
        set_effects,
        weights=weights,
        others=others,
        most_rivals=first.n_rivals,
        n_resamples=n_resamples,
        seed=seed,
    )
    few = standing(items, weights, FEW_OF_FAMILY)
    quick = partial(measured, models=few, information=False, most_placebos=FEW_PLACEBOS)
    second = measured(items, counts=counts)
    categories = []
    for kind in list(dict.fromkeys(items.strata))[:n_categories]:
        categories.append(quick(items.kept(np.array(items.strata) == kind)).effects)
    wrong = some(rows, n_models, n_items, WRONG, seed)[0]
    readings = [
        quick(one).effects.assign(unanswered=name) for name, one in ((LEFT_OUT, items), (WRONG, wrong))
    ]
    sources = committed_table(SOURCES).set_index("category")
    new = sources.index[sources["from_mmlu"] <= MOSTLY_NEW * sources["n_items"]]
    is_new = np.isin(np.array(items.strata), new)
    simulated = committed_table(SETS)
    again = in_both_sets(committed_table(ATLAS)["model"], items.models)
    apart = [i for i, model in enumerate(items.models) if model not in again]
    mostly_new = quick(
        items.kept(is_new, [items.models[i] for i in apart]),
        weights=[weights[i] for i in apart],
        others=[model for model in others if model not in again],
        models=[model for model in few if model not in again],
        information=True,
    )
    effects = among_new(side_by_side(first, second), mostly_new.effects, simulated)
    whole = counted(of_others, seed=seed)
    sizes = [
        {"set": "atlas", "n_models": first.n_models, "n_items": first.n_items, **first.counts.iloc[0]},
        {"set": "here, at its size", "n_models": size[0], "n_items": size[1], **counts.median()},
        {"set": "here, all others", "n_models": len(others), "n_items": len(of_others.items), **whole},
    ]
    return {
        "effects": effects,
        "compared": effects[~effects["effect"].isin((*BITS, *COUNTS))].reset_index(drop=True),
        "within": over_categories(told(pd.concat(categories, ignore_index=True)), effects),
        "families": told(second.families),
        "readings": told(pd.concat(readings, ignore_index=True)),
        "counts": pd.DataFrame(sizes),
        "simulated": simulated,
        "n_models": second.n_models,
        "n_families": second.n_families,
        "n_weights": len(set(weights)),
        "n_items": second.n_items,
        "n_others": second.n_others,
        "n_rivals": second.n_rivals,
        "n_shared": len(of_others.items),
        "n_first_models": first.n_models,
        "n_first_items": first.n_items,
        "n_again": len(again),
        "n_mmlu": int(sources["from_mmlu"].sum()),
        "n_new": int(is_new.sum()),
        "n_new_mmlu": min(int(is_new.sum()), int(sources.loc[new, "from_mmlu"].sum())),
    }


def intervals(made: SetEffects) -> pd.DataFrame:
    """``value, lower, upper`` of each of :data:`EFFECTS` that was computed, counts as they were drawn."""
    table = made.effects.set_index("effect")[["value", "lower", "upper"]]
    for effect in EFFECTS:
        if effect.name in made.counts:
            table.loc[effect.name] = made.counts[effect.name].quantile([0.5, 0.025, 0.975]).to_numpy()
    return table


def side_by_side(first: SetEffects, second: SetEffects) -> pd.DataFrame:
    """Each effect in the atlas (``first``) and in this set (``second``), what each says, and the ``difference``."""
    rows = []
    one, two = (intervals(made).to_dict("index") for made in (first, second))
    for effect in EFFECTS:
        if effect.name not in one or effect.name not in two:
            continue
        a, b = one[effect.name], two[effect.name]
        says = [found(effect, c["lower"], c["upper"]) for c in (a, b)]
        down = np.hypot(b["value"] - b["lower"], a["upper"] - a["value"])
        up = np.hypot(b["upper"] - b["value"], a["value"] - a["lower"])
        gap = b["value"] - a["value"]
        rows.append(
            {"effect": effect.name, "called": effect.called, "reference": effect.reference}
            | {"first": a["value"], "first_lower": a["lower"], "first_upper": a["upper"], "first_found": says[0]}
            | {"second": b["value"], "second_lower": b["lower"], "second_upper": b["upper"], "second_found": says[1]}
            | {"difference": gap, "difference_lower": gap - down, "difference_upper": gap + up}
            | {"outcome": replicated(*says)}
        )  # fmt: skip
    return pd.DataFrame(rows)


def among_new(effects: pd.DataFrame, new: pd.DataFrame, simulated: pd.DataFrame) -> pd.DataFrame:
    """Effects beside those of the categories that are mostly new (``new``), and of worlds without self-knowledge.

    ``fixed`` says whether an effect was in the rule; ``alike``, in how many of how many (``worlds``) simulated worlds
    without self-knowledge the mean run says the same as this set.
    """
    there = new.set_index("effect")[["value", "lower", "upper"]].to_dict("index")
    without = simulated[simulated["self_share"] == 0]
    worlds: dict[str, list[tuple[float, float]]] = {}
    for row in without.to_dict("records"):
        ends = row["mean"] - row["half_width"], row["mean"] + row["half_width"]
        worlds.setdefault(row["effect"], []).append(ends)
    made = []
    for row in effects.to_dict("records"):
        effect, own = BY_NAME[row["effect"]], there.get(row["effect"])
        says = found(effect, own["lower"], own["upper"]) if own else ""
        says_there = [found(effect, *ends) for ends in worlds.get(effect.name, [])]
        alike = says_there.count(row["second_found"])
        made.append(
            row
            | {name: own[end] if own else np.nan for name, end in NEW.items()}
            | {"new_outcome": replicated(row["first_found"], says) if own else ""}
            | {"fixed": effect.name not in LATER, "alike": alike, "worlds": len(says_there)}
            | {"alike_said": f"{alike} of {len(says_there)}" if says_there else ""}
        )
    return pd.DataFrame(made)


def in_both_sets(theirs: Iterable[str], models: Iterable[str]) -> list[str]:
    """Models that the atlas has as well, by its names without the maker and these without the mark of instruction."""
    known = {one.rpartition("/")[2].lower() for one in theirs}
    return [model for model in models if model.lower().removesuffix("-it") in known]


def by_outcome(effects: pd.DataFrame) -> tuple[int, int, int]:
    """How many effects of the rule hold, fail, and cannot be told; what was put in later is not counted."""
    outcome = effects.loc[effects["fixed"], "outcome"].tolist()
    return outcome.count(HOLDS), outcome.count(FAILS), outcome.count(CANNOT_TELL)


def told(table: pd.DataFrame) -> pd.DataFrame:
    """Effects in a table with ``effect, lower, upper``, as readers know them and with what the interval says."""
    effects = [BY_NAME[name] for name in table["effect"]]
    says = [
        found(effect, *ends)
        for effect, ends in zip(effects, table[["lower", "upper"]].to_numpy().tolist(), strict=True)
    ]
    return table.assign(called=[effect.called for effect in effects], found=says)


def over_categories(categories: pd.DataFrame, effects: pd.DataFrame) -> pd.DataFrame:
    """In how many categories what the atlas found is found again (``same``), something else (``other``), or neither.

    ``sd`` of the true effects over categories is by DerSimonian and Laird's method, ``p`` of no variance at all.
    """
    rows = []
    of_atlas = effects.set_index("effect")["first_found"]
    for name, own in categories.groupby("effect", sort=False):
        value = own["value"].to_numpy()
        se = (own["upper"] - own["lower"]).to_numpy() / (2 * 1.959964)
        weight = 1 / se**2
        mean = weight @ value / weight.sum()
        q, df = float(weight @ (value - mean) ** 2), len(own) - 1
        tau2 = max(0.0, (q - df) / float(weight.sum() - weight @ weight / weight.sum())) if df else np.nan
        same = own["found"] == of_atlas[str(name)]
        rows.append(
            {
                "effect": name,
                "called": own["called"].iloc[0],
                "n_categories": len(own),
                "same": int(same.sum()),
                "open": int((own["found"] == OPEN).sum()),
                "other": int((~same & (own["found"] != OPEN)).sum()),
                "least": float(value.min()),
                "most": float(value.max()),
                "sd": float(np.sqrt(tau2)),
                "p": float(chi2.sf(q, df)) if df else np.nan,
            }
        )
    return pd.DataFrame(rows)


def some(rows: Rows, n_models: int, n_items: int, unanswered: str, seed: int) -> tuple[ModelItems, list[str]]:
    """The rows as models by items, with the weights of each model: all, or some of them for a trial run."""
    items = rows.model_items(unanswered=unanswered)
    step = max(1, len(items.models) // n_models)
    names = list(items.models[::step][:n_models])
    at = np.sort(np.random.default_rng([seed, 9]).permutation(len(items.items))[:n_items])
    weights = rows.models.set_index("model")["weights"]
    return items.kept(at, names), [str(weights[name]) for name in names]


def of_effects(own: pd.DataFrame) -> dict[str, Any]:
    """What is found of each effect by name, which fail and stay open, and how many hold here and elsewhere."""
    made: dict[str, Any] = {}
    for row in rows_of(own):
        made |= {f"{row.effect}": row.second, f"{row.effect}_first": row.first}
        made |= {f"{row.effect}_lower": row.second_lower, f"{row.effect}_outcome": row.outcome}
        made |= {f"{row.effect}_pairs": 100 * row.second, f"{row.effect}_pairs_first": 100 * row.first}
        made[f"{row.effect}_moved"] = int(row.difference_lower > 0) - int(row.difference_upper < 0)
    holds, fails, open_ones = by_outcome(own)
    held = own[own["fixed"] & (own["outcome"] == HOLDS) & (own["worlds"] > 0)]
    asked = own[own["fixed"] & (own["new_outcome"] != "")]
    made |= {"held": holds, "judged": holds + fails + open_ones, "held_simulated": len(held)}
    made |= {"held_alike": int((held["alike"] > 0).sum())}
    made |= {"new_held": int((asked["new_outcome"] == HOLDS).sum()), "new_asked": len(asked)}
    for outcome in (FAILS, CANNOT_TELL):
        which = own["fixed"] & (own["outcome"] == outcome)
        made[outcome.replace(" ", "_")] = listed(own.loc[which, "effect"])
    return made


def of_sets(simulated: pd.DataFrame) -> dict[str, Any]:
    """Bits that simulated sets without self-knowledge reach, and how many sets are called self-knowing."""
    remains, bits = (simulated[simulated["effect"] == name] for name in ("remains", "blend"))
    made: dict[str, Any] = {"blind_bits": float(bits.loc[bits["self_share"] == 0, "mean"].max())}
    blind = remains["self_share"] == 0
    for name, sets in (("blind", remains[blind]), ("knowing", remains[~blind])):
        made |= {f"{name}_called": int(sets["called_self_knowing"].sum())}
        made |= {f"{name}_sets": int(sets["n_runs"].sum())}
    return made


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need: of effects, simulated sets, categories, families, readings and ranks."""
    made = of_effects(result.effects) | of_sets(result.simulated)
    made["likely"] = round(result.n_first_items / N_MMLU * result.n_mmlu, -1)
    within = result.within.sort_values("same", kind="stable")
    made |= {"least_again": int(within["same"].iloc[0]), "least_effect": str(within["effect"].iloc[0])}
    made |= {"n_categories": int(within["n_categories"].iloc[0]), "otherwise": int(within["other"].sum())}
    families = result.families[result.families["effect"] == "remains"].sort_values("value", kind="stable")
    made |= {"families_above": int((families["found"] == ABOVE).sum()), "of_families": len(families)}
    for name, row in (("least", families.iloc[0]), ("most", families.iloc[-1])):
        made |= {f"{name}_family": str(row["family"]), f"{name}_of_family": 100 * float(row["value"])}
    read = result.readings.pivot(index="called", columns="unanswered", values="found")
    made["n_other_reading"] = int((read[LEFT_OUT] != read[WRONG]).sum())
    for name, row in zip(("atlas", "here", "all"), result.counts.to_dict("records"), strict=True):
        made |= {f"{name}_apart": float(row["apart"]), f"{name}_may_lead": float(row["may_lead"])}
    return made


VIEWS = Views("replication", numbers=numbers, sentences={"rule": lambda _: RULE})
