"""What became of the hypotheses in this run? What is computed: their verdicts, as a table of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import open_trials
from metacog.studies.study1_qa.temperatures import SEPARATE
from metacog.verdicts import levels
from metacog.verdicts.rules import NOT_TESTABLE, OPEN, answer_of
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Analyses whose verdicts are listed.
HYPOTHESES = ("h1", "h2", "h3", "h4")
#: What each hypothesis claims, and the verdicts that stand for it: by the paper's own rule, and by a sounder one. The
#: sounder rule of the third takes each temperature's own rating edges, with which no rating stays empty.
CLAIMS = {
    "1. M-ratio below 1": ("limit", "intervals"),
    "2. Subjects differ in it": ("difference", "holm"),
    "3. Same meta-d' at any temperature": ("range", "tost"),
    "4. Two models differ in it": ("text", "further"),
}
RULES = ("paper", "sounder")
#: Sounder rules whose level was simulated by the number of questions.
SIMULATED = ("H2, meta", "H3", "H4")
#: What all models say together.
TOGETHER = "all"
COLUMNS = ("claim", "rule", "model", "answer", "why")


@dataclass(frozen=True)
class Summary:
    """The study on one page: all verdicts on the run's models, the measures that are sound, and the hypotheses.

    ``hypotheses`` has one row a hypothesis, rule and model, and one of all of them: ``claim, rule, model, answer, why``
    (:func:`hypotheses`). ``levels`` and ``power``: how often their sounder rules pass in simulated runs
    (:mod:`metacog.verdicts.levels`).
    """

    measures: pd.DataFrame
    hypotheses: pd.DataFrame
    levels: pd.DataFrame
    power: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def hypotheses(verdicts: Sequence[Verdict], models: Sequence[str]) -> pd.DataFrame:
    """What became of each hypothesis, by model and over all of them.

    A rule about pairs of models says nothing of one model alone.

    Parameters
    ----------
    verdicts : sequence of Verdict
    models : sequence of str
        Those of the run, in its order.

    Returns
    -------
    DataFrame
        ``claim, rule, model, answer, why``; the claim with its rule in brackets.
    """
    rows = []
    for claim, names in CLAIMS.items():
        for rule, name in zip(RULES, names, strict=True):
            found = [v for v in verdicts if v.name == name and v.values.get("edges", SEPARATE) == SEPARATE]
            for verdict in found[:1]:
                why = dict(verdict.undecided)
                of_model = {one: holds for one, holds in verdict.units if one in models}
                about = {"claim": f"{claim} ({rule})", "rule": rule}
                for model in models:
                    if model in of_model:
                        reason = why.get(model, "")
                        said = answer_of(of_model[model], reason)
                        rows.append({**about, "model": model, "answer": said, "why": reason})
                    elif of_model:
                        rows.append({**about, "model": model, "answer": NOT_TESTABLE, "why": "not judged"})
                    else:
                        rows.append(
                            {**about, "model": model, "answer": "-", "why": "it is about pairs of models"}
                        )
                open_ = not why or any(reason.startswith(OPEN) for reason in why.values())
                said = "undecided" if verdict.passed is None and open_ else answer_of(verdict.passed)
                rows.append({**about, "model": TOGETHER, "answer": said, "why": verdict.rule})
    return pd.DataFrame(rows, columns=list(COLUMNS))


@analysis(
    needs=("open", *HYPOTHESES, "correction_replication"),
    returns=Summary,
    files=(levels.FILE, levels.FRONT),
)
def summary(
    inputs: Inputs,
    *,
    domains: Sequence[str] = (),
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Summary:
    """What does the run say, in short?"""
    trials = open_trials(inputs)
    measures = inputs.result("correction_replication").measures
    drawn = tuple(
        v for name in HYPOTHESES for v in inputs.result(name).verdicts if v.kind is not Kind.PUBLISHED
    )
    first = measures[measures["dataset"] == trials["dataset"].iloc[0]].reset_index(drop=True)
    of_models = hypotheses(drawn, list(dict.fromkeys(trials["model"])))
    return Summary(first, of_models, levels.verdict_levels(SIMULATED), levels.power(HYPOTHESES), drawn)
