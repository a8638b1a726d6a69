"""What does a judge of tone hear? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.core.frames import with_ends
from metacog.measures.reputation import judge_follows, reputation
from metacog.studies.study import analysis
from metacog.studies.study7_mmlu_pro.rows import FILES, TONE, Rows, counted, load
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


@dataclass(frozen=True)
class Tone:
    """How sure a reply sounds, beside what is known of its answer from other replies.

    Attributes
    ----------
    models : DataFrame
        One row per model: ``model, family, accuracy, n, n_alone``; AUROC2 of the reply's own tone (``own``), of the
        mean tone of other makers' replies with the same answer (``of_others``), and of how many gave the answer
        (``share``), each with ends; ``own_less_others`` with ends; among wrong answers ``same_wrong, other_wrong,
        same_less_other_wrong`` with ends (:func:`metacog.measures.reputation.reputation`).
    points : DataFrame
        The same in long form: ``model, accuracy, asked`` (of :data:`SCORES`), ``auroc2``.
    peers : DataFrame
        Judge and models of other makers that are right as often: ``model, judge`` (yes or no), ``accuracy, followed``:
        of wrong answers, the chance that one which this model gave too sounds surer than one which it did not.
    follows, follows_lower, follows_upper : float
        How much more the tone of wrong answers follows the judge's own answers than its peers', mean over models.
    verdicts : tuple of Verdict
    n_models, n_matched, n_more, n_same_wrong : int
        ``n_matched, n_more``: models whose answers' reputation tells more, and less, than their own tone;
        ``n_same_wrong``: models whose wrong replies sound more as another's do where both gave the same wrong answer.
    median_own, median_others, median_share : float
    """

    models: pd.DataFrame
    points: pd.DataFrame
    peers: pd.DataFrame
    follows: float
    follows_lower: float
    follows_upper: float
    verdicts: tuple[Verdict, ...]
    n_models: int
    n_matched: int
    n_more: int
    n_same_wrong: int
    median_own: float
    median_others: float
    median_share: float


def wrong_verdict(models: pd.DataFrame) -> Verdict:
    """Whether wrong replies sound more alike where they give the same wrong answer."""
    name = "same_less_other_wrong"
    units = [
        beyond(r["model"], r[f"{name}_lower"], r[f"{name}_upper"], 0.0, r["flag"] or "no estimate")
        for r in models.to_dict("records")
    ]
    return judged(
        units,
        "tone",
        Kind.EXPLORATORY,
        "For more than half of the counted models, how sure a wrong reply sounds goes more with how sure another "
        "maker's wrong reply sounds if both give the same wrong answer than if they give two: the 95 % interval of the "
        "difference of the rank correlations, on the same questions, lies above 0.",
        name="same_wrong",
        k=len(units) // 2 + 1,
        holding=sum(one.holds is True for one in units),
        against=sum(one.holds is False for one in units),
        of=len(units),
    )


def examine(rows: Rows, *, verdicts: bool = True, judge: str = JUDGE) -> Tone:
    """Tone and reputation among some rows."""
    items = rows.model_items(TONE)
    items = items.kept(models=[name for name in counted(rows) if name in items.models])
    table = reputation(items)
    ends = with_ends("own", "of_others", "share", "own_less_others")
    wrong = with_ends("same_wrong", "other_wrong", "same_less_other_wrong")
    models = table[["model", "family", "n", "n_wrong", "n_alone", *ends, *wrong, "flag"]]
    models = models.sort_values("own", ascending=False, kind="stable", ignore_index=True)
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
        points=long.replace({"asked": SCORES}),
        peers=peers,
        follows=found.difference,
        follows_lower=found.lower,
        follows_upper=found.upper,
        verdicts=drawn(wrong_verdict(models)) if verdicts else (),
        n_models=len(models),
        n_matched=int((models["own_less_others_upper"] < 0).sum()),
        n_more=int((models["own_less_others_lower"] > 0).sum()),
        n_same_wrong=int((models["same_less_other_wrong_lower"] > 0).sum()),
        median_own=float(models["own"].median()),
        median_others=float(models["of_others"].median()),
        median_share=float(models["share"].median()),
    )


@analysis(returns=Tone, files=FILES)
def tone(inputs: Inputs, *, verdicts: bool = True) -> Tone:
    """What does a judge of tone hear?"""
    return examine(load(), verdicts=verdicts)
