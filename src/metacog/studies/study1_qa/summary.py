"""What became of the four hypotheses in this run, by the paper's rules and by sounder ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
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


@analysis(needs=("open", *CLAIMS), files=(levels.FILE, levels.POWER))
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
    power = levels.power(*CLAIMS)
    return {
        "hypotheses": hypotheses(found, list(dict.fromkeys(open_trials(inputs)["model"]))),
        "levels": levels.verdict_levels(("H3", "H4")),
        "tried": tried(power),
        "n_runs": int(power["runs"].min()),
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


def tried(power: pd.DataFrame) -> pd.DataFrame:
    """What the sounder rules say of simulated worlds, and what they should: ``claim, world, should, theirs, ours``.

    ``theirs`` and ``ours`` count the runs, like the paper's and like this book's, of which they say it.
    """
    rows = []
    for key, own in power.groupby(["hypothesis", "effect", "size"], sort=False):
        name, effect, size = str(key[0]), str(key[1]), float(str(key[2]))
        one = name == "h1" and effect.startswith("one")  # one model at 1 makes the first claim false
        should = "no" if name == "h3" and size else "not yes" if one else "yes"
        right = {"yes": own["found"], "no": own["refuted"], "not yes": own["runs"] - own["found"]}[should]
        by_run = dict(zip(own["whose"], right, strict=True))
        world = (
            f"{effect} {size:g}" if name == "h1" else f"{effect}, by {size:g}" if size else "meta-d' stays"
        )
        rows.append((CLAIMS[name][0], world, should, by_run["theirs"], by_run["ours"]))
    return pd.DataFrame(rows, columns=["claim", "world", "should", "theirs", "ours"])


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand: what became of the hypotheses by each kind of rule."""
    rows = result.hypotheses[result.hypotheses["model"] == ALL]
    said = {kind: list(rows.loc[rows["rule"] == kind, "answer"]) for kind in KINDS}
    return {f"{kind}_{word}": answers.count(word) for kind, answers in said.items() for word in ("yes", "no")}


VIEWS = Views("summary", names=NAMES, numbers=figures)
