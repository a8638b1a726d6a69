"""Every verdict of the paper's text, one row per pair, and whether the counts give it.

The text speaks of groups ("all pairs", "larger than both others", "all other pairs"); each is written out
into its pairs here, so that agreement is counted in pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.sdt.decisions import NOT_SIGNIFICANT
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.paper import MODELS, RISKS, TASKS

#: The claims that count d' pairs without naming them, by the verdict that they count.
COUNTED = {NOT_SIGNIFICANT: "d_prime_not_significant", "inconclusive": "d_prime_inconclusive"}
#: What a claim is of, as in :class:`.cells.Contrast`, and what it says.
PAIR = ["measure", "kind", "task", "model", "first", "second"]
CLAIM = [*PAIR, "printed", "value", "ordered"]


@cache
def printed_claims() -> pd.DataFrame:
    """Every pair that the text gives a verdict of: the columns :data:`CLAIM`.

    ``value`` is a printed size (a difference of M-ratio, or one in percent of the second), ``ordered`` whether the
    text says that the first is the larger.
    """
    parts: list[pd.DataFrame] = []
    for line in rows_of(paper.as_text("verdicts")):
        own = pd.DataFrame(_pairs(line), columns=["task", "model", "first", "second", "value", "ordered"])
        own = own.assign(measure=line.measure, kind=line.kind, printed=line.printed_verdict)[CLAIM]
        if line.comparison.startswith("all other pairs"):
            own = own[~_either(own).isin(_either(pd.concat(parts)))]
        parts.append(own)
    found = pd.concat(parts, ignore_index=True)
    if _either(found).duplicated().any():
        raise MetacogError("servajean_verdicts.csv: a pair has two verdicts")
    return found


def _pairs(line: Any) -> Iterator[tuple[str, str, str, str, str, bool]]:
    """The pairs that a line of the file speaks of: task, model, first, second, size, and whether they are ordered."""
    kind, text, value = line.kind, line.comparison, line.printed_value
    tasks = list(TASKS) if "," in line.task else [line.task]
    models = list(MODELS) if line.model == "all" else [line.model]
    if kind == "optimality":
        yield from ((task, model, model, "optimal", value, False) for task, model in product(tasks, models))
    elif text.endswith("larger than both others"):
        sizes = {name: size for size, name in re.findall(r"(\d+%) over (\w+)", value)}
        for other in (m for m in MODELS if m != line.model):
            size = next((v for name, v in sizes.items() if other.startswith(name)), "")
            yield line.task, "", line.model, other, size, True
    elif text.startswith(("all pairs", "all other pairs", "any two tasks")):
        places, sides = ([""], TASKS) if kind == "tasks" else (tasks, RISKS)
        for model, task, (a, b) in product(models, places, combinations(sides, 2)):
            yield task, model, a, b, value, False
    elif match := re.fullmatch(r"(.+) (vs|minus) (.+)", text):
        task, model = "" if kind == "tasks" else line.task, "" if kind == "models" else line.model
        yield task, model, match[1], match[3], value, match[2] == "minus"
    else:
        raise MetacogError(f"servajean_verdicts.csv: {text!r} is not understood")


def _either(pairs: pd.DataFrame) -> pd.Series:
    """What tells each pair, whichever side stands first."""
    rows = pairs[PAIR].itertuples(index=False, name=None)
    return pd.Series([(*row[:4], *sorted(row[4:])) for row in rows], pairs.index, dtype=object)


def with_claims(contrasts: pd.DataFrame) -> pd.DataFrame:
    """The printed verdicts that there are contrasts for, next to what these say in the claim's order of sides."""
    claims = printed_claims()
    both = claims.assign(either=_either(claims)).merge(
        contrasts.assign(either=_either(contrasts)), on="either", suffixes=("", "_ours")
    )
    same = both["first"] == both["first_ours"]
    sign = np.where(same, 1, -1)
    larger = ~both["ordered"] | (sign * both["difference"] > 0)
    return both[[*CLAIM, "decision", "decision_wide"]].assign(
        agrees=larger & (both["decision"] == both["printed"]),
        agrees_wide=larger & (both["decision_wide"] == both["printed"]),
        plain=sign * both["plain"],
        relative=both["relative"].where(same, -both["relative_first"]),
        relative_first=both["relative_first"].where(same, -both["relative"]),
    )


def counted_claims(contrasts: pd.DataFrame) -> pd.DataFrame:
    """The counts of verdicts on d' over risk that the text gives without naming pairs, by both intervals."""
    risk = contrasts[(contrasts["measure"] == "d_prime") & (contrasts["kind"] == "risk")]
    left = risk[~_either(risk).isin(_either(printed_claims()))]
    printed = {verdict: int(paper.row("text_claims", id=one).value) for verdict, one in COUNTED.items()}
    table = pd.DataFrame({"verdict": [*printed, "significant", "negligible"]})
    table["printed"] = table["verdict"].map(printed).fillna(0).astype(int)
    for column, end in (("decision", ""), ("decision_wide", "_wide")):
        table[f"found{end}"] = [int((left[column] == word).sum()) for word in table["verdict"]]
        table[f"agrees{end}"] = table[f"found{end}"] == table["printed"]
    return table


def pair_name(row: object) -> str:
    """``d', task C, GPT-5: warned of S1 and no warning`` and the like, for readers."""
    measure = {"d_prime": "d'", "c": "c", "m_ratio": "M-ratio"}[row.measure]  # type: ignore[attr-defined]
    kind, task, model = row.kind, row.task, row.model  # type: ignore[attr-defined]
    first, second = row.first, row.second  # type: ignore[attr-defined]
    if kind == "optimality":
        return f"{measure}, {MODELS[model]}, task {task}: below 1"
    if kind == "models":
        return f"{measure}, task {task}: {MODELS[first]} and {MODELS[second]}"
    if kind == "tasks":
        return f"{measure}, {MODELS[model]}: tasks {first} and {second}"
    return f"{measure}, {MODELS[model]}, task {task}: risk {first} and {second}"


def with_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The same rows with ``name`` (of the model), ``task_name`` and, for pairs, ``pair``, for readers."""
    found = frame.reset_index(drop=True)
    if "task" in found:
        found = found.assign(task_name=found["task"].map(lambda task: TASKS.get(task, "")))
    if "model" in found:
        found = found.assign(name=found["model"].map(lambda m: MODELS.get(m, "")))
    if {"first", "second"} <= set(found.columns):
        found = found.assign(pair=[pair_name(row) for row in rows_of(found)])
    return found


def tally(tables: dict[str, pd.DataFrame], counted: pd.DataFrame) -> pd.DataFrame:
    """Agreement by group: ``group, n, agrees, agrees_wide``; counted pairs are one claim a verdict."""
    groups = {**tables, "d' over risk, counts of verdicts": counted[counted["printed"] > 0]}
    return pd.DataFrame(
        [(name, len(t), int(t["agrees"].sum()), int(t["agrees_wide"].sum())) for name, t in groups.items()],
        columns=["group", "n", "agrees", "agrees_wide"],
    )
