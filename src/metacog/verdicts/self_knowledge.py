"""Is it self-knowledge? The rules, and what the numbers of several models say to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from metacog.measures.own_and_others import OwnAndOthers
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import Unit, beyond, those

#: Share of the information of which it is asked whether it is a model's own.
HALF = 0.5
#: With fewer other models than this difficulty cannot be taken off: what two right-or-wrong answers to an item hold
#: (three frequencies) does not determine how two models' chances rise with ease (four numbers). With two others,
#: something seems to remain for at least half of the models in a fifth to a third of runs in which all read difficulty
#: alone, with five in hardly any (``data/simulations/self_knowledge_sizes.csv``).
FEW_OTHERS = 5
#: With fewer than this what they say of an answer is known too badly: with eight others, little noise and no
#: self-knowledge, confidence that reads how plausible anybody finds the answer given seems to say more in nearly all
#: runs (``data/simulations/self_knowledge_placebo.csv``).
FEW_HEARD = 12
#: What rests on difficulty as the others show it.
WITHIN_DIFFICULTY = ("corrected", "share", "own_less_placebo", "blend")
#: Why a model that is above its placebo does not count yet: by interval, and where there is none.
BLEND = "what other models say of the question and of the same answer may be as much"
UNHEARD = "what other models say of the same answer is not known"
#: The same rules as they stand beside their outcomes in a figure.
CLAIMS = {
    "single": "better than one other model's",
    "crowd": "better than the others' mean",
    "placebo": "better than one other's, difficulty being equal",
    "remains": "... and than all that others tell of that answer",
    "most": "over half beyond difficulty",
}
#: What an interval says of a model.
BETTER, UNDECIDED, WORSE = "yes", "undecided", "no"
#: What an interval must lie beyond for a rule over models, by the rule's name: quantity and limit.
OVER_MODELS = {
    "remains": ("blend", 0.0),
    "most": ("share", HALF),
    "single": ("own_less_single_median", 0.0),
    "crowd": ("own_less_crowd", 0.0),
}
#: Own less another family's among equally hard items: the first half of ``remains``, by itself no rule.
PLACEBO = ("own_less_placebo", 0.0)
DIFFICULTY = ("difficulty alone",)
RULES = {
    "remains": Rule(
        "For at least half of the models the 95 % interval of what their confidence has left within difficulty (AUROC2 "
        "among items that equally many others answer correctly, less what reading difficulty alone would give), less "
        "the median of what other families' confidence has in its place, lies above 0; and so does that of what it "
        "adds, in bits, to the others' correctness and confidence in any blend, the share of them that give this same "
        "answer, and their confidence in it.",
        "remains",
        topic="remains",
        no_null="asks for more models than the sweep's worlds have; data/simulations/self_knowledge_placebo.csv",
    ),
    "most": Rule(
        "For at least half of the models the 95 % interval of the share of the information in their confidence that "
        "difficulty does not explain lies above one half.",
        "most",
        topic="most",
        null=DIFFICULTY,
        worst="too few know themselves",
    ),
    "single": Rule(
        "For at least half of the models the 95 % interval of their own AUROC2 less the median of single other models' "
        "(whose confidence is taken for theirs) lies above 0.",
        "single",
        topic="single",
        null=DIFFICULTY,
    ),
    "crowd": Rule(
        "For at least half of the models the 95 % interval of their own AUROC2 less that of the others' mean "
        "confidence lies above 0.",
        "crowd",
        topic="crowd",
        null=DIFFICULTY,
    ),
    "privileged": Rule(
        "The 95 % interval, over items, of what the diagonal of the matrix has on average beyond row and column lies "
        "above the most that simulated models give which meet two kinds of difficulty and know nothing of themselves, "
        "and shuffling confidence among equally hard items gives as much in fewer than 5 % of permutations.",
        "privileged",
        topic="privileged",
        null=DIFFICULTY,
    ),
}


@dataclass(frozen=True)
class SelfKnowledge(OwnAndOthers):
    """How much of confidence is knowledge of oneself: numbers, and what they say to the rules.

    Attributes
    ----------
    ways : DataFrame
        :func:`stable` of what remains (AUROC2), less placebo.
    compared : DataFrame
        :func:`compared`: own confidence beside its placebo, what that says of each model, and who is not counted.
    claims : DataFrame
        :func:`claims`: of how many models each of :data:`CLAIMS` holds.
    outcomes : DataFrame or None
        By :data:`RULES`: that on what ``remains`` where it is known what enough others say of the same answer, that on
        the diagonal where there is a matrix.
    n_ranked, n_better, n_worse, n_open : int
        Models that are counted, and of these those for which the rule on what ``remains`` holds, those whose own
        confidence has less than its placebo, and those of which it cannot be told.
    n_ahead : int
        Those whose own confidence has more than its placebo, whatever the others say of the same answer.
    """

    ways: pd.DataFrame
    compared: pd.DataFrame
    claims: pd.DataFrame
    outcomes: pd.DataFrame | None
    n_ranked: int
    n_better: int
    n_worse: int
    n_open: int
    n_ahead: int


def judge(found: OwnAndOthers, *, verdicts: bool = True, uncounted: Sequence[str] = ()) -> SelfKnowledge:
    """What the numbers say; no verdicts where a run is too small.

    Models that are ``uncounted`` are shown by pages, and take part in no count, since most of their confidences are
    missing.
    """
    ranked = found.models[~found.models["model"].isin(uncounted)]
    counts = counted(ranked, *OVER_MODELS["remains"])
    numbers = {f.name: getattr(found, f.name) for f in fields(OwnAndOthers)}
    return SelfKnowledge(
        **numbers,
        ways=stable(found.remainders, *PLACEBO),
        compared=compared(found.models, uncounted),
        claims=claims(found.models, uncounted),
        outcomes=judged(found.models, found.means, found.diagonal_without) if verdicts else None,
        n_ranked=sum(counts.values()),
        n_better=counts["holding"],
        n_worse=counts["against"],
        n_open=counts["open"],
        n_ahead=counted(ranked, *PLACEBO)["holding"],
    )


def judged(models: pd.DataFrame, means: pd.DataFrame, nothing: float) -> pd.DataFrame:
    """What the numbers say to each of :data:`RULES` that can be asked, as rows of outcomes."""
    asked = [name for name in OVER_MODELS if name != "remains" or not unheard(models)]
    tables = [over_models(models, name) for name in asked]
    return pd.concat([*tables, *([privileged(means, nothing)] if len(means) else [])], ignore_index=True)


def _told(holds: bool | None) -> str:
    return UNDECIDED if holds is None else BETTER if holds else WORSE


def compared(models: pd.DataFrame, uncounted: Sequence[str] = ()) -> pd.DataFrame:
    """Own confidence beside its placebo, by model, those with most above it first and those not counted last.

    ``model, family, n``; ``corrected``, ``placebo``, ``own_less_placebo``, ``share`` and ``blend`` with their limits;
    ``ahead`` of the placebo and ``outcome`` by the rule on what ``remains`` (:data:`BETTER`, :data:`UNDECIDED` or
    :data:`WORSE`), ``why`` the latter is undecided, ``uncounted``.
    """
    units = units_of(models, *OVER_MODELS["remains"])
    values = ("corrected", "placebo", "own_less_placebo", "share", "blend")
    kept = ["model", "family", "n", *(f"{one}{end}" for one in values for end in ("", "_lower", "_upper"))]
    made = models[kept].assign(
        ahead=[_told(one.holds) for one in units_of(models, *PLACEBO)],
        outcome=[_told(one.holds) for one in units],
        why=[one.why for one in units],
        uncounted=models["model"].isin(uncounted),
    )
    order = ["uncounted", "own_less_placebo"]
    return made.sort_values(order, ascending=[True, False], kind="stable").reset_index(drop=True)


def claims(models: pd.DataFrame, uncounted: Sequence[str] = ()) -> pd.DataFrame:
    """Of how many models each claim holds: ``claim, outcome, models``, a row for each of three outcomes."""
    rows = models[~models["model"].isin(uncounted)]
    made = []
    for name, claim in CLAIMS.items():
        rule = PLACEBO if name == "placebo" else OVER_MODELS[name]
        held = [one.holds for one in units_of(rows, *rule)]
        made += [
            {"claim": claim, "outcome": _told(holds), "models": held.count(holds)}
            for holds in (True, None, False)
        ]
    return pd.DataFrame(made)


def units_of(models: pd.DataFrame, quantity: str, limit: float) -> list[Unit]:
    """What each model says to a rule on one quantity."""
    return [_unit(row, quantity, limit) for row in models.to_dict("records")]


def _unit(row: dict[Any, Any], quantity: str, limit: float) -> Unit:
    n_others = row.get("n_others_within", row.get("n_others", FEW_OTHERS))
    if quantity in WITHIN_DIFFICULTY and n_others < FEW_OTHERS:
        return Unit(row["model"], None, f"only {n_others:.0f} others show how hard an item is")
    why = row.get("flag") or row.get("why") or row.get("why_no_placebo") or "no estimate"
    if quantity == "blend":
        unit = _unit(row, *PLACEBO)
        if not unit.holds:
            return unit
        if n_others < FEW_HEARD or np.isnan(row["blend_lower"]):
            return Unit(row["model"], None, UNHEARD)
        return unit if row["blend_lower"] > limit else Unit(row["model"], None, BLEND)
    return beyond(row["model"], row[f"{quantity}_lower"], row[f"{quantity}_upper"], limit, why)


def without_placebo(models: pd.DataFrame) -> bool:
    """Whether no other family's confidence can stand in the place of any model's."""
    return not bool((models["n_placebos"] > 0).any())


def unheard(models: pd.DataFrame) -> bool:
    """Whether of no model it is known what others say of the same answer."""
    return bool((models["blend"].isna() | (models["n_others_within"] < FEW_HEARD)).all())


def too_few_others(models: pd.DataFrame) -> bool:
    """Whether no model has others enough to show how hard an item is."""
    return bool((models["n_others_within"] < FEW_OTHERS).all())


def counted(models: pd.DataFrame, quantity: str, limit: float) -> dict[str, int]:
    """How many models lie above a limit (``holding``), below it (``against``), and cannot be judged (``open``)."""
    units = units_of(models, quantity, limit)
    return {
        "holding": len(those(units, True)),
        "against": len(those(units, False)),
        "open": len(those(units, None)),
    }


def over_models(models: pd.DataFrame, name: str) -> pd.DataFrame:
    """Outcomes of one of :data:`OVER_MODELS`: of each model, and for at least half of them."""
    units = units_of(models, *OVER_MODELS[name])
    return outcomes(name, units, -(-len(units) // 2))


def privileged(means: pd.DataFrame, nothing: float) -> pd.DataFrame:
    """Outcome of the rule on the diagonal, which must have more than there is at most without self-knowledge."""
    one = diagonal_of(means)
    unit = beyond("the diagonal", one["lower"], one["upper"], 0.0)
    if unit.holds and not one["lower"] > nothing:
        unit = Unit("the diagonal", None, f"models without self-knowledge give up to {nothing:+.3f}")
    elif unit.holds and not one["p"] < 0.05:
        unit = Unit("the diagonal", None, "shuffling within difficulty gives as much")
    return outcomes("privileged", [unit])


def diagonal_of(means: pd.DataFrame) -> pd.Series:
    """What the diagonal has beyond row and column on average, of all items: a row of ``means``."""
    return means[means["quantity"] == "advantage"].iloc[0]


def stable(table: pd.DataFrame, quantity: str, limit: float) -> pd.DataFrame:
    """How many models hold in each way of taking the rows: ``rows, cut, holding, against, open, median``."""
    return pd.DataFrame(
        {"rows": rows, "cut": cut, **counted(own, quantity, limit), "median": float(own[quantity].median())}
        for (rows, cut), own in table.groupby(["rows", "cut"], sort=False)
    )
