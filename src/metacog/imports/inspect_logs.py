"""Logs of Inspect: ``.eval`` (a zip of JSON) and ``.json``.

Correctness is a score's value (C or I, 1 or 0). Confidence is, in this order: a number called
confidence, probability or certainty in the score's value or metadata; the same in the sample's
metadata; or the mean token log-probability of the output, where the log kept token log-probabilities.
Tokens of a think block are no part of the answer, and are left out of that mean.
"""

from __future__ import annotations

import json
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.engines.thinking import Rule, answer_of, find_block
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns

#: Keys under which a stated confidence is looked for.
CONFIDENCE_KEYS = ("confidence", "probability", "certainty", "prob", "conf")

_START = "_journal/start.json"
_ZSTANDARD = 93
_VALUES = {"C": 1, "I": 0, "N": 0, "CORRECT": 1, "INCORRECT": 0, "TRUE": 1, "FALSE": 0, "YES": 1, "NO": 0}


def files_of(path: Path) -> list[Path]:
    """Log files of a path: the file itself, or all ``.eval`` and ``.json`` logs in a folder."""
    if not path.is_dir():
        return [path]
    return sorted(f for f in path.rglob("*") if f.suffix == ".eval" or (f.suffix == ".json" and _is_log(f)))


def is_inspect(path: Path) -> bool:
    """True for an Inspect log, or a folder that holds one."""
    if path.is_dir():
        return bool(files_of(path))
    return path.suffix == ".eval" or (path.suffix == ".json" and path.is_file() and _is_log(path))


def _is_log(path: Path) -> bool:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and "eval" in content and ("samples" in content or "status" in content)


def read_inspect(
    path: Path, report: Validation, *, scorer: str | None = None
) -> tuple[pd.DataFrame, Columns]:
    """Trials of Inspect logs and the roles of their columns.

    Parameters
    ----------
    path : Path
        A log, or a folder of logs.
    report : Validation
        Filled in.
    scorer : str, optional
        Which scorer's values are taken; the first where left out.

    Raises
    ------
    MetacogError
        If a log cannot be read, has no samples or no such scorer, or nothing in it tells confidence.
    """
    rows: list[dict[str, Any]] = []
    sources: set[str] = set()
    n_thinking = 0
    for file in files_of(path):
        header, samples = _open(file)
        facts = header.get("eval") or {}
        temperature = _temperature(header)
        for sample in samples:
            report.n_read += 1
            if sample.get("error"):
                report.drop("the sample ended in an error", 1)
                continue
            score = _score(sample, scorer, file)
            value = None if score is None else correctness(score.get("value"))
            if score is None or value is None:
                report.drop("no score of correct or incorrect (partial, missing or another scale)", 1)
                continue
            found = confidence(sample, score)
            if found is not None:
                sources.add(found[1])
            n_thinking += _thinks(_tokens(sample))
            rows.append(
                {
                    "correct": value,
                    "confidence": np.nan if found is None else found[0],
                    "source": "" if found is None else found[1],
                    "model": facts.get("model", "model"),
                    "domain": facts.get("task", "task"),
                    "question_id": f"{facts.get('task', 'task')}:{sample.get('id')}",
                    "temperature": temperature,
                    "sample": sample.get("epoch", 1),
                }
            )
    if not rows:
        raise MetacogError(f"{path} holds no scored samples")
    if not sources:
        raise MetacogError(
            f"{path} holds no confidence: neither a number called {', '.join(CONFIDENCE_KEYS[:3])} in score "
            "or sample metadata, nor token log-probabilities (run the evaluation with logprobs=True, "
            "or let the scorer put the stated confidence into its metadata)"
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
    table = pd.DataFrame(rows)
    known = table["temperature"].notna().all()
    columns = Columns(
        "correct",
        "confidence",
        "model",
        "domain",
        "temperature" if known else None,
        "question_id",
        sample="sample",
    )
    return table, columns


def _open(file: Path) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    try:
        if file.suffix == ".json":
            content = json.loads(file.read_text(encoding="utf-8"))
            samples = content.get("samples")
            if not samples:
                raise MetacogError(f"{file} is a log without samples: it was written with --no-log-samples")
            return content, iter(samples)
        with zipfile.ZipFile(file) as archive:
            members = set(archive.namelist())
            names = sorted(n for n in members if n.startswith("samples/") and n.endswith(".json"))
            if not names:
                raise MetacogError(f"{file} is a log without samples")
            header = json.loads(_member(archive, "header.json" if "header.json" in members else _START))
            return header, iter([json.loads(_member(archive, name)) for name in names])
    except FileNotFoundError:
        raise MetacogError(f"there is no file at {file}") from None
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise MetacogError(f"{file} is not a readable Inspect log ({error})") from None
    except NotImplementedError:  # zipfile: a compression it does not know
        raise MetacogError(
            f"{file} is packed in a way that this Python cannot unpack: turn it into JSON with "
            "`inspect log convert --to json` and import that"
        ) from None


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Contents of one file of a zip; also Zstandard (method 93), which zipfile learns in Python 3.14.

    The bytes stand behind the local header: 30 bytes, the name and an extra field, whose lengths are
    its last two numbers (PKWARE APPNOTE 4.3.7).
    """
    info = archive.getinfo(name)
    if info.compress_type != _ZSTANDARD or sys.version_info >= (3, 14):
        return archive.read(name)
    import pyarrow

    assert archive.fp is not None
    archive.fp.seek(info.header_offset)
    lengths = struct.unpack("<26xHH", archive.fp.read(30))
    archive.fp.seek(sum(lengths), 1)
    packed = pyarrow.py_buffer(archive.fp.read(info.compress_size))
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(packed), "zstd") as stream:
        content = stream.read()
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile(f"{name} is damaged")
    return content


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


def confidence(sample: dict[str, Any], score: dict[str, Any]) -> tuple[float, str] | None:
    """Confidence of a sample and where it comes from; None if it has none."""
    places = (
        (score.get("value"), "stated confidence in the score's value"),
        (score.get("metadata"), "stated confidence in the score's metadata"),
        (sample.get("metadata"), "stated confidence in the sample's metadata"),
    )
    for place, name in places:
        if isinstance(place, dict):
            for key in CONFIDENCE_KEYS:
                value = place.get(key)
                if isinstance(value, int | float) and not isinstance(value, bool):
                    return float(value), name
    choices = (sample.get("output") or {}).get("choices") or []
    tokens = _tokens(sample)
    if tokens:
        tokens = _answer_tokens(tokens, (choices[0].get("message") or {}).get("content"))
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


def _answer_tokens(tokens: list[dict[str, Any]], content: Any) -> list[dict[str, Any]]:
    """The answer's tokens: those behind a think block; none where the two cannot be distinguished.

    Parameters
    ----------
    tokens : list of dict
        Of the whole output.
    content : str or list
        The message; a list has its reasoning in parts of their own.
    """
    pieces = _pieces(tokens)
    data, ends = b"".join(pieces), list(accumulate(map(len, pieces)))
    if _thinks(tokens):
        return tokens[answer_of(data, ends, Rule.STRIP).first_token :]
    parts = content if isinstance(content, list) else []
    if any(isinstance(p, dict) and p.get("type") == "reasoning" for p in parts):
        answer = "".join(
            str(p.get("text", "")) for p in parts if isinstance(p, dict) and p.get("type") == "text"
        )
        return tokens if data.strip() == answer.strip().encode() else []
    return tokens
