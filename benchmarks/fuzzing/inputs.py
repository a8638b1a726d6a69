"""Sound inputs, as they lie in `seeds/`, and what Hypothesis makes of them: changed bytes, cells and JSON values.

Parts of an input begin with a line ``@@ name``; what stands before the first names the form.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

SEEDS = Path(__file__).with_name("seeds")
MARK = b"\n@@ "
#: Pieces that are put in anywhere, beside those that Hypothesis draws.
PIECES = (
    *(b"\xff\xfe", b"\xed\xa0\x80", b"\r", b"\n\n", b'"', b"nan", b"1e999", b"9" * 5000, b"../../"),
    *(b"[" * 5000, b'{"a":' * 3000, b"&a [*a]", b"!!python/object:os.system ", b"2001-99-99", b"\\boxed{"),
    *(b"<think>", b"</think>", "◁think▷".encode(), b"```json\n", "\u0663".encode()),
)
#: Texts and numbers that stand in the place of a cell or of a value in JSON.
ODD = (
    *("", "nan", "1e999", "../../x", "C:\\x", "a" * 300, "\ud800", "\u202e", "½", "<think>"),
    -9999.0,
    10**400,
)
VALUES = st.recursive(
    st.sampled_from(ODD) | st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
NUMBERS = st.integers(0, 2**64 - 1).map(lambda n: n.to_bytes(8, "little"))
BYTES = st.sampled_from(PIECES) | st.binary(max_size=16) | NUMBERS


def seeds(target: str) -> list[bytes]:
    """The sound inputs of a target."""
    return [path.read_bytes() for path in sorted((SEEDS / target).iterdir())]


@st.composite
def changed(draw: st.DrawFn, target: str) -> bytes:
    """A sound input of a target, changed once to four times."""
    data = draw(st.sampled_from(seeds(target)))
    for _ in range(draw(st.integers(1, 4))):
        way = draw(st.sampled_from((_bytes, _cell, _json, _json)))
        data = way(draw, data)
    return data[: 1 << 16] if len(data) < 100_000 else data


def _bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """Some bytes in the place of others, or of none."""
    at = draw(st.integers(0, len(data)))
    return data[:at] + draw(BYTES) + data[at + draw(st.integers(0, 64)) :]


def _cell(draw: st.DrawFn, data: bytes) -> bytes:
    """One cell of a line of a table, or one word."""
    lines = data.split(b"\n")
    at = draw(st.integers(0, len(lines) - 1))
    comma = next((one for one in (b"\t", b",", b";", b": ") if one in lines[at]), b" ")
    cells = lines[at].split(comma)
    value = draw(VALUES)
    text = value if isinstance(value, str) else json.dumps(value)
    cells[draw(st.integers(0, len(cells) - 1))] = text.encode("utf-8", "surrogatepass")
    return b"\n".join([*lines[:at], comma.join(cells), *lines[at + 1 :]])


def _json(draw: st.DrawFn, data: bytes) -> bytes:
    """One value in the JSON of a line, or of a whole part."""
    parts = data.split(MARK)
    at = draw(st.integers(0, len(parts) - 1))
    head, mark, content = parts[at].partition(b"\n")
    pieces = [content] if draw(st.booleans()) else content.split(b"\n")
    place = draw(st.integers(0, len(pieces) - 1))
    try:
        value = json.loads(pieces[place])
    except (ValueError, RecursionError):
        return _bytes(draw, data)
    pieces[place] = json.dumps(_replaced(draw, value)).encode()
    parts[at] = head + mark + b"\n".join(pieces)
    return MARK.join(parts)


def _replaced(draw: st.DrawFn, value: Any) -> Any:
    """A value of which one below it is another, is gone, or stands twice."""
    if not value or not isinstance(value, dict | list) or draw(st.integers(0, 6)) == 0:
        return draw(VALUES)
    where = draw(st.sampled_from(list(value) if isinstance(value, dict) else range(len(value))))
    kept = dict(value) if isinstance(value, dict) else list(value)
    way = draw(st.integers(0, 9))
    if way == 0:
        del kept[where]
    elif way == 1 and isinstance(kept, list):
        kept.append(kept[where])
    else:
        kept[where] = _replaced(draw, value[where])
    return kept
