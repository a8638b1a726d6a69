"""Nothing is stored that nobody reads, and nothing is read that is not stored. Oracle: the code, as it is followed.

What is stored for a page that is yet to be written stands in ``tests/unread``, one file a study, with the reason.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import yaml
from readers import Body, Readers, fields_of, readers, results, unread

WAITING = Path(__file__).parent / "unread"
#: Parts that wait for a page. The number may only fall.
MOST = 0


def waiting() -> dict[str, str]:
    """Parts that wait for their reader, as ``study.analysis.part``, with the reason."""
    return {
        f"{file.stem.partition('-')[0]}.{name}": reason
        for file in sorted(WAITING.glob("*.yaml"))
        for name, reason in (yaml.safe_load(file.read_text(encoding="utf-8")) or {}).items()
    }


def test_every_part_of_a_result_has_a_reader():
    found = {f"{name}.{part}" for name, parts in unread().items() for part in parts}
    assert found - set(waiting()) == set(), "nobody reads these: delete them, or show them"
    assert set(waiting()) - found == set(), "these have a reader or are gone: take them from tests/unread"


def test_what_waits_has_a_reason_and_grows_no_more():
    assert all(len(reason.split()) > 3 for reason in waiting().values()) and len(waiting()) <= MOST


def test_every_part_that_is_read_is_stored():
    assert sorted(readers().unknown) == []


@pytest.mark.parametrize("of", list(results()), ids=".".join)
def test_an_analysis_writes_down_what_it_gives_back(of):
    analysis = results()[of][1]
    assert fields_of(analysis) or analysis.returns.__module__.startswith("metacog.measures")


ONE = ("study", "one")
READS = {
    "a name": ("x = inputs.result('one')\nreturn x.used", {"used"}),
    "at once": ("return inputs.result('one').used", {"used"}),
    "by key": ("return inputs.result('one')['used']", {"used"}),
    "of many": (
        "found = {n: inputs.result(n) for n in NAMES}\nreturn [r.used for r in found.values()]",
        {"used"},
    ),
    "by argument": ("return helper(inputs.result('one'))", {"used"}),
    "of what is given back": ("return given(inputs).used", {"used"}),
    "by a loop": ("for r in [inputs.result('one')]:\n    r.used", {"used"}),
    "by getattr": ("return getattr(inputs.result('one'), 'used')", {"used"}),
    "by any name": ("return getattr(inputs.result('one'), name)", {"used", "other"}),
    "by nobody": ("x = inputs.result('one')\nreturn 1", set()),
}


@pytest.mark.parametrize(("body", "read"), READS.values(), ids=list(READS))
def test_ways_of_reading(tmp_path, body, read):
    found = followed(tmp_path, body)
    assert set(found.read[ONE]) == read and not found.unknown


def test_a_misspelt_read_is_named(tmp_path):
    ((where, what),) = followed(
        tmp_path, "return helper(inputs.result('one')).columns, inputs.result('one').usde"
    ).unknown
    assert "study.one has no usde" in what and "analysis" in where


def followed(folder: Path, body: str) -> Readers:
    """What a function of this body reads of a result with the parts ``used`` and ``other``."""
    analysis = next(one for (_, one) in results().values() if not one.across)
    lines = "\n    ".join(body.split("\n"))
    helpers = "def helper(r):\n    return r.used\ndef given(inputs):\n    return inputs.result('one')\n"
    text = f"{helpers}def analysis(inputs):\n    {lines}\n"
    file = folder / "room.py"
    file.write_text(text)
    found = Readers({ONE: {"used", "other"}})
    node = ast.parse(text).body[-1]
    named = type("Named", (), {"needs": ("one",), "across": "", "name": analysis.name})()
    Body(found, file, node, {}, "study", named).follow()
    return found
