"""What samples of Inspect logs say: correctness and confidence, or answers that have none.

Correctness is a score's value (C or I, 1 or 0). Confidence is, in this order: a number called
confidence, probability or certainty in the score's value or metadata; the same in the sample's
metadata; or the mean token log-probability of the output, where the log kept token log-probabilities.
Tokens of a think block are no part of the answer, and are left out of that mean.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.engines.thinking import Rule, answer_of, find_block
from metacog.imports.clean import Validation
from metacog.imports.inspect_files import Sample, files_of, header_of, samples_of
from metacog.imports.mapping import Columns

#: Keys under which a stated confidence is looked for.
CONFIDENCE_KEYS = ("confidence", "probability", "certainty", "prob", "conf")

_VALUES = {"C": 1, "I": 0, "N": 0, "CORRECT": 1, "INCORRECT": 0, "TRUE": 1, "FALSE": 0, "YES": 1, "NO": 0}


def read_inspect(
    path: Path, report: Validation, *, scorer: str | None = None
) -> tuple[pd.DataFrame, Columns]:
    """Trials of Inspect logs and the roles of their columns.

    Parameters
    ----------
    path : Path
        A log, or a folder of logs; read sample by sample.
    report : Validation
        Filled in: samples that were invalidated, ended in an error or have no score are counted.
    scorer : str, optional
        Which scorer's values are taken; the first where left out.

    Raises
    ------
    MetacogError
        If a log cannot be read, has no samples or no such scorer, or nothing in it tells confidence.
    """
    n_thinking = 0
    sources: set[str] = set()

    def confidence_of(sample: Sample, score: dict[str, Any]) -> dict[str, Any]:
        nonlocal n_thinking
        n_thinking += _thinks(_tokens(sample.facts))
        found = confidence(sample, score)
        if found is None:
            return {"confidence": np.nan}
        sources.add(found[1])
        return {"confidence": found[0]}

    table = _table(path, report, scorer, confidence_of)
    if not sources:
        raise MetacogError(
            f"{path} holds no confidence: neither a number called {', '.join(CONFIDENCE_KEYS[:3])} in score "
            "or sample metadata, nor token log-probabilities (run the evaluation with logprobs=True, let the "
            "scorer put the stated confidence into its metadata, or have a model score the answers: "
            "--score-with MODEL --confidence nlp)"
        )
    if len(sources) > 1:
        raise MetacogError(
            f"confidence comes from different places in different samples ({', '.join(sorted(sources))}): "
            "they are on different scales and must not be mixed; import the logs one by one"
        )
    report.notes.append(f"confidence is the {sources.pop()}")
    if n_thinking:
        report.notes.append(
            f"{n_thinking:,} outputs begin with a think block: its tokens are left out of mean "
            "log-probabilities, and an output that ends inside it has none"
        )
    return table, _columns(table, confidence="confidence")


def read_answers(
    path: Path, report: Validation, *, scorer: str | None = None
) -> tuple[pd.DataFrame, Columns]:
    """Questions, answers and correctness of Inspect logs, whatever they tell of confidence.

    Parameters
    ----------
    path, report, scorer
        As for :func:`read_inspect`.

    Raises
    ------
    MetacogError
        If a log cannot be read, has no samples or no such scorer.
    """
    table = _table(
        path, report, scorer, lambda sample, _: {"question": _asked(sample), "answer": _said(sample)}
    )
    return table, _columns(table, question="question", answer="answer")


def _table(
    path: Path,
    report: Validation,
    scorer: str | None,
    more: Callable[[Sample, dict[str, Any]], dict[str, Any]],
) -> pd.DataFrame:
    """One row per scored sample; ``more`` adds columns from the sample and its score."""
    rows: list[dict[str, Any]] = []
    for file in files_of(path):
        header = header_of(file)
        facts, temperature = header.get("eval") or {}, _temperature(header)
        model, task = facts.get("model", "model"), facts.get("task", "task")
        if header.get("status", "success") != "success":
            report.notes.append(
                f"{file.name} ended as {header['status']!r}: it holds the samples made until then"
            )
        for sample in samples_of(file):
            report.n_read += 1
            if sample.facts.get("invalidation"):
                report.drop("the sample was invalidated", 1)
                continue
            if sample.facts.get("error"):
                report.drop("the sample ended in an error", 1)
                continue
            score = _score(sample.facts, scorer, file)
            value = None if score is None else correctness(score.get("value"))
            if score is None or value is None:
                report.drop("no score of correct or incorrect (partial, missing or another scale)", 1)
                continue
            rows.append(
                {
                    "correct": value,
                    "model": model,
                    "domain": task,
                    "question_id": f"{task}:{sample.facts.get('id')}",
                    "temperature": temperature,
                    "sample": sample.facts.get("epoch", 1),
                    **more(sample, score),
                }
            )
    if not rows:
        raise MetacogError(f"{path} holds no scored samples")
    return pd.DataFrame(rows)


def _columns(table: pd.DataFrame, **roles: str) -> Columns:
    known = table["temperature"].notna().all()
    return Columns(
        correct="correct",
        model="model",
        domain="domain",
        temperature="temperature" if known else None,
        question_id="question_id",
        sample="sample",
        **roles,
    )


def _asked(sample: Sample) -> str:
    """What the model was asked: the sample's input, turns below each other."""
    given = sample.facts.get("input")
    turns = given if isinstance(given, list) else [{"content": given}]
    texts = (_text(turn.get("content"), sample) for turn in turns if isinstance(turn, dict))
    return "\n\n".join(text for text in texts if text)


def _said(sample: Sample) -> str:
    """What the model answered, without its reasoning where that stands apart or in a think block."""
    choices = (sample.facts.get("output") or {}).get("choices") or []
    text = _text((choices[0].get("message") or {}).get("content"), sample) if choices else ""
    data = text.encode()
    block = find_block(data)
    return "" if block.start is None else data[block.start :].decode().strip()


def _text(content: Any, sample: Sample) -> str:
    """Text of a message's content; parts that are no text are left out."""
    if isinstance(content, str):
        return sample.attached(content).strip()
    parts = content if isinstance(content, list) else []
    texts = (str(p.get("text", "")) for p in parts if isinstance(p, dict) and p.get("type") == "text")
    return "".join(sample.attached(text) for text in texts).strip()


def _temperature(header: dict[str, Any]) -> float | None:
    evaluation = header.get("eval") or {}
    for config in (evaluation.get("model_generate_config"), (header.get("plan") or {}).get("config")):
        value = (config or {}).get("temperature")
        if isinstance(value, int | float):
            return float(value)
    return None


def _score(sample: dict[str, Any], scorer: str | None, file: Path) -> dict[str, Any] | None:
    scores = sample.get("scores") or {}
    if scorer is not None and scores and scorer not in scores:
        raise MetacogError(f"{file.name} has no scorer {scorer!r}; it has: {', '.join(scores)}")
    chosen = scores.get(scorer) if scorer else next(iter(scores.values()), None)
    return chosen if isinstance(chosen, dict) else None


def correctness(value: Any) -> int | None:
    """1, 0, or None where a score's value is neither right nor wrong (``P`` is partial)."""
    if isinstance(value, dict):
        value = next((value[k] for k in ("correct", "accuracy", "value", "score") if k in value), None)
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float):
        return int(value) if value in (0, 1) else None
    return _VALUES.get(value.strip().upper()) if isinstance(value, str) else None


def confidence(sample: Sample, score: dict[str, Any]) -> tuple[float, str] | None:
    """Confidence of a sample and where it comes from; None if it has none."""
    places = (
        (score.get("value"), "stated confidence in the score's value"),
        (score.get("metadata"), "stated confidence in the score's metadata"),
        (sample.facts.get("metadata"), "stated confidence in the sample's metadata"),
    )
    for place, name in places:
        if isinstance(place, dict):
            for key in CONFIDENCE_KEYS:
                value = place.get(key)
                if isinstance(value, int | float) and not isinstance(value, bool):
                    return float(value), name
    tokens = _answer_tokens(sample)
    values = [t["logprob"] for t in tokens if isinstance(t.get("logprob"), int | float)]
    return (float(np.mean(values)), "mean token log-probability of the output") if values else None


def _tokens(sample: dict[str, Any]) -> list[dict[str, Any]]:
    """Tokens of the output with their log-probabilities; none where the log kept none."""
    choices = (sample.get("output") or {}).get("choices") or []
    return ((choices[0].get("logprobs") or {}).get("content") or []) if choices else []


def _pieces(tokens: list[dict[str, Any]]) -> list[bytes]:
    return [
        bytes(t["bytes"]) if t.get("bytes") is not None else str(t.get("token", "")).encode() for t in tokens
    ]


def _thinks(tokens: list[dict[str, Any]]) -> bool:
    """Whether an output begins with a think block."""
    return find_block(b"".join(_pieces(tokens))).thought


def _answer_tokens(sample: Sample) -> list[dict[str, Any]]:
    """The answer's tokens: those behind a think block; none where the two cannot be distinguished."""
    tokens = _tokens(sample.facts)
    if not tokens:
        return []
    pieces = _pieces(tokens)
    data, ends = b"".join(pieces), list(accumulate(map(len, pieces)))
    if _thinks(tokens):
        return tokens[answer_of(data, ends, Rule.STRIP).first_token :]
    content = (sample.facts["output"]["choices"][0].get("message") or {}).get("content")
    parts = content if isinstance(content, list) else []
    if any(isinstance(p, dict) and p.get("type") == "reasoning" for p in parts):  # it may be among the tokens
        return tokens if data.strip() == _text(content, sample).encode() else []
    return tokens
