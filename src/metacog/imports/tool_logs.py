"""Logs of other tools that are JSON tables: OpenAI evals, HELM, simple-evals, MMLU-Pro; and lm-polygraph's columns.

A log is known by its fields, whatever the file is called. Some keep a confidence (HELM's ``max_prob``); for the
others it is said that they keep none, and how to come by one.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.files import reading
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns

#: Fields under which a confidence is looked for in a log.
CONFIDENCE = ("confidence", "probability", "certainty", "prob", "conf", "logprob")
#: Estimators of lm-polygraph, by the beginning of their names: the greater, the less sure.
UNCERTAIN = re.compile(
    r"MaximumSequenceProbability|MaximumTokenProbability|MeanTokenEntropy|TokenEntropy|Perplexity|SemanticEntropy|"
    r"MonteCarlo\w*Entropy|PTrue|SAR\b|SentenceSAR|TokenSAR|NumSemSets|EigValLaplacian|DegMat|Eccentricity|"
    r"ClaimConditionedProbability|LexicalSimilarity|FisherRao|RenyiNeg|KernelLanguageEntropy|LUQ|EigenScore|CCP\b"
)
_SHORT = {"PTrue", "SAR", "LUQ", "CCP"}


@dataclass(frozen=True)
class Tool:
    """A tool whose log is a table, known by ``fields``: of several with ``|`` between them, one.

    ``read`` makes of the whole table, its path and a report one row per answer, and the roles of its columns.
    """

    name: str
    fields: tuple[str, ...]
    read: Callable[[pd.DataFrame, Path, Validation], tuple[pd.DataFrame, Columns]]

    def without(self, path: Path) -> str:
        """That the log keeps no confidence, and the ways on."""
        return (
            f"{path.name} is a log of {self.name} and keeps no confidence. Name a field that you added with "
            "--confidence, or count how answers to one question agree (--confidence agreement)"
        )


def tool_of(table: pd.DataFrame) -> Tool | None:
    """The tool whose log a table is; None where it is of none that is known here."""
    names = set(table.columns)
    return next((tool for tool in TOOLS if all(names & set(one.split("|")) for one in tool.fields)), None)


def read_log(
    tool: Tool, table: pd.DataFrame, columns: Columns, path: Path, report: Validation
) -> tuple[pd.DataFrame, Columns]:
    """One row per answer, and the roles of its columns, those that were named before those that the tool gives."""
    with reading(path, f"log of {tool.name}"):
        table, known = tool.read(table, path, report)
    report.n_read = len(table) + sum(report.dropped.values())
    table = table.dropna(axis=1, how="all").reset_index(drop=True)
    roles = {
        role: name for role, name in known.named().items() if getattr(columns, role) is None and name in table
    }
    if columns.key is not None or columns.answer is not None:  # marked otherwise than by the tool
        roles = {role: name for role, name in roles.items() if role not in ("correct", "answer")}
    return table, replace(columns, **roles)


def refuse_file(path: Path) -> None:
    """Say of files of known tools that cannot be read as they are what to bring instead."""
    if path.suffix.lower() in {".html", ".htm"}:
        with open(path, encoding="utf-8", errors="replace") as handle:
            if "Extracted Answer:" in handle.read(1 << 20):
                raise MetacogError(
                    f"{path} is a report of simple-evals, which keeps no confidence: its *_allresults.json has answers "
                    "and scores, to which you may add one"
                )
    elif path.suffix.lower() in {".man", ".pt", ".pth"} and zipfile.is_zipfile(path):
        raise MetacogError(
            f"{path} is saved by PyTorch, as lm-polygraph's UEManager is, and such files run code when they are "
            "opened: write its estimations and generation metrics as columns of a CSV where you trust it "
            "(pd.DataFrame({name: values for (_, name), values in manager.estimations.items()})), and import that with "
            "--lower-is-surer"
        )


def check_direction(table: pd.DataFrame, name: str | None, lower_is_surer: bool) -> None:
    """Refuse an estimator of lm-polygraph as if more of it were surer."""
    if lower_is_surer or name is None or not UNCERTAIN.match(name):
        return
    if name not in _SHORT or sum(bool(UNCERTAIN.match(str(column))) for column in table) > 1:
        raise MetacogError(
            f"{name!r} is an estimator of lm-polygraph: the greater it is, the less sure. Add --lower-is-surer, or "
            "rename the column if it was turned round"
        )


def _text(given: Any) -> str:
    """What was asked or answered; chat turns below each other."""
    if isinstance(given, list):
        return "\n\n".join(_text(one.get("content", "") if isinstance(one, dict) else one) for one in given)
    return "" if given is None or given is np.nan else str(given)


def _openai_evals(table: pd.DataFrame, path: Path, report: Validation) -> tuple[pd.DataFrame, Columns]:
    """Events ``match``, or ``metrics`` where there are none; replies stand in events ``sampling``."""
    kinds = table["type"].value_counts()
    scored = "match" if "match" in kinds else "metrics"
    rows = table[table["type"] == scored].copy()
    report.notes.append(
        f"{len(table) - len(rows):,} lines are no {scored} events and are left out ({', '.join(kinds.index)}, heads)"
    )
    if rows.empty:
        raise MetacogError(
            f"{path} is a log of OpenAI evals without match or metrics events: nothing is scored in it"
        )
    asked = table[table["type"] == "sampling"].drop_duplicates("sample_id").set_index("sample_id")
    heads = table.reindex(columns=table.columns.union(["spec.run_id"])).dropna(subset="spec.run_id")
    heads = heads.drop_duplicates("spec.run_id").set_index("spec.run_id")
    for name, field, by, of in (
        ("reply", "data.sampled", "sample_id", asked),
        ("completion_fn", "spec.completion_fns", "run_id", heads),
        ("eval", "spec.eval_name", "run_id", heads),
    ):
        if field in of and len(of):
            rows[name] = rows[by].map(of[field].map(_text))

    def first(*fields: str) -> str | None:
        return next((one for one in fields if one in rows and rows[one].notna().any()), None)

    return rows, Columns(
        correct=first("data.correct", "data.accuracy", "data.score", "data.exact_match"),
        confidence=first(*(f"data.{name}" for name in CONFIDENCE)),
        question_id="sample_id",
        answer=first("data.sampled", "reply", "data.picked"),
        model="completion_fn",
        domain="eval",
    )


#: Statistics of HELM that say what is right, in the order in which they are looked for.
_HELM_RIGHT = (
    "exact_match",
    "quasi_exact_match",
    "prefix_exact_match",
    "final_number_exact_match",
    "math_equiv",
)
#: How MMLU-Pro looks for the letter of an answer, in this order.
_LETTERS = (r"answer is \(?([A-J])\)?", r"(?s).*[aA]nswer:\s*([A-J])", r"(?s)([A-J])[^A-J]*$")


def _helm(table: pd.DataFrame, path: Path, report: Validation) -> tuple[pd.DataFrame, Columns]:
    """Instances with ``exact_match`` and ``max_prob``, by which HELM itself measures calibration."""
    if "stats" in table:  # per_instance_stats.json; otherwise display_predictions.json
        told = (
            [one for one in stats if isinstance(one, dict) and one.get("count", 1)]
            for stats in table["stats"]
        )
        wide = [{one["name"]["name"]: one.get("mean") for one in stats} for stats in told]
        table = pd.concat([table.drop(columns="stats"), pd.DataFrame(wide, index=table.index)], axis=1)
    else:
        table = table.rename(columns=lambda name: str(name).removeprefix("stats."))
    if "perturbation.name" in table:
        bent = table["perturbation.name"].notna()
        report.drop("the instance was perturbed", int(bent.sum()))
        table = table[~bent]
    table = table.groupby(["instance_id", "train_trial_index"], sort=False, as_index=False).first()
    if (right := next((name for name in _HELM_RIGHT if name in table), None)) is not None:
        score = pd.to_numeric(table[right], errors="coerce")
        # as HELM: one of equal bests is no match
        table["right"] = (score >= 1).astype("boolean").mask(score.isna())
        report.notes.append(f"correctness is {right} of 1, where it was not named")
    known = "logprob" not in table or bool((pd.to_numeric(table["logprob"], errors="coerce") < 0).any())
    run = path.resolve().parent.name  # mmlu:subject=anatomy,model=openai_gpt2
    model = re.search(r"(?:^|[,:])model=([^,]+)", run)
    table["model"] = model[1].replace("_", "/", 1) if model else "model"
    table["scenario"] = re.sub(r"[,:]?model=[^,]+", "", run) if model else "HELM"
    return table, Columns(
        correct="right",
        confidence="max_prob" if known else None,
        question_id="instance_id",
        answer=next((name for name in ("mapped_output", "predicted_text") if name in table), None),
        model="model",
        domain="scenario",
        sample="train_trial_index" if table["train_trial_index"].nunique() > 1 else None,
    )


def _helm_state(table: pd.DataFrame, path: Path, report: Validation) -> tuple[pd.DataFrame, Columns]:
    raise MetacogError(
        f"{path} is the state of a HELM run, which does not say what is right: take per_instance_stats.json next to it"
    )


def _simple_evals(table: pd.DataFrame, path: Path, report: Validation) -> tuple[pd.DataFrame, Columns]:
    """Conversations; the score of each stands in the page that is made of it."""
    score = table["htmls"].astype("string").str.extract(r"Score: ([^<]*)</p>", expand=False)
    named = re.match(r"(?P<eval>[^_]+)_(?P<model>.+?)_allresults", path.stem)
    turns = table["convos"].map(lambda turns: turns if isinstance(turns, list) else [])
    made = pd.DataFrame(
        {
            "score": score.str.strip(),
            "answer": turns.map(lambda turns: _text(turns[-1:])),
            "number": [f"{path.stem}:{place}" for place in range(len(table))],
            "model": named["model"] if named else "model",
            "eval": named["eval"] if named else path.stem,
        }
    )
    return made, Columns("score", None, "model", "eval", None, "number", answer="answer")


def _mmlu_pro(table: pd.DataFrame, path: Path, report: Validation) -> tuple[pd.DataFrame, Columns]:
    """``pred`` and ``answer`` are letters; where no letter was found, MMLU-Pro draws one, and here it is wrong."""
    told = table["model_outputs"].map(_text)
    picked = table["pred"] if "pred" in table else pd.Series(None, index=table.index, dtype=object)
    for form in _LETTERS if "pred" not in table else ():
        picked = picked.fillna(told.str.extract(form, expand=False))
    if n := int(picked.isna().sum()):
        report.notes.append(f"{n:,} answers name no letter and count as wrong (MMLU-Pro draws one by chance)")
    right = (picked == table["answer"]).astype(int)
    return table.assign(**{"pred is answer": right}), Columns(
        correct="pred is answer", question_id="question_id", answer="model_outputs", domain="category"
    )


TOOLS = (
    Tool("OpenAI evals", ("run_id", "event_id", "sample_id", "type"), _openai_evals),
    Tool("HELM", ("instance_id", "train_trial_index", "stats|predicted_text"), _helm),
    Tool("HELM", ("instance.id", "train_trial_index", "result.completions"), _helm_state),
    Tool("simple-evals", ("htmls", "convos"), _simple_evals),
    Tool("MMLU-Pro", ("question_id", "options", "answer", "answer_index", "model_outputs"), _mmlu_pro),
)
