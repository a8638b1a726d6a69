"""JSON of any shape as one table. Oracle: the table that it was written from."""

from __future__ import annotations

import json
import tracemalloc

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.mapping import Columns, find_column, resolve
from metacog.imports.records import nested, read_records
from metacog.imports.report import Request, load
from metacog.imports.tables import read_table

RNG = np.random.default_rng(3)
TABLE = pd.DataFrame(
    {"id": [f"q{i}" for i in range(60)], "right": RNG.integers(0, 2, 60), "sure": np.round(RNG.random(60), 3)}
)
ROWS = TABLE.to_dict("records")


def lines(rows) -> str:
    return "\n".join(json.dumps(row) for row in rows) + "\n"


SHAPES = {
    "a.jsonl": lines(ROWS),
    "b.ndjson": lines(ROWS).replace("\n", "\r\n"),
    "c.json": json.dumps(ROWS),
    "d.jsonl": json.dumps(ROWS, indent=2),  # a list that was called lines
    "e.json": lines(ROWS),  # lines that were called a list
    "f.jsonl": "\n".join(json.dumps(row, indent=1) for row in ROWS),
    "g.jsonl": lines([ROWS[:20], ROWS[20:21], ROWS[21:]]),  # a list a line
    "h.jsonl": lines([list(TABLE), *map(list, TABLE.itertuples(index=False))]),
    "i.json": json.dumps([list(TABLE), *[list(row.values()) for row in ROWS]]),
    "j.json": json.dumps({"results": ROWS}),
    "k.json": json.dumps({"run": {"data": {"trials": ROWS}}, "version": 3}),
    "l.json": json.dumps({"settings": {"stops": [{"at": 1}]}, "results": ROWS}),
    "m.json": json.dumps({row["id"]: {"right": row["right"], "sure": row["sure"]} for row in ROWS}),
    "n.json": TABLE.to_json(orient="columns"),
    "o.json": TABLE.to_json(orient="split"),
    "p.json": json.dumps(TABLE.to_dict("list")),
    "q.json": TABLE.to_json(orient="table", index=False),
    "r.json": json.dumps({"model": "m", "data": TABLE.to_dict("list")}),
    "s.json": TABLE.set_index("id", drop=False).to_json(orient="index"),
    "t.jsonl": "\ufeff" + lines(ROWS),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_gives_the_table_that_it_was_written_from(tmp_path, name):
    (tmp_path / name).write_text(SHAPES[name], encoding="utf-8")
    found = read_table(tmp_path / name)
    pd.testing.assert_frame_equal(found[list(TABLE)], TABLE, check_dtype=False)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
@pytest.mark.parametrize("name", ["a.jsonl", "c.json", "j.json"])
def test_encodings(tmp_path, encoding, name):
    text = SHAPES[name].replace('"q7"', '"Prüfung"')
    (tmp_path / name).write_bytes(text.encode(encoding))
    assert read_table(tmp_path / name)["id"].tolist() == ["Prüfung" if i == 7 else f"q{i}" for i in range(60)]


def test_numbers_that_json_has_no_words_for(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"x": NaN, "y": Infinity, "z": -Infinity, "w": 1' + "0" * 400 + "}\n")
    assert read_records(path).iloc[0].tolist() == pytest.approx(
        [np.nan, np.inf, -np.inf, np.inf], nan_ok=True
    )


NESTED = [
    {
        "model_response": {"answer": "AB"[i % 2], "confidence": {"stated": i / 100}},
        "choices": [{"logprob": -i / 10, "text": "A"}, {"logprob": -1.0, "text": "B"}],
        "gold": ["A"],
    }
    for i in range(40)
]


@pytest.mark.parametrize("form", ["json", "parquet"])
def test_nested_fields_are_named_with_dots_and_lists_by_place(tmp_path, form):
    path = tmp_path / f"a.{form}"
    if form == "json":
        path.write_text(json.dumps(NESTED))
    else:
        pd.DataFrame(NESTED).to_parquet(path)
    table = read_table(path)
    roles = resolve(
        table,
        Columns(confidence="choices.0.logprob", answer="model_response.answer"),
        ("confidence", "answer"),
    )
    assert table[roles.confidence].tolist() == [-i / 10 for i in range(40)]
    assert table[roles.answer].tolist() == ["AB"[i % 2] for i in range(40)]
    assert find_column(table, "confidence", "choices.-1.logprob") and set(table["choices.-1.logprob"]) == {
        -1.0
    }
    assert nested(table, "choices.5.logprob") is None
    with pytest.raises(MetacogError, match="no column 'stated'.*model_response.confidence.stated"):
        find_column(table, "confidence", "stated")
    with pytest.raises(MetacogError, match=r"choices\.0\.logprob"):
        find_column(table, "confidence", None)


def test_a_column_of_lists_and_a_key_in_a_list_are_marked(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(NESTED))
    columns = Columns(
        answer="model_response.answer", key="gold", confidence="model_response.confidence.stated"
    )
    trials, _ = load(path, Request(columns))
    assert trials["correct"].tolist() == [i % 2 == 0 for i in range(40)]
    np.testing.assert_allclose(trials["confidence"], np.arange(40) / 100)


def test_names_that_are_values_stay_in_their_cell(tmp_path):
    """A vocabulary's log-probabilities, five others in each row, are no five columns a row."""
    rows = [{"right": 1, "top": {f"t{i}-{j}": -1.0 for j in range(5)}} for i in range(300)]
    (tmp_path / "a.jsonl").write_text(lines(rows))
    assert list(read_records(tmp_path / "a.jsonl")) == ["right", "top"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"train": ROWS, "test": ROWS}, r"2 lists of records: train \(60\), test \(60\).*jq \.train"),
        ({"score": 0.6, "score:std": 0.4}, "single values alone.*summary"),
        ({"model": {"a": {"b": 1}}}, "no list of records"),
        ({"results": {"arc": {"acc,none": 0.5}}, "versions": {"arc": 1}}, r"summary of lm-eval.*samples_\*"),
        ([{"a": 1}, {"a": 2}, 3], "stands where an object should"),
        ([{"a.b": 1, "a": {"b": 2}}], "column 'a.b' twice"),
    ],
)
def test_what_is_no_table_is_told_with_a_way_on(tmp_path, content, words):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content))
    with pytest.raises(MetacogError, match=words) as refusal:
        read_table(path)
    assert len(str(refusal.value)) < 500


def test_a_fault_is_named_by_its_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(lines(ROWS) + '{"right": 1, "sure": \n')
    with pytest.raises(MetacogError, match="a.jsonl, line 61: not valid JSON"):
        read_table(path)


def test_a_long_list_is_not_held_twice(tmp_path):
    path, text = tmp_path / "a.json", "x" * 10_000
    path.write_text("[" + ", ".join(json.dumps({"n": i, "text": text}) for i in range(3_000)) + "]")
    tracemalloc.start()
    table = read_records(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(table) == 3_000 and path.stat().st_size > 30_000_000
    assert peak < 1.3 * path.stat().st_size
