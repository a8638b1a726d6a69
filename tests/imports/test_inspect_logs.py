"""Logs of Inspect. Oracle: hand-made logs of its layout, as JSON and as zips, Zstandard ones too.

The layout (members, keys, compression method 93, samples in folders of their own) is that of logs that inspect-ai
wrote with a mock model; `benchmarks/log_readers.py` compares the readers on such logs.
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
from metacog.imports import inspect_files
from metacog.imports.clean import Validation
from metacog.imports.inspect_files import is_inspect, samples_of
from metacog.imports.inspect_logs import as_number, read_answers, read_inspect


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


VALUES = {
    1.0: ["C", 1, True, 1.0, "1", "1.0", "yes", "True", "correct"],
    0.0: ["I", "N", 0, False, "0", "no", "false", "Incorrect"],
    0.5: ["P", 0.5, "0.5"],
    7.0: [7, "7"],
    None: [None, "excellent", float("nan"), "nan", "", [], {}],
}


@pytest.mark.parametrize("number", VALUES)
def test_values_are_read_as_inspect_reads_them(number):
    """``value_to_float`` of inspect_ai/scorer/_metric.py; what it calls 0 with a warning is no score here."""
    assert [as_number(value) for value in VALUES[number]] == [number] * len(VALUES[number])


def test_logs_from_before_there_were_several_scorers(tmp_path):
    """``score``, which inspect_ai moves to ``scores`` (migrate_deprecated), and results with one scorer."""
    made = [sample(i, "CI"[i % 2], logprobs=[-0.1 * i]) for i in range(3)]
    for one in made:
        one["score"] = one.pop("scores")["match"]
    path = write(tmp_path, made)
    path.write_text(
        json.dumps({**HEADER, "results": {"scorer": {"name": "includes"}, "metrics": {}}, "samples": made})
    )
    trials, _ = read_inspect(path, Validation("x", "inspect"), scorer="includes")
    assert trials["correct"].tolist() == [1, 0, 1]
    np.testing.assert_allclose(trials["confidence"], [0.0, -0.1, -0.2])


def test_partly_right_answers_wait_for_a_threshold(tmp_path):
    from metacog.imports.report import Request, load

    values = ["C", "P", "I", 0.25, "0.75"] * 12
    path = write(tmp_path, [sample(i, v, metadata={"confidence": i / 60}) for i, v in enumerate(values)])
    report = Validation("x", "inspect")
    assert len(read_inspect(path, report)[0]) == 24
    assert report.dropped == {"partly right: say from which score on with --correct-threshold": 36}
    trials, _ = load(path, Request(threshold=0.5))
    assert trials["correct"].tolist() == [True, True, False, False, True] * 12
    ten = write(tmp_path, [sample(i, i % 11, metadata={"confidence": i / 66}) for i in range(66)])
    assert load(ten, Request(threshold=7))[0]["correct"].tolist() == [i % 11 >= 7 for i in range(66)]


@pytest.mark.parametrize("written", ["0.8", " 0.8 ", "80%", "80 %", 0.8])
@pytest.mark.parametrize("place", ["metadata", "own", "value"])
def test_confidence_in_words_that_are_a_number(tmp_path, written, place):
    said = {"confidence": written}
    made = sample(1, {"correct": 1, **said}) if place == "value" else sample(1, "C", **{place: said})
    trials, _ = read_inspect(write(tmp_path, [made]), Validation("x", "inspect"))
    assert trials["confidence"].tolist() == [0.8]


def test_confidence_in_words_that_are_none_is_shown(tmp_path):
    path = write(tmp_path, [sample(1, "C", metadata={"confidence": "rather high"})])
    with pytest.raises(MetacogError, match="no number, e.g. 'rather high'"):
        read_inspect(path, Validation("x", "inspect"))


@pytest.mark.parametrize(
    ("value", "scorer", "found"),
    [
        ({"grader": 1.0}, None, 1),
        ({"grader": "I", "confidence": 0.9}, None, 0),
        ({"style": 1, "fact": 0}, "match.fact", 0),
        ({"style": 1, "fact": 0}, "fact", 0),
        ({"style": 1, "correct": 0}, None, 0),
        ([1], None, 1),
        ([1, 0], "match.1", 0),
    ],
)
def test_a_value_of_several_is_read_by_its_key(tmp_path, value, scorer, found):
    report = Validation("x", "inspect")
    path = write(tmp_path, [sample(1, value, metadata={"confidence": 0.5})])
    trials, _ = read_inspect(path, report, scorer=scorer)
    assert trials["correct"].tolist() == [found]
    assert any(note.startswith("correctness is") for note in report.notes)


@pytest.mark.parametrize(
    ("value", "names"), [({"style": 1, "fact": 0}, r"match\.style, match\.fact"), ([1, 0], r"match\.0")]
)
def test_the_keys_of_a_value_of_several_are_named(tmp_path, value, names):
    path = write(tmp_path, [sample(1, value, metadata={"confidence": 0.5})])
    with pytest.raises(MetacogError, match=f"several values.*--scorer \\({names}"):
        read_inspect(path, Validation("x", "inspect"))
    with pytest.raises(MetacogError, match=f"no scorer 'judge'; it has: match, {names}"):
        read_inspect(path, Validation("x", "inspect"), scorer="judge")


def test_why_all_samples_failed_is_said(tmp_path):
    made = [
        sample(i, "C", error={"message": f"RateLimitError: wait\n{i}", "traceback": "..."}) for i in range(5)
    ]
    made.append(sample(5, "C", error={"message": "boom"}))
    with pytest.raises(
        MetacogError, match="no scored samples of 6 .*5 say 'RateLimitError: wait'; 1 say 'boom'"
    ):
        read_inspect(write(tmp_path, made), Validation("x", "inspect"))
    report = Validation("x", "inspect")
    read_inspect(write(tmp_path, [*made, sample(6, "C", logprobs=[-1.0])]), report)
    assert any("5 say 'RateLimitError: wait'" in note for note in report.notes)
    with pytest.raises(MetacogError, match="no scored samples.*Scores found: 'excellent'"):
        read_inspect(write(tmp_path, [sample(0, "excellent")]), Validation("x", "inspect"))


@pytest.mark.parametrize("samples", [None, []])
@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "written with --no-log-samples"),
        ({"status": "error", "error": {"message": "no key"}}, "'error' .no key."),
    ],
)
def test_logs_without_samples_say_why(tmp_path, samples, more, words):
    path = tmp_path / "log.json"
    path.write_text(json.dumps({**HEADER, **more, "samples": samples}))
    assert is_inspect(path)
    with pytest.raises(MetacogError, match=f"log without samples: .*{words}"):
        read_inspect(path, Validation("x", "inspect"))


@pytest.mark.parametrize("form", ["json", "deflate"])
def test_any_field_of_a_sample_can_be_named(tmp_path, form):
    from metacog.imports.mapping import Columns
    from metacog.imports.report import Request, load

    path = write(
        tmp_path, [sample(i, "CI"[i % 2], own={"asked": {"sure": 100 - i}}) for i in range(40)], form
    )
    columns = Columns("scores.match.value", "metadata.asked.sure", model="model", question_id="id")
    trials, _ = load(path, Request(columns))
    by_question = trials.set_index("question_id")
    assert [by_question.loc[str(i), "score"] for i in range(40)] == [100 - i for i in range(40)]
    assert [by_question.loc[str(i), "correct"] for i in range(40)] == [i % 2 == 0 for i in range(40)]
    assert set(trials["model"]) == {"mock/model"}


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
    assert "2 outputs" in " ".join(report.notes)
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
    assert list(report.dropped.values()) == [40] and "mock/model" in next(iter(report.dropped))


def in_folder(made: dict, attachments: list[str] = ()) -> dict[str, bytes]:
    """The members of a sample that is kept in pieces, attachments two to a piece."""
    folder = f"samples/{made['id']}_epoch_{made['epoch']}"
    shell = {k: v for k, v in made.items() if k not in ("metadata", "messages")}
    members = {
        "sample.json": shell,
        "skeleton.json": {"spans": []},
        "messages/0.json": [{"role": "user", "content": "x"}],
        "events/0.json": [{"event": "model"}],
        "events/stats.json": {"chunks": []},
    }
    if made["metadata"]:
        members["metadata.json"] = made["metadata"]
    for start in range(0, len(attachments), 2):
        members[f"attachments/{start}.json"] = list(attachments[start : start + 2])
    return {f"{folder}/{name}": json.dumps(value).encode() for name, value in members.items()}


def write_members(path, members, header=HEADER):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**members, "header.json": json.dumps(header).encode()}.items():
            archive.writestr(name, data)
    return path


def test_samples_in_folders_of_their_own_and_names_with_slashes(tmp_path):
    pieces = {**sample("geo/1", "C", own={"confidence": 0.9}), "input": "attachment://2"}
    pieces["output"]["choices"][0]["message"]["content"] = "attachment://0"
    plain = {**sample("geo/2", "I", own={"confidence": 0.4}), "input": "What?"}
    members = in_folder(pieces, ["Paris", "not this", "Capital of France?"])
    members["samples/geo/2_epoch_1.json"] = json.dumps(plain).encode()
    path = write_members(tmp_path / "log.eval", members, {**HEADER, "version": 3})
    report = Validation("x", "inspect")
    table, _ = read_inspect(path, report)
    assert report.n_read == 2
    assert dict(zip(table["question_id"], table["confidence"], strict=True)) == {
        "quiz:geo/1": 0.9,
        "quiz:geo/2": 0.4,
    }
    answers, roles = read_answers(path, Validation("x", "inspect"))
    told = answers.set_index("question_id")["answer"]
    assert told.to_dict() == {"quiz:geo/1": "Paris", "quiz:geo/2": "x"}
    assert (roles.answer, roles.confidence) == ("answer", None)


@pytest.mark.parametrize("form", ["json", "deflate"])
def test_invalidated_samples_are_left_out_and_counted(tmp_path, form):
    samples = [sample(i, "C", logprobs=[-0.1]) for i in range(4)]
    samples[1]["invalidation"] = {"timestamp": "2026-01-01T00:00:00Z", "author": "x", "reason": "broken item"}
    samples[2]["invalidation"] = None
    report = Validation("x", "inspect")
    table, _ = read_inspect(write(tmp_path, samples, form), report)
    assert table["question_id"].tolist() == ["quiz:0", "quiz:2", "quiz:3"]
    assert (
        list(report.dropped.values()) == [1] and "invalidated" in str(report.dropped) and report.n_read == 4
    )


def test_an_attachment_in_a_sample_of_one_piece(tmp_path):
    made = sample(1, "C")
    made["attachments"] = {"ab": "<think>hm</think>\n\nParis"}
    made["output"]["choices"][0]["message"]["content"] = [{"type": "text", "text": "attachment://ab"}]
    answers, _ = read_answers(write(tmp_path, [made]), Validation("x", "inspect"))
    assert answers["answer"].tolist() == ["Paris"]


@pytest.mark.parametrize("form", ["json", "deflate"])
def test_samples_are_read_one_at_a_time(tmp_path, form, monkeypatch):
    """The first sample is there before the damage behind it is met."""
    path = write(tmp_path, [sample(i, "C", logprobs=[-0.1]) for i in range(3)], form)
    if form == "json":
        path.write_text(path.read_text()[:-40])
    else:
        read = inspect_files._member

        def damaged(archive, name):
            if name.startswith("samples/2"):
                raise zipfile.BadZipFile(f"{name} is damaged")
            return read(archive, name)

        monkeypatch.setattr(inspect_files, "_member", damaged)
    samples = samples_of(path)
    assert [next(samples).facts["id"], next(samples).facts["id"]] == [0, 1]
    with pytest.raises(MetacogError, match="not a readable Inspect log"):
        list(samples)


def test_a_log_that_is_not_whole_says_so_and_one_of_the_future_is_refused(tmp_path):
    members = {"samples/1_epoch_1.json": json.dumps(sample(1, "C", logprobs=[-0.1])).encode()}
    report = Validation("x", "inspect")
    read_inspect(write_members(tmp_path / "a.eval", members, {**HEADER, "status": "cancelled"}), report)
    assert any("'cancelled'" in note for note in report.notes)
    with pytest.raises(MetacogError, match="version 4 .* to 3 are known"):
        read_inspect(write_members(tmp_path / "b.eval", members, {**HEADER, "version": 4}), report)


def test_a_list_of_logs_in_one_file(tmp_path):
    """As ``eval()`` gives them back, a log a model."""
    logs = []
    for name in ("mock/a", "mock/b"):
        made = [sample(i, "CI"[i % 2], logprobs=[-0.01 * i]) for i in range(3)]
        logs.append({**HEADER, "eval": {**HEADER["eval"], "model": name}, "samples": made})
    path = tmp_path / "logs.json"
    path.write_text(json.dumps(logs))
    assert is_inspect(path)
    trials, _ = read_inspect(path, Validation("x", "inspect"))
    assert trials["model"].tolist() == ["mock/a"] * 3 + ["mock/b"] * 3
    np.testing.assert_allclose(trials["confidence"], [0, -0.01, -0.02] * 2)
