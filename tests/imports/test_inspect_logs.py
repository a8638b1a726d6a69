"""Logs of Inspect. Oracle: hand-made logs of its layout, as JSON and as zips, Zstandard ones too.

The layout (members, keys, compression method 93) is that of logs that inspect-ai wrote with a mock model.
"""

from __future__ import annotations

import json
import struct
import zipfile
import zlib

import numpy as np
import pyarrow
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation
from metacog.imports.inspect_logs import correctness, is_inspect, read_inspect


def sample(number: int, value, *, metadata=None, logprobs=None, own=None, **more) -> dict:
    content = [{"token": "x", "logprob": v} for v in logprobs or []]
    choice = {"message": {"content": "x"}, "logprobs": {"content": content} if logprobs else None}
    return {
        "id": number,
        "epoch": 1,
        "target": "x",
        "scores": {"match": {"value": value, "answer": "x", "metadata": metadata}},
        "metadata": own or {},
        "output": {"model": "mock", "choices": [choice]},
        **more,
    }


HEADER = {
    "version": 2,
    "status": "success",
    "eval": {"task": "quiz", "model": "mock/model", "model_generate_config": {}},
    "plan": {"config": {"temperature": 0.7}},
}


def write_zstd_zip(path, members: dict[str, bytes]) -> None:
    """A zip of Zstandard members (method 93), which zipfile cannot write before Python 3.14."""
    codec, body, directory = pyarrow.Codec("zstd"), b"", b""
    for name, data in members.items():
        packed = codec.compress(data, asbytes=True)
        common = struct.pack(
            "<HHHHHIIIHH", 63, 0, 93, 0, 33, zlib.crc32(data), len(packed), len(data), len(name), 0
        )
        directory += b"PK\x01\x02" + struct.pack("<H", 63) + common
        directory += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        body += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(body), 0)
    path.write_bytes(body + directory + b"PK\x05\x06" + end)


def write(tmp_path, samples, form="json"):
    if form == "json":
        path = tmp_path / "log.json"
        path.write_text(json.dumps({**HEADER, "samples": samples}))
        return path
    path = tmp_path / "log.eval"
    members = {f"samples/{s['id']}_epoch_1.json": json.dumps(s).encode() for s in samples}
    members["header.json"] = json.dumps(HEADER).encode()
    if form == "zstd":
        write_zstd_zip(path, members)
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, data)
    return path


@pytest.mark.parametrize("form", ["json", "deflate", "zstd"])
def test_mean_log_probability(tmp_path, form):
    path = write(tmp_path, [sample(1, "C", logprobs=[-0.2, -0.4]), sample(2, "I", logprobs=[-2.0])], form)
    assert is_inspect(path)
    trials, columns = read_inspect(path, Validation("x", "inspect"))
    np.testing.assert_allclose(trials["confidence"], [-0.3, -2.0])
    assert trials["correct"].tolist() == [1, 0]
    assert trials["question_id"].tolist() == ["quiz:1", "quiz:2"]
    assert (trials["model"].iloc[0], trials["temperature"].iloc[0]) == ("mock/model", 0.7)
    assert columns.temperature == "temperature"


def test_a_damaged_zip_is_named(tmp_path):
    path = write(tmp_path, [sample(1, "C", logprobs=[-0.2])], "zstd")
    raw = bytearray(path.read_bytes())
    raw[60] ^= 0xFF
    path.write_bytes(bytes(raw))
    with pytest.raises(MetacogError, match="not a readable Inspect log"):
        read_inspect(path, Validation("x", "inspect"))


@pytest.mark.parametrize(
    "made",
    [
        sample(1, {"correct": 1, "confidence": 0.8}, logprobs=[-1.0]),
        sample(1, "C", metadata={"confidence": 0.8}, logprobs=[-1.0]),
        sample(1, 1, own={"probability": 0.8}, logprobs=[-1.0]),
    ],
)
def test_a_stated_confidence_comes_first(tmp_path, made):
    trials, _ = read_inspect(write(tmp_path, [made]), Validation("x", "inspect"))
    assert trials["confidence"].tolist() == [0.8]
    assert trials["correct"].tolist() == [1]


def test_values_of_scores():
    assert [correctness(v) for v in ("C", "I", "N", "P", 1, 0.0, 0.5, True, None)] == [
        1,
        0,
        0,
        None,
        1,
        0,
        None,
        1,
        None,
    ]


def test_partial_failed_and_unsure_samples(tmp_path):
    samples = [
        sample(1, "C", logprobs=[-0.1]),
        sample(2, "P", logprobs=[-0.1]),
        sample(3, "C", error={"message": "boom"}),
        sample(4, "I"),
    ]
    report = Validation("x", "inspect")
    trials, _ = read_inspect(write(tmp_path, samples), report)
    assert sorted(report.dropped.values()) == [1, 1]
    assert trials["confidence"].isna().tolist() == [False, True]


@pytest.mark.parametrize(
    ("samples", "scorer", "words"),
    [
        ([sample(1, "C")], None, "holds no confidence.*logprobs=True"),
        ([sample(1, "C", logprobs=[-1.0])], "judge", "no scorer 'judge'; it has: match"),
        (
            [sample(1, "C", logprobs=[-1.0]), sample(2, "C", metadata={"confidence": 0.5})],
            None,
            "must not be mixed",
        ),
        ([sample(1, "P", logprobs=[-1.0])], None, "no scored samples"),
        ([], None, "without samples"),
    ],
)
def test_logs_that_cannot_be_used(tmp_path, samples, scorer, words):
    with pytest.raises(MetacogError, match=words):
        read_inspect(write(tmp_path, samples), Validation("x", "inspect"), scorer=scorer)


def test_no_zip_at_all(tmp_path):
    path = tmp_path / "log.eval"
    path.write_text("nothing")
    with pytest.raises(MetacogError, match="not a readable Inspect log"):
        read_inspect(path, Validation("x", "inspect"))


def tokens(*pairs):
    return [{"token": t, "logprob": v} for t, v in pairs]


THOUGHT = tokens(("<think>", -9.0), ("hm", -8.0), ("</think>", -7.0), ("\n\n", -6.0))


def test_thoughts_are_not_averaged_into_confidence(tmp_path):
    answer = tokens((" Par", -0.1), ("is", -0.3))
    samples = [sample(i, "C" if i % 2 else "I", logprobs=[-1.0]) for i in range(3)]
    samples[0]["output"]["choices"][0]["logprobs"]["content"] = THOUGHT + answer
    samples[1]["output"]["choices"][0]["logprobs"]["content"] = THOUGHT[:2]  # the limit came first
    samples[2]["output"]["choices"][0] = {
        "message": {"content": [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Paris"}]},
        "logprobs": {"content": tokens(("hm", -8.0), ("Paris", -0.5))},
    }
    report = Validation("x", "inspect")
    table, _ = read_inspect(write(tmp_path, samples), report)
    assert "2 outputs begin with a think block" in " ".join(report.notes)
    assert table["confidence"].iloc[0] == pytest.approx(-0.2)
    assert np.isnan(table["confidence"].iloc[1])
    assert np.isnan(table["confidence"].iloc[2])  # its tokens hold the hidden ones too


def test_epochs_are_samples_and_a_log_read_twice_is_not(tmp_path):
    from metacog.imports.report import Request, load

    rng = np.random.default_rng(0)
    samples = [
        {**sample(i, "C" if rng.random() < 0.5 else "I", logprobs=[-float(rng.random())]), "epoch": e}
        for i in range(20)
        for e in (1, 2)
    ]
    (tmp_path / "one").mkdir()
    write(tmp_path / "one", samples)
    trials, report = load(tmp_path / "one", Request())
    assert len(trials) == 40 and not report.dropped
    (tmp_path / "one" / "again").mkdir()
    write(tmp_path / "one" / "again", samples)
    trials, report = load(tmp_path / "one", Request())
    assert len(trials) == 40
    assert list(report.dropped.values()) == [40] and "40 of mock/model" in next(iter(report.dropped))
