"""What does a judge of tone hear?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table, rows_of, with_ends
from metacog.measures.reputation import judge_follows, reputation, wrong_alike
from metacog.report.views import Views
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study7_mmlu_pro.rows import CALLED, FILES, STATED, TOKENS, TONE, Rows, counted, load
from metacog.studies.study7_mmlu_pro.thinking import SIMULATED
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.outcomes import counted as how_many
from metacog.verdicts.rules import beyond

#: The model that read the replies: so the source's program ``results/augment_linguistic_conf.py`` (commit e3f1598)
#: names the files that it takes the judgements from.
JUDGE = "Llama-4-Maverick-17B-128E-Instruct-FP8"
#: What the figure calls each score.
SCORES = {
    "own": "how sure the reply sounds",
    "of_others": "how sure others sound with the same answer",
    "share": "how many others gave the same answer",
}
#: Simulated worlds (``benchmarks/whom_to_ask.py``) by what is so there: tone holds nothing of the answer but what the
#: stated number holds; it holds how the answer looks; or doubt that the number does not hold, which looks the same.
NOTHING, LOOK, DOUBT = "nothing", "look", "doubt"
WORLDS = {
    "own state, unlike models": NOTHING,
    "difficulty, unlike models": NOTHING,
    "doubt of the answer, alike in both": NOTHING,
    "doubt of the answer, faint in the number": NOTHING,
    "doubt of the answer, faint in tone": NOTHING,
    "doubt of the answer, few numbers": NOTHING,
    "doubt of the answer, the number of the question": DOUBT,
    "look of the answer": LOOK,
    "look of the answer, faint": LOOK,
}
#: Rules whose rates are shown, as the simulations call them; the last is the page's.
RATES = {
    "drawn": "one drawn",
    "alone": "tone: same_less_other",
    "beyond": "beyond_less",
    "both": "falls_more and in_proportion",
}
RULES = {
    "same_wrong": Rule(
        "For more than half of the counted models, it matters more to tone than to the numbers that models state, and "
        "to token probability where there is one, which wrong answer is given. Two wrong replies to a question have a "
        "rank correlation of tone where they give the same answer, and one where they give two; and so of the numbers. "
        "That of tone falls more from the first to the second, as a difference and in proportion. Each other model is "
        "taken by itself, and the 95 % intervals of both lie above 0.",
        "tone",
        no_null="scores of states and of doubt alone; data/simulations/whom_to_ask.csv",
    )
}
SAYS = {True: "yes", False: "no", None: "open"}


@analysis(files=(*FILES, SIMULATED))
def tone(
    inputs: Inputs, rows: Rows | None = None, judge: str = JUDGE, *, verdicts: bool = True
) -> dict[str, Any]:
    """What does a judge of tone hear?"""
    rows = rows or load()
    items = rows.model_items(TONE)
    items = items.kept(models=[name for name in counted(rows) if name in items.models])
    at = [list(rows.models["model"]).index(name) for name in items.models]
    alike = wrong_alike(items, {CALLED[name]: rows.usable(name)[at] for name in (TONE, STATED, TOKENS)})
    judged = more_to_tone(alike)
    models = models_of(reputation(items))
    models["more"] = models["model"].map({one.unit: SAYS[one.holds] for one in rows_of(judged)})
    follows = judge_follows(items, judge)
    peers = zip(follows.peers, follows.peer_accuracy, follows.with_each_peer, strict=True)
    readers = [
        (follows.judge, "yes", follows.accuracy, follows.with_judge),
        *((m, "no", a, f) for m, a, f in peers),
    ]
    return {
        "models": models,
        "alike": alike,
        "worlds": worlds_of(),
        "points": models.melt(["model", "accuracy"], list(SCORES), "asked", "auroc2").replace(
            {"asked": SCORES}
        ),
        "peers": pd.DataFrame(readers, columns=["model", "judge", "accuracy", "followed"]),
        "follows": follows.difference,
        "follows_lower": follows.lower,
        "follows_upper": follows.upper,
        "outcomes": judged if verdicts else None,
    }


def models_of(table: pd.DataFrame) -> pd.DataFrame:
    """AUROC2 of the reply's own tone, of other makers' replies with the same answer, and of how many these are."""
    ends = with_ends("own", "of_others", "share", "own_less_others")
    made = table.assign(accuracy=1 - table["n_wrong"] / table["n"])
    made = made[["model", "accuracy", "n", "n_alone", *ends]]
    return made.sort_values("own", ascending=False, kind="stable", ignore_index=True)


def more_to_tone(alike: pd.DataFrame) -> pd.DataFrame:
    """Whether it matters more to tone than to the models' own numbers which wrong answer is given."""
    names = ("falls_more", "in_proportion")
    # not all have probabilities
    beside = alike[
        (alike["score"] == CALLED[STATED]) | ((alike["score"] != CALLED[TONE]) & (alike["flag"] == ""))
    ]
    units = []
    for model, rows in beside.groupby("model", sort=False):
        lower, upper = (rows[[f"{name}_{end}" for name in names]].to_numpy() for end in ("lower", "upper"))
        why = next((flag for flag in rows["flag"] if flag), "no estimate")
        units.append(beyond(str(model), float(lower.min()), float(upper.min()), 0.0, why))
    return outcomes("same_wrong", units, len(units) // 2 + 1)


def worlds_of() -> pd.DataFrame:
    """In how many simulated sets (``sets``) of each world each of :data:`RATES` says yes."""
    table = committed_table(SIMULATED)
    own = table[table["measure"] == "wrong_alike"].set_index(["world", "quantity"])
    made = pd.DataFrame({"world": list(WORLDS), "truth": list(WORLDS.values())})
    for name, rule in RATES.items():
        rows = own.loc[[(world, f"rule: {rule}") for world in WORLDS]]
        made["sets"], made[name] = rows["n_runs"].to_numpy(), rows["above_0"].to_numpy()
    return made


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need: correlations, counts of models, and of simulated sets by what tone holds."""
    models = result.models
    made: dict[str, float] = {"more": int((models["more"] == "yes").sum()), "judged": len(models)}
    means = result.alike.groupby("score")[["same_wrong", "other_wrong"]].mean()
    known = result.alike[result.alike["flag"] == ""]
    alone = (known["same_less_other_lower"] > 0).groupby(known["score"]).agg(["sum", "size"])
    for name, score in (("tone", CALLED[TONE]), ("stated", CALLED[STATED]), ("tokens", CALLED[TOKENS])):
        for column in means:
            made[f"{name}_{column}"] = float(means[column].get(score, np.nan))
        made |= {
            f"{name}_more": int(alone["sum"].get(score, 0)),
            f"{name}_of": int(alone["size"].get(score, 0)),
        }
    own = result.alike[result.alike["score"] == CALLED[STATED]].dropna(subset="beyond_less")
    made |= {
        "beyond_same": float(own["beyond_same"].mean()),
        "beyond_other": float(own["beyond_other"].mean()),
    }
    made |= {"beyond_more": int((own["beyond_less_lower"] > 0).sum()), "beyond_of": len(own)}
    for truth in (NOTHING, DOUBT):
        sets = result.worlds[result.worlds["truth"] == truth]
        made |= {f"{truth}_{name}": int(sets[name].sum()) for name in ("sets", *RATES)}
    for name, look in zip(
        ("clear", "faint"), rows_of(result.worlds[result.worlds["truth"] == LOOK]), strict=True
    ):
        made |= {f"{name}_sets": int(look.sets), f"{name}_both": int(look.both)}
    for name in ("own", "of_others", "share"):
        made[f"median_{name}"] = float(models[name].median())
    made["others_better"] = int((models["own_less_others_upper"] < 0).sum())
    made["others_worse"] = int((models["own_less_others_lower"] > 0).sum())
    return made


VIEWS = Views(
    "tone",
    numbers=numbers,
    verdicts={"same_wrong": lambda result: how_many(result.outcomes, "same_wrong")},
)
