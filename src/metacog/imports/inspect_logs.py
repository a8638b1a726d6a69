"""What samples of Inspect logs say: correctness and confidence, or answers that have none.

Correctness is a score's value, read as Inspect's ``value_to_float`` reads it: C, I, P and N, yes and no, true and
false, numbers and numbers in words; one key of a value that holds several. Confidence is, in this order: a number
called confidence, probability or certainty in the score's value or metadata; the same in the sample's metadata; or
the mean token log-probability of the output, where the log kept token log-probabilities. Tokens of a think block are
no part of the answer, and are left out of that mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.files import cut
from metacog.engines.thinking import Rule, answer_of, find_block
from metacog.imports.clean import Validation
from metacog.imports.inspect_files import Sample, _ended, _named, logs_in
from metacog.imports.mapping import Columns
from metacog.imports.records import table_of

#: Keys under which a stated confidence is looked for.
CONFIDENCE_KEYS = ("confidence", "probability", "certainty", "prob", "conf")

#: What single words are worth to Inspect; other texts are numbers, or nothing.
_VALUES = {
    **dict.fromkeys(("c", "yes", "true", "correct"), 1.0),
    **dict.fromkeys(("i", "n", "no", "false", "incorrect"), 0.0),
    "p": 0.5,
}

#: Keys of a value that say whether it is right.
_RIGHT = ("correct", "accuracy", "value", "score")


def read_inspect(
    path: Path, report: Validation, *, scorer: str | None = None, partial: bool = False
) -> tuple[pd.DataFrame, Columns]:
    """Trials of Inspect logs and the roles of their columns.

    ``path``: a log, or a folder of logs, read sample by sample; ``report`` is filled in: samples that were invalidated,
    ended in an error or have no score are counted; ``scorer``: whose values are taken, ``NAME`` or ``NAME.KEY`` of a
    value that holds several, the first where left out; ``partial``: keep scores between right and wrong, of which a
    threshold decides.

    A MetacogError if a log cannot be read, has no samples or no such scorer, or nothing in it tells confidence.
    """
    words: set[str] = set()

    def confidence_of(sample: Sample, score: dict[str, Any]) -> dict[str, Any]:
        found, source = confidence(sample, score, words)
        return {"confidence": found, "source": source, "thinks": _thinks(_tokens(sample.facts))}

    table = _table(path, report, scorer, confidence_of, partial)
    sources, n_thinking = sorted(set(table.pop("source")) - {""}), int(table.pop("thinks").sum())
    if not sources:
        said = f" (what stands there is no number, e.g. {cut(repr(min(words)), 40)})" if words else ""
        raise MetacogError(
            f"{path} holds no confidence: neither a number called {', '.join(CONFIDENCE_KEYS[:3])} in score "
            f"or sample metadata{said}, nor token log-probabilities (run the evaluation with logprobs=True, let the "
            "scorer put the stated confidence into its metadata, name another field with --correct and --confidence, "
            "or count how answers to one question agree: --confidence agreement)"
        )
    if len(sources) > 1:
        raise MetacogError(
            f"confidence comes from different places in different samples ({', '.join(sources)}): "
            "they are on different scales and must not be mixed; import the logs one by one"
        )
    report.notes.append(f"confidence is the {sources[0]}")
    if n_thinking:
        report.notes.append(
            f"{n_thinking:,} outputs begin with a think block: its tokens are left out of mean "
            "log-probabilities, and an output that ends inside it has none"
        )
    return table, _columns(table, confidence="confidence")


def read_answers(
    path: Path, report: Validation, *, scorer: str | None = None, partial: bool = False
) -> tuple[pd.DataFrame, Columns]:
    """Answers and correctness of Inspect logs, whatever they tell of confidence."""

    def answer_of(sample: Sample, _: dict[str, Any]) -> dict[str, Any]:
        return {"answer": _said(sample)}

    table = _table(path, report, scorer, answer_of, partial)
    return table, _columns(table, answer="answer")


def read_samples(path: Path) -> pd.DataFrame:
    """All that logs say of their samples but what was said on the way, a column a field: ``metadata.sure``."""
    long = ("messages", "events", "events_data", "attachments", "transcript", "store", "timelines")

    def samples() -> Iterator[dict[str, Any]]:
        for _, header, found in logs_in(path):
            facts = header.get("eval") or {}
            of_log = {"model": facts.get("model"), "task": facts.get("task")}
            for sample in found:
                yield of_log | {key: value for key, value in sample.facts.items() if key not in long}

    with _named(path):
        return table_of(samples(), path)


def _table(
    path: Path,
    report: Validation,
    scorer: str | None,
    more: Callable[[Sample, dict[str, Any]], dict[str, Any]],
    partial: bool,
) -> pd.DataFrame:
    """One row per scored sample; ``more`` adds columns from the sample and its score."""
    rows: list[dict[str, Any]] = []
    errors: Counter[str] = Counter()
    odd: Counter[str] = Counter()
    keys: set[str] = set()
    for file, header, samples in logs_in(path):
        facts, temperature = header.get("eval") or {}, _temperature(header)
        model, task = facts.get("model", "model"), facts.get("task", "task")
        if header.get("status", "success") != "success":
            report.notes.append(
                f"{file.name} ended as {_ended(header)}: it holds the samples made until then"
            )
        for sample in samples:
            report.n_read += 1
            if sample.facts.get("invalidation"):
                report.drop("the sample was invalidated", 1)
                continue
            if error := sample.facts.get("error"):
                said = str(error.get("message") if isinstance(error, dict) else error).strip()
                errors[cut((said.splitlines() or ["it says nothing"])[0], 160)] += 1
                report.drop("the sample ended in an error", 1)
                continue
            score, value, key = _score(sample.facts, scorer, header, file)
            number = as_number(value)
            if number is None:
                report.drop("no score of correct or incorrect (missing, or no number)", 1)
                odd[cut(repr(value), 40)] += value is not None
                continue
            if number not in (0.0, 1.0) and not partial:
                report.drop("partly right: say from which score on with --correct-threshold", 1)
                odd[cut(repr(value), 40)] += 1
                continue
            keys.add(key)
            rows.append(
                {
                    "correct": number if partial else int(number),
                    "model": model,
                    "domain": task,
                    "question_id": f"{task}:{sample.facts.get('id')}",
                    "temperature": temperature,
                    "sample": sample.facts.get("epoch", 1),
                    **more(sample, score),
                }
            )
    failed = "; ".join(f"{n:,} say {said!r}" for said, n in errors.most_common(2))
    if not rows:
        said = f". Errors: {failed}" if failed else ""
        if found := [value for value, n in odd.most_common(3) if n]:
            said += f". Scores found: {', '.join(found)}"
        raise MetacogError(f"{path} holds no scored samples of {report.n_read:,} ({report.why()}){said}")
    if failed:
        report.notes.append(f"samples that ended in an error: {failed}")
    if named := sorted(key for key in keys if key):
        report.notes.append(f"correctness is {', '.join(named)} of the score's value")
    return pd.DataFrame(rows)


def _columns(table: pd.DataFrame, **roles: str) -> Columns:
    return Columns(
        correct="correct",
        model="model",
        domain="domain",
        temperature="temperature" if table["temperature"].notna().all() else None,
        question_id="question_id",
        sample="sample",
        **roles,
    )


def _said(sample: Sample) -> str:
    """What the model answered, without its reasoning where that stands apart or in a think block."""
    choices = (sample.facts.get("output") or {}).get("choices") or []
    text = _text((choices[0].get("message") or {}).get("content"), sample) if choices else ""
    start = find_block(text.encode()).start
    return "" if start is None else text.encode()[start:].decode().strip()


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


def _score(
    sample: dict[str, Any], scorer: str | None, header: dict[str, Any], file: Path
) -> tuple[dict[str, Any], Any, str]:
    """A sample's score, its value, and the key that was taken where the value holds several."""
    scores = sample.get("scores") or {}
    if not scores and isinstance(sample.get("score"), dict):  # before there were several scorers
        named = (header.get("results") or {}).get("scorer") or {}
        scores = {str(named.get("name") or "score"): sample["score"]}
    if not scores:
        return {}, None, ""
    name, key = next(iter(scores)), ""
    if scorer is not None:
        dotted = {f"{one}.{part}": (one, part) for one in scores for part in _parts(scores[one])}
        alone = {part: (one, part) for one in reversed(scores) for part in _parts(scores[one])}
        ways = alone | dotted | {one: (one, "") for one in scores}
        if scorer not in ways:
            raise MetacogError(
                f"{file.name} has no scorer {scorer!r}; it has: {', '.join([*scores, *dotted])}"
            )
        name, key = ways[scorer]
    score = scores[name] if isinstance(scores[name], dict) else {}
    parts = _parts(score)
    if not key and parts:
        told = [part for part in parts if part not in CONFIDENCE_KEYS and as_number(parts[part]) is not None]
        known = [part for part in _RIGHT if part in told]
        if not known and len(told) > 1:
            raise MetacogError(
                f"{file.name}: a score of {name!r} holds several values: name the one that says what is right with "
                f"--scorer ({', '.join(f'{name}.{part}' for part in told[:8])})"
            )
        key = (known or told or [""])[0]
    return score, parts.get(key) if parts else score.get("value"), key


def _parts(score: Any) -> dict[str, Any]:
    """Values of a score that holds several, by key or place; none where it holds one."""
    value = score.get("value") if isinstance(score, dict) else None
    if isinstance(value, list):
        return {str(place): one for place, one in enumerate(value)}
    return value if isinstance(value, dict) else {}


def as_number(value: Any) -> float | None:
    """A score's value as Inspect's ``value_to_float`` takes it; None where that is no number."""
    if isinstance(value, str):
        value = _VALUES.get(value.strip().casefold(), value)
    if not isinstance(value, bool | int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if np.isfinite(number) else None


def confidence(sample: Sample, score: dict[str, Any], words: set[str]) -> tuple[float, str]:
    """Confidence of a sample and where it comes from, empty if it has none. What is no number goes to ``words``."""
    places = (
        (score.get("value"), "stated confidence in the score's value"),
        (score.get("metadata"), "stated confidence in the score's metadata"),
        (sample.facts.get("metadata"), "stated confidence in the sample's metadata"),
    )
    for place, name in places:
        for value in map(place.get, CONFIDENCE_KEYS) if isinstance(place, dict) else ():
            text = value.strip() if isinstance(value, str) else ""
            word = isinstance(value, bool) or text.casefold() in _VALUES
            number = None if word else as_number(text.rstrip("% ") if text else value)
            if number is not None:
                return number / 100 if text.endswith("%") else number, name
            if text:
                words.add(text)
    values = [t["logprob"] for t in _answer_tokens(sample) if isinstance(t.get("logprob"), int | float)]
    return (float(np.mean(values)), "mean token log-probability of the output") if values else (np.nan, "")


def _tokens(sample: dict[str, Any]) -> list[dict[str, Any]]:
    """Tokens of the output with their log-probabilities; none where the log kept none."""
    choices = (sample.get("output") or {}).get("choices") or []
    return ((choices[0].get("logprobs") or {}).get("content") or []) if choices else []


def _piece(token: dict[str, Any]) -> bytes:
    return str(token.get("token", "")).encode() if token.get("bytes") is None else bytes(token["bytes"])


def _thinks(tokens: list[dict[str, Any]]) -> bool:
    """Whether an output begins with a think block."""
    return find_block(b"".join(map(_piece, tokens))).thought


def _answer_tokens(sample: Sample) -> list[dict[str, Any]]:
    """The answer's tokens: those behind a think block; none where the two cannot be distinguished."""
    tokens = _tokens(sample.facts)
    if not tokens:
        return []
    pieces = list(map(_piece, tokens))
    data, ends = b"".join(pieces), list(accumulate(map(len, pieces)))
    if _thinks(tokens):
        return tokens[answer_of(data, ends, Rule.STRIP).first_token :]
    content = (sample.facts["output"]["choices"][0].get("message") or {}).get("content")
    parts = content if isinstance(content, list) else []
    if any(isinstance(p, dict) and p.get("type") == "reasoning" for p in parts):  # it may be among the tokens
        return tokens if data.strip() == _text(content, sample).encode() else []
    return tokens
