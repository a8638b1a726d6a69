"""Every verdict of the paper's text, one row per pair, and whether the counts give it.

The text speaks of groups ("all pairs", "larger than both others", "all other pairs"); each is written out
into its pairs here, so that agreement is counted in pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.ledger.judging import agrees
from metacog.sdt.decisions import NOT_SIGNIFICANT
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.paper import MODELS, RISKS, TASKS

SIGNIFICANT, INCONCLUSIVE = "significant", "inconclusive"
#: The claims that count d' pairs without naming them, by the verdict that they count.
COUNTED = {NOT_SIGNIFICANT: "d_prime_not_significant", INCONCLUSIVE: "d_prime_inconclusive"}


@dataclass(frozen=True)
class Claim:
    """What the text says of one pair.

    Attributes
    ----------
    measure, kind, task, model, first, second : str
        As in :class:`.comparisons.Contrast`; where the text gives an order, ``first`` is the larger.
    printed : str
        The verdict.
    value : str
        A printed size: a difference of M-ratio, or a difference in percent of the second; empty without.
    ordered : bool
        Whether the text says which is the larger.
    """

    measure: str
    kind: str
    task: str
    model: str
    first: str
    second: str
    printed: str
    value: str = ""
    ordered: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        """The pair, whichever side stands first."""
        return (self.measure, self.kind, self.task, self.model, *sorted((self.first, self.second)))


def printed_claims() -> list[Claim]:
    """Every pair that the text gives a verdict of.

    Raises
    ------
    MetacogError
        If a line of the file is not understood, or a pair gets two verdicts.
    """
    found: list[Claim] = []
    for line in paper.as_text("verdicts").to_dict("records"):
        found += _pairs({str(k): str(v) for k, v in line.items()}, found)
    keys = [claim.key for claim in found]
    if len(set(keys)) != len(keys):
        raise MetacogError("servajean_verdicts.csv: a pair has two verdicts")
    return found


def counted_claim() -> dict[str, int]:
    """How many d' pairs over risk, of those not named, the text calls not significant and inconclusive."""
    return {verdict: int(paper.row("text_claims", id=one).value) for verdict, one in COUNTED.items()}


def _pairs(row: dict[str, str], before: list[Claim]) -> Iterator[Claim]:
    measure, kind, text, value = (row[k] for k in ("measure", "kind", "comparison", "printed_value"))
    tasks = list(TASKS) if kind != "models" and "," in row["task"] else [row["task"]]
    models = list(MODELS) if row["model"] in ("all", "") else [row["model"]]
    base = Claim(measure, kind, "", "", "", "", row["printed_verdict"], value)
    if kind == "optimality":
        for task in tasks:
            for model in models:
                yield replace(base, task=task, model=model, first=model, second="optimal")
    elif text.endswith("larger than both others"):
        sizes = {name: size for size, name in re.findall(r"(\d+%) over (\w+)", value)}
        for other in (m for m in MODELS if m != row["model"]):
            size = next((v for name, v in sizes.items() if other.startswith(name)), "")
            yield replace(base, task=row["task"], first=row["model"], second=other, value=size, ordered=True)
    elif text.startswith(("all pairs", "all other pairs", "any two tasks")):
        known = {claim.key for claim in before}
        for claim in _every(base, tasks, models):
            if claim.key not in known:
                yield claim
    else:
        first, how, second = _sides(text)
        place = {
            "tasks": ("", row["model"]),
            "models": (row["task"], ""),
            "risk": (row["task"], row["model"]),
        }
        task, model = place[kind]
        yield replace(base, task=task, model=model, first=first, second=second, ordered=how == "minus")


def _every(base: Claim, tasks: list[str], models: list[str]) -> Iterator[Claim]:
    for model in models:
        if base.kind == "tasks":
            for a, b in combinations(TASKS, 2):
                yield replace(base, model=model, first=a, second=b)
        else:
            for task in tasks:
                for a, b in combinations(RISKS, 2):
                    yield replace(base, task=task, model=model, first=a, second=b)


def _sides(text: str) -> tuple[str, str, str]:
    match = re.fullmatch(r"(.+) (vs|minus) (.+)", text)
    if match is None:
        raise MetacogError(f"servajean_verdicts.csv: {text!r} is not understood")
    return match[1], match[2], match[3]


def with_claims(contrasts: pd.DataFrame) -> pd.DataFrame:
    """Printed verdicts next to recomputed ones, one row per pair.

    Columns of :class:`Claim`, then ``difference`` (in the claim's order), ``lower, upper, lower_wide,
    upper_wide``, ``decision, decision_wide``, ``agrees, agrees_wide``, ``plain`` and ``relative``.
    """
    by = {}
    for row in rows_of(contrasts):
        by[(row.measure, row.kind, row.task, row.model, *sorted((row.first, row.second)))] = row
    rows = []
    for claim in printed_claims():
        if claim.key not in by:
            continue
        row = by[claim.key]
        same = row.first == claim.first
        sign = 1 if same else -1
        ends = [(row.lower, row.upper), (row.lower_wide, row.upper_wide)]
        if not same:
            ends = [(-high, -low) for low, high in ends]
        larger = not claim.ordered or sign * row.difference > 0
        rows.append(
            {
                **{name: getattr(claim, name) for name in Claim.__dataclass_fields__},
                "difference": sign * row.difference,
                "lower": ends[0][0],
                "upper": ends[0][1],
                "lower_wide": ends[1][0],
                "upper_wide": ends[1][1],
                "decision": row.decision,
                "decision_wide": row.decision_wide,
                "agrees": larger and row.decision == claim.printed,
                "agrees_wide": larger and row.decision_wide == claim.printed,
                "plain": sign * row.plain,
                "relative": row.relative if same else -row.relative_first,
                "relative_first": row.relative_first if same else -row.relative,
            }
        )
    return pd.DataFrame(rows)


def unnamed(contrasts: pd.DataFrame) -> pd.DataFrame:
    """Contrasts of d' over risk that the text counts without naming them."""
    named = {claim.key for claim in printed_claims()}
    risk = contrasts[(contrasts["measure"] == "d_prime") & (contrasts["kind"] == "risk")]
    keys = [(r.measure, r.kind, r.task, r.model, *sorted((r.first, r.second))) for r in rows_of(risk)]
    return risk[[key not in named for key in keys]].reset_index(drop=True)


def counted_claims(contrasts: pd.DataFrame) -> pd.DataFrame:
    """The counts of verdicts the text gives, by both intervals.

    Returns
    -------
    DataFrame
        ``verdict, printed, found, found_wide``, and whether either is the printed count: ``agrees,
        agrees_wide``.
    """
    left = unnamed(contrasts)
    printed = counted_claim()
    rows = []
    for word in [*printed, SIGNIFICANT, "negligible"]:
        narrow, wide = (int((left[column] == word).sum()) for column in ("decision", "decision_wide"))
        n = printed.get(word, 0)
        same, same_wide = agrees(str(n), [narrow, wide])
        rows.append((word, n, narrow, wide, bool(same), bool(same_wide)))
    return pd.DataFrame(rows, columns=["verdict", "printed", "found", "found_wide", "agrees", "agrees_wide"])


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
        {
            "group": name,
            "n": len(t),
            "agrees": int(t["agrees"].sum()),
            "agrees_wide": int(t["agrees_wide"].sum()),
        }
        for name, t in groups.items()
    )
