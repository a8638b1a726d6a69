"""What samples of Inspect logs say: correctness and confidence, or answers that have none.

Correctness is a score's value (C or I, 1 or 0). Confidence is, in this order: a number called
confidence, probability or certainty in the score's value or metadata; the same in the sample's
metadata; or the mean token log-probability of the output, where the log kept token log-probabilities.
Tokens of a think block are no part of the answer, and are left out of that mean.

Files of Inspect: ``.eval`` (a zip of JSON) and ``.json``, read sample by sample.

A sample of an ``.eval`` log is one member, ``samples/ID_epoch_N.json``, or a folder of members,
``samples/ID_epoch_N/``: its facts in ``sample.json``, what the evaluation knew of it in ``metadata.json``, and
messages, events, calls and attachments in numbered pieces. One log may hold both. Names may hold slashes.
"""

from __future__ import annotations

import json
import re
import struct
import sys
import zipfile
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.files import MALFORMED, why
from metacog.engines.thinking import Rule, answer_of, find_block
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns
from metacog.imports.records import entries

#: Newest version of the format that is known here: 3 is the one with folders.
NEWEST_VERSION = 3

#: Bytes that a file of a log may unpack to.
LARGEST = 1 << 28

_HEADERS = ("header.json", "_journal/start.json")
_ZSTANDARD = 93
_WHOLE = re.compile(r"samples/.+_epoch_\d+\.json", re.S)
_FOLDER = re.compile(r"(samples/.+_epoch_\d+/)sample\.json", re.S)
_REFERENCE = "attachment://"


@dataclass(frozen=True)
class Sample:
    """One sample of a log.

    Attributes
    ----------
    facts : dict
        As the log has it.
    attached : callable
        Gives the text that an attachment's name stands for, and any other text back as it is.
    """

    facts: dict[str, Any]
    attached: Callable[[str], str]


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
    """Whether a JSON file has an Inspect log's first entries; reads no further than it must."""
    found: set[str] = set()
    try:
        for key, _ in entries(path, "samples"):
            found.add(key)
            if "eval" in found and found & {"samples", "status"}:
                return True
    except (OSError, ValueError, RecursionError):
        return False
    return False


def header_of(file: Path) -> dict[str, Any]:
    """Everything that a log says before its samples.

    Raises
    ------
    MetacogError
        If it cannot be read, or is of a version of the format that is not known here.
    """
    with _named(file):
        header = _json_header(file) if file.suffix == ".json" else _zip_header(file)
        if not isinstance(header, dict) or not isinstance(header.get("eval", {}), dict):
            raise ValueError("it has no header")
        version = header.get("version", 0)
    if isinstance(version, int) and version > NEWEST_VERSION:
        raise MetacogError(
            f"{file} is written in version {version} of Inspect's log format, of which versions to "
            f"{NEWEST_VERSION} are known here: convert it with an older inspect_ai, or export a table"
        )
    return header


def _json_header(file: Path) -> dict[str, Any]:
    header: dict[str, Any] = {}
    for key, value in entries(file, "samples"):
        if key == "samples" and "eval" in header:
            break
        if key != "samples":
            header[key] = value
    return header


def _zip_header(file: Path) -> dict[str, Any]:
    with zipfile.ZipFile(file) as archive:
        members = set(archive.namelist())
        name = next((name for name in _HEADERS if name in members), _HEADERS[-1])
        header: dict[str, Any] = json.loads(_member(archive, name))
    return header


def samples_of(file: Path) -> Iterator[Sample]:
    """The samples of a log, one at a time: no more than one of them is in memory.

    Raises
    ------
    MetacogError
        If the log cannot be read, or has no samples.
    """
    with _named(file):
        found = False
        for sample in _json_samples(file) if file.suffix == ".json" else _zip_samples(file):
            found = True
            yield sample
    if not found:
        raise MetacogError(f"{file} is a log without samples: it was written with --no-log-samples")


@contextmanager
def _named(file: Path) -> Iterator[None]:
    """Errors of reading a file, with its name."""
    try:
        yield
    except FileNotFoundError:
        raise MetacogError(f"there is no file at {file}") from None
    except NotImplementedError:  # zipfile: a compression it does not know
        raise MetacogError(
            f"{file} is packed in a way that this Python cannot unpack: turn it into JSON with "
            "`inspect log convert --to json` and import that"
        ) from None
    except (zipfile.BadZipFile, zlib.error, *MALFORMED) as error:
        raise MetacogError(f"{file} is not a readable Inspect log ({why(error)})") from None


def _json_samples(file: Path) -> Iterator[Sample]:
    for key, value in entries(file, "samples"):
        if key == "samples" and isinstance(value, dict):
            yield _whole(value)


def _zip_samples(file: Path) -> Iterator[Sample]:
    with zipfile.ZipFile(file) as archive:
        names = sorted(set(archive.namelist()))
        for name in names:
            if _WHOLE.fullmatch(name):
                yield _whole(json.loads(_member(archive, name)))
            elif folder := _FOLDER.fullmatch(name):
                yield _in_pieces(archive, names, folder[1])


def _whole(facts: dict[str, Any]) -> Sample:
    """A sample that is one piece of JSON: attachments stand in it, by their digest."""
    attachments = facts.get("attachments") or {}

    def attached(text: str) -> str:
        return str(attachments.get(text.removeprefix(_REFERENCE), text))

    return Sample(facts, attached)


def _in_pieces(archive: zipfile.ZipFile, names: list[str], folder: str) -> Sample:
    """A sample in a folder of its own: attachments stand in pieces of a list, by their place in it."""
    facts = json.loads(_member(archive, f"{folder}sample.json"))
    metadata = f"{folder}metadata.json"
    place = bisect_left(names, metadata)
    if names[place : place + 1] == [metadata]:
        facts["metadata"] = json.loads(_member(archive, metadata))
    pieces: list[str] | None = None

    def attached(text: str) -> str:
        nonlocal pieces
        place = text.removeprefix(_REFERENCE)
        if place == text or not place.isdigit():
            return text
        if pieces is None:
            pieces = list(_listed(archive, names, f"{folder}attachments/"))
        return pieces[int(place)] if int(place) < len(pieces) else text

    return Sample(facts, attached)


def _listed(archive: zipfile.ZipFile, names: list[str], folder: str) -> Iterator[str]:
    """Elements of a list that is kept in pieces, each named by the place of its first element."""
    first = bisect_left(names, folder)
    last = bisect_left(names, f"{folder[:-1]}0")  # "0" comes after "/"
    starts = (name[len(folder) :].removesuffix(".json") for name in names[first:last])
    for start in sorted(int(start) for start in starts if start.isdigit()):
        yield from json.loads(_member(archive, f"{folder}{start}.json"))


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Contents of one file of a zip; also Zstandard (method 93), which zipfile learns in Python 3.14.

    The bytes stand behind the local header: 30 bytes, the name and an extra field, whose lengths are
    its last two numbers (PKWARE APPNOTE 4.3.7).
    """
    info = archive.getinfo(name)
    if info.file_size > LARGEST:
        raise zipfile.BadZipFile(f"{name} would unpack to more than {LARGEST / 1e6:.0f} MB")
    if info.compress_type != _ZSTANDARD or sys.version_info >= (3, 14):
        return archive.read(name)
    import pyarrow

    assert archive.fp is not None
    archive.fp.seek(info.header_offset)
    lengths = struct.unpack("<26xHH", archive.fp.read(30))
    archive.fp.seek(sum(lengths), 1)
    packed = pyarrow.py_buffer(archive.fp.read(info.compress_size))
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(packed), "zstd") as stream:
        content = stream.read(info.file_size + 1)
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise zipfile.BadZipFile(f"{name} is damaged")
    return content


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
