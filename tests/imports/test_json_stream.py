"""A JSON object read entry by entry. Oracle: the standard library's reader of whole files."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metacog.imports import records
from metacog.imports.records import entries

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


def read(path, each):
    found: dict = {}
    for key, value in entries(path, each):
        if key == each:
            found.setdefault(each, []).append(value)
        else:
            found[key] = value
    return found


@settings(max_examples=60, deadline=None)
@given(
    content=st.dictionaries(st.text(max_size=4).filter(lambda k: k != "each"), VALUES, max_size=4),
    listed=st.lists(VALUES, max_size=5),
    chunk=st.integers(1, 40),
    indent=st.sampled_from([None, 2]),
)
def test_what_is_read_is_what_was_written(tmp_path_factory, content, listed, chunk, indent):
    path = tmp_path_factory.mktemp("stream") / "x.json"
    path.write_text(json.dumps({**content, "each": listed, "n": 12345}, indent=indent), encoding="utf-8")
    before, records.CHUNK = records.CHUNK, chunk
    try:
        found = read(path, "each")
    finally:
        records.CHUNK = before
    assert found.pop("each", []) == listed
    assert found == {**content, "n": 12345}


def test_a_list_under_another_key_and_no_list_at_all(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"a": [1, 2], "each": null}')
    assert list(entries(path, "each")) == [("a", [1, 2]), ("each", None)]
    path.write_text("{}")
    assert list(entries(path, "each")) == []


@pytest.mark.parametrize(
    "text",
    ["", "[1]", '{"a": 1', '{"each": [1, 2', '{"each": [1, ', '{"a" 1}', '{"each": [1 2]}', '{"a": nul}'],
)
def test_what_is_no_whole_object_is_refused(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(ValueError):
        list(entries(path, "each"))


def test_elements_are_not_all_in_memory_at_once(tmp_path):
    path, one = tmp_path / "x.json", json.dumps({"text": "x" * 10_000})
    path.write_text('{"each": [' + ", ".join([one] * 3_000) + "]}")
    assert path.stat().st_size > 30_000_000
    tracemalloc.start()
    assert sum(1 for _ in entries(path, "each")) == 3_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * records.CHUNK
