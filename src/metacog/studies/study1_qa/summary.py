"""What became of the four hypotheses in this run, by the paper's rules and by sounder ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import COUNTS
from metacog.report.views import Views
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import h1, h2, h3, h4
from metacog.studies.study1_qa.cells import open_trials
from metacog.studies.study1_qa.paper import NAMES
from metacog.verdicts import levels
from metacog.verdicts.outcomes import ALL, of_rule, together
from metacog.verdicts.rules import NOT_TESTABLE, OPEN, answer_of

#: Each hypothesis by its analysis: what it claims, and the rules that stand for it, the paper's own and a sounder one.
CLAIMS = {
    "h1": ("1. M-ratio below 1", "limit", "intervals"),
    "h2": ("2. Subjects differ in it", "difference", "holm"),
    "h3": ("3. Same meta-d' at any temperature", "range", "tost"),
    "h4": ("4. Two models differ in it", "text", "further"),
}
KINDS = ("paper", "sounder")
TEXTS = h1.RULES | h2.RULES | h3.RULES | h4.RULES


@analysis(needs=("open", *CLAIMS), files=(levels.FILE, levels.FRONT))
def summary(
    inputs: Inputs,
    *,
    domains: Sequence[str] = (),
    n_resamples: int = 10_000,
    seed: int = 42,
    verdicts: bool = True,
) -> dict[str, Any]:
    """What does the run say, in short?"""
    found = {name: inputs.result(name).outcomes for name in CLAIMS}
    return {
        "hypotheses": hypotheses(found, list(dict.fromkeys(open_trials(inputs)["model"]))),
        "levels": levels.verdict_levels(("H3", "H4")),
        "power": levels.power(tuple(CLAIMS)),
    }


def hypotheses(found: Mapping[str, pd.DataFrame | None], models: Sequence[str]) -> pd.DataFrame:
    """What became of each hypothesis, by model and over all of them: ``claim, rule, model, answer, why``.

    A rule about pairs of models says nothing of one model alone.
    """
    rows = []
    for name, (claim, *rules) in CLAIMS.items():
        told = found.get(name)
        for kind, rule in zip(KINDS, rules, strict=True):
            if told is None:
                continue
            units = of_rule(told, rule)
            by_name = {row.unit: row for row in rows_of(units)}
            of_models = not by_name.keys().isdisjoint(models)
            about = f"{claim} ({kind})", kind
            for model in models:
                if model in by_name:
                    own = by_name[model]
                    rows.append((*about, model, answer_of(own.holds, own.why), own.why))
                elif of_models:
                    rows.append((*about, model, NOT_TESTABLE, "not judged"))
                else:
                    rows.append((*about, model, "-", "it is about pairs of models"))
            why, passed = units.loc[units["holds"].isna(), "why"], together(told, rule)
            open_ = why.empty or why.str.startswith(OPEN).any()
            said = "undecided" if passed is None and open_ else answer_of(passed)
            rows.append((*about, ALL, said, TEXTS[rule].text))
    return pd.DataFrame(rows, columns=["claim", "rule", "model", "answer", "why"])


def answer(result: Any) -> str:
    rows = result.hypotheses[result.hypotheses["model"] == ALL]
    own, sound = (list(rows.loc[rows["rule"] == kind, "answer"]) for kind in KINDS)
    if not own:
        return "This run is too small to judge the paper's hypotheses; the default book does."
    begun = (
        f"Of the paper's {COUNTS[len(CLAIMS)]} hypotheses, {_counted(own)} on these models by its own rules"
    )
    if _counted(own) == _counted(sound):
        return f"{begun}, and by sounder ones alike."
    return f"{begun}; by sounder ones {_counted(sound)}."


def _counted(said: Sequence[str]) -> str:
    yes, no = said.count("yes"), said.count("no")
    if not yes and not no:
        return "none can be decided"
    return f"{COUNTS[yes]} hold{'s' * (yes < 2)} and {COUNTS[no]} fail{'s' * (no < 2)}"


def power(which: str, result: Any) -> str:
    row = result.power.set_index("hypothesis").loc[which]
    wrong = (
        "" if row["wrong_runs"] == 0 else f", and in {_share(row['wrong_supported'])} where it narrowly fails"
    )
    no = f", and no in {_share(row['right_refuted'])}" if row["right_refuted"] > 0 else ""
    said = (
        f"In simulated runs of {row['size']} the sounder rule says yes in {_share(row['right_supported'])} of those in "
        f"which the hypothesis holds{no}{wrong}."
    )
    enough = row["right_supported"] >= levels.FOUND
    return said if enough else f"{said} Where it stays undecided, that says little."


def _share(share: float) -> str:
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.01 else f"{100 * share:.1f} %"


VIEWS = Views(
    "summary",
    names=NAMES,
    sentences={"answer": answer, **{f"found_{name}": partial(power, name.upper()) for name in CLAIMS}},
)
