"""What does a judge of tone hear? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.frames import committed_table, with_ends
from metacog.measures.reputation import judge_follows, reputation, wrong_alike
from metacog.studies.study import analysis
from metacog.studies.study7_mmlu_pro.rows import CALLED, FILES, STATED, TOKENS, TONE, Rows, counted, load
from metacog.studies.study7_mmlu_pro.thinking import SIMULATED
from metacog.verdicts.rules import beyond, judged
from metacog.verdicts.verdict import Kind, Verdict, drawn

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


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
RULES = {
    "drawn": "one drawn",
    "alone": "tone: same_less_other",
    "beyond": "beyond_less",
    "both": "falls_more and in_proportion",
}


@dataclass(frozen=True)
class Tone:
    """How sure a reply sounds, beside what is known of its answer from other replies.

    Attributes
    ----------
    models : DataFrame
        One row per model: ``model, family, accuracy, n, n_alone``; AUROC2 of the reply's own tone (``own``), of the
        mean tone of other makers' replies with the same answer (``of_others``), and of how many gave the answer
        (``share``), each with ends; ``own_less_others`` with ends; ``more``, whether which wrong answer is given
        matters more to tone than to stated number and token probability (:func:`wrong_verdict`: yes, no, open).
    alike : DataFrame
        One row per model and score: ``model, score`` (as readers know it), ``same_wrong, other_wrong`` and the rest of
        :func:`metacog.measures.reputation.wrong_alike`, tone first.
    worlds : DataFrame
        ``world, truth`` (:data:`WORLDS`), ``sets``, and in how many of them each of :data:`RULES` says yes.
    points : DataFrame
        The same in long form: ``model, accuracy, asked`` (of :data:`SCORES`), ``auroc2``.
    peers : DataFrame
        Judge and models of other makers that are right as often: ``model, judge`` (yes or no), ``accuracy, followed``:
        of wrong answers, the chance that one which this model gave too sounds surer than one which it did not.
    follows, follows_lower, follows_upper : float
        How much more the tone of wrong answers follows the judge's own answers than its peers', mean over models.
    verdicts : tuple of Verdict
    n_models, n_matched, n_unmatched, n_more : int
        ``n_matched, n_unmatched``: models whose answers' reputation tells more, and less, than their own tone;
        ``n_more``: models to whose tone it matters more which wrong answer is given than to their numbers.
    median_own, median_others, median_share : float
    """

    models: pd.DataFrame
    alike: pd.DataFrame
    worlds: pd.DataFrame
    points: pd.DataFrame
    peers: pd.DataFrame
    follows: float
    follows_lower: float
    follows_upper: float
    verdicts: tuple[Verdict, ...]
    n_models: int
    n_matched: int
    n_unmatched: int
    n_more: int
    median_own: float
    median_others: float
    median_share: float


def wrong_verdict(alike: pd.DataFrame) -> Verdict:
    """Whether it matters more to tone than to the models' own numbers which wrong answer is given."""
    names = ("falls_more", "in_proportion")
    beside = alike[alike["score"] != CALLED[TONE]]
    beside = beside[
        (beside["score"] == CALLED[STATED]) | (beside["flag"] == "")
    ]  # not all have probabilities
    units = []
    for model, rows in beside.groupby("model", sort=False):
        lower, upper = (rows[[f"{name}_{end}" for name in names]].to_numpy() for end in ("lower", "upper"))
        why = next((flag for flag in rows["flag"] if flag), "no estimate")
        units.append(beyond(str(model), float(lower.min()), float(upper.min()), 0.0, why))
    return judged(
        units,
        "tone",
        Kind.EXPLORATORY,
        "For more than half of the counted models, it matters more to tone than to the numbers that models state, and "
        "to token probability where there is one, which wrong answer is given. Two wrong replies to a question have a "
        "rank correlation of tone where they give the same answer, and one where they give two; and so of the numbers. "
        "That of tone falls more from the first to the second, as a difference and in proportion. Each other model is "
        "taken by itself, and the 95 % intervals of both lie above 0.",
        name="same_wrong",
        k=len(units) // 2 + 1,
        holding=sum(one.holds is True for one in units),
        against=sum(one.holds is False for one in units),
        of=len(units),
    )


def worlds_of() -> pd.DataFrame:
    """In how many simulated sets each rule says yes: :attr:`Tone.worlds`."""
    table = committed_table(SIMULATED)
    own = table[table["measure"] == "wrong_alike"].set_index(["world", "quantity"])
    made = pd.DataFrame({"world": list(WORLDS), "truth": list(WORLDS.values())})
    for name, rule in RULES.items():
        rows = own.loc[[(world, f"rule: {rule}") for world in WORLDS]]
        made["sets"], made[name] = rows["n_runs"].to_numpy(), rows["above_0"].to_numpy()
    return made


def examine(rows: Rows, *, verdicts: bool = True, judge: str = JUDGE) -> Tone:
    """Tone and reputation among some rows."""
    items = rows.model_items(TONE)
    items = items.kept(models=[name for name in counted(rows) if name in items.models])
    table = reputation(items)
    ends = with_ends("own", "of_others", "share", "own_less_others")
    models = table[["model", "family", "n", "n_wrong", "n_alone", *ends, "flag"]]
    models = models.sort_values("own", ascending=False, kind="stable", ignore_index=True)
    at = [list(rows.models["model"]).index(name) for name in items.models]
    alike = wrong_alike(items, {CALLED[name]: rows.usable(name)[at] for name in (TONE, STATED, TOKENS)})
    verdict = wrong_verdict(alike)
    holds = dict(verdict.units)
    models["more"] = [{True: "yes", False: "no", None: "open"}[holds[name]] for name in models["model"]]
    found = judge_follows(items, judge)
    peers = pd.DataFrame(
        {
            "model": [found.judge, *found.peers],
            "judge": ["yes", *("no" for _ in found.peers)],
            "accuracy": [found.accuracy, *found.peer_accuracy],
            "followed": [found.with_judge, *found.with_each_peer],
        }
    )
    models.insert(2, "accuracy", 1 - models.pop("n_wrong") / models["n"])
    long = models.melt(["model", "accuracy"], list(SCORES), "asked", "auroc2")
    return Tone(
        models=models,
        alike=alike,
        worlds=worlds_of(),
        points=long.replace({"asked": SCORES}),
        peers=peers,
        follows=found.difference,
        follows_lower=found.lower,
        follows_upper=found.upper,
        verdicts=drawn(verdict) if verdicts else (),
        n_models=len(models),
        n_matched=int((models["own_less_others_upper"] < 0).sum()),
        n_unmatched=int((models["own_less_others_lower"] > 0).sum()),
        n_more=int((models["more"] == "yes").sum()),
        median_own=float(models["own"].median()),
        median_others=float(models["of_others"].median()),
        median_share=float(models["share"].median()),
    )


@analysis(returns=Tone, files=(*FILES, SIMULATED))
def tone(inputs: Inputs, *, verdicts: bool = True) -> Tone:
    """What does a judge of tone hear?"""
    return examine(load(), verdicts=verdicts)
