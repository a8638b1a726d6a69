"""How often does the page of claims say something that is not so, and do its intervals hold the truth?

The models, makers, weights and series of data/mmlu_pro with simulated answers to 1,400 questions in 14 categories, and
two kinds of confidence that are drawn after the answer, normal around its being right or wrong:

* *nothing*: neither knows anything, so that every effect of a claim is 0;
* *equal*: both know as much of every answer, whatever the model, its size and the category: of the claims only
  *confidence* has an effect;
* *something*: confidence knows more with every doubling of size and in some categories, the second kind more than the
  first, and accuracy grows with size by itself.

The truth of an area is in closed form (AUROC2 of two normals), so is that of all effects but the correlation with
accuracy in the last world, for which the mean over runs stands.

Of claims whose interval is over makers, also without answers: makers whose effects differ around nothing, each of some
pairs, series or models that differ from one another. ``over`` says what the interval is over: makers, as in the rule,
or each pair for itself, as if models of one maker had nothing in common.

``python benchmarks/claims_simulated.py --out data/simulations/claims_simulated.csv`` (some minutes;
``--claims size`` does some of them, and keeps what the table has of the others).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pandas as pd
from recording import parsed
from scipy.special import ndtr

from metacog.measures import equal_accuracy
from metacog.measures.claims import claim_effects, over
from metacog.measures.model_items import ModelItems
from metacog.measures.set_effects import model_shares
from metacog.studies.study7_mmlu_pro.rows import Rows, counted, load
from metacog.studies.study7_mmlu_pro.thinking import series_of
from metacog.verdicts.claims import CLAIMS, FAILS, HOLDS, judged_claim

#: By world: what confidence knows (in standard deviations between right and wrong), more by doubling of size, its
#: standard deviation over categories, and how much more the second kind knows.
WORLDS = {"nothing": (0.0, 0.0, 0.0, 0.0), "equal": (0.6, 0.0, 0.0, 0.0), "something": (0.6, 0.1, 0.25, 0.3)}
#: Claims of which a world says no more than chance.
NOUGHT = {
    "nothing": ("confidence", "size", "size_equal", "accuracy", "domains", "tokens"),
    "equal": ("size", "size_equal", "accuracy", "domains", "tokens"),
    "something": (),
}
CATEGORIES, OF_EACH = 14, 100
#: Claims, how many pairs, series or models each maker has, how these differ, and by how much makers do: as with
#: thinking on and off in MMLU-Pro (eight pairs of one maker, whose changes have a standard deviation of .035) and with
#: three makers; as its series; as shares of answers at two numbers of its nine makers.
MAKERS = {
    "one maker of eight pairs": ("thinking", (8,), 0.035, (0.02, 0.04, 0.06)),
    "three makers of eight pairs": ("thinking", (4, 2, 2), 0.035, (0.02, 0.04, 0.06)),
    "three makers of five series": ("size", (2, 2, 1), 0.004, (0.005, 0.01, 0.02)),
    "nine makers": ("saturated", (33, 12, 10, 8, 7, 5, 4, 2, 1), 0.08, (0.05, 0.1)),
}
N_MAKERS_RUNS = 2000
RULES = {claim.name: claim for claim in CLAIMS}


def setting(rows: Rows) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The models that are counted, with their size in doublings (of none where it is not known), and their series."""
    models = rows.models[rows.models["model"].isin(counted(rows))].reset_index(drop=True)
    size = np.log2(models["billions"].astype(float))
    return models.assign(doublings=(size - size.mean()).fillna(0.0)), series_of(rows.models)


def knows(models: pd.DataFrame, world: str, second: bool) -> np.ndarray:
    """What each model's confidence knows in a middling category; shape (models,)."""
    base, by_size, _, more = WORLDS[world]
    return base + by_size * models["doublings"].to_numpy() + more * second


def truth(models: pd.DataFrame, series: pd.DataFrame, world: str, category: np.ndarray) -> dict[str, float]:
    """Effects of an endless run with the categories of this one; of domains, the spread they are drawn with."""
    first, second = (
        ndtr((knows(models, world, kind)[:, None] + category) / 2**0.5) for kind in (False, True)
    )
    families, weights = models["family"].to_numpy(), models["weights"].to_numpy()
    share = model_shares(families, weights, np.ones(len(models), dtype=bool))
    area = first.mean(axis=1)
    own = series[series["model"].isin(models["model"])].assign(
        area=lambda of: of["model"].map(dict(zip(models["model"], area, strict=True))),
        size=lambda of: np.log2(of["billions"].astype(float)),
    )
    rows = []
    for (name, _), of in own.sort_values("size").groupby(["series", "line"]):
        if len(of) > 1:
            ends = of.iloc[[0, -1]]
            equal = np.diff(ends["area"])[0] / np.diff(ends["size"])[0]
            rows.append((name, np.polyfit(of["size"], of["area"], 1)[0], equal))
    each = pd.DataFrame(rows, columns=["series", "size", "size_equal"]).groupby("series").mean()
    maker = own["model"].map(dict(zip(models["model"], families, strict=True))).groupby(own["series"]).first()
    slopes = each.groupby(maker).mean().mean()
    drawn = np.random.default_rng(0).normal(0, WORLDS[world][2], 20_000)
    by_category = share @ ndtr((knows(models, world, False)[:, None] + drawn) / 2**0.5)
    return {
        "confidence": float(share @ area) - 0.5,
        **{str(name): float(value) for name, value in slopes.items()},
        "tokens": float(share @ (second.mean(axis=1) - area)),
        "domains": float(by_category.std()),
        "accuracy": 0.0 if WORLDS[world][1] == 0 else np.nan,
    }


def simulated(
    models: pd.DataFrame, world: str, category: np.ndarray, rng: np.random.Generator
) -> tuple[ModelItems, ModelItems]:
    """Answers and both kinds of confidence; a wrong answer's confidence is standard normal everywhere."""
    n_models, n_items = len(models), CATEGORIES * OF_EACH
    skill = rng.normal(0, 0.5, n_models) + 2 * WORLDS[world][1] * models["doublings"].to_numpy()
    odds = skill[:, None] - rng.normal(size=n_items) + 0.3
    right = (rng.random(odds.shape) < 1 / (1 + np.exp(-odds))).astype(float)
    names, items = tuple(models["model"]), tuple(map(str, range(n_items)))
    strata = tuple(f"category {one}" for one in np.repeat(np.arange(CATEGORIES), OF_EACH))
    made = []
    for second in (False, True):
        more = knows(models, world, second)[:, None] + np.repeat(category, OF_EACH)
        sure = np.round(more * right + rng.normal(size=right.shape), 2)
        made.append(ModelItems(names, items, right, sure, tuple(models["family"]), strata))
    return made[0], made[1]


Draw = tuple[str, str, float, float, float, float]


def run(
    models: pd.DataFrame, series: pd.DataFrame, world: str, runs: int, seed: int, asked: set[str]
) -> list[Draw]:
    """Effects of the claims that are asked for, with their intervals and truth."""
    found = []
    for one in range(seed, seed + runs):
        rng = np.random.default_rng([one, list(WORLDS).index(world)])
        category = rng.normal(0, WORLDS[world][2], CATEGORIES)
        first, second = simulated(models, world, category, rng)
        known = truth(models, series, world, category)
        if asked <= {"size", "size_equal"}:
            first, second = replace(first, strata=("",) * len(first.items)), None
        said = claim_effects(first, list(models["weights"]), stated=False, series=series, second=second)
        found += [
            (row["claim"], "", row["value"], row["lower"], row["upper"], known[row["claim"]])
            for row in said[said["claim"].isin(asked) & said["lower"].notna()].to_dict("records")
        ]
    return found


def of_makers(world: str, sd: float, runs: int, seed: int) -> list[Draw]:
    """Makers whose effects differ by ``sd`` around where there is none; intervals over makers, and over each."""
    claim, sizes, of_each, _ = MAKERS[world]
    maker = np.repeat(np.arange(len(sizes)), sizes).astype(str)
    rng = np.random.default_rng([seed, *map(ord, world), int(1000 * sd)])
    nothing, found = RULES[claim].reference, []
    for _ in range(runs):
        values = (
            nothing + rng.normal(0, sd, len(sizes))[maker.astype(int)] + rng.normal(0, of_each, maker.size)
        )
        for name, families in (("", maker), ("each", np.arange(maker.size).astype(str))):
            row = over(claim, values, families)
            if np.isfinite(row["lower"]):
                found.append((claim, name, row["value"], row["lower"], row["upper"], nothing))
    return found


def summed_up(world: str, draws: list[Draw], nought: Collection[str]) -> pd.DataFrame:
    """A row for each claim: bias, coverage, and what the rule says of it."""
    columns = ["claim", "over", "value", "lower", "upper", "truth"]
    made = []
    for (claim, each), of in pd.DataFrame(draws, columns=columns).groupby(["claim", "over"], sort=False):
        rule = RULES[claim]
        of = of.assign(
            says=[judged_claim(rule, *ends) for ends in of[["lower", "upper"]].to_numpy()],
            beyond=(of["lower"] > rule.reference) | (of["upper"] < rule.reference),
        )
        at = of["truth"].fillna(of["value"].mean())
        made.append(
            {
                "world": world,
                "claim": claim,
                "over": each or rule.over,
                "nought": claim in nought,
                "runs": len(of),
                "truth": at.mean(),
                "bias": (of["value"] - at).mean(),
                "sd": (of["value"] - at).std(),
                "half_width": (of["upper"] - of["lower"]).mean() / 2,
                "covers": int((of["lower"].le(at) & of["upper"].ge(at)).sum()),
                "holds": int(of["says"].eq(HOLDS).sum()),
                "fails": int(of["says"].eq(FAILS).sum()),
                "beyond": int(of["beyond"].sum()),
            }
        )
    return pd.DataFrame(made)


def main() -> None:
    """Simulate every world."""
    claims = {"nargs": "+", "choices": list(RULES), "default": list(RULES)}
    given = parsed(__file__, runs=200, seed=42, claims=claims)
    of = set(given.claims)
    equal_accuracy.N_GROUPS = 2  # no interval over items of a pair is read
    models, series = setting(load())
    kept = pd.read_csv(given.out) if given.out.exists() else pd.DataFrame(columns=["claim"])
    parts = [kept[~kept["claim"].isin(of)]]
    for world, nought in NOUGHT.items() if of - {"thinking", "saturated"} else ():
        parts.append(summed_up(world, run(models, series, world, given.runs, given.seed, of), nought))
        given.tell(world)
    for world, (claim, _, _, differ) in MAKERS.items():
        for sd in differ if claim in of else ():
            name = f"{world} that differ by {sd}"
            parts.append(summed_up(name, of_makers(world, sd, N_MAKERS_RUNS, given.seed), [claim]))
    order = {name: i for i, name in enumerate(WORLDS)}
    made = pd.concat([part for part in parts if len(part)], ignore_index=True)
    at = made["world"].map(order).fillna(len(order))
    given.write(made.iloc[np.argsort(at, kind="stable")], seed=given.seed)


if __name__ == "__main__":
    main()
